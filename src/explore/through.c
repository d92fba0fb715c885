/* through.c - did calls of the entry come to their ends?
 *
 * What is behind the entry's pointers has a shape of ours (vm/symbolic/sym_shape.c). If every run in which a
 * pointer leads somewhere ends where the shape does (a need of callers), or the functions that make a handle
 * make none within the bounds, then nothing is known of what follows: such an answer is not complete, however
 * few runs are left. A fault of the function's own is an end; so is one of a function that makes an argument,
 * for what it was called with. */
#include "explore/explore_int.h"

static bool has_shapes(const Explore *x)
{
    return x->options.symbolic.inputs.entry && x->options.symbolic.inputs.shape == VM_SHAPE_TYPES;
}

static bool is_through(const VmResult *r)
{
    return r->ending == VM_END_RETURN || r->ending == VM_END_EXIT ||
           (r->ending == VM_END_FAULT && !r->need[0]);
}

static void note(Through *t, const char *name, bool through)
{
    uint64_t at;
    if (!strmap_get(&t->index, name, &at)) {
        at = t->objects.n;
        strmap_put(&t->index, name, at);
        vec_push(&t->objects, (ThroughObject){mem_strdup(name), false});
    }
    t->objects.v[at].through |= through;
}

void through_observe(Explore *x, const VmTrace *trace, const ExprInput *input)
{
    Through *t = &x->through;
    bool through = is_through(&trace->result);
    const IrDrive *drive = x->program->drive;
    if (!has_shapes(x))
        return;
    bool called = through && !explore_maker(x->program, &trace->result);
    t->any |= called;
    for (uint32_t i = 0; i < trace->links.n; i++)
        note(t, expr_object_info(x->pool, trace->inputs.v[trace->links.v[i].target].object)->name + 1,
             through);
    for (uint32_t i = 0; drive && i < drive->handles.n; i++)
        note(t, drive->handles.v[i].name,
             called && explore_parameter(x->pool, trace, input, drive->handles.v[i].name));
}

void through_settle(Explore *x)
{
    const Through *t = &x->through;
    if (!has_shapes(x) || ledger_count(x->lane->ledger)) /* runs that were not made might have */
        return;
    if (!t->any)
        ledger_add(x->lane->ledger, LEDGER_THROUGH, IR_NONE, "%s", "");
    for (uint32_t i = 0; t->any && i < t->objects.n; i++)
        if (!t->objects.v[i].through)
            ledger_add(x->lane->ledger, LEDGER_THROUGH, IR_NONE, " in which %s leads somewhere",
                       t->objects.v[i].name);
}

void through_write(const Explore *x, Str *out)
{
    const Through *t = &x->through;
    wire_uint(out, t->any);
    wire_uint(out, t->objects.n);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        wire_text(out, t->objects.v[i].name);
        wire_uint(out, t->objects.v[i].through);
    }
}

void through_read(Explore *x, Wire *in)
{
    Arena *arena = arena_new();
    x->through.any |= wire_get_below(in, 2);
    for (uint32_t n = wire_get_count(in); n-- && !in->bad;) {
        const char *name = wire_get_text(in, arena);
        note(&x->through, name, wire_get_below(in, 2));
    }
    arena_free(arena);
}

void through_free(Explore *x)
{
    for (uint32_t i = 0; i < x->through.objects.n; i++)
        mem_free(x->through.objects.v[i].name);
    vec_free(&x->through.objects);
    strmap_free(&x->through.index);
}
