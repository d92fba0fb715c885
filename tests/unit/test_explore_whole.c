/* test_explore_whole.c - when `dependence` turns to every path, and when it turns back: the rules by
 * themselves, of made-up runs and counts. */
#include "explore/dependence.h"
#include "vm_text.h"

enum { BYTES = 16, PENDING = 1 << 14 };

/* A decision whose condition is that a byte of the input has a value: a branch ('b'), or a check ('c') that
 * fails otherwise and is a sink. Lists end with 0. */
typedef struct Step {
    char kind;
    uint32_t byte;
    const char *label;
} Step;

typedef struct Bench {
    Explore x; /* without a machine: nothing is run */
    ExprObject object;
    VmTrace trace;
    DepSinks sinks;
    DepRuns runs;
    DepWhole whole;
    DepShare share;
    Arena *arena;
    IrProgram *program; /* of machines that nobody runs; NULL: there are none */
    uint32_t value;     /* in the conditions of the run that is made next */
} Bench;

static void file_tasks(Bench *b, uint32_t n)
{
    while (n-- > 0)
        frontier_file(&b->x.frontier, (Task){.name = 7});
}

static Bench *bench_new(void)
{
    Bench *b = mem_zalloc(sizeof *b);
    SolverOptions options = {0};
    b->x.pool = expr_pool_new();
    b->x.solver = solver_new(b->x.pool, &options);
    b->x.options.rules_off = EXPLORE_OFF_GUARDS; /* branches are no sinks */
    b->object = expr_object(b->x.pool, "x", "x", BYTES, (ExprCType){EXPR_C_UCHAR, 0});
    b->sinks = (DepSinks){.x = &b->x, .checks = true};
    frontier_init(&b->x.frontier, EXPLORE_BFS, 1, NULL);
    dep_runs_init(&b->runs, b->x.pool);
    file_tasks(b, PENDING);
    return b;
}

static void bench_free(Bench *b)
{
    dep_share_free(&b->share, &b->x);
    dep_runs_free(&b->runs);
    frontier_free(&b->x.frontier, NULL);
    vec_free(&b->trace.decisions);
    vec_free(&b->trace.alternatives);
    vec_free(&b->x.query);
    solver_answer_free(&b->x.answer);
    solver_free(b->x.solver);
    expr_pool_free(b->x.pool);
    if (b->program) {
        vm_free(b->x.machines[false]);
        vm_free(b->x.machines[true]);
        ledger_free(b->x.ledger);
        ir_program_free(b->program);
        arena_free(b->arena);
    }
    mem_free(b);
}

static void add_step(Bench *b, const Step *step)
{
    ExprPool *p = b->x.pool;
    Expr holds = expr_eq(p, expr_object_byte(p, b->object, step->byte), expr_const(p, 8, b->value));
    VmDecision d = {.kind = step->kind == 'c' ? VM_DECISION_CHECK : VM_DECISION_BRANCH,
                    .index = b->trace.decisions.n + 1,
                    .holds = holds,
                    .path = IR_NONE,
                    .first = b->trace.alternatives.n,
                    .count = 1};
    for (const char *c = step->label; *c; c++)
        d.label = expr_set_union(p, d.label, expr_set_of(p, (uint32_t)(*c - '0')));
    vec_push(&b->trace.alternatives,
             ((VmAlternative){.condition = expr_not(p, holds), .is_fault = step->kind == 'c'}));
    vec_push(&b->trace.decisions, d);
}

/* To be freed before the next. */
static DepRun *run_of(Bench *b, const Step *steps)
{
    ExprInput input = {0};
    vec_clear(&b->trace.decisions);
    vec_clear(&b->trace.alternatives);
    for (; steps->kind; steps++)
        add_step(b, steps);
    for (uint32_t i = 0; i < BYTES; i++)
        expr_input_set_byte(&input, i, (uint8_t)b->value);
    Origin *origin = origin_new(&input);
    DepRun *run = dep_run_new(&b->trace, origin, 1);
    run->survives = true;
    run->phase = 1;
    origin_drop(origin);
    expr_input_free(&input);
    return run;
}

