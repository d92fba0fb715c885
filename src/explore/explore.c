/* explore.c - the loop: take a task, find an input, run it, record it, expand it. */
#include "explore/explain.h"
#include "explore/parallel.h"

#include "flow/flow.h"

static const Explorer *const explorers[] = {
#define EXPLORER(name) &explorer_##name,
#include "explore/explorers.def"
#undef EXPLORER
};
enum { PROGRESS_MILLISECONDS = 100, PATIENCE = 1024 };

const char *const explore_names[] = {
#define EXPLORER(name) #name,
#include "explore/explorers.def"
#undef EXPLORER
    NULL};

static const Explorer *explorer_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(explorers); i++)
        if (!strcmp(explorers[i]->name, name ? name : "full"))
            return explorers[i];
    bug("unknown explorer '%s'", name);
}

struct Flow *explore_flow(Explore *x)
{
    const VmInputs *in = &x->options.symbolic.inputs;
    VmSymbolicOptions *s = &x->options.symbolic;
    FlowOptions o = {.entry = in->entry ? ir_fn_find(x->program, in->entry) : IR_NONE,
                     .lazy_inputs = in->entry != NULL,
                     .free_globals = in->all_globals || in->globals.n,
                     .known = x->options.vm.external == VM_EXTERNAL_ALL ? NULL : vm_external_is_known};
    if (!s->flow)
        s->flow = x->flow = flow_new(x->program, &o);
    return s->flow;
}

static void use_labels(Explore *x, const Explorer *of)
{
    VmSymbolicOptions *s = &x->options.symbolic;
    explore_flow(x);
    s->labels = true;
    s->policy = of->policy(&x->options);
}

/* ---- machines -------------------------------------------------------------------------------- */

static void begin_machine(Explore *x, const Lane *lane)
{
    VmSymbolicOptions o = x->options.symbolic;
    o.keys = lane->explorer->keys;
    if (o.keys)
        o.flow = explore_flow(x); /* which memory is read again */
    if (x->options.sign)
        o.key_outputs = (x->options.criteria.what & EXPLORE_STDOUT ? 2 : 0) |
                        (x->options.criteria.what & EXPLORE_STDERR ? 4 : 0) |
                        (x->options.criteria.what & EXPLORE_NAMED ? 1 : 0);
    o.renames = o.keys && lane->explorer->renames && !x->options.sign; /* rows are about inputs by name */
    o.labels = lane->labels;                 /* what goes with them counts for nothing without */
    o.revisits = lane->labels && o.revisits; /* exhaustive exploration goes on where its task's snapshot is */
    vm_symbolic(lane->vm, x->pool, lane->ledger, x->environment, &o);
}

Vm *explore_machine_new(Explore *x, Lane *lane)
{
    lane->vm = vm_new(x->program, &x->options.vm);
    begin_machine(x, lane);
    if (x->options.max_time > 0 && x->started > 0)
        vm_deadline(lane->vm, x->started + x->options.max_time);
    return lane->vm;
}

void explore_machines_begin(Explore *x)
{
    for (unsigned i = 0; i < COUNT_OF(x->lanes); i++)
        if (x->lanes[i].vm)
            begin_machine(x, &x->lanes[i]);
    explore_initialised_begin(x);
}

VmTrace *explore_run_labelled(Explore *x, const ExprInput *input)
{
    return vm_run_input(x->lanes[0].vm, input, NULL);
}
void explore_labelled_free(Explore *x, VmTrace *trace) { vm_trace_free(x->lanes[0].vm, trace); }

Explore *explore_new_test(const IrProgram *program, const VmEnvironment *environment,
                          const ExploreOptions *options, const ExploreTest *test)
{
    Explore *x = mem_zalloc(sizeof *x);
    const Explorer *explorer = options->joint ? &explorer_joint : explorer_find(options->explorer);
    x->program = program;
    x->environment = environment;
    x->options = *options;
    x->test = *test;
    if (!x->options.max_memory)
        x->options.max_memory = (size_t)2 << 30;
    if (!x->options.patience)
        x->options.patience = PATIENCE;
    x->pool = expr_pool_new();
    if (options->joint) /* versions that add in another order are no other programs for the sake of NaNs */
        expr_pool_commute_floats(x->pool);
    x->fingerprints.pool = x->pool;
    x->solver = solver_new(x->pool, &x->options.solver);
    if (!x->options.criteria.what)
        x->options.criteria.what = explore_observed(program, options->symbolic.inputs.entry);
    double start = clock_seconds();
    if (explorer->policy || options->labels_of)
        use_labels(x, options->labels_of ? explorer_find(options->labels_of) : explorer);
    lane_begin(x, &x->lanes[0], explorer, x->options.symbolic.labels);
    if (options->explain && explorer == &explorer_dependence)
        x->explain = explain_new(x);
    x->static_seconds = x->prepared = clock_seconds() - start;
    return x;
}

