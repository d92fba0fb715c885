/* slice.c - relevant slices: their conditions, and the tasks that negate them one by one. See slice.h. */
#include "explore/slice.h"

static const VmDecision *decision_at(const Slice *s, uint32_t position)
{
    return &s->v[position].trace->decisions.v[s->v[position].decision];
}

void slice_add(Slice *s, const ExprPool *pool, VmLabel label, const VmTrace *trace)
{
    U32Vec order = {0};
    explore_order(pool, label, trace->decisions.v, &order);
    for (uint32_t i = 0; i < order.n; i++)
        vec_push(s, ((SlicePlace){trace, order.v[i]}));
    vec_free(&order);
}

void slice_condition(const Slice *s, ExprVec *out)
{
    BitSet seen = {0};
    vec_clear(out);
    for (uint32_t i = 0; i < s->n; i++) {
        Expr holds = decision_at(s, i)->holds;
        if (!expr_is_true(holds) && bitset_add(&seen, holds.id))
            vec_push(out, holds);
    }
    bitset_free(&seen);
}

void slice_check_follows(Explore *x, const Task *task, const Slice *s)
{
    uint32_t at = task->redecide ? task->bound : task->bound - 1;
    if (!task->because || (at < s->n && decision_at(s, at)->index == task->because))
        return;
    explore_bump(x, EXPLORE_DIVERGED);
    ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, task->site,
               "a run did not follow the decisions it was made for");
}

/* By the prefix property the task's own path says what holds before its bound. */
bool slice_file_tasks(Explore *x, const Task *task, const Slice *s, Origin *origin)
{
    Path *prefix = path_hold(task->path);
    BitSet before = {0}; /* conditions of the prefix */
    const VmTrace *trace = NULL;
    uint32_t deep = 0;
    bool all = true;
    for (const Path *p = prefix; p; p = p->parent)
        bitset_add(&before, p->condition.id);
    for (uint32_t i = task->bound; i < s->n; i++) {
        const VmDecision *d = decision_at(s, i);
        if (s->v[i].trace != trace) {
            trace = s->v[i].trace;
            deep = explore_depth_end(x, trace->decisions.v, trace->decisions.n);
        }
        bool cut = s->v[i].decision >= deep && d->count;
        if (cut)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else if (expr_is_true(d->holds) || !bitset_has(&before, d->holds.id))
            explore_file_alternatives(x, trace, d, prefix, i, origin);
        all &= !cut;
        bitset_add(&before, d->holds.id);
        prefix = path_add(prefix, d->holds);
    }
    path_drop(prefix);
    bitset_free(&before);
    return all;
}