/* Runs of which `alike` each have the same conditions. */
static void keep_alike(Bench *b, const Step *steps, uint32_t n, uint32_t alike)
{
    for (uint32_t i = 0; i < n; i++) {
        b->value += i % alike == 0;
        dep_runs_add(&b->runs, run_of(b, steps), 0);
    }
}

static void keep(Bench *b, const Step *steps, uint32_t n) { keep_alike(b, steps, n, 1); }

/* So many runs were made by now, and the solver did so much for each new one. A run costs 3,000 beside that;
 * a path costs 6,000, since plain questions are 1,500. */
static void have_made(Bench *b, uint64_t runs, uint64_t work)
{
    uint64_t more = runs - b->x.counters[EXPLORE_RUNS];
    b->x.counters[EXPLORE_RUNS] = runs;
    b->x.work += more * work;
    b->x.plain += more;
    b->x.plain_work += more * 1500;
}

/* Work by which a run costs as much as a path, a quarter more, two, three. */
enum { ONCE = 3000, QUARTER = 4500, TWICE = 9000, THRICE = 15000 };

static bool turns(Bench *b) { return dep_whole_begin(&b->whole, &b->x, &b->sinks, &b->runs); }

/* Whether it turns after 64 runs, if of 32 that are looked at so many are of one kind and so many of another:
 * every second of those that are kept. */
static bool turns_with(const Step *steps, uint32_t n, const Step *others, uint32_t m, uint64_t work)
{
    Bench *b = bench_new();
    keep(b, steps, 2 * n);
    keep(b, others, 2 * m);
    have_made(b, 64, work);
    bool does = turns(b);
    assert_int_equal(b->whole.on, does);
    bench_free(b);
    return does;
}

/* The check depends on both branches, on one, on none. */
static const Step all[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "01"}, {0}};
static const Step one[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "0"}, {0}};
static const Step none[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, ""}, {0}};

/* ---- turning to every path ------------------------------------------------------------------- */

static void when_it_looks(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, one, 64);
    have_made(b, 31, ONCE);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 32, ONCE);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    assert_false(turns(b));
    have_made(b, 63, ONCE);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 64, ONCE);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    bench_free(b);
}

/* What is pending gives way to the regions that branch off the path that all kept runs took, as `full` would
 * have filed them. */
static void nothing_left_out(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep_alike(b, all, 32, 32);
    have_made(b, 32, ONCE);
    assert_true(turns(b));
    assert_true(b->whole.times == 1);
    assert_int_equal(frontier_size(&b->x.frontier), 3);
    FrontierPlace at = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const Task *task = frontier_next(&b->x.frontier, &at);
        assert_false(task->again);
        assert_int_equal(task->because, i + 1);
        assert_int_equal(task->bound, i + 1);
        assert_int_equal(task->path->length, i + 1);
    }
    bench_free(b);
}

/* If it costs a quarter more than a path, a run may stand for 1.875 of them: 2^0.907. The mean is geometric.
 * If it costs less there is nothing to be gained, and it may stand for no other. */
static void next_to_nothing(void **state)
{
    (void)state;
    assert_false(turns_with(one, 32, all, 0, QUARTER));
    assert_true(turns_with(one, 29, all, 3, QUARTER));
    assert_false(turns_with(one, 30, all, 2, QUARTER));
    assert_true(turns_with(none, 14, all, 18, QUARTER)); /* four paths each */
    assert_false(turns_with(none, 15, all, 17, QUARTER));
    assert_false(turns_with(one, 1, all, 31, QUARTER - 1));
    assert_true(turns_with(one, 0, all, 32, QUARTER - 1));
    assert_true(turns_with(one, 0, all, 32, 0)); /* nor does it cost less than a path */
}

/* What cannot go another way while the sink stays as it is, is not left out: the second branch asks the same
 * as the first. */
