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

void versions_impact(const Versions *v, Flow *old, Flow *new, unsigned policy, VersionsSites *out)
{
    Map seen = {0};
    vec_clear(out);
    slice(v, VERSIONS_NEW, new, policy, &seen, out);
    slice(v, VERSIONS_OLD, old, policy, &seen, out);
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_place);
    map_free(&seen);
}
