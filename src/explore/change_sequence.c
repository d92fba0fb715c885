/* change_sequence.c - which impacted nodes a run goes through, in their order: see change.h. */
#include "explore/change.h"

const VmVisit *change_sequence_next(const VmTrace *trace, uint32_t decision, ChangeSequence *s)
{
    bool is_next = s->visits < trace->visits.n &&
                   (trace->visits.v[s->visits].decisions <= decision || decision == trace->decisions.n);
    return is_next ? &trace->visits.v[s->visits++] : NULL;
}

void change_sequence_decide(const ChangeGraph *g, const VmDecision *d, ChangeSequence *s)
{
    if ((d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH) &&
        map_get(&g->impacted_branches, hash_mix(d->fn, d->block), NULL))
        s->hash = hash_mix(hash_mix(s->hash, d->block), d->took);
}

void change_sequence_until(const ChangeGraph *g, const VmTrace *trace, uint32_t decision, ChangeSequence *s)
{
    for (const VmVisit *v; (v = change_sequence_next(trace, decision, s));) {
        uint32_t node = change_node(g, v->fn, v->block);
        s->hash = change_is_impacted(g, node) ? hash_mix(s->hash, node) : s->hash;
    }
}

uint64_t change_sequence_of(const ChangeGraph *g, const VmTrace *trace)
{
    ChangeSequence s = {0};
    for (uint32_t i = 0; i <= trace->decisions.n; i++) {
        change_sequence_until(g, trace, i, &s);
        if (i < trace->decisions.n)
            change_sequence_decide(g, &trace->decisions.v[i], &s);
    }
    return s.hash;
}
