/* portfolio.c - explorers interleaved: the first to finish ends the exploration.
 *
 * A lane is an explorer with all that is its own. The first lane is that of the explorer that was asked for.
 * Another may begin beside it, from the entry (Explorer.beside): for `dependence`, the graph of states
 * (states.c), which needs no labels, costs less for each path, and runs what follows from a state once. Which
 * of them finishes first is not estimated: the lane that has spent least takes the next task, so that both
 * together cost about twice what the better one costs alone, at most.
 *
 * One rule: where each run of the first lane has a sink that depends on all that the run decided
 * (Lane.prunes), no path can stand for another. As long as that is so, exhaustive exploration begins early
 * and gets most of the time.
 *
 * Either lane finds every fault. Runs of the second are no tests as long as the first may finish with far
 * fewer of them: they are held back, and become tests if the second lane finishes first. A fault is reported
 * at once. */
#include "explore/parallel.h"

enum {
    RULE_AFTER = 32, /* runs of the first lane that the rule is about, at first */
    RULE_SHARE = 8,  /* of the time, for the first lane while the rule holds */
    BESIDE_AFTER =
        1000000000, /* else: what the first lane has spent before another begins beside it, a second */
};

/* What runs cost, in about nanoseconds. They are counted and weighed, not timed: the same command makes the
 * same tests. */
enum { RUN_COST = 30000, STEP_COST = 8, DECISION_COST = 200, LABELLED_DECISION_COST = 1000 };

static Lane *first_lane(Explore *x) { return &x->lanes[0]; }
static Lane *second_lane(Explore *x) { return &x->lanes[1]; }

static bool is_interleaved(const Explore *x) { return x->lanes[0].active && x->lanes[1].active; }

/* ---- what a lane has spent ------------------------------------------------------------------- */

/* Since the last time, by the lane whose task was taken. */
static void note_cost(Explore *x)
{
    const uint64_t *c = x->counters;
    ExploreCost now = {c[EXPLORE_RUNS], c[EXPLORE_STEPS], c[EXPLORE_DECISIONS], x->work};
    uint64_t decision = x->lane->labels ? LABELLED_DECISION_COST : DECISION_COST;
    x->lane->cost += RUN_COST * (now.runs - x->cost.runs) + STEP_COST * (now.steps - x->cost.steps) +
                     decision * (now.decisions - x->cost.decisions) + (now.work - x->cost.work);
    x->cost = now;
}

/* For tests: so many runs by turns, whatever they cost. */
static Lane *least_spent(Explore *x)
{
    if (x->test.turns)
        return &x->lanes[x->counters[EXPLORE_RUNS] / x->test.turns % 2];
    uint64_t first = first_lane(x)->cost * (first_lane(x)->prunes ? 1 : RULE_SHARE);
    return first <= second_lane(x)->cost ? first_lane(x) : second_lane(x);
}

/* ---- lanes begin and end --------------------------------------------------------------------- */

void lane_begin(Explore *x, Lane *lane, const Explorer *explorer, bool labels)
{
    *lane = (Lane){.explorer = explorer, .active = true, .labels = labels, .ledger = ledger_new()};
    x->lane = lane;
    if (explorer->begin)
        explorer->begin(x);
    lane->vm = explore_machine_new(x, lane);
    frontier_init(&lane->frontier, x->options.search, x->options.seed, lane->vm);
    lane->frontier.samples = explorer->beside;
}

static void drop_held(Lane *lane)
{
    for (uint32_t i = 0; i < lane->held.n; i++) {
        origin_drop(lane->held.v[i].origin);
        if (lane->held.v[i].resume)
            vm_snapshot_drop(lane->vm, lane->held.v[i].resume);
    }
    vec_free(&lane->held);
    lane->held_bytes = 0;
}

/* Its machine stays, which may be needed for its labels. */
static void close_lane(Explore *x, Lane *lane)
{
    x->lane = lane;
    if (lane->active && lane->explorer->end)
        lane->explorer->end(x);
    drop_held(lane);
    frontier_free(&lane->frontier, lane->vm);
    marks_free(&lane->faults);
    lane->active = false;
}

