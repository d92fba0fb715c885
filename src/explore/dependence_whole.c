/* dependence_whole.c - where leaving out paths does not pay, every path is run, and without labels.
 *
 * A run of `dependence` costs some 1.5 to 3 times as much as a path of `full` does: labels, and what is made
 * of them; and many times as much where runs fail in ways of their own, since each task asks for inputs
 * outside of all of these, which are the hardest questions of all. What it costs is counted, not timed: the
 * same command makes the same tests (but for questions that take the solver long, ANSWER_MILLISECONDS).
 *
 * So now and then runs are looked at: for how many paths do they stand? The sink of a run that depends on
 * most decisions leaves out the others, of which some could go another way while those stay. If m could, the
 * run stands for about 2^m paths, together with all other runs in which everything goes the same that this
 * sink depends on. (Those were made for other sinks.) If that is not much more on average than what a run
 * costs in paths, the rest is explored as by `full`. If a sink depends on all decisions of a run, say, no
 * other path can stand for this one.
 *
 * What is given up by that is bounded. While every path is run, some are run with labels too. When they say
 * that by far more paths were run than runs of `dependence` would have cost, it takes over again. It may turn
 * to and fro where runs are dear, each time for twice as much in vain, so that it does not do so often.
 *
 * No fault is lost either way. Turning to every path: the paths of the kept runs, and the regions that branch
 * off them, are all inputs (dep_regions_find). Turning back: `dependence` begins anew, and
 * whatever it begins with, all ways that differ from a labelled run's are found from that run. */
#include "explore/dependence.h"

#include <math.h>

enum {
    FIRST_LOOK = 32,     /* runs before the first look; the next one is at twice as many, */
    LOOK_LEAST = 8,      /* or at so many at least, if they are dear: */
    LOOK_WORK = 1000000, /* work that may be done before the first; twice as much, the next */
    LOOKED_AT = 32,      /* kept runs at each look, or half of them: questions cost as much as runs */
    LABELS_FOR = 512,    /* runs that cost about as much more with labels as a machine without them */
    LABELS_PENDING = 4,  /* so many runs, at least, for each that is pending, which will begin at the entry */
    OPEN_MOST = 12,      /* decisions that a sink leaves out; more are not asked about */
    ASKED_MOST = 16,     /* alternatives of one decision: more count as left out */
    QUESTIONS_MOST = 512,      /* of a look: more, and it ends */
    ANSWER_MILLISECONDS = 100, /* that a question may take: load is seldom to decide */
    SINKS_MOST = 256,          /* of a run that are looked at, latest first */
    LOST_FREE = 64,            /* runs in vain that are never too many, the first time that it turns */
    SAMPLE_SHARE = 2,          /* half of the runs since it turned lie between samples, which cost several, */
    SAMPLE_LEAST = 8,
    SAMPLE_MOST = 512 /* within these bounds */
};

/* What things cost, in nanoseconds, fitted to random programs. Work is what Explore.work counts. */
enum {
    RUN_COST = 3000,     /* of `full` and of `dependence`: a run, */
    STEP_COST = 8,       /* a step, */
    DECISION_COST = 200, /* and a decision */
    PATH_QUERIES = 2,    /* of `full` for a path: one that finds it, and others that find none */
    TEST_COST = 100000,  /* to write down what was run, for who is told of runs: of both again; files take
                            from 50,000 on */
    GUIDED_COST = 800,   /* of `dependence` besides: labels, and what is made of a decision, */
    TASK_COST = 1000     /* and a task that is filed */
};
enum {
    MANY_RUNS = 128,       /* from then on: */
    DEAR_QUESTION = 10000, /* a plain question that costs more may not be one that `full` asks, */
    PATHS_ASKED = 32       /* and so many of those are asked */
};

static const double many = 1 << 20; /* paths for which a run stands, if they are not counted */
static const double gain = 1.25; /* below this many paths for a run there is next to nothing to be gained */
static const double worth =
    1.5; /* so many times what it costs may a run stand for: other sinks need some of that */