static void nothing_to_leave_out(void **state)
{
    (void)state;
    static const Step same[] = {{'b', 0, ""}, {'b', 0, ""}, {'c', 2, "0"}, {0}};
    assert_true(turns_with(same, 32, same, 0, ONCE));
}

/* A check that the sink does not depend on leaves out the paths that fail there, if they fail alike: if a
 * branch before it matters to the sink only. Where it depends on all before it, each of these paths would be
 * run anyway. Checks before it are no such branches: nobody gets past them who goes another way. */
static void failing_paths(void **state)
{
    (void)state;
    static const Step own[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "01"}, {'c', 3, "01"}, {0}};
    static const Step alike[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "0"}, {'c', 3, "01"}, {0}};
    static const Step checked[] = {{'b', 0, ""}, {'c', 1, "0"}, {'c', 2, "0"}, {'c', 3, "0"}, {0}};
    assert_true(turns_with(own, 32, own, 0, QUARTER));
    assert_false(turns_with(alike, 32, own, 0, QUARTER));
    assert_true(turns_with(alike, 29, own, 3, QUARTER));
    assert_false(turns_with(alike, 30, own, 2, QUARTER));
    assert_true(turns_with(checked, 32, own, 0, QUARTER));
}

/* Runs in which the sink comes about in the same way stand for its paths together. */
static void runs_that_are_alike(void **state)
{
    (void)state;
    for (uint32_t alike = 1; alike <= 4; alike++) {
        Bench *b = bench_new();
        keep_alike(b, none, 32, alike);
        have_made(b, 32, QUARTER);
        assert_int_equal(turns(b), alike > 2);
        assert_true(alike < 4 || b->whole.shared == 4);
        bench_free(b);
    }
}

#define BRANCHES_OF_FOUR(n) \
    {'b', n, ""}, {'b', n + 1, ""}, {'b', n + 2, ""}, { 'b', n + 3, "" }
static const Step twelve[] = {
    BRANCHES_OF_FOUR(1), BRANCHES_OF_FOUR(5), BRANCHES_OF_FOUR(9), {'c', 0, ""}, {0}};
static const Step wide[] = {BRANCHES_OF_FOUR(1), BRANCHES_OF_FOUR(5), BRANCHES_OF_FOUR(9),
                            {'b', 13, ""},       {'c', 0, ""},        {0}};

/* A millisecond of work is reason enough to look, if there are 8 runs to look at; and then twice as much. */
static void when_runs_are_dear(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, wide, 64);
    have_made(b, 7, 200000);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 8, 200000);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    assert_false(turns(b));
    have_made(b, 15, 200000);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 16, 200000);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    bench_free(b);
}

/* Of runs that are alike in what a check depends on, which is itself and those that its label names. */
static void counting_runs(void **state)
{
    (void)state;
    Bench *b = bench_new();
    ExprPool *p = b->x.pool;
    keep_alike(b, one, 600, 300);
    keep_alike(b, one, 4, 2);
    DepRun *run = b->runs.all.v[601];
    dep_runs_glance(&b->runs, run);
    assert_int_equal(dep_runs_alike(&b->runs, run, EXPR_SET_EMPTY), 604);
    assert_int_equal(dep_runs_alike(&b->runs, run, expr_set_of(p, 0)), 2);
    assert_int_equal(dep_runs_alike(&b->runs, run, expr_set_union(p, expr_set_of(p, 0), expr_set_of(p, 2))),
                     2);
    dep_run_leave(run);
    dep_runs_glance(&b->runs, run = b->runs.all.v[300]);
    assert_int_equal(dep_runs_alike(&b->runs, run, expr_set_of(p, 0)), 300); /* of which 256 are looked at */
    dep_run_leave(run);
    bench_free(b);
}

