/* dependence.c - the explorer `dependence` (DGSE: Wang, Liu, Guan, Shen, Yang, "Dependence Guided Symbolic
 * Execution"): every fault, without combinations that show nothing new.
 *
 * The paper's Algorithm 2, and where its lines are:
 *
 *   1-13   DGSymbolicExec: the loop in explore.c; how a task gets its input: dependence_input.c
 *   14     execute t: the machine, with labels. They are the transitive dependence of each decision and each
 *          sink on earlier decisions of this run: control, data and potential (docs/labels.md)
 *   18-22  negate each psi_i under its relevant path condition: expand_sinks. The decisions in the label of
 *          each sink, in PESO's order, are negated one after the other under those before them (flips.c).
 *          Decisions that no sink depends on together are not combined, which is what the paper's
 *          interactive dependence (Definition 4) is for
 *   24-29  only what depends on psi_d: FiledTasks. A flip that was filed for an earlier run is not filed
 *          again, so only those are left that depend on the new outcome
 *
 * Redundant paths (Definition 6) are those that no flip asks for.
 *
 * Sinks are fault checks, and the branches that guard them, since these decide whether a check runs at all.
 * Sinks limit which combinations are tried: a decision that no sink depends on is tried
 * alone, once for each of its outcomes, under its label.
 *
 * Faults are isolated (failure_classes.h): a run that fails says nothing about the other inputs of its task,
 * which is filed again with the blocking clause of its class.
 *
 * When nothing is left, branches with an outcome that no run has taken become the sinks of a second phase,
 * which reuses the runs that are stored; and so on, as long as that takes further outcomes, within a bound
 * (outcome_runs). */
#include "explore/dependence.h"

/* Of each decision of an assumption's label that is looked up for a task, in about nanoseconds: where a loop
 * assumes something in every iteration, these are many more than its decisions. */
enum { SCAN_COST = 30 };

enum {
    TRIES_MOST = 4096, /* classes that a task may run into */
    STORE_SHARE = 8    /* of the memory, for stored runs */
};

static unsigned dependence_policy(const ExploreOptions *o)
{
    if (o->criteria.tie_faults)
        return FLOW_TIE_FAULTS | FLOW_TIE_EXITS;
    return o->sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL) ? FLOW_TIE_EXITS : 0;
}

/* ---- the flips of a run (lines 18-29) ------------------------------------------------------------- */

/* The assumptions before `from` are those of the run before. */
void dependence_load(Expansion *e)
{
    U32Vec *assumed = &e->d->assumed;
    e->from = flips_begin(&e->d->flips, e->run, e->d->phase);
    while (assumed->n && vec_last(assumed) >= e->from)
        assumed->n--;
    for (uint32_t k = e->from; k < e->run->n; k++) {
        dependence_prefetch(e, k, e->d->flips.steps.v[k].label_name);
        if (e->run->decisions[k].kind == VM_DECISION_ASSUME)
            vec_push(assumed, k);
    }
    e->assumed = assumed;
}

/* Sinks before `from` were expanded with the run before. */
static void expand_sinks(const Expansion *e)
{
    Dependence *s = e->d;
    const StoredRun *run = e->run;
    for (uint32_t k = e->from; k < run->n; k++) {
        FlipStep *step = &s->flips.steps.v[k];
        step->sink = sinks_has(&s->sinks, &run->decisions[k]);
        if (step->sink)
            flips_expand(&s->flips, step->solid);
        if (step->sink && s->phase > 1 && step->solid.id)
            outcomes_seek(&s->outcomes, &run->decisions[k]);
    }
    for (uint32_t i = 0; i < run->sinks.n && s->phase == 1; i++)
        if (run->sinks.v[i].at >= e->from && !(e->x->test.rules_off & EXPLORE_OFF_SINKS))
            flips_expand(&s->flips, run->sinks.v[i].label);
}

static void note_outcomes(const Expansion *e)
{
    for (uint32_t k = e->d->phase == 1 ? e->from : 0; k < e->run->n; k++) {
        const VmDecision *d = &e->run->decisions[k];
        bool matter = e->d->flips.steps.v[k].outcomes = outcomes_matter(e->x, d);
        if (matter)
            outcome_take(&e->d->outcomes, &e->x->fingerprints, d);
    }
}

void dependence_expand_run(Expansion *e)
{
    Dependence *s = e->d;
    s->flips.context = e;
    e->deep = explore_depth_end(e->x, e->run->decisions, e->run->n);
    e->run->phase = s->phase;
    note_outcomes(e);
    expand_sinks(e);
    for (uint32_t k = e->from; k < e->run->n; k++) { /* every outcome once, under its label */
        const FlipStep *step = &s->flips.steps.v[k];
        if (step->outcomes && !step->sink && !step->implied)
            dependence_file_outcomes(e, k);
    }
}