static const double doubt = 2;     /* and so many times that, of what samples say */
static const double countless = 2; /* in vain for each that is run, if there are too many to count, */
static const double dear = 3;      /* unless a run costs so many paths: then 1 */
static const double too_dear =
    6; /* if runs have cost so many paths in all, before either are written down, that counts */

/* ---- a run ----------------------------------------------------------------------------------- */

static bool could_differ(const VmDecision *d) { return d->count && !d->met; }

static ExprSet differing(ExprPool *p, const DepRun *run)
{
    ExprSet all = EXPR_SET_EMPTY;
    for (uint32_t k = 0; k < run->n; k++)
        if (could_differ(&run->decisions[k]))
            all = expr_set_union(p, all, expr_set_of(p, k));
    return all;
}

/* What is left of `all` beyond a set, latest first, and no more than `most`. */
static uint32_t list_beyond(ExprPool *p, ExprSet all, ExprSet set, uint32_t most, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t k; n < most && (k = expr_set_last_beyond(p, all, set)) != UINT32_MAX; n++) {
        out[n] = k;
        set = expr_set_union(p, set, expr_set_of(p, k));
    }
    return n;
}

/* The sink that leaves out the fewest of them: what it depends on. */
static ExprSet widest_sink(Explore *x, DepSinks *sinks, const DepRun *run, ExprSet all)
{
    ExprSet widest = EXPR_SET_EMPTY;
    uint32_t open[OPEN_MOST + 1], least = list_beyond(x->pool, all, widest, COUNT_OF(open), open), looked = 0;
    for (uint32_t i = run->n + run->sinks.n; i-- > 0 && least && looked < SINKS_MOST;) {
        if (i < run->n && !dep_is_sink(sinks, &run->decisions[i]))
            continue;
        ExprSet set = i < run->n ? expr_set_union(x->pool, run->decisions[i].label, expr_set_of(x->pool, i))
                                 : run->sinks.v[i - run->n].label;
        uint32_t n = list_beyond(x->pool, all, set, least, open);
        if (n < least) {
            widest = set;
            least = n;
        }
        looked++;
    }
    return widest;
}

/* Does an input take the alternative, while all that the sink depends on goes as it went? */
static SolverStatus ask(Explore *x, const DepRun *run, ExprSet sink, const VmAlternative *alt)
{
    vec_clear(&x->query);
    for (uint32_t m = 0; (m = expr_set_next(x->pool, sink, m)) != UINT32_MAX; m++)
        if (!expr_is_true(run->decisions[m].holds))
            vec_push(&x->query, run->decisions[m].holds);
    vec_push(&x->query, alt->condition);
    return explore_solve_within(x, &run->origin->input, ANSWER_MILLISECONDS / 1000.0);
}

static bool could_survive(const DepRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (!run->alternatives[d->first + i].is_fault)
            return true;
    return false;
}

/* Would runs fail at decision k in the same way that differ before? Else each of them is run by `dependence`
 * too. */
static bool fails_alike(const Explore *x, const DepRun *run, uint32_t k)
{
    for (uint32_t i = 0; i < k; i++) {
        const VmDecision *d = &run->decisions[i];
        if (could_differ(d) && !expr_set_has(x->pool, run->decisions[k].label, i) && could_survive(run, d))
            return true;
    }
    return false;
}

/* Paths for which one run of `dependence` stands. */
typedef struct Paths {
    double alike;   /* those that go on, one for each choice that is left out */
    double failing; /* those that end there, if they fail as others do */
    ExprSet sink;   /* what the run is needed for: the decisions that it depends on */
    bool counted;   /* else there are too many */
} Paths;

/* After a question that is not answered no other is asked, nor if none is *left: then all else counts as left
 * out. */