/* More decisions than are asked about are as good as 20, however many runs there are for them. */
static void too_many_to_count(void **state)
{
    (void)state;
    for (uint32_t runs = 1; runs <= 64; runs *= 64) {
        Bench *b = bench_new();
        keep_alike(b, wide, runs, runs);
        keep(b, all, 64 - runs);
        have_made(b, 64, ONCE);
        assert_false(turns(b));
        bench_free(b);
    }
    assert_true(turns_with(all, 32, all, 0, ONCE));
}

/* A run that costs twice as much as a path may stand for three, and one that costs 2.67 times as much for
 * four. */
static void dear_runs(void **state)
{
    (void)state;
    assert_true(turns_with(one, 32, one, 0, TWICE));
    assert_false(turns_with(none, 32, one, 0, TWICE));
    assert_false(turns_with(none, 32, one, 0, 12750));
    assert_true(turns_with(none, 32, one, 0, 13250));
}

/* With these counts for each run, four paths are worth it from which work on? */
static void assert_dear(ExploreCounter counter, uint64_t each, uint64_t work)
{
    for (uint64_t more = 0; more < 2; more++) {
        Bench *b = bench_new();
        keep(b, none, 32);
        have_made(b, 32, work - 1 + more);
        b->x.counters[counter] = 32 * each;
        assert_int_equal(turns(b), more);
        bench_free(b);
    }
}

/* Steps and decisions are paid by runs and by paths; what is made of decisions, and tasks, by runs only. */
static void what_runs_cost(void **state)
{
    (void)state;
    assert_dear(EXPLORE_STEPS, 481, 19414);   /* a path costs 9,848, a run 6,848 and the work */
    assert_dear(EXPLORE_DECISIONS, 10, 8334); /* 8,000; 13,000 */
    assert_dear(EXPLORE_TASKS, 6, 7000);      /* 6,000; 9,000 */
}

static void write_down(void *context, const ExploreRun *run)
{
    (void)context;
    (void)run;
}

/* To write a test costs both the same: with 100,000 more a path costs 106,000, and a quarter more is
 * 132,500. */
static void tests_that_are_written(void **state)
{
    (void)state;
    for (uint64_t work = 29499; work <= 29500; work++) {
        Bench *b = bench_new();
        b->x.options.on_run = write_down;
        keep(b, one, 29 * 2);
        keep(b, all, 3 * 2);
        have_made(b, 64, work);
        assert_int_equal(turns(b), work == 29500);
        bench_free(b);
    }
}

/* What was seen at the last look is not paid again. */
static void cost_since_the_last_look(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, none, 200);
    have_made(b, 32, TWICE);
    assert_false(turns(b));
    have_made(b, 64, TWICE);
    assert_false(turns(b));
    have_made(b, 128, 21000);
    assert_true(turns(b));
    assert_true(b->whole.times == 4);
    bench_free(b);
}

static void few_are_kept(void **state)
{
    (void)state;
    assert_false(turns_with(all, 15, all, 0, ONCE));
    assert_true(turns_with(all, 16, all, 0, ONCE));
    assert_false(turns_with(all, 0, all, 0, ONCE));
}

/* ---- and back -------------------------------------------------------------------------------- */

/* Samples are like this: at which run does it turn back? 0: not before `most`. */
static uint64_t turns_back(Bench *b, const Step *steps, uint64_t most)
{
    bool ends = false;
    DepRun *run = run_of(b, steps);
    while (!ends && b->whole.next < most) {
        have_made(b, b->whole.next, 0);
        ends = dep_whole_ends(&b->whole, &b->x, &b->sinks, run);
    }
    dep_run_free(run);
    assert_true(b->whole.turned);
    assert_int_equal(b->whole.on, !ends);
    return ends ? b->x.counters[EXPLORE_RUNS] : 0;
}

/* It turned after 32 runs of such a cost, of which so many were alike. */
static uint64_t turns_back_after(uint64_t work, uint32_t alike, const Step *steps)
{
    Bench *b = bench_new();
    keep_alike(b, all, 32, alike);
    have_made(b, 32, work);
    assert_true(turns(b));
    uint64_t at = turns_back(b, steps, 400000);
    bench_free(b);
    return at;
}

