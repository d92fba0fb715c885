/* handles.c - runs of a driver (ir/drive.h): which of its calls a run made, and in which it ended. */
#include "explore/explore_int.h"

typedef struct Used {
    const IrDrive *drive;
    const IrProgram *program;
    const ExprPool *pool;
    const VmTrace *trace;
    const ExprInput *input;
    StrMap names; /* of parameters whose values the run used */
    Arena *arena;
} Used;

uint64_t explore_parameter(const ExprPool *pool, const VmTrace *trace, const ExprInput *input,
                           const char *name)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        const ExprObjectInfo *info = expr_object_info(pool, use->object);
        if (use->origin == VM_INPUT_PARAMETER && !strcmp(info->name, name))
            for (uint32_t k = 0; k < use->size && k < 8; k++)
                value |= (uint64_t)expr_input_byte(input, info->at + k) << 8 * k;
    }
    return value;
}

static uint64_t value_of(const Used *u, const char *name)
{
    return explore_parameter(u->pool, u->trace, u->input, name);
}

static void use_call(Used *u, const IrMaker *m, uint32_t handle, uint32_t slot)
{
    const IrFn *fn = &u->program->fns.v[m->fn];
    uint32_t number = 0;
    for (uint32_t i = 0; i < fn->nparams; i += ir_param_parts(fn, i), number++) {
        const char *own = fn->regs.v[i].name ? ir_text(u->program, fn->regs.v[i].name)
                                             : arena_printf(u->arena, "arg%u", number);
        strmap_put(&u->names, ir_drive_argument(u->drive, m, handle, slot, own, u->arena), 1);
    }
}

static void use_handle(Used *u, uint32_t i)
{
    const IrHandle *h = &u->drive->handles.v[i];
    if (!value_of(u, h->name))
        return;
    const char *made = ir_drive_choice(h, IR_NONE, u->arena);
    uint64_t which = h->constructors.n > 1 ? value_of(u, made) : 0;
    strmap_put(&u->names, made, 1);
    use_call(u, &h->constructors.v[which < h->constructors.n ? which : 0], i, IR_NONE);
    for (uint32_t slot = 0; h->mutators.n && slot < u->drive->calls; slot++) {
        const char *call = ir_drive_choice(h, slot, u->arena);
        which = value_of(u, call);
        if (!which || which > h->mutators.n)
            return;
        strmap_put(&u->names, call, 1);
        use_call(u, &h->mutators.v[which - 1], i, slot);
    }
}

void explore_unused_inputs(const IrProgram *p, const ExprPool *pool, const VmTrace *trace,
                           const ExprInput *input, BitSet *out)
{
    if (!p->drive)
        return;
    Used u = {p->drive, p, pool, trace, input, .arena = arena_new()};
    for (uint32_t i = 0; i < p->drive->handles.n; i++)
        use_handle(&u, i);
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const char *name = expr_object_info(pool, trace->inputs.v[i].object)->name;
        if (trace->inputs.v[i].origin == VM_INPUT_PARAMETER && strchr(name, '.') &&
            !strmap_get(&u.names, name, NULL))
            bitset_add(out, i);
    }
    strmap_free(&u.names);
    arena_free(u.arena);
}

const char *explore_maker(const IrProgram *p, const VmResult *result)
{
    for (uint32_t i = 1; p->drive && i < result->stack.n; i++) {
        if (result->stack.v[i].fn != p->drive->fn)
            continue;
        const char *name = ir_text(p, p->fns.v[result->stack.v[i - 1].fn].name);
        bool is_entry = !strcmp(name, p->drive->entry);
        size_t n = strlen(name);
        /* the entry may be one of them, too: then what it is passed tells */
        return !is_entry || (!strncmp(result->need, name, n) && result->need[n] == '.') ? name : NULL;
    }
    return NULL;
}