void lane_free(Explore *x, Lane *lane)
{
    if (!lane->explorer)
        return;
    close_lane(x, lane);
    vm_free(lane->vm);
    ledger_free(lane->ledger);
}

/* Goes on with one lane alone. What the other has covered is covered. */
static void keep_lane(Explore *x, Lane *lane)
{
    Lane *other = lane == first_lane(x) ? second_lane(x) : first_lane(x);
    vm_coverage_add(lane->vm, other->vm);
    close_lane(x, other);
    x->lane = lane;
}

static bool begins_beside(const Explore *x)
{
    const Lane *first = &x->lanes[0];
    uint64_t runs = x->counters[EXPLORE_RUNS], after = x->options.jobs > 1 ? x->options.fork_after : 0;
    after = x->test.beside_after ? x->test.beside_after : after;
    bool due = after ? runs >= after : first->cost >= BESIDE_AFTER || (runs >= RULE_AFTER && !first->prunes);
    return due && first->explorer->beside && !first->finished && !x->lanes[1].explorer &&
           !x->options.labels_of;
}

/* Not where the number of runs counts: which lane finishes first depends on the time then. Nor early, by the
 * rule: most explorations are small. */
static bool has_process(const Explore *x)
{
    const SolverOptions *s = &x->options.solver;
    bool large = x->options.fork_after || x->lanes[0].cost + x->lanes[1].cost >= BESIDE_AFTER;
    if (x->test.apart_after)
        large = x->counters[EXPLORE_RUNS] >= x->test.apart_after;
    return x->options.jobs > 1 && large && !x->options.explain && !x->options.max_runs && !s->log_dir &&
           (!s->backend || !strcmp(s->backend, "cadical"));
}

/* The second lane is in another process: here is only its machine, for runs that are reported. */
static void leave_machine(Explore *x)
{
    Lane *second = second_lane(x);
    lane_begin(x, second, first_lane(x)->explorer->beside, false);
    vm_coverage_add(second->vm, first_lane(x)->vm);
    second->active = false;
    x->lane = first_lane(x);
}

static void begin_beside(Explore *x)
{
    Lane *second = second_lane(x);
    if (has_process(x) && beside_fork(x)) {
        leave_machine(x);
        return;
    }
    lane_begin(x, second, first_lane(x)->explorer->beside, false);
    vm_coverage_add(second->vm, first_lane(x)->vm);
    vm_coverage_kept_add(second->vm, first_lane(x)->vm);
    if (!(x->test.rules_off & EXPLORE_OFF_LANE))
        frontier_file_first(&second->frontier);
}

/* A lane that began early goes on in a process of its own when the exploration turns out to be large. */
static void part_lanes(Explore *x)
{
    if (!beside_fork(x)) {
        x->options.jobs = 1;
        return;
    }
    vm_coverage_add(first_lane(x)->vm, second_lane(x)->vm);
    lane_free(x, second_lane(x));
    leave_machine(x);
}

/* ---- tests that are held back ---------------------------------------------------------------- */

static bool was_reported(Lane *lane, const VmResult *r)
{
    return marks_set(&lane->faults, hash_mix(hash_mix(r->fault + 1, r->site), r->need[0] != 0), 1, 1);
}

bool portfolio_holds_back(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input)
{
    const VmResult *r = &trace->result;
    Lane *lane = x->lane;
    bool fault = r->ending == VM_END_FAULT && !was_reported(lane, r);
    if (!is_interleaved(x) || lane == first_lane(x) || !first_lane(x)->prunes || fault)
        return false;
    VmSnapshot *resume = task->resume ? vm_snapshot_hold(task->resume) : NULL;
    vec_push(&lane->held, ((HeldRun){origin_new(input), resume, x->counters[EXPLORE_RUNS]}));
    lane->held_bytes += sizeof *lane->held.v + sizeof(Origin) + input->n;
    return true;
}

