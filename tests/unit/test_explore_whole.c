/* test_explore_whole.c - when `dependence` turns to every path, and when it turns back: the rules by themselves, of made-up runs and
 * counts. */
#include "explore/dependence.h"
#include "vm_text.h"

enum { BYTES = 8 };

/* A decision whose condition is that a byte of the input is 1: a branch ('b'), or a check ('c') that fails otherwise and is a
 * sink. Lists end with 0. */
typedef struct Step {
    char kind;
    uint32_t byte;
    const char *label;
} Step;

typedef struct Bench {
    Explore x;                                /* without a machine: nothing is run */
    ExprObject object;
    VmTrace trace;
    DepSinks sinks;
    DepRuns runs;
    DepWhole whole;
} Bench;

static Bench *bench_new(void)
{
    Bench *b = mem_zalloc(sizeof *b);
    SolverOptions options = {0};
    b->x.pool = expr_pool_new();
    b->x.solver = solver_new(b->x.pool, &options);
    b->x.options.rules_off = EXPLORE_OFF_GUARDS;               /* branches are no sinks */
    b->object = expr_object(b->x.pool, "x", "x", BYTES, (ExprCType){EXPR_C_UCHAR, 0});
    b->sinks = (DepSinks){.x = &b->x, .checks = true};
    frontier_init(&b->x.frontier, EXPLORE_BFS, 1, NULL);
    dep_runs_init(&b->runs, b->x.pool);
    return b;
}

static void bench_free(Bench *b)
{
    dep_runs_free(&b->runs);
    frontier_free(&b->x.frontier, NULL);
    vec_free(&b->trace.decisions);
    vec_free(&b->trace.alternatives);
    vec_free(&b->x.query);
    solver_answer_free(&b->x.answer);
    solver_free(b->x.solver);
    expr_pool_free(b->x.pool);
    mem_free(b);
}

static void add_step(Bench *b, const Step *step)
{
    ExprPool *p = b->x.pool;
    Expr holds = expr_eq(p, expr_object_byte(p, b->object, step->byte), expr_const(p, 8, 1));
    VmDecision d = {.kind = step->kind == 'c' ? VM_DECISION_CHECK : VM_DECISION_BRANCH, .index = b->trace.decisions.n + 1,
                    .holds = holds, .path = IR_NONE, .first = b->trace.alternatives.n, .count = 1};
    for (const char *c = step->label; *c; c++)
        d.label = expr_set_union(p, d.label, expr_set_of(p, (uint32_t)(*c - '0')));
    vec_push(&b->trace.alternatives, ((VmAlternative){.condition = expr_not(p, holds), .is_fault = step->kind == 'c'}));
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
        expr_input_set_byte(&input, i, 1);
    Origin *origin = origin_new(&input);
    DepRun *run = dep_run_new(&b->trace, origin, 1);
    run->survives = true;
    origin_drop(origin);
    expr_input_free(&input);
    return run;
}

static void keep(Bench *b, const Step *steps, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        dep_runs_add(&b->runs, run_of(b, steps), 0);
}

/* So many runs were made by now. The solver had to do so much for each new one, and so much for a plain question. */
static void have_made(Bench *b, uint64_t runs, uint64_t work, uint64_t plain_work)
{
    uint64_t more = runs - b->x.counters[EXPLORE_RUNS];
    b->x.counters[EXPLORE_RUNS] = runs;
    b->x.work += more * work;
    b->x.plain += more;
    b->x.plain_work += more * plain_work;
}

static bool turns(Bench *b) { return dep_whole_begin(&b->whole, &b->x, &b->sinks, &b->runs); }

/* Whether it turns after 128 runs, if of 32 that are looked at so many are of one kind and so many of another: every second of those
 * that are kept. */
static bool turns_with(const Step *steps, uint32_t n, const Step *others, uint32_t m, uint64_t work)
{
    Bench *b = bench_new();
    keep(b, steps, 2 * n);
    keep(b, others, 2 * m);
    have_made(b, 128, work, 10);
    bool does = turns(b);
    assert_int_equal(b->whole.on, does);
    bench_free(b);
    return does;
}

/* The check depends on both branches, on one, on none. */
static const Step all[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "01"}, {0}};
static const Step one[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "0"}, {0}};
static const Step none[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, ""}, {0}};

/* ---- turning to every path ---------------------------------------------------------------------------------------- */

