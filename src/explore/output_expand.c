/* output_expand.c - PESO: which runs follow from a run.
 *
 * The condition is the conjunction of the decisions in the criterion, ordered so that negating any position
 * keeps the positions before it (the prefix property). Decisions that were forced (concrete but labelled)
 * take part in the order and are never negated: without them the property breaks. Faults are isolated:
 * nothing depends on a check that passed, so a run that fails says nothing about the others of its task,
 * which is tried again without that failure's class. */
#include "explore/output.h"

enum { TRIES_MOST = 512 }; /* new classes that one task may run into */

ExprVec output_condition(const VmTrace *trace, const U32Vec *decisions)
{
    ExprVec condition = {0};
    BitSet seen = {0};
    for (uint32_t i = 0; i < decisions->n; i++) {
        Expr holds = trace->decisions.v[decisions->v[i]].holds;
        if (!expr_is_true(holds) && bitset_add(&seen, holds.id))
            vec_push(&condition, holds);
    }
    bitset_free(&seen);
    return condition;
}

/* The same task again; it will not meet the classes known by then. */
static void try_again(Explore *x, const Task *task, Origin *origin)
{
    if (task->probe) /* the check of completeness asks again by itself */
        return;
    if (task->tries >= TRIES_MOST) {
        ledger_add(x->lane->ledger, LEDGER_CLASSES, task->site, ", %u", (unsigned)TRIES_MOST);
        return;
    }
    Task again = *task;
    again.path = path_hold(task->path);
    again.origin = origin_hold(origin);
    again.resume = task->resume ? vm_snapshot_hold(task->resume) : NULL;
    again.solved = false;
    again.tries++;
    frontier_file(&x->lane->frontier, again);
}

/* An ending that nobody can explain by a check (a limit, an interruption) depends on all that happened. */
static void record_class(Output *o, const IrProgram *program, const OutputRun *run)
{
    VmEnding ending = run->trace->result.ending;
    bool leak =
        ending == VM_END_FAULT && run->trace->result.fault == VM_FAULT_LEAK; /* depends on all of memory */
    bool all = ending == VM_END_LIMIT || ending == VM_END_INTERRUPTED || leak;
    U32Vec why = {0};
    for (uint32_t i = 0; i < run->trace->decisions.n; i++)
        if (all || expr_set_has(o->pool, run->criterion, i))
            vec_push(&why, i);
    ExprVec condition = output_condition(run->trace, &why);
    output_class_add(o, program, &condition, run);
    vec_free(&condition);
    vec_free(&why);
}

/* The run made for a task meets the decision it was made for at its place in the order. */
static void check_follows(Explore *x, const Task *task, const VmTrace *trace, const U32Vec *order)
{
    uint32_t at = task->again ? task->bound : task->bound - 1;
    if (!task->because || (at < order->n && trace->decisions.v[order->v[at]].index == task->because))
        return;
    explore_bump(x, EXPLORE_DIVERGED);
    ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, task->site,
               "a run did not follow the decisions it was made for");
}

/* By the prefix property the task's own path says what holds before its bound. */
static void file_tasks(Output *o, Explore *x, const Task *task, const OutputRun *run, const U32Vec *order,
                       Origin *origin)
{
    Path *prefix = path_hold(task->path);
    uint32_t deep = explore_depth_end(x, run->trace->decisions.v, run->trace->decisions.n);
    for (uint32_t i = task->bound; i < order->n; i++) {
        const VmDecision *d = &run->trace->decisions.v[order->v[i]];
        bool cut = order->v[i] >= deep && d->count;
        o->cut |= cut;
        if (cut)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else
            explore_file_alternatives(x, run->trace, d, prefix, i, origin);
        prefix = path_add(prefix, d->holds);
    }
    path_drop(prefix);
}

SignatureRow *output_expand(Output *o, Explore *x, const Task *task, const OutputRun *run, Origin *origin)
{
    if (!run->has_output) {
        record_class(o, x->program, run);
        try_again(x, task, origin);
        return NULL;
    }
    U32Vec order = {0};
    explore_order(o->pool, run->criterion, run->trace->decisions.v, &order);
    ExprVec condition = output_condition(run->trace, &order);
    SignatureRow *row = output_row_add(o, &condition, run);
    if (row)
        row->probed = task->probe;
    if (!task->probe) {
        check_follows(x, task, run->trace, &order);
        file_tasks(o, x, task, run, &order, origin);
    }
    vec_free(&condition);
    vec_free(&order);
    return row;
}