static void report_held(Explore *x, Lane *lane)
{
    x->counters[EXPLORE_REPEATED] -= lane->held.n;
    for (uint32_t i = 0; i < lane->held.n && !explore_out_of_time(x); i++) {
        const HeldRun *run = &lane->held.v[i];
        explore_report_again(x, &run->origin->input, run->resume, run->number);
    }
    drop_held(lane);
}

/* ---- the exploration ------------------------------------------------------------------------- */

void portfolio_begin(Explore *x) { frontier_file_first(&x->lane->frontier); }

static bool is_empty(const Lane *lane) { return !frontier_size(&lane->frontier); }

/* The first lane has more to do for branch outcomes when it has found every fault: that comes afterwards. */
static bool is_finished(Explore *x, Lane *lane)
{
    if (!is_empty(lane))
        return false;
    x->lane = lane;
    return lane == first_lane(x) || !lane->explorer->more || !lane->explorer->more(x);
}

static Lane *finished_lane(Explore *x)
{
    return is_finished(x, first_lane(x))    ? first_lane(x)
           : is_finished(x, second_lane(x)) ? second_lane(x)
                                            : NULL;
}

static void finish(Explore *x, Lane *lane)
{
    keep_lane(x, lane);
    if (lane == second_lane(x))
        report_held(x, lane);
}

bool lane_is_out_of_memory(const Lane *lane)
{
    for (uint32_t i = 0; i < ledger_count(lane->ledger); i++)
        if (ledger_entry(lane->ledger, i)->kind == LEDGER_TASKS)
            return true;
    return false;
}

/* The second lane in a process of its own is listened to; it ends with the first, or the first with it. */
static void listen_beside(Explore *x)
{
    Lane *first = first_lane(x), *second = second_lane(x);
    BesideNews news = is_empty(first) ? BESIDE_GONE : beside_listen(x, second);
    while (x->test.waits && news == BESIDE_BUSY)
        news = beside_listen(x, second);
    if (news == BESIDE_BUSY)
        return;
    beside_end(x);
    second->active = true;
    keep_lane(x, news == BESIDE_DONE ? second : first);
}

bool portfolio_next(Explore *x)
{
    note_cost(x);
    if (is_interleaved(x) && lane_is_out_of_memory(second_lane(x)))
        portfolio_save_memory(x);
    if (begins_beside(x))
        begin_beside(x);
    if (is_interleaved(x) && has_process(x))
        part_lanes(x);
    if (x->beside)
        listen_beside(x);
    Lane *finished = is_interleaved(x) ? finished_lane(x) : NULL;
    if (finished)
        finish(x, finished);
    else if (is_interleaved(x))
        x->lane = least_spent(x);
    if (!is_empty(x->lane))
        return true;
    x->lane->finished = true;
    return x->lane->explorer->more && x->lane->explorer->more(x);
}

/* Without an answer of the second lane. */
static void end_beside(Explore *x)
{
    if (!x->beside)
        return;
    beside_end(x);
    second_lane(x)->active = true;
    keep_lane(x, first_lane(x));
}

/* A limit ended the exploration before either lane was done: what the first has left open, and the limit. */
void portfolio_stop(Explore *x)
{
    end_beside(x);
    if (!is_interleaved(x))
        return;
    if (x->lane == second_lane(x))
        ledger_add_all(first_lane(x)->ledger, second_lane(x)->ledger);
    keep_lane(x, first_lane(x));
}

void portfolio_save_memory(Explore *x)
{
    end_beside(x);
    if (is_interleaved(x))
        keep_lane(x, first_lane(x));
}

size_t portfolio_bytes(const Explore *x)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < COUNT_OF(x->lanes); i++) {
        const Lane *lane = &x->lanes[i];
        if (!lane->explorer)
            continue;
        bytes += vm_snapshot_bytes(lane->vm) + vm_path_bytes(lane->vm) + lane->held_bytes + lane->bytes +
                 frontier_size(&lane->frontier) * (sizeof(Task) + 2 * sizeof(Path));
    }
    return bytes;
}