/* ---- a run that fails ------------------------------------------------------------------------------ */

/* An assumption that held: which inputs would have broken it. */
static void note_assumptions(const Expansion *e)
{
    ExprPool *p = e->x->pool;
    for (uint32_t i = 0; i < e->assumed->n; i++) {
        const VmDecision *d = &e->run->decisions[e->assumed->v[i]];
        bool broken = e->assumed->v[i] + 1 == e->run->n && e->trace->result.ending == VM_END_ASSUMPTION;
        if (!broken && !expr_is_true(d->holds))
            failure_class_add(&e->d->classes, p,
                              expr_implies(p, failure_condition(p, e->trace, d->label), d->holds));
    }
}

static void note_ending(const Expansion *e)
{
    ExprPool *p = e->x->pool;
    StoredRun *run = e->run;
    run->normal = failure_is_none(e->x, &e->trace->result);
    if (run->normal)
        return;
    run->blocking = expr_not(p, failure_condition(p, e->trace, failure_label(p, e->trace)));
    run->normal = expr_is_false(run->blocking); /* every input ends so: nothing is hidden behind it */
    if (!run->normal)
        failure_class_add(&e->d->classes, p, run->blocking);
}

/* The same task with the blocking clause of the run's class; false if it has been tried too often. */
static bool block(Explore *x, Task *task, const StoredRun *run)
{
    if (task->tries >= TRIES_MOST) {
        ledger_add(x->lane->ledger, LEDGER_CLASSES, task->site, ", %u", (unsigned)TRIES_MOST);
        return false;
    }
    Origin *before = task->origin;
    task->path = path_add(task->path, run->blocking);
    task->origin = origin_hold(run->origin);
    task->solved = false;
    task->tries++;
    origin_drop(before);
    return true;
}

/* For an outcome alone a run that fails behind it is enough; but the flip is still to be tried. */
bool dependence_settle(Explore *x, Task *task, const StoredRun *run)
{
    Dependence *d = dependence_of(x);
    if (task->because && (run->normal || !task->outcome))
        filed_tasks_ran(&d->filed, task->outcome ? task->flip : task->fingerprint, run->normal);
    return !run->normal && block(x, task, run);
}

/* ---- does it pay to leave out paths? (portfolio.c) -------------------------------------------------- */

static bool may_differ(const StoredRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count && !d->entailed; i++)
        if (!run->alternatives[d->first + i].is_fault)
            return true;
    return false;
}

/* Does a sink depend on all decisions of the run that could go another way, but for failing there? Then no
 * other path can stand for this one. */
static bool sink_holds_all(const Expansion *e)
{
    ExprPool *p = e->x->pool;
    const StoredRun *run = e->run;
    ExprSet all = EXPR_SET_EMPTY;
    for (uint32_t k = 0; k < run->n; k++)
        if (may_differ(run, &run->decisions[k]))
            all = expr_set_union(p, all, expr_set_of(p, k));
    for (uint32_t k = run->n; k-- > 0;)
        if (e->d->flips.steps.v[k].sink && expr_set_subset(p, all, e->d->flips.steps.v[k].closed))
            return true;
    for (uint32_t i = run->sinks.n; i-- > 0;)
        if (expr_set_subset(p, all, run->sinks.v[i].label))
            return true;
    return !all.id;
}

/* ---- a run (lines 14-30) ----------------------------------------------------------------------------- */

/* What its sinks depend on so far is expanded as of a run that failed, but its end is not known. It is not
 * stored: a run is stored as what it has beyond the one before. */
static void expand_set_aside(Expansion *e, const Task *task, Origin *origin)
{
    e->run->number++;
    dependence_load(e);
    dependence_expand_run(e);
    flips_forget(&e->d->flips);
    stored_run_free(e->run);
    frontier_file_part(&e->x->lane->frontier, task_rest(e->x, task, e->trace, origin), 1);
}

static void expand_finished(Expansion *e, const Task *task)
{
    Explore *x = e->x;
    Dependence *d = e->d;
    dependence_load(e);
    note_assumptions(e);
    note_ending(e);
    sinks_at_end(&d->sinks, e->trace, e->run);
    dependence_expand_run(e);
    if (!x->lane->prunes)
        x->lane->prunes = !sink_holds_all(e);
    Task again = task_copy(task);
    if (dependence_settle(x, &again, e->run))
        frontier_file_part(&x->lane->frontier, again, 1);
    else
        task_release(x->lane->vm, &again);
    run_store_add(&d->runs, e->run, e->from);
    run_store_limit(&d->runs, x->options.max_memory / STORE_SHARE);
}