static Paths paths_of(Explore *x, DepSinks *sinks, const DepRun *run, uint32_t *left)
{
    ExprSet all = differing(x->pool, run), sink = widest_sink(x, sinks, run, all);
    uint32_t open[OPEN_MOST + 1], n = list_beyond(x->pool, all, sink, COUNT_OF(open), open);
    Paths paths = {.alike = 1, .sink = sink, .counted = n <= OPEN_MOST};
    if (!paths.counted)
        return paths;
    for (uint32_t i = 0; i < n; i++) {
        const VmDecision *d = &run->decisions[open[i]];
        uint32_t sides = 1;
        for (uint32_t k = 0; k < d->count; k++) {
            const VmAlternative *alt = &run->alternatives[d->first + k];
            bool asks = *left && k < ASKED_MOST;
            SolverStatus answer = asks ? ask(x, run, sink, alt) : SOLVER_SAT;
            bool left_out = answer != SOLVER_UNSAT;
            *left = answer == SOLVER_UNKNOWN ? 0 : *left - asks;
            paths.failing += left_out && alt->is_fault && fails_alike(x, run, open[i]);
            sides += left_out && !alt->is_fault;
        }
        paths.alike *= sides;
    }
    return paths;
}

/* ---- what it costs --------------------------------------------------------------------------- */

DepCost dep_cost_so_far(const Explore *x)
{
    const uint64_t *c = x->counters;
    return (DepCost){c[EXPLORE_RUNS], c[EXPLORE_STEPS], c[EXPLORE_DECISIONS], c[EXPLORE_TASKS],
                     x->work,         x->plain,         x->plain_work};
}

/* The question by which `full` would come to an alternative of the run: behind all that was decided before.
 * What it costs; false: it was not answered in time, which may be the load. */
static bool ask_behind_path(Explore *x, const DepRun *run, uint32_t k, double *cost)
{
    vec_clear(&x->query);
    for (uint32_t i = 0; i < k; i++)
        if (dep_parts_paths(&run->decisions[i]))
            vec_push(&x->query, run->decisions[i].holds);
    vec_push(&x->query, run->alternatives[run->decisions[k].first].condition);
    uint64_t before = x->work;
    bool answered =
        explore_solve_within(x, &run->origin->input, ANSWER_MILLISECONDS / 1000.0) != SOLVER_UNKNOWN;
    *cost = (double)(x->work - before);
    return answered;
}

/* The decision at this share of the run, or the next one before it that could go another way; UINT32_MAX:
 * none. */
static uint32_t could_differ_at(const DepRun *run, uint32_t share, uint32_t of)
{
    uint32_t k = (uint32_t)((uint64_t)run->n * (share + 1) / of);
    while (k && !could_differ(&run->decisions[k - 1]))
        k--;
    return k - 1;
}

/* What a question of `full` costs, as some say that it would ask: at each look others, since what was asked
 * before costs nothing. */
static double path_question(Explore *x, DepRuns *runs)
{
    uint32_t n = runs->all.n - runs->dropped, turn = (uint32_t)(x->counters[EXPLORE_RUNS] % PATHS_ASKED),
             asked = 0;
    double work = 0;
    for (uint32_t i = 0; i < PATHS_ASKED && n && !explore_is_late(x); i++) {
        DepRun *run = runs->all.v[runs->dropped + (uint64_t)i * n / PATHS_ASKED];
        dep_runs_glance(runs, run);
        uint32_t k = could_differ_at(run, (i + turn) % PATHS_ASKED, PATHS_ASKED);
        double cost;
        if (k != UINT32_MAX && ask_behind_path(x, run, k, &cost)) {
            work += cost;
            asked++;
        }
        dep_run_leave(run);
    }
    return asked ? work / asked : INFINITY;
}

static double plain_question(DepCost from, DepCost to)
{
    return to.plain > from.plain ? (double)(to.plain_work - from.plain_work) / (double)(to.plain - from.plain)
                                 : 0;
}