Explore *explore_new(const IrProgram *program, const VmEnvironment *environment,
                     const ExploreOptions *options)
{
    return explore_new_test(program, environment, options, &(ExploreTest){0});
}

void explore_free(Explore *x)
{
    beside_end(x);
    for (unsigned i = 0; i < COUNT_OF(x->lanes); i++)
        lane_free(x, &x->lanes[i]);
    explain_free(x->explain);
    solver_answer_free(&x->answer);
    vec_free(&x->query);
    vec_free(&x->fingerprints.of);
    shared_marks_free(&x->paths);
    marks_free(&x->reported_paths);
    for (uint32_t i = 0; i < x->witnesses.n; i++)
        origin_drop(x->witnesses.v[i]);
    vec_free(&x->witnesses);
    solver_free(x->solver);
    explore_initialised_free(x);
    through_free(x);
    if (x->flow)
        flow_free(x->flow);
    expr_pool_free(x->pool);
    mem_free(x);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* For tests. A lane whose tasks are in other processes has only what these reported. */
static void check_weights(Explore *x)
{
    for (unsigned i = 0; i < COUNT_OF(x->lanes) && x->test.weighs; i++) {
        Frontier *f = &x->lanes[i].frontier;
        uint64_t sum = frontier_explored(f) + frontier_weight(f);
        if (x->lanes[i].active && sum != EXPLORE_WHOLE && (i == 0 || sum || frontier_size(f)))
            bug("the weights of tasks are %llu in all", (unsigned long long)sum);
    }
}

void explore_progress(Explore *x)
{
    double now = clock_seconds();
    bool due = x->test.progress || now - x->reported >= PROGRESS_MILLISECONDS / 1000.0;
    if (x->options.on_progress && due) {
        x->reported = now;
        x->options.on_progress(x->options.context, x);
    }
}

static bool time_is_up(const Explore *x)
{
    return x->options.max_time > 0 && clock_seconds() - x->started >= x->options.max_time;
}

bool explore_is_stopped(const Explore *x) { return x->options.stop && *x->options.stop; }

bool explore_is_late(const Explore *x) { return explore_is_stopped(x) || time_is_up(x); }

/* Asked only while something is pending, so that a bound met at the very end is none. */
bool explore_out_of_time(Explore *x)
{
    if (explore_is_stopped(x))
        ledger_add(x->lane->ledger, LEDGER_INTERRUPTED, IR_NONE, NULL);
    else if (time_is_up(x))
        ledger_add(x->lane->ledger, LEDGER_TIME, IR_NONE, " of %g s",
                   x->options.time_limit > 0 ? x->options.time_limit : x->options.max_time);
    else
        return false;
    return true;
}

/* A run of a worker counts before it is made: another may make the last one at the same time. */
static bool claim_run(Explore *x, uint64_t most)
{
    if (!x->runs_of_all)
        return x->counters[EXPLORE_RUNS] < most;
    if (atomic_fetch_add(x->runs_of_all, 1) < most)
        return true;
    atomic_fetch_sub(x->runs_of_all, 1);
    return false;
}

/* Asked when a run is needed: tasks that no input satisfies, or that reuse an earlier run, need none. */
static bool out_of_runs(Explore *x)
{
    uint64_t most = x->options.max_runs;
    if (x->over) {
        ledger_add(x->lane->ledger, x->over_why, IR_NONE, "%s", x->over_detail);
        return true;
    }
    if (x->allowed)
        return x->counters[EXPLORE_RUNS] >= *x->allowed; /* the worker asks for more: no reason to stop */
    if (!most || claim_run(x, most))
        return false;
    ledger_add(x->lane->ledger, LEDGER_RUNS, IR_NONE, ", %llu", (unsigned long long)most);
    return true;
}

void explore_end(Explore *x, LedgerKind why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(x->over_detail, sizeof x->over_detail, fmt, args);
    va_end(args);
    x->over = true;
    x->over_why = why;
}

/* A query may take no longer than what is left of all. */
static double query_until(const Explore *x)
{
    enum { LEAST_MILLISECONDS = 1 };
    double end = x->started + x->options.max_time, least = clock_seconds() + LEAST_MILLISECONDS / 1000.0;
    if (x->options.max_time <= 0)
        return 0;
    return end > least ? end : least;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

uint32_t explore_depth_end(const Explore *x, const VmDecision *decisions, uint32_t n)
{
    uint64_t left = x->options.max_depth;
    if (!left)
        return UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        if (!decisions[i].count || decisions[i].entailed)
            continue;
        if (!left--)
            return i;
    }
    return UINT32_MAX;
}

void explore_file_alternatives(Explore *x, const VmTrace *trace, const VmDecision *d, Path *prefix,
                               uint32_t position, Origin *origin)
{
    for (uint32_t k = 0; k < d->count; k++) {
        const VmAlternative *alt = &trace->alternatives.v[d->first + k];
        Task task = {.path = path_add(path_hold(prefix), alt->condition),
                     .origin = origin_hold(origin),
                     .resume = d->snapshot ? vm_snapshot_hold(d->snapshot) : NULL,
                     .because = d->index,
                     .bound = alt->residual ? position : position + 1,
                     .redecide = alt->residual,
                     .site = d->site,
                     .fn = alt->fn,
                     .block = alt->block};
        explore_bump(x, EXPLORE_TASKS);
        frontier_file_part(&x->lane->frontier, task, d->count - k + 1); /* the last one is the run's */
    }
}

/* ---- one task -------------------------------------------------------------------------------- */

static SolverStatus solve(Explore *x, const ExprInput *hint, double seconds)
{
    SolverQuery q = {.constraints = x->query.v,
                     .n = x->query.n,
                     .hint = hint,
                     .seconds = seconds,
                     .until = query_until(x),
                     .bytes = x->options.max_memory,
                     .stop = x->options.stop};
    double start = clock_seconds();
    uint64_t before = solver_work(x->solver);
    x->counters[EXPLORE_CONSTRAINTS] += x->query.n;
    SolverStatus status = solver_check(x->solver, &q, &x->answer);
    x->work += solver_work(x->solver) - before;
    x->solver_seconds += clock_seconds() - start;
    return status;
}

SolverStatus explore_solve(Explore *x, const ExprInput *hint)
{
    return solve(x, hint, x->options.solver_time);
}

SolverStatus explore_solve_within(Explore *x, const ExprInput *hint, double seconds)
{
    double most = x->options.solver_time;
    return solve(x, hint, most > 0 && most < seconds ? most : seconds);
}

/* So that the option that is named lifts it. */
static LedgerKind ledger_kind(SolverReason reason)
{
    switch (reason) {
    case SOLVER_REASON_MEMORY: return LEDGER_SOLVER_MEMORY;
    case SOLVER_REASON_INCOMPLETE: return LEDGER_SOLVER_OPEN;
    case SOLVER_REASON_BACKEND: return LEDGER_SOLVER_FAILED;
    default: return LEDGER_SOLVER;
    }
}

void explore_note_unknown(Explore *x, uint32_t site, const char *question)
{
    SolverReason reason = x->answer.reason;
    bool ended = reason == SOLVER_REASON_TIME || reason == SOLVER_REASON_STOPPED;
    if (!ended || !explore_out_of_time(x)) /* if time is over for all, that is the reason */
        ledger_add(x->lane->ledger, ledger_kind(reason), site, "%s: %s", question,
                   solver_reason_text(reason));
    if (x->options.joint)
        x->options.joint->on_unknown(x->options.joint->context, &x->query);
}

void explore_undecided(Explore *x, const Task *task)
{
    SolverReason reason = x->answer.reason;
    x->unanswered = (reason == SOLVER_REASON_TIME || reason == SOLVER_REASON_STOPPED) && explore_is_late(x);
    explore_bump(x, EXPLORE_UNDECIDED);
    explore_note_unknown(x, task->site, "");
}

bool explore_answer(Explore *x, const Task *task, SolverStatus status, ExprInput *input)
{
    switch (status) {
    case SOLVER_SAT: expr_input_copy(input, &x->answer.model); return true;
    case SOLVER_UNSAT: explore_bump(x, EXPLORE_INFEASIBLE); return false;
    case SOLVER_UNKNOWN: break;
    }
    explore_undecided(x, task);
    return false;
}

bool explore_input(Explore *x, Task *task, ExprInput *input)
{
    if (task->solved) {
        expr_input_copy(input, &task->origin->input);
        return true;
    }
    path_list(task->path, &x->query);
    return explore_answer(x, task, explore_solve(x, task->origin ? &task->origin->input : NULL), input);
}

/* Endings that make the result incomplete. Assumptions cut inputs away that were not asked for; faults are
 * results. */
static void record_ending(Explore *x, const VmTrace *trace)
{
    const VmResult *r = &trace->result;
    if (trace->endless) /* what follows was met when the state was new */
        return;
    switch (r->ending) {
    case VM_END_UNSUPPORTED:
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, r->site, "%s", r->message);
        break;
    case VM_END_EXTERNAL: ledger_add(x->lane->ledger, LEDGER_EXTERNAL, r->site, "%s", r->message); break;
    case VM_END_LIMIT: ledger_add(x->lane->ledger, r->limit, r->site, ": %s", r->message); break;
    case VM_END_INTERRUPTED: ledger_add(x->lane->ledger, LEDGER_INTERRUPTED, r->site, NULL); break;
    case VM_END_ASSUMPTION: explore_bump(x, EXPLORE_VIOLATED); break;
    case VM_END_RETURN:
    case VM_END_EXIT:
    case VM_END_FAULT: break;
    }
}