/* Half of the runs since it turned lie between samples, but no less than 8 and no more than 512. */
static void intervals(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, all, 32);
    have_made(b, 32, ONCE);
    assert_true(turns(b));
    assert_int_equal(b->whole.next, 32 + 8);
    assert_int_equal(turns_back(b, all, 32 + 9), 0);
    assert_int_equal(b->whole.next, 32 + 16);
    assert_int_equal(turns_back(b, all, 32 + 25), 0);
    assert_int_equal(b->whole.next, 32 + 24 + 12);
    assert_int_equal(turns_back(b, all, 30000), 0);
    assert_int_equal(b->whole.interval, 512);
    bench_free(b);
}

static bool is_about(uint64_t run, uint64_t expected)
{
    return run >= expected && run <= expected + expected / 2;
}

/* Three of four paths are in vain: more than half of all runs and 64 besides after 320. */
static void runs_in_vain(void **state)
{
    (void)state;
    static const Step alike[] = {{'b', 0, ""},   {'b', 1, ""}, {'c', 2, "0"}, {'c', 4, "0"}, {'c', 5, "0"},
                                 {'c', 3, "01"}, {0}};
    assert_true(is_about(turns_back_after(ONCE, 1, none), 32 + 320));
    assert_int_equal(turns_back_after(ONCE, 1, all), 0);
    assert_int_equal(turns_back_after(ONCE, 1, one), 0);
    assert_int_equal(turns_back_after(ONCE, 1, alike), 0); /* that paths fail alike is no reason */
    assert_int_equal(turns_back_after(ONCE, 4, none), 0);  /* there were as many runs for them */
}

/* Where a run cost as much as two paths, seven of eight may be in vain. */
static void dear_runs_in_vain(void **state)
{
    (void)state;
    static const Step three[] = {{'b', 0, ""}, {'b', 1, ""}, {'b', 3, ""}, {'c', 2, ""}, {0}};
    static const Step four[] = {{'b', 0, ""}, {'b', 1, ""}, {'b', 3, ""}, {'b', 4, ""}, {'c', 2, ""}, {0}};
    assert_int_equal(turns_back_after(TWICE, 1, none), 0);
    assert_int_equal(turns_back_after(TWICE, 1, three), 0);
    assert_true(turns_back_after(TWICE, 1, four) > 32);
}

/* Of paths that are too many to be counted each speaks for two, unless runs are dear; then, and with one
 * decision less, it speaks for itself. */
static void countless_paths(void **state)
{
    (void)state;
    assert_int_equal(turns_back_after(ONCE, 1, wide), 32 + 54);
    assert_int_equal(turns_back_after(TWICE, 1, wide), 32 + 82);
    assert_true(is_about(turns_back_after(15000, 1, wide), 32 + 1696));
    assert_true(is_about(turns_back_after(ONCE, 1, twelve), 32 + 160));
}

/* Having turned back it looks again, at twice as many runs, and turns once more only if runs are dear; then
 * twice as many runs may be in vain. */
static void once_more(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, all, 32);
    have_made(b, 32, ONCE);
    assert_true(turns(b));
    uint64_t back = turns_back(b, none, 400000);
    assert_true(back > 32);
    assert_false(b->whole.on);
    file_tasks(b, PENDING);
    keep_alike(b, all, (uint32_t)back, (uint32_t)back);
    have_made(b, 2 * back - 1, 0);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 2 * back, 0);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    assert_false(turns(b));
    have_made(b, 4 * back, THRICE);
    assert_true(turns(b));
    uint64_t begun = b->x.counters[EXPLORE_RUNS];
    uint64_t again = turns_back(b, wide, 400000);
    assert_true(again > begun && b->whole.turned == 2);
    bench_free(b);
}

/* ---- what else is looked at ------------------------------------------------------------------ */

/* From 64 paths that have nothing in common 192 regions branch off. If far fewer tasks are pending,
 * `dependence` is nearly done. */