/* What both must do, whoever asks for the runs. */
static double machine_cost(DepCost from, DepCost to)
{
    return RUN_COST * (double)(to.runs - from.runs) + STEP_COST * (double)(to.steps - from.steps) +
           DECISION_COST * (double)(to.decisions - from.decisions);
}

double dep_cost_between(DepCost from, DepCost to, bool guided)
{
    double guidance =
        GUIDED_COST * (double)(to.decisions - from.decisions) + TASK_COST * (double)(to.tasks - from.tasks);
    return machine_cost(from, to) + (double)(to.work - from.work) + (guided ? guidance : 0);
}

double dep_cost_of_test(const Explore *x) { return x->options.on_run ? TEST_COST : 0; }

/* How many times as much as a path of `full` a run has cost in the time between two counts, if this is what a
 * question of `full` costs, and both are written down at some cost. */
static double times_between(DepCost from, DepCost to, double question, double written)
{
    double made = (double)(to.runs - from.runs);
    if (to.plain == from.plain || made == 0)
        return 1;
    double path = machine_cost(from, to) / made + PATH_QUERIES * question;
    return (dep_cost_between(from, to, true) / made + written) / (path + written);
}

/* All runs, before they are written down. Where the plain questions are dear that may be because a label's
 * conditions are harder than a path's. This is judged when there are many runs: the first questions are dear
 * because nothing is known yet, and some are always far dearer than most. */
static double times_in_all(Explore *x, DepRuns *runs, DepCost now)
{
    DepCost begun = {0};
    double plain = plain_question(begun, now);
    if (now.runs < MANY_RUNS)
        return 1;
    return times_between(begun, now, plain > DEAR_QUESTION ? fmin(plain, path_question(x, runs)) : plain, 0);
}

bool dep_whole_is_too_dear(const DepWhole *s) { return s->in_all >= too_dear; }

/* Since the last look, as far as the plain questions since then tell. That there are fewer tests to write is
 * worth that runs are dearer, but not at any price: on a fast disk tests cost next to nothing. */
static double times_a_path(DepWhole *s, Explore *x, DepRuns *runs)
{
    DepCost now = dep_cost_so_far(x);
    s->in_all = times_in_all(x, runs, now);
    double lately = times_between(s->seen, now, plain_question(s->seen, now), dep_cost_of_test(x));
    return fmax(dep_whole_is_too_dear(s) ? s->in_all : lately, 1);
}

/* For how many paths may a run stand that costs as much as so many? */
static double may_stand_for(double times) { return times < gain ? 1 : worth * times; }

/* ---- a look ---------------------------------------------------------------------------------- */

/* Those that were made before it turned, and that served no task since, say nothing about `dependence`. */
static void list_expanded(const DepRuns *runs, U32Vec *out)
{
    for (uint32_t i = runs->dropped; i < runs->all.n; i++)
        if (runs->all.v[i]->phase)
            vec_push(out, i);
}

/* Do the kept runs stand for no more than so many paths each? The mean is geometric: some leave out very
 * many, which other runs do not. If so, *shared: runs that stand for the same paths. */
static bool stand_for_few(Explore *x, DepSinks *sinks, DepRuns *runs, const U32Vec *expanded, double most,
                          double *shared)
{
    uint32_t n = expanded->n, looked = (n + 1) / 2 < LOOKED_AT ? (n + 1) / 2 : LOOKED_AT,
             left = QUESTIONS_MOST;
    double bits = 0, shared_bits = 0;
    for (uint32_t i = 0; i < looked && bits <= log2(most) * looked; i++) {
        if (explore_is_late(x) || !left)
            return false;
        DepRun *run = runs->all.v[expanded->v[(uint64_t)i * n / looked]];
        dep_runs_glance(runs, run);
        Paths of = paths_of(x, sinks, run, &left);
        double alike = of.counted ? dep_runs_alike(runs, run, of.sink) : 1;
        double paths = of.counted ? (of.alike + of.failing) / alike : many;
        bits += paths > 1 ? log2(paths) : 0;
        shared_bits += log2(alike);
        dep_run_leave(run);
    }
    *shared = looked ? exp2(shared_bits / looked) : 1;
    return looked && bits <= log2(most) * looked;
}