static void when_it_looks(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, one, 64);
    have_made(b, 31, 0, 0);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 32, 0, 0);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    assert_false(turns(b));
    have_made(b, 63, 0, 0);
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    have_made(b, 64, 0, 0);
    assert_true(dep_whole_is_due(&b->whole, &b->x));
    b->whole.tried = true;
    assert_false(dep_whole_is_due(&b->whole, &b->x));
    bench_free(b);
}

/* What is pending gives way to the regions that branch off the path that all kept runs took. */
static void nothing_left_out(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, all, 64);
    have_made(b, 64, 0, 0);
    assert_false(turns(b));                   /* so far only the cost is looked at */
    have_made(b, 128, 0, 0);
    frontier_file(&b->x.frontier, (Task){.name = 7});
    assert_true(turns(b));
    assert_true(b->whole.times == 0);
    assert_int_equal(frontier_size(&b->x.frontier), 3);
    for (uint32_t i = 0; i < 3; i++) {
        const Task *task = frontier_at(&b->x.frontier, i);
        assert_true(task->again);
        assert_int_equal(task->path->length, i + 1);
    }
    bench_free(b);
}

/* A run may stand for 1.2 paths on average. */
static void next_to_nothing(void **state)
{
    (void)state;
    assert_false(turns_with(one, 32, all, 0, 0));
    assert_true(turns_with(one, 6, all, 26, 0));
    assert_false(turns_with(one, 7, all, 25, 0));
    assert_true(turns_with(none, 2, all, 30, 0));              /* four paths each */
    assert_false(turns_with(none, 3, all, 29, 0));
}

/* What cannot go another way while the sink stays as it is, is not left out: the second branch asks the same as the first. */
static void nothing_to_leave_out(void **state)
{
    (void)state;
    static const Step same[] = {{'b', 0, ""}, {'b', 0, ""}, {'c', 2, "0"}, {0}};
    assert_true(turns_with(same, 32, same, 0, 0));
}

/* A check that the sink does not depend on leaves out the paths that fail there, if they fail alike: if a branch before it
 * matters to the sink only. Where it depends on all before it, each of these paths would be run anyway. Checks before it are no
 * such branches: nobody gets past them who goes another way. */
static void failing_paths(void **state)
{
    (void)state;
    static const Step own[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "01"}, {'c', 3, "01"}, {0}};
    static const Step alike[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "0"}, {'c', 3, "01"}, {0}};
    static const Step checked[] = {{'b', 0, ""}, {'c', 1, "0"}, {'c', 2, "0"}, {'c', 3, "0"}, {0}};
    assert_true(turns_with(own, 32, own, 0, 0));
    assert_false(turns_with(alike, 32, own, 0, 0));
    assert_true(turns_with(alike, 6, own, 26, 0));
    assert_true(turns_with(checked, 32, own, 0, 0));
}

/* A path costs 20 beside two plain questions, which cost 10 each here. A run that costs three times as much may stand for two paths
 * and not for four; from twice as much on that is asked. */
static void dear_runs(void **state)
{
    (void)state;
    assert_true(turns_with(one, 32, one, 0, 100));
    assert_false(turns_with(none, 32, one, 0, 100));
    assert_false(turns_with(none, 32, one, 0, 139));
    assert_true(turns_with(none, 32, one, 0, 140));
    assert_true(turns_with(one, 16, all, 16, 60));
    assert_false(turns_with(one, 16, all, 16, 59));
}

/* Steps are paid by runs and by paths: with 480 in each they cost 160 and 80. */
static void dear_steps(void **state)
{
    (void)state;
    for (uint64_t steps = 480; steps <= 481; steps++) {
        Bench *b = bench_new();
        keep(b, one, 32);
        have_made(b, 64, 100, 10);
        b->x.counters[EXPLORE_STEPS] = 64 * steps;
        assert_int_equal(turns(b), steps == 480);
        bench_free(b);
    }
}

/* Where it looked once, the next look is only for runs that are dear. */
static void between_two_looks(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, one, 64);
    have_made(b, 128, 0, 0);
    assert_false(turns(b));
    keep(b, all, 1000);
    have_made(b, 256, 0, 0);
    assert_false(turns(b));
    have_made(b, 512, 0, 0);
    assert_true(turns(b));
    bench_free(b);
    b = bench_new();
    keep(b, one, 200);
    have_made(b, 128, 10, 10);
    assert_false(turns(b));
    have_made(b, 256, 210, 10);
    assert_true(turns(b));
    assert_true(b->whole.times == 230.0 / 40);
    bench_free(b);
}

