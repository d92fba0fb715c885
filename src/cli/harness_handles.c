/* harness_handles.c - handles in a harness: a function for each that calls a constructor, and then up to
 * CALLS times one of the mutators, chosen by an input. */
#include "cli/harness_int.h"

static const FrontendFunction *function_of(const Writer *w, const char *name)
{
    for (uint32_t i = 0; i < w->t->makers.n; i++)
        if (!strcmp(w->t->maker_names.v[i], name))
            return &w->t->makers.v[i];
    return NULL;
}

static uint32_t input_named(const Writer *w, const char *name)
{
    const VmTrace *t = w->t->trace;
    for (uint32_t i = 0; i < t->inputs.n; i++)
        if (t->inputs.v[i].origin == VM_INPUT_PARAMETER &&
            !strcmp(expr_object_info(w->t->pool, t->inputs.v[i].object)->name, name))
            return i;
    return IR_NONE;
}

static void write_arguments(Writer *w, const IrMaker *m, uint32_t handle, uint32_t slot, const char *indent,
                            bool pointers)
{
    const FrontendFunction *f = function_of(w, m->name);
    const IrFn *fn = &w->t->program->fns.v[m->fn];
    for (uint32_t i = 0; i < f->names.n; i++) {
        HarnessArgument a = {
            .f = f, .number = i, .type = i + 1 < fn->ctypes.n ? fn->ctypes.v[i + 1] : 0, .indent = indent};
        if (i == m->place && m->kind != IR_MAKER_RETURNS)
            continue;
        const char *name = ir_drive_argument(w->t->drive, m, handle, slot, f->names.v[i], w->arena);
        const IrCType *type = a.type ? &w->t->program->ctypes.v[a.type] : NULL;
        a.input = input_named(w, name);
        a.bounded = type && (type->kind == IR_C_INT || type->kind == IR_C_UINT) && type->size >= 4 &&
                    ir_name_is_length(f->names.v[i]);
        if (harness_is_pointer(w, &a) == pointers)
            harness_argument(w, &a);
    }
}

static void write_call(Writer *w, const IrMaker *m, uint32_t handle, uint32_t slot, const char *indent)
{
    const FrontendFunction *f = function_of(w, m->name);
    bool assigned = m->kind == IR_MAKER_RETURNS || m->kind == IR_MAKER_MOVES;
    write_arguments(w, m, handle, slot, indent, false); /* numbers first: they are lengths of what follows */
    write_arguments(w, m, handle, slot, indent, true);
    if (m->kind == IR_MAKER_INIT && slot == IR_NONE)
        str_printf(w->out, "%sstatic __typeof__(*made) room;\n%smade = &room;\n", indent, indent);
    str_printf(w->out, "%s%s%s(", indent, assigned ? "made = " : "", m->name);
    for (uint32_t i = 0; i < f->names.n; i++) {
        bool placed = i == m->place && m->kind != IR_MAKER_RETURNS;
        str_printf(w->out, "%s%s", i ? ", " : "",
                   !placed                   ? f->names.v[i]
                   : m->kind == IR_MAKER_OUT ? "&made"
                                             : "made");
    }
    str_add(w->out, ");\n");
    if (m->kind == IR_MAKER_MOVES)
        str_printf(w->out, "%ssheaf_assume(made != NULL);\n", indent);
}

static void write_constructors(Writer *w, const IrHandle *h, uint32_t handle)
{
    bool several = h->constructors.n > 1;
    if (several)
        str_printf(w->out, "    switch (sheaf_size(%u, \"%s.made\")) {\n", h->constructors.n - 1, h->name);
    for (uint32_t i = 0; i < h->constructors.n; i++) {
        if (several)
            str_printf(w->out, "    case %u: {\n", i);
        write_call(w, &h->constructors.v[i], handle, IR_NONE, several ? "        " : "    ");
        str_add(w->out, several ? "        break;\n    }\n" : "");
    }
    str_add(w->out, several ? "    }\n" : "");
    str_add(w->out, "    sheaf_assume(made != NULL);\n");
}

static void write_mutators(Writer *w, const IrHandle *h, uint32_t handle)
{
    str_printf(
        w->out,
        "    for (int calls = 0; calls < CALLS; calls++)\n        switch (sheaf_size(%u, \"%s.call\")) {\n",
        h->mutators.n, h->name);
    for (uint32_t i = 0; i < h->mutators.n; i++) {
        str_printf(w->out, "        case %u: {\n", i + 1);
        write_call(w, &h->mutators.v[i], handle, 0, "            ");
        str_add(w->out, "            break;\n        }\n");
    }
    str_add(w->out, "        default: return made;\n        }\n");
}

bool harness_handle(Writer *w, uint32_t number)
{
    const IrDrive *d = w->t->drive;
    const FrontendFunction *f = w->t->function;
    uint32_t i = 0;
    while (d && i < d->handles.n && d->handles.v[i].number != number)
        i++;
    if (!d || i == d->handles.n)
        return false;
    const IrHandle *h = &d->handles.v[i];
    const char *type = harness_without_const(w, f->types.v[number]);
    Str *main = w->out;
    w->out = &w->handles;
    const char *plain = text_starts_with(type, "const ") ? type + strlen("const ") : type;
    const char *name = arena_printf(w->arena, "made_%s(void)", h->name);
    str_printf(w->out, "/* inferred: made by the program's own functions */\nstatic %s\n{\n    %s = NULL;\n",
               harness_declared(w, plain, name), harness_declared(w, plain, "made"));
    write_constructors(w, h, i);
    if (h->mutators.n && d->calls)
        write_mutators(w, h, i);
    str_add(w->out, "    return made;\n}\n\n");
    w->out = main;
    uint32_t input = input_named(w, h->name);
    bool nonnull = input != IR_NONE && vm_outline(w->t->vm, w->t->trace, input, 0).nonnull;
    str_printf(w->out,
               nonnull ? "    %s = made_%s();\n" : "    %s = sheaf_size(1, \"%s\") ? made_%s() : NULL;\n",
               harness_declared(w, type, h->name), h->name, h->name);
    return true;
}

void harness_includes(const Writer *w, Str *out)
{
    for (uint32_t i = 0; i < w->t->makers.n; i++) {
        const char *header = w->t->makers.v[i].header;
        bool known = !header || (w->t->function->header && !strcmp(header, w->t->function->header));
        for (uint32_t k = 0; k < i && !known; k++)
            known = w->t->makers.v[k].header && !strcmp(header, w->t->makers.v[k].header);
        if (!known)
            str_printf(out, "#include \"%s\"\n", header);
    }
}
