/* test_explore_portfolio.c - portfolio.c: when a second lane begins, which lane takes the next task, which
 * runs are held back, what becomes of them, and what a lane that is given up costs. The loop of explore.c is
 * played by hand: tasks are taken, runs are made, costs are set. */
#include "explore/explore_int.h"
#include "vm_explore.h"

/* Ends with the input's lowest bit. */
static const char program[] =
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nglobal $name 2 align 1 {\n    0 \"x\\00\"\n}\n"
    "global $x 4 align 4\n"
    "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = load.32 $x, align 4\n"
    "    %m = and.32 %x, 1\n    %c = ne.32 %m, 0\n    br %c, ^y, ^n\n^y:\n    ret 1:32\n^n:\n    ret "
    "0:32\n}\n";

typedef struct Case {
    Arena *arena;
    IrProgram *program;
    VmEnvironment environment;
    ExploreOptions options;
    Explore *x;
    U64Vec reported; /* numbers of runs */
} Case;

static void on_run(void *context, const ExploreRun *run)
{
    Case *c = context;
    vec_push(&c->reported, run->number);
}

static void begin(Case *c, uint64_t beside_after)
{
    *c = (Case){.arena = arena_new(), .environment = text_environment(), .options = exploration_options()};
    c->program = text_parse(c->arena, program);
    c->options.explorer = "dependence";
    c->options.on_run = on_run;
    c->options.context = c;
    c->x = explore_new_test(c->program, &c->environment, &c->options,
                            &(ExploreTest){.beside_after = beside_after});
    portfolio_begin(c->x);
}

static void end(Case *c)
{
    explore_free(c->x);
    ir_program_free(c->program);
    arena_free(c->arena);
    vec_free(&c->reported);
}

static Lane *first(const Case *c) { return &c->x->lanes[0]; }
static Lane *second(const Case *c) { return &c->x->lanes[1]; }

/* The lane whose task was taken has made so many runs, and the solver so much work. */
static void spend(Case *c, uint64_t runs, uint64_t work)
{
    c->x->counters[EXPLORE_RUNS] += runs;
    c->x->work += work;
}

/* Both lanes go on, the first may prune; its task is under way. */
static void begin_both(Case *c)
{
    begin(c, 1);
    first(c)->prunes = true;
    assert_true(portfolio_next(c->x));
    assert_null(second(c)->explorer);
    spend(c, 1, 0);
    assert_true(portfolio_next(c->x));
    assert_ptr_equal(second(c)->explorer, first(c)->explorer->beside);
}

static void take_all(Lane *lane)
{
    Task task;
    while (frontier_take(&lane->frontier, &task))
        task_release(lane->vm, &task);
}

/* ---- when it begins -------------------------------------------------------------------------- */

/* Where the first lane may prune, only after it has spent a second. */
static void a_lane_that_prunes_is_alone_for_a_second(void **state)
{
    (void)state;
    Case c;
    begin(&c, 0);
    first(&c)->prunes = true;
    spend(&c, 1000, 0);
    assert_true(portfolio_next(c.x) && !second(&c)->explorer);
    spend(&c, 0, 1000000000);
    assert_true(portfolio_next(c.x) && second(&c)->explorer);
    end(&c);
}

/* Where each path differs, after a few runs. */
static void a_lane_that_does_not_prune_is_soon_joined(void **state)
{
    (void)state;
    Case c;
    begin(&c, 0);
    first(&c)->prunes = false;
    spend(&c, 10, 0);
    assert_true(portfolio_next(c.x) && !second(&c)->explorer);
    spend(&c, 90, 0);
    assert_true(portfolio_next(c.x) && second(&c)->explorer);
    end(&c);
}

/* ---- which lane goes on ---------------------------------------------------------------------- */

static void the_lane_that_has_spent_least_goes_on(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    for (unsigned i = 0; i < 20; i++) {
        Lane *lane = c.x->lane, *other = lane == first(&c) ? second(&c) : first(&c);
        assert_true(lane->cost <= other->cost);
        spend(&c, 1, 1000000 * (i % 3));
        uint64_t before = other->cost;
        assert_true(portfolio_next(c.x));
        assert_int_equal(other->cost, before); /* the other has spent nothing */
    }
    assert_true(first(&c)->cost && second(&c)->cost);
    end(&c);
}

/* While the rule holds, the first lane gets a small part of the time. */
static void a_lane_that_does_not_prune_gets_less(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    first(&c)->prunes = false;
    unsigned taken[2] = {0};
    for (unsigned i = 0; i < 200; i++) {
        taken[c.x->lane == second(&c)]++;
        spend(&c, 1, 0);
        assert_true(portfolio_next(c.x));
    }
    assert_true(taken[0] && taken[1] > 4 * taken[0]);
    end(&c);
}

/* ---- tests that are held back ---------------------------------------------------------------- */

/* One run by a lane: is it held back? A fault is put in, if it is to end by one. */
static bool held_back(Case *c, Lane *lane, bool fault)
{
    ExprInput input = {0};
    c->x->lane = lane;
    VmTrace *trace = vm_run_input(lane->vm, &input, NULL);
    if (fault) {
        trace->result.ending = VM_END_FAULT;
        trace->result.fault = VM_FAULT_NULL_DEREF;
    }
    Task task = task_first();
    bool held = portfolio_holds_back(c->x, &task, trace, &input);
    vm_trace_free(lane->vm, trace);
    expr_input_free(&input);
    return held;
}

static void runs_of_the_second_lane_are_held_back(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    assert_false(held_back(&c, first(&c), false));
    assert_true(held_back(&c, second(&c), false));
    assert_false(held_back(&c, second(&c), true)); /* the first that shows this fault */
    assert_true(held_back(&c, second(&c), true));
    assert_int_equal(second(&c)->held.n, 2);
    first(&c)->prunes = false; /* then it will not finish with fewer */
    assert_false(held_back(&c, second(&c), false));
    end(&c);
}

static void alone_nothing_is_held_back(void **state)
{
    (void)state;
    Case c;
    begin(&c, 0);
    first(&c)->prunes = true;
    assert_true(portfolio_next(c.x));
    assert_false(held_back(&c, first(&c), false));
    end(&c);
}

/* ---- the first to finish --------------------------------------------------------------------- */

static void what_was_held_back_is_reported_if_the_second_finishes(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    c.x->counters[EXPLORE_RUNS] = 7;
    assert_true(held_back(&c, second(&c), false));
    c.x->counters[EXPLORE_REPEATED]++; /* as the loop counts it */
    take_all(second(&c));
    assert_int_equal(c.reported.n, 0);
    while (portfolio_next(c.x)) /* the explorer may have more to do */
        take_all(c.x->lane);
    assert_ptr_equal(c.x->lane, second(&c));
    assert_true(second(&c)->finished && !first(&c)->active);
    assert_int_equal(c.reported.n, 1);
    assert_int_equal(c.reported.v[0], 7);
    assert_int_equal(second(&c)->held.n, 0);
    end(&c);
}

static void what_was_held_back_is_dropped_if_the_first_finishes(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    assert_true(held_back(&c, second(&c), false));
    take_all(first(&c));
    while (portfolio_next(c.x))
        take_all(c.x->lane);
    assert_ptr_equal(c.x->lane, first(&c));
    assert_false(second(&c)->active);
    assert_int_equal(c.reported.n, 0);
    assert_int_equal(second(&c)->held.n, 0);
    end(&c);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void a_limit_leaves_what_the_first_has_open(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    c.x->lane = second(&c);
    ledger_add(second(&c)->ledger, LEDGER_TIME, IR_NONE, NULL);
    portfolio_stop(c.x);
    assert_ptr_equal(c.x->lane, first(&c));
    assert_int_equal(ledger_count(explore_ledger(c.x)), 1); /* the limit is not forgotten */
    end(&c);
}

static void the_second_lane_gives_its_memory_back(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    size_t before = portfolio_bytes(c.x);
    for (unsigned i = 0; i < 100; i++)
        assert_true(held_back(&c, second(&c), false));
    assert_true(portfolio_bytes(c.x) >= before + 100 * sizeof(HeldRun));
    portfolio_save_memory(c.x);
    assert_true(portfolio_bytes(c.x) < before + 100 * sizeof(HeldRun));
    assert_ptr_equal(c.x->lane, first(&c));
    assert_false(second(&c)->active);
    spend(&c, 100000, 0);
    assert_true(portfolio_next(c.x)); /* and does not begin again */
    assert_false(second(&c)->active);
    end(&c);
}

static void a_second_lane_that_does_not_fit_is_given_up(void **state)
{
    (void)state;
    Case c;
    begin_both(&c);
    ledger_add(second(&c)->ledger, LEDGER_TASKS, IR_NONE, NULL);
    take_all(second(&c));
    assert_true(portfolio_next(c.x));
    assert_ptr_equal(c.x->lane, first(&c));
    assert_false(second(&c)->active);
    assert_int_equal(ledger_count(explore_ledger(c.x)), 0); /* the first has cut nothing off */
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lane_that_prunes_is_alone_for_a_second),
        cmocka_unit_test(a_lane_that_does_not_prune_is_soon_joined),
        cmocka_unit_test(the_lane_that_has_spent_least_goes_on),
        cmocka_unit_test(a_lane_that_does_not_prune_gets_less),
        cmocka_unit_test(runs_of_the_second_lane_are_held_back),
        cmocka_unit_test(alone_nothing_is_held_back),
        cmocka_unit_test(what_was_held_back_is_reported_if_the_second_finishes),
        cmocka_unit_test(what_was_held_back_is_dropped_if_the_first_finishes),
        cmocka_unit_test(a_limit_leaves_what_the_first_has_open),
        cmocka_unit_test(the_second_lane_gives_its_memory_back),
        cmocka_unit_test(a_second_lane_that_does_not_fit_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