static void few_are_kept(void **state)
{
    (void)state;
    assert_false(turns_with(all, 31, all, 0, 0));
    assert_true(turns_with(all, 32, all, 0, 0));
    assert_false(turns_with(all, 0, all, 0, 0));
}

/* ---- and back ------------------------------------------------------------------------------------------------------ */

/* Samples are like this: at which run does it turn back? 0: not before `most`. */
static uint64_t turns_back(Bench *b, const Step *steps, uint64_t most)
{
    bool ends = false;
    DepRun *run = run_of(b, steps);
    while (!ends && b->whole.next < most) {
        have_made(b, b->whole.next, 0, 0);
        ends = dep_whole_ends(&b->whole, &b->x, &b->sinks, run);
    }
    dep_run_free(run);
    assert_int_equal(b->whole.tried, ends);
    return ends ? b->x.counters[EXPLORE_RUNS] : 0;
}

/* It turned after 128 runs, of which `work` says whether they were dear. */
static uint64_t turns_back_after(uint64_t work, const Step *steps)
{
    Bench *b = bench_new();
    keep(b, work ? one : all, 64);
    have_made(b, 128, work, 10);
    assert_true(turns(b));
    uint64_t at = turns_back(b, steps, 400000);
    bench_free(b);
    return at;
}

/* Samples become rare while they leave out nothing, and do not where the last one left out much. */
static void intervals(void **state)
{
    (void)state;
    Bench *b = bench_new();
    keep(b, all, 64);
    have_made(b, 128, 0, 0);
    assert_true(turns(b));
    assert_int_equal(b->whole.next, 129);
    assert_int_equal(turns_back(b, all, 130), 0);
    assert_int_equal(b->whole.interval, 2);
    assert_int_equal(turns_back(b, all, 1000), 0);
    assert_int_equal(b->whole.interval, 64);                   /* a sixteenth of the runs, and no power of two beyond */
    assert_int_equal(turns_back(b, all, 30000), 0);
    assert_int_equal(b->whole.interval, 512);
    assert_int_equal(turns_back(b, none, b->whole.next + 1), 0);
    assert_int_equal(b->whole.interval, 1);
    bench_free(b);
    b = bench_new();
    keep(b, one, 64);
    have_made(b, 128, 100, 10);
    assert_true(turns(b));
    assert_int_equal(turns_back(b, none, 30000), 0);        /* where runs were dear the average counts */
    assert_int_equal(b->whole.interval, 128);
    bench_free(b);
}

/* Three of four paths are in vain: more than 45 % of all runs and 64 besides after 406. */
static void runs_in_vain(void **state)
{
    (void)state;
    static const Step alike[] = {{'b', 0, ""}, {'b', 1, ""}, {'c', 2, "0"}, {'c', 3, "01"}, {0}};
    assert_int_equal(turns_back_after(0, none), 128 + 406);
    assert_int_equal(turns_back_after(0, all), 0);
    assert_int_equal(turns_back_after(0, alike), 0);        /* that paths fail alike is no reason */
}

/* Where a run cost as much as two paths, seven of eight may be in vain, as samples say it. */
static void dear_runs_in_vain(void **state)
{
    (void)state;
    static const Step three[] = {{'b', 0, ""}, {'b', 1, ""}, {'b', 3, ""}, {'c', 2, ""}, {0}};
    static const Step four[] = {{'b', 0, ""}, {'b', 1, ""}, {'b', 3, ""}, {'b', 4, ""}, {'c', 2, ""}, {0}};
    assert_int_equal(turns_back_after(60, none), 0);
    assert_int_equal(turns_back_after(60, three), 0);
    assert_true(turns_back_after(60, four) > 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_it_looks),     cmocka_unit_test(nothing_left_out), cmocka_unit_test(next_to_nothing),
        cmocka_unit_test(nothing_to_leave_out), cmocka_unit_test(failing_paths), cmocka_unit_test(dear_runs),
        cmocka_unit_test(dear_steps),
        cmocka_unit_test(between_two_looks), cmocka_unit_test(few_are_kept),     cmocka_unit_test(intervals),
        cmocka_unit_test(runs_in_vain),      cmocka_unit_test(dear_runs_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
