/* behaviours.c - the distinct behaviours that runs show: see behaviours.h. */
#include "cli/behaviours.h"

#include "flow/flow.h"

enum { CHECKS = 1, OUTPUTS = 2, DECISIONS = 4 };

/* A set of conditions is hashed as a sum, so that neither order nor repetition matters: what one adds if
 * it is new. */
static uint64_t first_time(Behaviours *b, uint32_t id)
{
    uint64_t before = 0;
    if (map_get(&b->run.last, id, &before) && before == b->run.labels)
        return 0;
    map_put(&b->run.last, id, b->run.labels);
    return hash_u64((uint64_t)id + 1);
}

static uint64_t label_hash(Behaviours *b, const ExprPool *p, VmLabel label)
{
    uint64_t sum = 0;
    b->run.labels++;
    for (uint32_t i = expr_set_next(p, label, 0); i != UINT32_MAX; i = expr_set_next(p, label, i + 1))
        sum += first_time(b, b->run.ids.v[i]);
    return sum;
}

static void note(Behaviours *b, uint64_t hash) { map_put(&b->seen, hash, 1); }

static void note_decisions(Behaviours *b, const ExprPool *p, const VmTrace *t)
{
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        if (!(b->what & DECISIONS) && d->kind != VM_DECISION_CHECK)
            continue;
        uint64_t place = hash_mix(hash_mix(d->fn, d->block), d->insn);
        note(b, hash_mix(hash_mix(place, label_hash(b, p, d->label)), b->run.ids.v[i]));
    }
}

static void note_outputs(Behaviours *b, const ExploreRun *run)
{
    ExprVec slice = {0};
    uint64_t sum = 0;
    explore_slice(run->explore, run->trace, &slice);
    b->run.labels++;
    for (uint32_t i = 0; i < slice.n; i++)
        sum += first_time(b, expr_import(b->import, slice.v[i]).id);
    note(b, hash_mix(1, sum));
    vec_free(&slice);
}

void behaviours_note(Behaviours *b, const ExploreRun *run)
{
    const ExprPool *p = explore_pool(run->explore);
    const VmTrace *t = run->trace;
    if (b->from != p) { /* another exploration, or memory was collected */
        if (b->import)
            expr_import_free(b->import);
        b->import = expr_import_new(b->common, p);
        b->from = p;
    }
    vec_clear(&b->run.ids);
    for (uint32_t i = 0; i < t->decisions.n; i++)
        vec_push(&b->run.ids, expr_import(b->import, t->decisions.v[i].holds).id);
    if (b->what & (CHECKS | DECISIONS))
        note_decisions(b, p, t);
    if (t->result.ending == VM_END_FAULT)
        note(b, hash_mix(hash_mix(t->result.fault, t->result.site), label_hash(b, p, t->ending)));
    else if (b->what & OUTPUTS && (t->result.ending == VM_END_RETURN || t->result.ending == VM_END_EXIT))
        note_outputs(b, run);
}

static unsigned what_matters(const ExploreOptions *o)
{
    bool checks = !o->sinks || o->sinks & FLOW_SINK_FAULTS;
    if (strcmp(o->explorer, "dependence"))
        return OUTPUTS;
    if (o->sinks & FLOW_SINK_ALL)
        return DECISIONS | OUTPUTS;
    return (checks ? CHECKS : 0) | (o->sinks & FLOW_SINK_OUTPUTS ? OUTPUTS : 0);
}

void behaviours_begin(Behaviours *b, ExprPool *common, const ExploreOptions *of)
{
    *b = (Behaviours){.what = what_matters(of), .common = common};
}

uint64_t behaviours_common(const Behaviours *b, const Behaviours *other)
{
    uint64_t key, value, n = 0;
    uint32_t cursor = 0;
    while (map_next(&b->seen, &cursor, &key, &value))
        n += map_get(&other->seen, key, NULL);
    return n;
}

void behaviours_free(Behaviours *b)
{
    if (b->import)
        expr_import_free(b->import);
    map_free(&b->seen);
    map_free(&b->run.last);
    vec_free(&b->run.ids);
}