/* For tests: at this run, or soon after it, every path is run, until so many samples were looked at; and once
 * more, or not. Or it does not turn, since both take turns. */
static uint64_t turn_at(const Explore *x) { return 1 + x->options.turns % 7; }
static uint32_t turn_back_after(const Explore *x) { return x->options.turns / 7 % 12; }
static bool turn_again(const Explore *x) { return x->options.turns / 84 % 2; }

/* When the next look is due, if few runs are made: after twice the work, and a look's worth of it. */
static uint64_t work_until_next(const Explore *x)
{
    return x->work + (x->work > LOOK_WORK ? x->work : LOOK_WORK);
}

bool dep_whole_is_due(const DepWhole *s, const Explore *x)
{
    uint64_t made = x->counters[EXPLORE_RUNS], first = x->options.turns ? turn_at(x) : FIRST_LOOK;
    bool costly = !s->on && !x->options.turns && made >= LOOK_LEAST && made > s->seen.runs &&
                  x->work >= (s->next_work ? s->next_work : LOOK_WORK);
    return costly || made >= (s->next ? s->next : first);
}

/* Runs that are not kept would be made again, so most must be: memory that is collected takes all. */
static bool are_kept(const DepWhole *s, const Explore *x, const DepRuns *runs)
{
    uint64_t kept = runs->all.n - runs->dropped;
    return kept && (s->turned || x->options.turns || kept >= x->counters[EXPLORE_RUNS] / 2);
}

/* Once samples have said that it was wrong to turn, no look at runs says otherwise; but where runs have
 * become dear it turns again, whatever must be repeated. */
static bool may_turn(const DepWhole *s, const Explore *x, const DepRuns *runs, double times)
{
    return are_kept(s, x, runs) && (!s->turned || times >= dear || x->options.turns);
}

/* Between samples. */
static uint32_t interval_at(const DepWhole *s, const Explore *x)
{
    uint64_t between = (x->counters[EXPLORE_RUNS] - s->begun) / SAMPLE_SHARE;
    if (x->options.turns)
        return 1;
    return between < SAMPLE_LEAST ? SAMPLE_LEAST : between < SAMPLE_MOST ? (uint32_t)between : SAMPLE_MOST;
}

/* Do runs cost about as much as the paths for which they stand? */
static bool leaves_out_little(Explore *x, DepSinks *sinks, DepRuns *runs, double times, double *shared)
{
    U32Vec expanded = {0};
    list_expanded(runs, &expanded);
    bool little = stand_for_few(x, sinks, runs, &expanded, may_stand_for(times), shared);
    vec_free(&expanded);
    return little;
}

/* In place of all that is pending, unless `dependence` is nearly done, whatever single runs say. */
static bool take_regions(Explore *x, DepRuns *runs, double times)
{
    DepRegions r = {0};
    dep_regions_find(&r, x, runs);
    bool takes = dep_regions_are_few(&r, x, times) || x->options.turns;
    if (takes) {
        explore_drop_pending(x);
        dep_regions_file(&r, x, &x->frontier);
    }
    dep_regions_free(&r, x);
    return takes;
}

