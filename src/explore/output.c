/* output.c - the explorer `output` (PESO: Qi, Nguyen, Roychoudhury, "Path Exploration based on Symbolic
 * Output"): one run for each way in which the program computes what it shows.
 *
 * The paper's Algorithm 1, and where its lines are:
 *   lines 8-18        the loop in explore.c; the stack is the frontier. For line 13 an input outside the
 *                     classes that are known to fail is preferred: output_input
 *   lines 20-22       output_run_expand: the criterion is the label of what is observed (output_shown.c), and
 *                     the relevant slice condition the conjunction of what held at the decisions in it
 *   lines 23, 32-46   explore_order, peso_order.c
 *   lines 25-28       slice_file_tasks: n is Task.bound; h is the prefix with the negated condition
 *
 * What makes it right is the prefix property: a run for h has the same decisions before position i. It is
 * checked for each run (slice_check_follows). Decisions that were forced (concrete but labelled) take part in
 * the order and are never negated: without them the property breaks. Faults are isolated (failure_classes.h):
 * a run that fails is reported, and its task is tried again outside its class. Beyond the paper: the result
 * is complete only when the solver finds no input outside of all rows and classes; one that it finds is run,
 * and the exploration goes on (output_more). */
#include "explore/output.h"
#include "explore/save.h"

#include "flow/flow.h"

enum {
    TRIES_MOST = 512,        /* new classes that one task may run into */
    CLASSES_OF_A_PLACE = 64, /* failing classes of one place that are kept of another exploration's */
    PROBE = UINT32_MAX /* bound of a task that the check of completeness has made: nothing follows from it */
};

static Output *state_of(const Explore *x) { return x->lane->state; }

void output_begin(Explore *x)
{
    x->lane->state = mem_alloc(sizeof(Output));
    output_init(state_of(x), x->pool);
}

void output_end(Explore *x)
{
    output_free(state_of(x));
    mem_free(x->lane->state);
}

void output_moved(Explore *x, ExprPool *to, ExprImport *import) { output_move(state_of(x), to, import); }

const Signature *explore_signature(const Explore *x)
{
    bool has_one = x->lane->explorer == &explorer_output || x->lane->explorer == &explorer_joint;
    if (x->lane->explorer == &explorer_states)
        return states_signature(x);
    return has_one ? &state_of(x)->signature : NULL;
}

/* ---- the relevant slice condition ------------------------------------------------------------ */

static bool has_returned(const VmTrace *t)
{
    return t->result.ending == VM_END_RETURN || t->result.ending == VM_END_EXIT;
}

void explore_slice(const Explore *x, const VmTrace *trace, ExprVec *out)
{
    Slice slice = {0};
    VmLabel l = has_returned(trace) ? explore_criterion(x->pool, &x->options.criteria, trace) : trace->ending;
    slice_add(&slice, x->pool, l, trace);
    slice_condition(&slice, out);
    vec_free(&slice);
}

/* ---- a run that fails -------------------------------------------------------------------------- */

bool output_is_probe(const Task *task) { return task->bound == PROBE; }

void output_try_again(Explore *x, const Task *task, Origin *origin)
{
    if (output_is_probe(task)) /* the check of completeness asks again by itself */
        return;
    if (task->tries >= TRIES_MOST) {
        ledger_add(x->lane->ledger, LEDGER_CLASSES, task->site, ", %u", (unsigned)TRIES_MOST);
        return;
    }
    Task again = task_copy(task);
    origin_drop(again.origin);
    again.origin = origin_hold(origin);
    again.solved = false;
    again.tries++;
    frontier_file_part(&x->lane->frontier, again, 1);
}

/* ---- a run with an output ---------------------------------------------------------------------- */