bool explore_covers_new(const ExploreRun *run) { return vm_coverage_is_new(run->explore->lane->vm); }

/* On all machines: what one has covered, no other need cover. */
void explore_keep(const ExploreRun *run)
{
    Explore *x = run->explore;
    vm_coverage_keep(x->lane->vm);
    for (unsigned i = 0; i < COUNT_OF(x->lanes); i++)
        if (x->lanes[i].vm && &x->lanes[i] != x->lane)
            vm_coverage_kept_add(x->lanes[i].vm, x->lane->vm);
}

/* Is it no test of its own? */
static bool is_repeated(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input)
{
    if (x->lane != &x->lanes[0]) /* the first lane may have come there */
        return explore_path_is_known(x, trace, input, true);
    return x->lane->explorer->repeats && x->lane->explorer->repeats(x, task, trace, input);
}

/* A process reported it, and ended before it reported what follows from it: this is the second time. */
static bool was_reported(Explore *x, const VmTrace *trace)
{
    return x->reported_paths.n && marks_get(&x->reported_paths, fingerprint_path(&x->fingerprints, trace));
}

uint64_t explore_rank(Explore *x, const VmTrace *trace)
{
    uint64_t rank = fingerprint_path(&x->fingerprints, trace) >> 1; /* a database's integers have a sign */
    return rank ? rank : 1;
}