static void nearly_done(void **state)
{
    (void)state;
    for (uint32_t pending = 46; pending <= 48; pending++) {
        Bench *b = bench_new();
        explore_drop_pending(&b->x);
        file_tasks(b, pending - 1); /* and the one under way */
        keep(b, all, 64);
        have_made(b, 64, ONCE);
        assert_int_equal(turns(b), pending == 48);
        assert_int_equal(frontier_size(&b->x.frontier), pending == 48 ? 192 : pending - 1);
        bench_free(b);
    }
}

/* Runs that no task has asked for since it turned back say nothing. */
static void runs_not_expanded(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, none, 32);
    for (uint32_t i = 0; i < 32; i++)
        b->runs.all.v[i]->phase = 0;
    keep(b, all, 32);
    have_made(b, 64, QUARTER);
    assert_true(turns(b));
    bench_free(b);
    b = bench_new();
    keep_alike(b, none, 32, 32);
    for (uint32_t i = 0; i < 30; i++)
        b->runs.all.v[i]->phase = 0;
    have_made(b, 32, QUARTER);
    assert_false(turns(b)); /* two that are alike, for four paths */
    bench_free(b);
}

/* A machine without labels is made after 512 runs for every path, or after twice as many and so on: once no
 * more than a quarter as many tasks as runs would lose their snapshots by that. */
static void labels_are_dropped(void **state)
{
    (void)state;
    Bench *b = bench_new();
    explore_drop_pending(&b->x);
    file_tasks(b, 300);
    b->whole = (DepWhole){.on = true, .begun = 100};
    for (uint64_t made = 101; made < 5000; made++) {
        b->x.counters[EXPLORE_RUNS] = made;
        assert_int_equal(dep_whole_needs_no_labels(&b->whole, &b->x), made == 2148 || made == 4196);
    }
    bench_free(b);
}

/* Plain questions cost 200,000, and a run costs as much as two of these: as much as a path, if those of a
 * path cost the same. But some that `full` would ask cost less than a sixth of that. With fewer runs nobody
 * asks. */
static void questions_that_are_dear(void **state)
{
    (void)state;
    for (uint32_t runs = 127; runs <= 128; runs++) {
        Bench *b = bench_new();
        keep(b, none, runs);
        have_made(b, runs, 400000);
        b->x.plain_work = b->x.plain * 200000;
        assert_int_equal(turns(b), runs == 128);
        assert_true(runs == 127 || b->whole.times > 6);
        assert_int_equal(b->x.work, runs * 400000);
        bench_free(b);
    }
}

/* Whatever it costs to write tests, many runs that cost six paths do so. */
static void too_dear_to_be_written(void **state)
{
    (void)state;
    for (uint64_t work = 32900; work <= 33000; work += 100) {
        Bench *b = bench_new();
        b->x.options.on_run = write_down;
        keep(b, none, 127);
        have_made(b, 127, work);
        assert_false(turns(b));
        keep(b, none, 1);
        have_made(b, 128, work);
        assert_int_equal(turns(b), work == 33000);
        bench_free(b);
    }
}

/* ---- by turns -------------------------------------------------------------------------------- */

enum { SIX_TIMES = 33000 }; /* work by which a run costs as much as six paths */

static Bench *bench_with_machines(void)
{
    Bench *b = bench_new();
    VmOptions options = {0};
    b->arena = arena_new();
    b->program = text_parse(b->arena, "fn @main() -> 32 {\n^entry:\n    ret 0:32\n}\n");
    b->x.ledger = ledger_new();
    for (unsigned i = 0; i < COUNT_OF(b->x.machines); i++)
        b->x.machines[i] = vm_new(b->program, &options);
    b->x.frontier.vm = b->x.vm = b->x.machines[true];
    ledger_add(b->x.ledger, LEDGER_LOOP, 1, NULL);
    return b;
}