SignatureRow *output_expand(Output *o, Explore *x, const Task *task, const OutputRun *run, Origin *origin)
{
    SignatureRow *row = NULL;
    Slice slice = {0};
    ExprVec condition = {0};
    slice_add(&slice, o->pool, run->criterion, run->trace);
    slice_condition(&slice, &condition);
    if (run->has_output) {
        row = output_row_add(o, &condition, run->input, run->number);
    } else {
        output_class_add(o, x->program, &condition, run);
        output_try_again(x, task, origin);
    }
    if (row)
        row->probed = output_is_probe(task);
    if (run->has_output && !output_is_probe(task)) {
        slice_check_follows(x, task, &slice);
        o->cut |= !slice_file_tasks(x, task, &slice, origin);
    }
    vec_free(&condition);
    vec_free(&slice);
    return row;
}

void output_note_assumptions(Output *o, const VmTrace *t)
{
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        bool known = d->kind != VM_DECISION_ASSUME || d->label.id || expr_is_true(d->holds);
        for (uint32_t k = 0; k < o->signature.given.n && !known; k++)
            known = expr_same(o->signature.given.v[k], d->holds);
        if (!known)
            vec_push(&o->signature.given, d->holds);
    }
}

static void expand_run(Explore *x, const Task *task, const VmTrace *trace, Origin *origin, uint64_t number)
{
    Output *o = state_of(x);
    bool returned = has_returned(trace);
    bool tied = x->options.symbolic.policy & FLOW_TIE_FAULTS && trace->result.ending == VM_END_FAULT;
    OutputRun run = {.trace = trace,
                     .criterion = returned ? explore_criterion(x->pool, &x->options.criteria, trace)
                                           : failure_label(x->pool, trace),
                     .has_output = returned || tied,
                     .input = &origin->input,
                     .number = number};
    SignatureRow *row = output_expand(o, x, task, &run, origin);
    if (returned)
        output_note_assumptions(o, trace);
    if (row)
        row->end = output_ending(o, x->program, &trace->result);
    if (row && returned)
        output_fill_row(o, x->program, x->options.symbolic.inputs.entry, &x->options.criteria, trace, row);
}

static void output_run_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    expand_run(x, task, trace, origin, x->counters[EXPLORE_RUNS]);
}

/* ---- what is told to others: rows and classes, by their inputs -------------------------------- */

static const ExprInput *next_fact(const Explore *x, FactPlace *at, uint64_t *number)
{
    const Signature *s = &state_of(x)->signature;
    if (at->rows < s->rows.n) {
        *number = s->rows.v[at->rows].run;
        return &s->rows.v[at->rows++].input;
    }
    if (at->failures == s->failures.n)
        return NULL;
    *number = s->failures.v[at->failures].run;
    return &s->failures.v[at->failures++].input;
}

/* Not the row of a probe, though nothing follows from it. */
static void learn(Explore *x, const VmTrace *trace, Origin *origin, uint64_t number)
{
    Output *o = state_of(x);
    uint32_t rows = o->signature.rows.n;
    if (!has_returned(trace) && !expr_is_none(output_class_of(o, &origin->input)))
        return;
    expand_run(x, &(Task){.bound = PROBE, .site = IR_NONE}, trace, origin, number);
    if (o->signature.rows.n > rows)
        vec_last(&o->signature.rows).probed = false;
}

static void output_save(Explore *x, Saving *s)
{
    FactPlace at = {0};
    wire_uint(&s->body, state_of(x)->cut);
    facts_write(x, &at, &s->body);
}

static void output_load(Explore *x, Loading *l)
{
    state_of(x)->cut = wire_get_below(&l->in, 2);
    facts_read(x, &l->in, &l->objects);
}

bool output_input(Explore *x, Task *task, ExprInput *input)
{
    ExprInput any = {0};
    Output *o = state_of(x);
    if (task->solved)
        return explore_input(x, task, input);
    SolverStatus status = failure_classes_solve(&o->classes, x, o->eval, task, false, &any);
    expr_input_free(&any);
    return explore_answer(x, task, status, input);
}

/* ---- is it complete? --------------------------------------------------------------------------- */