static void report_run(Explore *x, ExploreRun run)
{
    VmEnding ending = run.trace->result.ending;
    run.explore = x;
    run.rank = x->ranks ? explore_rank(x, run.trace) : 0;
    x->counters[EXPLORE_REPEATED] += run.repeated;
    x->counters[EXPLORE_PATHS] +=
        !run.repeated && ending != VM_END_ASSUMPTION && ending != VM_END_INTERRUPTED;
    if (was_reported(x, run.trace))
        return;
    if (x->options.on_run)
        x->options.on_run(x->options.context, &run);
    if (!x->options.selects)
        vm_coverage_keep(x->lane->vm);
}

void explore_report_foreign(Explore *x, const VmTrace *trace, const ExprInput *input, uint64_t number)
{
    ExploreRun run = {
        .explore = x, .number = number, .trace = trace, .input = input, .rank = explore_rank(x, trace)};
    if (x->options.on_run)
        x->options.on_run(x->options.context, &run);
    if (!x->options.selects)
        vm_coverage_keep(x->lane->vm);
}

/* Nothing more will be run, and to find out what follows from a long run may take longer than the run. */
static bool ended_in_the_middle(const VmResult *r)
{
    return r->ending == VM_END_INTERRUPTED || (r->ending == VM_END_LIMIT && r->limit == LEDGER_TIME);
}

static VmTrace *run(Explore *x, const Task *task, const ExprInput *input)
{
    double start = clock_seconds();
    vm_patience(x->lane->vm, !x->lane->explorer->sets_aside ? 0
                             : task->patience               ? task->patience
                                                            : x->options.patience);
    VmTrace *trace = vm_run_input(x->lane->vm, input, task->resume);
    vm_patience(x->lane->vm, 0);
    x->machine_seconds += clock_seconds() - start;
    frontier_ran(&x->lane->frontier, vm_coverage_grew(x->lane->vm));
    x->counters[EXPLORE_RESUMED] += trace->resumed;
    x->counters[EXPLORE_STEPS] += trace->own_steps;
    x->counters[EXPLORE_DECISIONS] += trace->decisions.n;
    if (!task->patience)
        x->lane->frontier.credit += 1 + trace->alternatives.n;
    return trace;
}

