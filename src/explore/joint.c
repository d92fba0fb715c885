/* joint.c - the explorer `joint`: the joint partition of two versions.
 *
 * NEW and then OLD are run on the same input. The slice of the pair is NEW's relevant slice followed by
 * OLD's, each in PESO's order. An input that satisfies the conditions before a position meets the same
 * decisions up to there: in NEW's part by PESO's prefix property; in OLD's part because NEW's whole slice
 * condition holds, and by OLD's. So each position is negated under those before it:
 *
 *     tasks <- { (no condition, bound 0) }
 *     while a task is left:                                            explore.c
 *         input <- solve(task.path, outside all failure classes)       or drop it: infeasible
 *         run NEW, then OLD on the input
 *         a run ends without an outcome: what its end depends on becomes a failure class; the task once more
 *         else:
 *             slice <- PESO's order of NEW's slice, then of OLD's
 *             the row (the conditions of the slice) is compared        by the caller
 *             for each position i >= task.bound whose condition does not stand before it:
 *                 for each alternative: file (prefix and alternative, bound i + 1)
 *     an input outside all rows and classes is one that was missed: run it, and ask again
 *
 * It is `output` (output.c) on pairs of runs: its rows, failure classes and check of completeness serve both.
 * That a run fails is an outcome like any other. */
#include "explore/output.h"

#include "flow/flow.h"

static Output *state_of(const Explore *x) { return x->lane->state; }

static unsigned joint_policy(const ExploreOptions *o)
{
    (void)o;
    return FLOW_TIE_EXITS | FLOW_TIE_FAULTS;
}

/* Whether a value is initialised is no matter of the comparison. */
static void joint_begin(Explore *x)
{
    output_begin(x);
    x->checker_known = true;
    state_of(x)->cut = x->options.joint->new_only;
}

static void joint_moved(Explore *x, ExprPool *to, ExprImport *import)
{
    output_moved(x, to, import);
    x->options.joint->on_move(x->options.joint->context, to, import);
}

bool explore_has_outcome(const VmTrace *t)
{
    VmEnding e = t->result.ending;
    return e == VM_END_RETURN || e == VM_END_EXIT || e == VM_END_FAULT;
}

/* Places of OLD's code mean nothing in NEW's tasks and ledger. */
static void forget_places(VmTrace *old)
{
    for (uint32_t i = 0; i < old->decisions.n; i++)
        old->decisions.v[i].site = IR_NONE;
    for (uint32_t i = 0; i < old->alternatives.n; i++)
        old->alternatives.v[i].fn = old->alternatives.v[i].block = IR_NONE;
}

static void add_slice(Explore *x, const VmTrace *trace, Slice *slice)
{
    slice_add(slice, x->pool, explore_criterion(x->pool, &x->options.criteria, trace), trace);
}

/* A run without an outcome: a failure class, and the same task again. */
static void expand_failure(Explore *x, const Task *task, ExplorePair *pair, Origin *origin)
{
    Slice slice = {0};
    ExprVec condition = {0};
    add_slice(x, pair->trace[pair->failed], &slice);
    slice_condition(&slice, &condition);
    pair->condition = &condition;
    x->options.joint->on_pair(x->options.joint->context, pair);
    failure_class_add(&state_of(x)->classes, x->pool,
                      expr_not(x->pool, expr_and_all(x->pool, condition.v, condition.n)));
    output_try_again(x, task, origin);
    vec_free(&condition);
    vec_free(&slice);
}

static void expand_row(Explore *x, const Task *task, ExplorePair *pair, Origin *origin)
{
    Slice slice = {0}; /* NEW's part, then OLD's */
    ExprVec condition = {0};
    add_slice(x, pair->trace[EXPLORE_NEW], &slice);
    uint32_t new_part = slice.n;
    add_slice(x, pair->trace[EXPLORE_OLD], &slice);
    slice_condition(&slice, &condition);
    const SignatureRow *row = output_row_add(state_of(x), &condition, pair->input, pair->number);
    pair->repeated = !row;
    pair->condition = row ? &row->condition : &condition;
    x->options.joint->on_pair(x->options.joint->context, pair);
    if (!output_is_probe(task)) {
        slice_check_follows(x, task, &slice);
        if (x->options.joint->new_only)
            slice.n = new_part;
        state_of(x)->cut |= !slice_file_tasks(x, task, &slice, origin);
    }
    vec_free(&condition);
    vec_free(&slice);
}

static void joint_expand(Explore *x, const Task *task, const VmTrace *new, Origin *origin)
{
    VmTrace *old = vm_run_input(x->options.joint->old, &origin->input, NULL);
    ExplorePair pair = {.trace = {[EXPLORE_OLD] = old, [EXPLORE_NEW] = new},
                        .input = &origin->input,
                        .failed = !explore_has_outcome(new)   ? EXPLORE_NEW
                                  : !explore_has_outcome(old) ? EXPLORE_OLD
                                                              : EXPLORE_NEITHER,
                        .number = x->counters[EXPLORE_RUNS]};
    forget_places(old);
    if (pair.failed == EXPLORE_NEITHER)
        expand_row(x, task, &pair, origin);
    else
        expand_failure(x, task, &pair, origin);
    vm_trace_free(x->options.joint->old, old);
}

const Explorer explorer_joint = {.name = "joint",
                                 .policy = joint_policy,
                                 .begin = joint_begin,
                                 .end = output_end,
                                 .move = joint_moved,
                                 .input = output_input,
                                 .expand = joint_expand,
                                 .more = output_more};