/* Time was up before all was filed that follows from the run: another day it is made again. */
static void file_again(Explore *x, const Task *task, Origin *origin)
{
    Task again = task_copy(task);
    origin_drop(again.origin);
    again.origin = origin_hold(origin);
    again.solved = true;
    again.patience = INT32_MAX;
    frontier_file_part(&x->lane->frontier, again, 1);
}

static void dependence_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    StoredRun *run = stored_run_new(trace, origin, explore_runs_so_far(x));
    Expansion e = {.x = x, .d = dependence_of(x), .run = run, .trace = trace};
    uint64_t scanned = e.d->flips.scanned;
    choice_adopt(&e.d->choices, &x->fingerprints, task);
    if (trace->set_aside)
        expand_set_aside(&e, task, origin);
    else
        expand_finished(&e, task);
    if (e.d->late && !trace->set_aside)
        file_again(x, task, origin);
    x->work += SCAN_COST * (e.d->flips.scanned - scanned);
    x->lane->bytes = dependence_bytes(e.d);
}

/* An alternative is asked for under the conditions that it depends on, not under all of a path: the input
 * that is found may take a path that was taken for another reason. Where outputs count that is another test,
 * unless it is the same input: it may stand where a comparison just turns. And so is a run that fails:
 * natively not every input need show a fault. */
static bool dependence_repeats(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input)
{
    bool outputs = x->options.sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL);
    (void)task;
    return explore_path_is_known(x, trace, input, !outputs && trace->result.ending != VM_END_FAULT);
}

/* ---- phases ------------------------------------------------------------------------------------------ */

FlowGuards *dependence_guards(const Dependence *d)
{
    return d->phase == 1 ? d->sinks.guards : d->first.guards;
}

void dependence_begin_phase(Explore *x, uint32_t phase, BranchSites branches)
{
    Dependence *d = dependence_of(x);
    if (d->phase == 1)
        d->first = d->sinks;
    else
        sinks_free(&d->sinks);
    sinks_branches(&d->sinks, x, branches.v, branches.n);
    vec_free(&d->branches);
    d->branches = branches;
    d->phase = phase;
}

static void next_phase(Explore *x, BranchSites branches)
{
    Dependence *d = dependence_of(x);
    if (d->phase == 1) {
        d->outcomes.searched = x->counters[EXPLORE_RUNS];
        d->faults_done = !ledger_count(x->lane->ledger);
    }
    dependence_begin_phase(x, d->phase + 1, branches);
    frontier_file(&x->lane->frontier, task_first());
}

static bool dependence_more(Explore *x)
{
    Dependence *d = dependence_of(x);
    uint32_t covered = vm_coverage(x->lane->vm).branches_covered;
    BranchSites open = {0};
    if (d->outcomes.left_by_some && !d->outcomes.left)
        outcomes_leave(&d->outcomes, x, dependence_guards(d));
    bool searches = !d->outcomes.left && !(x->options.sinks & FLOW_SINK_ALL);
    if (!searches || (d->phase > 1 && covered == d->outcomes.covered))
        return false;
    d->outcomes.covered = covered;
    outcomes_open(x, dependence_guards(d), &open);
    bool more = open.n;
    if (more)
        next_phase(x, open);
    else
        vec_free(&open);
    return more;
}

bool explore_faults_done(const Explore *x)
{
    return x->lane->explorer == &explorer_dependence && dependence_of(x)->faults_done;
}

/* ---- state ------------------------------------------------------------------------------------------- */

static void dependence_begin(Explore *x)
{
    Dependence *d = x->lane->state = mem_zalloc(sizeof *d);
    run_store_init(&d->runs, x->pool);
    d->flips = (Flips){.pool = x->pool,
                       .names = &x->fingerprints,
                       .on_flip = dependence_file_flip,
                       .is_late = dependence_is_late,
                       .clock = x,
                       .in_order = x->test.rules_off & EXPLORE_OFF_ORDER,
                       .alone = x->test.rules_off & EXPLORE_OFF_FLIPS};
    d->phase = 1;
    x->options.symbolic.revisits = true;
    sinks_init(&d->sinks, x);
}

const Explorer explorer_dependence = {.name = "dependence",
                                      .sets_aside = true,
                                      .beside = &explorer_states,
                                      .policy = dependence_policy,
                                      .begin = dependence_begin,
                                      .end = dependence_end,
                                      .move = dependence_move,
                                      .save = dependence_save,
                                      .load = dependence_load_state,
                                      .share = dependence_share,
                                      .keep = dependence_keep,
                                      .unshare = dependence_unshare,
                                      .tell = dependence_tell,
                                      .hear = dependence_hear,
                                      .input = dependence_input,
                                      .expand = dependence_expand,
                                      .repeats = dependence_repeats,
                                      .more = dependence_more};