/* Runs that seem to stand for too many paths to be counted. */
static bool shares(Bench *b, uint32_t kept, uint32_t runs, uint64_t work)
{
    keep(b, wide, kept);
    have_made(b, runs, work);
    assert_false(turns(b));
    dep_share_begin(&b->share, &b->whole, &b->x, &b->runs);
    return b->share.on;
}

static bool shares_with(uint32_t kept, uint32_t runs, uint64_t work, uint32_t pending)
{
    Bench *b = bench_with_machines();
    explore_drop_pending(&b->x);
    file_tasks(b, pending);
    bool does = shares(b, kept, runs, work);
    bench_free(b);
    return does;
}

static void when_it_shares(void **state)
{
    (void)state;
    assert_true(shares_with(128, 128, SIX_TIMES, PENDING));
    assert_false(shares_with(127, 127, SIX_TIMES, PENDING));
    assert_false(shares_with(128, 128, SIX_TIMES - 100, PENDING));
    assert_false(shares_with(0, 128, SIX_TIMES, PENDING)); /* nobody knows what is left to run */
    assert_false(shares_with(128, 128, SIX_TIMES, 10));    /* nearly done */
}

/* Runs for this one or the other, until it is the other's turn. */
static uint64_t runs_until_next(Bench *b, uint64_t work)
{
    bool on = b->whole.on;
    uint64_t begun = b->x.counters[EXPLORE_RUNS];
    while (b->whole.on == on && b->x.counters[EXPLORE_RUNS] < begun + 10000) {
        have_made(b, b->x.counters[EXPLORE_RUNS] + 1, work);
        dep_share_next(&b->share, &b->whole, &b->x);
    }
    return b->x.counters[EXPLORE_RUNS] - begun;
}

/* Every path gets what 129 runs have cost, at 36,000 each, and 2,000,000 more, rounded up to paths of 6,000;
 * then each gets so much that it is as far ahead. Each has what is pending of its own, its machine and its
 * ledger. */
static void takes_turns(void **state)
{
    (void)state;
    Bench *b = bench_with_machines();
    assert_true(shares(b, 128, 128, SIX_TIMES));
    uint64_t regions = frontier_size(&b->share.frontier);
    assert_true(regions > 128 && regions != PENDING);
    assert_int_equal(runs_until_next(b, SIX_TIMES), 1);
    assert_true(b->whole.on);
    assert_int_equal(frontier_size(&b->x.frontier), regions);
    assert_ptr_equal(b->x.vm, b->x.machines[false]);
    assert_true(
        frontier_next(&b->x.frontier, &(FrontierPlace){0})->again); /* without labels its place is another */
    assert_int_equal(ledger_count(b->x.ledger), 1);                 /* what was left open before */
    ledger_add(b->x.ledger, LEDGER_LOOP, 2, NULL);
    assert_int_equal(runs_until_next(b, 3000), (129 * 36000 + 2000000 + 5999) / 6000);
    assert_int_equal(frontier_size(&b->x.frontier), PENDING);
    assert_ptr_equal(b->x.vm, b->x.machines[true]);
    assert_int_equal(ledger_count(b->x.ledger), 1);
    assert_int_equal(runs_until_next(b, SIX_TIMES), (2004000 + 2000000 + 35999) / 36000);
    assert_int_equal(ledger_count(b->x.ledger), 2);
    assert_int_equal(runs_until_next(b, 3000), (2028000 + 2000000 + 5999) / 6000);
    explore_drop_pending(&b->x);
    assert_int_equal(runs_until_next(b, SIX_TIMES), 10000); /* it is done, and does not wait */
    bench_free(b);
}

static bool holds_back(Bench *b, VmEnding ending)
{
    ExprInput input = {0};
    VmTrace trace = {.result.ending = ending};
    return dep_share_holds_back(&b->share, &b->whole, &trace, &input);
}

/* `dependence` goes on with what is its own, whoever's turn it is; what the other left open counts only if
 * neither is done. */