/* It is over. */
static void record_run(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input)
{
    explore_bump(x, EXPLORE_RUNS);
    x->counters[EXPLORE_EXHAUSTIVE] += x->lane != &x->lanes[0];
    record_ending(x, trace);
    if (trace->result.ending != VM_END_ASSUMPTION && !ended_in_the_middle(&trace->result))
        explore_initialised(x, input, &trace->result);
    through_observe(x, trace, input);
    if (x->explain)
        explain_observe(x, trace, input);
    bool repeated = portfolio_holds_back(x, task, trace, input) || is_repeated(x, task, trace, input);
    report_run(
        x, (ExploreRun){
               .number = x->counters[EXPLORE_RUNS], .trace = trace, .input = input, .repeated = repeated});
}

void explore_report_again(Explore *x, const ExprInput *input, VmSnapshot *resume, uint64_t number)
{
    VmTrace *trace = vm_run_input(x->lane->vm, input, resume);
    report_run(x, (ExploreRun){.number = number,
                               .trace = trace,
                               .input = input,
                               .repeated = is_repeated(x, NULL, trace, input)});
    vm_trace_free(x->lane->vm, trace);
}

/* What becomes of a task that was taken. */
typedef enum Taken {
    TAKEN_DONE,
    TAKEN_BOUNDED, /* a bound is met before its run: it stays to be done */
    TAKEN_CUT      /* time was up in the middle of its run, from which nothing follows yet: the same */
} Taken;

static Taken run_task(Explore *x, Task *task, const ExprInput *input)
{
    VmTrace *trace = run(x, task, input);
    bool whole = !ended_in_the_middle(&trace->result), cut = !whole && explore_is_late(x);
    explore_note_functions(x, input);
    if (!trace->set_aside)
        record_run(x, task, trace, input);
    else if (x->runs_of_all && x->options.max_runs)
        atomic_fetch_sub(x->runs_of_all, 1);
    Origin *origin = origin_new(input);
    x->last_run = origin;
    double start = clock_seconds();
    if (whole)
        x->lane->explorer->expand(x, task, trace, origin);
    x->guidance_seconds += clock_seconds() - start;
    origin_drop(origin);
    vm_trace_free(x->lane->vm, trace);
    if (cut && frontier_size(&x->lane->frontier))
        explore_out_of_time(x);
    return cut ? TAKEN_CUT : TAKEN_DONE;
}

/* No time is left. What was set aside is an input at least, and its run so far, which ends here at once, may
 * be a test that nothing else covers. */
static void record_set_aside(Explore *x)
{
    enum { MILLISECONDS = 100 };
    double end = clock_seconds() + MILLISECONDS / 1000.0;
    FrontierPlace at = {0};
    for (Task *task;
         explore_is_late(x) && clock_seconds() < end && (task = frontier_next(&x->lane->frontier, &at));)
        if (task->patience && task->solved) {
            VmTrace *trace = run(x, task, &task->origin->input);
            record_run(x, task, trace, &task->origin->input);
            vm_trace_free(x->lane->vm, trace);
        }
}

void explore_drop_pending(Explore *x)
{
    x->counters[EXPLORE_DROPPED] += frontier_size(&x->lane->frontier);
    FrontierPlace at = {0};
    for (Task *task; (task = frontier_next(&x->lane->frontier, &at));)
        frontier_drop(&x->lane->frontier, x->lane->vm, task);
    frontier_clear(&x->lane->frontier);
}

static Taken take_task(Explore *x, Task *task)
{
    const Explorer *explorer = x->lane->explorer;
    ExprInput input = {0};
    x->unanswered = false;
    bool needed = (explorer->input ? explorer->input : explore_input)(x, task, &input);
    Taken taken = x->unanswered ? TAKEN_BOUNDED : TAKEN_DONE;
    if (needed)
        taken = explore_out_of_time(x) || out_of_runs(x) ? TAKEN_BOUNDED : run_task(x, task, &input);
    expr_input_free(&input);
    return taken;
}

bool explore_take(Explore *x, Task *task) { return take_task(x, task) == TAKEN_DONE; }