/* The run of a probe adds the row or class of its input: so no input is probed twice, and probing ends. An
 * input that does not satisfy the condition of its own row would be found again and again. */
static bool was_probed(Output *o, const ExprVec *outside)
{
    bool again = o->probing;
    expr_eval_input(o->eval, &o->probe);
    for (uint32_t i = 0; again && i < outside->n; i++)
        again = expr_eval_true(o->eval, outside->v[i]);
    return again;
}

bool output_more(Explore *x)
{
    Output *o = state_of(x);
    if (o->cut)
        return false;
    output_outside(o, &x->query);
    if (was_probed(o, &x->query)) {
        if (!explore_out_of_time(x)) /* the run of the probe may have ended in the middle */
            ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, IR_NONE,
                       "an input does not satisfy the condition of its own row");
        return false;
    }
    switch (explore_solve(x, NULL)) {
    case SOLVER_UNSAT: o->signature.certified = true; return false;
    case SOLVER_UNKNOWN: explore_note_unknown(x, IR_NONE, " whether an input is missing"); return false;
    case SOLVER_SAT: break;
    }
    explore_bump(x, EXPLORE_PROBES);
    o->probing = true;
    expr_input_copy(&o->probe, &x->answer.model);
    frontier_file(&x->lane->frontier, (Task){.origin = origin_new(&x->answer.model),
                                             .solved = true,
                                             .bound = PROBE,
                                             .site = IR_NONE,
                                             .fn = IR_NONE,
                                             .block = IR_NONE});
    return true;
}

static unsigned output_policy(const ExploreOptions *o)
{
    return FLOW_TIE_EXITS | (o->criteria.tie_faults ? FLOW_TIE_FAULTS : 0);
}

/* ---- a failure of another exploration ---------------------------------------------------------- */

/* Where the objects of another pool lie in this one. */
static void translate(ExprPool *to, const ExprPool *from, const ExprInput *input, ExprInput *out)
{
    for (uint32_t i = 0; i < expr_object_count(from); i++) {
        const ExprObjectInfo *o = expr_object_info(from, (ExprObject){i});
        ExprObject same = o->scalar ? expr_object_scalar(to, o->key, o->name, o->scalar, o->type)
                                    : expr_object(to, o->key, o->name, o->size, o->type);
        uint32_t at = expr_object_info(to, same)->at;
        for (uint32_t k = 0; k < o->size; k++)
            expr_input_set_byte(out, at + k, expr_input_byte(input, o->at + k));
    }
}

static bool is_crowded(const Signature *s, const VmResult *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->failures.n; i++)
        n += s->failures.v[i].end.site == r->site && s->failures.v[i].end.fault == r->fault;
    return n >= CLASSES_OF_A_PLACE;
}

void explore_failure_add(Explore *x, const ExploreRun *run)
{
    Output *o = state_of(x);
    ExprInput input = {0};
    if (run->trace->result.ending != VM_END_FAULT || is_crowded(&o->signature, &run->trace->result))
        return;
    translate(x->pool, explore_pool(run->explore), run->input, &input);
    if (expr_is_none(output_class_of(o, &input))) {
        Origin *origin = origin_new(&input);
        vm_deadline(x->lane->vm, x->options.max_time > 0 ? clock_seconds() + x->options.max_time : 0);
        VmTrace *trace = vm_run_input(x->lane->vm, &input, NULL);
        explore_bump(x, EXPLORE_RUNS);
        output_run_expand(x, &(Task){.bound = PROBE, .site = IR_NONE}, trace, origin);
        vm_trace_free(x->lane->vm, trace);
        origin_drop(origin);
    }
    expr_input_free(&input);
}

const Explorer explorer_output = {.name = "output",
                                  .policy = output_policy,
                                  .begin = output_begin,
                                  .end = output_end,
                                  .move = output_moved,
                                  .save = output_save,
                                  .load = output_load,
                                  .next_fact = next_fact,
                                  .learn = learn,
                                  .input = output_input,
                                  .expand = output_run_expand,
                                  .more = output_more};