static void ends_sharing(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        Bench *b = bench_with_machines();
        bool stopped = k / 2, paths = k % 2;
        assert_true(shares(b, 128, 128, SIX_TIMES));
        if (paths) {
            runs_until_next(b, SIX_TIMES);
            ledger_add(b->x.ledger, LEDGER_TIME, IR_NONE, NULL);
        }
        assert_int_equal(holds_back(b, VM_END_RETURN), paths);
        assert_false(holds_back(b, VM_END_FAULT));
        assert_int_equal(holds_back(b, VM_END_FAULT), paths); /* it was told of before */
        assert_int_equal(b->share.held.n, 2 * paths);
        (stopped ? dep_share_stop : dep_share_end)(&b->share, &b->whole, &b->x);
        assert_false(b->whole.on || b->share.on || b->share.held.n || dep_share_bytes(&b->share));
        assert_int_equal(frontier_size(&b->x.frontier), PENDING);
        assert_ptr_equal(b->x.vm, b->x.machines[true]);
        assert_int_equal(ledger_count(b->x.ledger), paths && stopped ? 2 : 1);
        dep_share_next(&b->share, &b->whole, &b->x);
        assert_false(b->whole.on);
        assert_false(shares(b, 128, 512, SIX_TIMES)); /* not a second time */
        bench_free(b);
    }
}

/* Every path was run: what was held back is run again, as tests. */
static void finishes_first(void **state)
{
    (void)state;
    Bench *b = bench_with_machines();
    assert_true(shares(b, 128, 128, SIX_TIMES));
    assert_false(dep_share_finish(&b->share, &b->whole, &b->x)); /* it is not its turn */
    runs_until_next(b, SIX_TIMES);
    explore_drop_pending(&b->x);
    assert_true(holds_back(b, VM_END_RETURN) && holds_back(b, VM_END_EXIT));
    b->x.counters[EXPLORE_REPEATED] = 2;
    uint64_t runs = b->x.counters[EXPLORE_RUNS];
    assert_true(dep_share_finish(&b->share, &b->whole, &b->x));
    assert_int_equal(b->x.counters[EXPLORE_RUNS], runs - 2); /* they are counted when they are told of */
    assert_int_equal(b->x.counters[EXPLORE_REPEATED], 0);
    assert_true(b->share.telling && b->whole.on && !b->share.on);
    assert_int_equal(frontier_size(&b->x.frontier), 2);
    FrontierPlace at = {0};
    for (const Task *task; (task = frontier_next(&b->x.frontier, &at));)
        assert_true(task->solved);
    explore_drop_pending(&b->x);
    assert_false(dep_share_finish(&b->share, &b->whole, &b->x));
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_it_looks),
        cmocka_unit_test(when_runs_are_dear),
        cmocka_unit_test(once_more),
        cmocka_unit_test(nothing_left_out),
        cmocka_unit_test(next_to_nothing),
        cmocka_unit_test(nothing_to_leave_out),
        cmocka_unit_test(failing_paths),
        cmocka_unit_test(runs_that_are_alike),
        cmocka_unit_test(too_many_to_count),
        cmocka_unit_test(dear_runs),
        cmocka_unit_test(what_runs_cost),
        cmocka_unit_test(few_are_kept),
        cmocka_unit_test(cost_since_the_last_look),
        cmocka_unit_test(intervals),
        cmocka_unit_test(runs_in_vain),
        cmocka_unit_test(dear_runs_in_vain),
        cmocka_unit_test(countless_paths),
        cmocka_unit_test(counting_runs),
        cmocka_unit_test(tests_that_are_written),
        cmocka_unit_test(nearly_done),
        cmocka_unit_test(runs_not_expanded),
        cmocka_unit_test(questions_that_are_dear),
        cmocka_unit_test(too_dear_to_be_written),
        cmocka_unit_test(labels_are_dropped),
        cmocka_unit_test(when_it_shares),
        cmocka_unit_test(takes_turns),
        cmocka_unit_test(ends_sharing),
        cmocka_unit_test(finishes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