bool dep_whole_begin(DepWhole *s, Explore *x, DepSinks *sinks, DepRuns *runs)
{
    uint64_t made = x->counters[EXPLORE_RUNS];
    uint64_t work = x->work;
    s->in_all = 1;
    double times = are_kept(s, x, runs) ? times_a_path(s, x, runs) : 1;
    double shared = 1;
    bool turns = may_turn(s, x, runs, times) && leaves_out_little(x, sinks, runs, times, &shared);
    if (x->options.turns)
        turns = s->next && may_turn(s, x, runs, times) && (!s->turned || turn_again(x)) &&
                !dep_share_is_tested(x); /* a test turns the second time */
    s->next = x->options.turns ? made + 1 : made * 2;
    x->work = work; /* questions of a look may end by the clock: they are not to decide about later ones */
    s->next_work = work_until_next(x);
    s->seen = dep_cost_so_far(x);
    if (!turns || !take_regions(x, runs, times))
        return false;
    *s = (DepWhole){.on = true, .turned = s->turned + 1, .begun = made, .times = times, .shared = shared};
    s->interval = interval_at(s, x);
    s->next = made + s->interval;
    return true;
}

/* Without labels there are fewer decisions: their places are others. */
void dep_region_without_labels(Task *task)
{
    task->because = 0;
    task->bound = 0;
    task->again = true;
}

/* To make a machine, and to lose the snapshots of the other. Asked when there are twice as many runs as the
 * last time: as many may be left. */
bool dep_whole_needs_no_labels(const DepWhole *s, const Explore *x)
{
    uint64_t made = x->counters[EXPLORE_RUNS], since = made - s->begun;
    if (x->options.turns)
        return since >= x->options.turns % 3;
    return since >= LABELS_FOR && !(since & (since - 1)) &&
           made / LABELS_PENDING >= frontier_size(&x->frontier);
}

void dep_whole_drop_labels(const DepWhole *s, Explore *x, Task *task)
{
    if (!explore_is_labelled(x) || !dep_whole_needs_no_labels(s, x))
        return;
    dep_region_without_labels(task);
    FrontierPlace at = {0};
    for (Task *pending; (pending = frontier_next(&x->frontier, &at));)
        dep_region_without_labels(pending);
    explore_labels(x, false, task);
}

/* ---- and back -------------------------------------------------------------------------------- */

/* Of the paths that are run, what `dependence` would leave out, as this one says. */
static double lost_by(const DepWhole *s, const Paths *of)
{
    double paths = of->alike / s->shared;
    if (!of->counted)
        return s->times < dear ? countless : 1;
    return paths > 1 ? 1 - 1 / paths : 0;
}

/* How much of that may be. Where a run costs much, the next ones will cost more: each that fails is a class
 * more to avoid. */
static double share_in_vain(const DepWhole *s) { return 1 - 1 / (doubt * s->times * s->times); }

/* Twice as many each time that it turns. */
static double lost_free(const DepWhole *s) { return (double)LOST_FREE * exp2(s->turned - 1.0); }

bool dep_whole_ends(DepWhole *s, Explore *x, DepSinks *sinks, const DepRun *run)
{
    uint64_t made = x->counters[EXPLORE_RUNS], work = x->work;
    uint32_t left = QUESTIONS_MOST;
    Paths of = paths_of(x, sinks, run, &left);
    double lost = lost_by(s, &of);
    x->work = work;
    s->samples++;
    s->lost += lost * s->interval; /* it speaks for those since the last one */
    bool ends = x->options.turns ? s->samples == turn_back_after(x)
                                 : s->lost > share_in_vain(s) * (double)made + lost_free(s);
    s->interval = lost <= 1 ? interval_at(s, x) : 1; /* the next ones may be like it */
    s->next = made + s->interval;
    if (ends)
        *s = (DepWhole){.turned = s->turned,
                        .next = made * 2,
                        .next_work = work_until_next(x),
                        .seen = dep_cost_so_far(x)};
    return ends;
}

/* The task becomes one that nobody has asked for, beside the first one. Regions that are pending have nothing
 * that these do not lead to, and would be a run each: in some orders there are far more of them than ways. */
void dep_whole_hand_back(Explore *x, Task *task)
{
    explore_drop_pending(x);
    task->because = 0;
    task->bound = 0;
    task->again = false;
    if (!explore_is_labelled(x))
        explore_labels(x, true, task);
    frontier_file(&x->frontier, (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE});
}
