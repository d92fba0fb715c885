/* impact.c - what may depend on a change: the forward slice on both sides, OLD's mapped onto NEW. */
#include "versions/versions.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const FlowSite *x = a, *y = b;
    if (x->fn != y->fn)
        return x->fn < y->fn ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->insn < y->insn ? -1 : x->insn > y->insn;
}

static void slice(const Versions *v, unsigned version, Flow *flow, unsigned policy, Map *seen,
                  VersionsSites *out)
{
    FlowSlices *slices = flow_slices_new(flow, &(FlowSliceOptions){.policy = policy});
    FlowSites found = flow_slice(slices, v->changed[version].v, v->changed[version].n, true);
    for (uint32_t i = 0; i < found.n; i++) {
        FlowSite at = found.v[i];
        if ((version == VERSIONS_NEW || versions_partner(v, version, at, &at)) &&
            map_add(seen, flow_site_key(at), 1))
            vec_push(out, at);
    }
    flow_slices_free(slices);
}

static FlowSite definition(const IrFn *fn, uint32_t index, uint32_t reg)
{
    return (FlowSite){index, fn->regs.v[reg].block, fn->regs.v[reg].insn};
}

/* A phi stands for the assignments at the ends of the blocks before it, which are no instructions any more:
 * where one of them assigns what the change affects, the end of that block is affected, or the branch that
 * leads on from there. */
static void add_assignments(const Versions *v, Map *seen, VersionsSites *out)
{
    const IrProgram *p = v->program[VERSIONS_NEW];
    Map changed = {0};
    for (uint32_t i = 0; i < v->changed[VERSIONS_NEW].n; i++)
        map_put(&changed, flow_site_key(v->changed[VERSIONS_NEW].v[i]), 1);
    for (uint32_t i = 0, n = out->n; i < n; i++) {
        FlowSite at = out->v[i];
        const IrFn *fn = &p->fns.v[at.fn];
        const IrInsn *phi = &fn->blocks.v[at.block].insns.v[at.insn];
        const uint32_t *list = phi->op == IR_PHI ? &fn->extra.v[phi->a] : NULL;
        bool itself = map_get(&changed, flow_site_key(at), NULL);
        for (uint32_t k = 0; list && k < list[0]; k++) {
            const IrBlock *before = &fn->blocks.v[list[1 + 2 * k]];
            bool jumps = vec_last(&before->insns).op == IR_JMP;
            FlowSite end = {at.fn, list[1 + 2 * k], before->insns.n - !jumps};
            uint32_t value = list[2 + 2 * k];
            bool affected = itself || (!ir_reg_const_of(fn, value) && ir_reg_def(fn, value) &&
                                       map_get(seen, flow_site_key(definition(fn, at.fn, value)), NULL));
            if (affected && map_add(seen, flow_site_key(end), 1))
                vec_push(out, end);
        }
    }
    map_free(&changed);
}

void versions_impact(const Versions *v, Flow *old, Flow *new, unsigned policy, VersionsSites *out)
{
    Map seen = {0};
    vec_clear(out);
    slice(v, VERSIONS_NEW, new, policy, &seen, out);
    slice(v, VERSIONS_OLD, old, policy, &seen, out);
    add_assignments(v, &seen, out);
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_place);
    map_free(&seen);
}
