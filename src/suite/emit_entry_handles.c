/* emit_entry_handles.c - the handles of a test as C: calls of the functions that make them (ir/drive.h), with
 * the test's arguments. */
#include "suite/emit_entry.h"

/* A number that the test has for a parameter; 0 if it has none. */
static uint64_t number_of(const Writer *w, const char *parameter)
{
    uint32_t object = suite_emit_object_of(w, parameter);
    uint64_t value = 0;
    if (object != UINT32_MAX)
        memcpy(&value, w->test->objects.v[object].data,
               w->test->objects.v[object].size < 8 ? w->test->objects.v[object].size : 8);
    return value;
}

/* Variables for the arguments of a call, but for the handle; *call: "set_add(s, set_add_key)". */
static void build_call(Writer *w, const IrMaker *m, uint32_t handle, uint32_t slot, Str *call)
{
    const IrHandle *h = &w->p->drive.handles.v[handle];
    const FrontendFunction *f = suite_drive_function(w->p, m->name);
    uint32_t fn = ir_fn_find(w->p->ir, m->name);
    const IrFn *ir = fn == IR_NONE ? NULL : &w->p->ir->fns.v[fn];
    bool assigned = m->kind == IR_MAKER_RETURNS || m->kind == IR_MAKER_MOVES;
    str_printf(call, "%s%s%s(", assigned ? h->name : "", assigned ? " = " : "", m->name);
    for (uint32_t i = 0; i < f->names.n; i++) {
        str_add(call, i ? ", " : "");
        if (i == m->place && m->kind != IR_MAKER_RETURNS) {
            str_printf(call, "%s%s", m->kind == IR_MAKER_OUT ? "&" : "", h->name);
            continue;
        }
        const char *of = ir_drive_argument(&w->p->drive, m, handle, slot, f->names.v[i], w->arena);
        const char *variable = suite_emit_identifier(w, of);
        suite_emit_argument(w, variable, f->types.v[i], of,
                            ir && i + 1 < ir->ctypes.n ? ir->ctypes.v[i + 1] : 0);
        str_add(call, variable);
    }
    str_add_char(call, ')');
}

/* The statements that make the handle, its declaration first; arguments of calls get variables now. */
static void build_calls(Writer *w, uint32_t i, const char *type)
{
    const IrHandle *h = &w->p->drive.handles.v[i];
    const char *declared = suite_emit_declared_type(w, type),
               *space = text_ends_with(declared, "*") ? "" : " ";
    Str call = {0};
    if (!number_of(w, h->name)) {
        vec_push(&w->calls, arena_printf(w->arena, "%s%s%s = NULL", declared, space, h->name));
        return;
    }
    uint64_t which = h->constructors.n > 1 ? number_of(w, ir_drive_choice(h, IR_NONE, w->arena)) : 0;
    const IrMaker *m = &h->constructors.v[which < h->constructors.n ? which : 0];
    build_call(w, m, i, IR_NONE, &call);
    if (m->kind == IR_MAKER_RETURNS) {
        vec_push(&w->calls, arena_printf(w->arena, "%s%s%s", declared, space, str_text(&call)));
    } else {
        const char *value =
            m->kind == IR_MAKER_INIT ? arena_printf(w->arena, "sheaf_zeroed(sizeof *%s)", h->name) : "NULL";
        vec_push(&w->calls, arena_printf(w->arena, "%s%s%s = %s", declared, space, h->name, value));
        vec_push(&w->calls, arena_strdup(w->arena, str_text(&call)));
    }
    for (uint32_t slot = 0; slot < w->p->drive.calls; slot++) {
        which = number_of(w, ir_drive_choice(h, slot, w->arena));
        if (!which || which > h->mutators.n)
            break;
        vec_clear(&call);
        build_call(w, &h->mutators.v[which - 1], i, slot, &call);
        vec_push(&w->calls, arena_strdup(w->arena, str_text(&call)));
    }
    str_free(&call);
}

void suite_emit_handles(Writer *w)
{
    vec_clear(&w->calls);
    for (uint32_t k = 0; k < w->p->names.n; k++) {
        uint32_t handle = suite_drive_handle(w->p, w->p->names.v[k]);
        if (handle != UINT32_MAX)
            build_calls(w, handle, w->p->types.v[k]);
    }
}