void explore_all(Explore *x)
{
    Task task;
    Taken taken = TAKEN_DONE;
    x->started = clock_seconds();
    if (x->options.max_time > 0)
        vm_deadline(x->lane->vm, x->started + x->options.max_time);
    if (!x->loaded)
        portfolio_begin(x);
    bool here = !x->options.board || remote_run(x); /* what is left is not to be found by Explorer.more */
    while (here && portfolio_next(x) && !explore_out_of_time(x)) {
        if (parallel_begins(x)) {
            parallel_run(x);
            continue;
        }
        if (!frontier_take(&x->lane->frontier, &task))
            break;
        double begun = x->test.on_task ? clock_processor_seconds() : 0;
        x->last_run = NULL;
        taken = take_task(x, &task);
        if (x->test.on_task)
            x->test.on_task(x->options.context, task.origin, x->last_run, clock_processor_seconds() - begun);
        if (taken == TAKEN_BOUNDED)
            frontier_file_part(&x->lane->frontier, task, 1);
        if (taken != TAKEN_DONE)
            break;
        task_release(x->lane->vm, &task);
        explore_keep_within_memory(x);
        check_weights(x);
        explore_progress(x);
    }
    Lane *lane = x->lane;
    portfolio_stop(x);
    record_set_aside(x);
    if (taken == TAKEN_CUT && lane->active)
        frontier_file_part(&lane->frontier, task, 1);
    else if (taken == TAKEN_CUT)
        task_release(lane->vm, &task);
    through_settle(x);
    if (x->explain)
        explain_finish(x);
    if (here)
        check_weights(x);
    x->ended = clock_seconds();
}

/* ---- reading --------------------------------------------------------------------------------- */

const volatile bool *explore_stop(const Explore *x) { return x->options.stop; }
ExprPool *explore_pool(Explore *x) { return x->pool; }
Solver *explore_solver(Explore *x) { return x->solver; }
Vm *explore_vm(const Explore *x) { return x->lane->vm; }
bool explore_is_labelled(const Explore *x) { return x->lane->labels; }
Ledger *explore_ledger(const Explore *x) { return x->lane->ledger; }
const IrProgram *explore_program(const Explore *x) { return x->program; }
uint64_t explore_count(const Explore *x, ExploreCounter counter) { return x->counters[counter]; }
uint64_t explore_runs_so_far(const Explore *x) { return x->counters[EXPLORE_RUNS] + x->runs_elsewhere; }
uint64_t explore_pending(const Explore *x) { return frontier_size(&x->lane->frontier) + x->elsewhere; }

/* The lane that has come farther ends the exploration. */
double explore_explored(const Explore *x)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < COUNT_OF(x->lanes); i++) {
        uint64_t explored = frontier_explored(&x->lanes[i].frontier);
        most = x->lanes[i].active && explored > most ? explored : most;
    }
    double share = (double)(most + x->explored_elsewhere) / (double)EXPLORE_WHOLE;
    return share < 1 ? share : 1; /* what another process said may be wrong */
}

double explore_seconds(const Explore *x)
{
    return (x->ended ? x->ended : clock_seconds()) - x->started + x->prepared;
}
double explore_solver_seconds(const Explore *x) { return x->solver_seconds; }
double explore_machine_seconds(const Explore *x) { return x->machine_seconds; }
double explore_static_seconds(const Explore *x) { return x->static_seconds; }
double explore_guidance_seconds(const Explore *x) { return x->guidance_seconds; }

const char *explore_counter_key(ExploreCounter counter)
{
    static const char *const keys[] = {
#define COUNTER(NAME, key, text) key,
#include "explore/counters.def"
#undef COUNTER
    };
    return keys[counter];
}

void explore_stats(const Explore *x, JsonOut *json)
{
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        json_uint(json, explore_counter_key(i), x->counters[i]);
    json_uint(json, "pending", explore_pending(x));
    json_double(json, "explored", explore_explored(x));
    json_double(json, "seconds", explore_seconds(x));
    json_double(json, "solver_seconds", x->solver_seconds);
    json_double(json, "machine_seconds", x->machine_seconds);
    json_double(json, "static_seconds", x->static_seconds);
    json_double(json, "guidance_seconds", x->guidance_seconds);
    json_double(json, "residual_seconds", x->residual_seconds);
    json_object_begin(json, "solver");
    solver_stats(x->solver, json);
    json_object_end(json);
    json_object_begin(json, "expressions");
    expr_pool_stats(x->pool, json);
    json_object_end(json);
}
