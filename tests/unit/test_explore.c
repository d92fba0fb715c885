/* test_explore.c - explore: paths, the frontier and its orders, bounds and what the ledger says of them,
 * spilling. */
#include "explore/explore_int.h"
#include "vm_explore.h"

#define DECLS                                                                                                \
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nglobal $name 2 align 1 {\n    0 \"x\\00\"\n}\nglobal $x " \
    "4 align 4\n"

/* A branch on each of the first `bits` bits of the input; returns them as a number, so each path has its own
 * status. */
static char *bits_program(uint32_t bits)
{
    Str s = {0};
    str_add(&s, DECLS "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = "
                      "load.32 $x, align 4\n"
                      "    %s0 = or.32 0:32, 0:32\n    jmp ^b0\n");
    for (uint32_t i = 0; i < bits; i++)
        str_printf(&s,
                   "^b%u:\n    %%m%u = and.32 %%x, %u\n    %%c%u = ne.32 %%m%u, 0\n    br %%c%u, ^y%u, ^n%u\n"
                   "^y%u:\n    %%t%u = or.32 %%s%u, %u\n    jmp ^b%u_\n^n%u:\n    jmp ^b%u_\n"
                   "^b%u_:\n    %%s%u = phi.32 ^y%u: %%t%u, ^n%u: %%s%u\n    jmp ^b%u\n",
                   i, i, 1u << i, i, i, i, i, i, i, i, i, 1u << i, i, i, i, i, i + 1, i, i, i, i, i + 1);
    str_printf(&s, "^b%u:\n    ret %%s%u\n}\n", bits, bits);
    return str_take(&s);
}

static Exploration *explore_bits(uint32_t bits, ExploreOptions options)
{
    char *text = bits_program(bits);
    Exploration *x = exploration_of(text, options);
    mem_free(text);
    return x;
}

static void expect_all_statuses(const Exploration *x, uint32_t n)
{
    assert_int_equal(x->paths.n, n);
    uint8_t *seen = mem_zalloc(n);
    for (uint32_t i = 0; i < n; i++) {
        assert_true((uint32_t)x->paths.v[i].status < n);
        assert_false(seen[x->paths.v[i].status]);
        seen[x->paths.v[i].status] = 1;
    }
    mem_free(seen);
}

static void expect_ledger(const Exploration *x, LedgerKind kind)
{
    assert_int_equal(ledger_count(explore_ledger(x->explore)), 1);
    assert_int_equal(ledger_entry(explore_ledger(x->explore), 0)->kind, kind);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void test_paths(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    ExprObject o = expr_object(pool, "x", "x", 4, (ExprCType){EXPR_C_INT, 0});
    Expr a = expr_eq(pool, expr_object_byte(pool, o, 0), expr_const(pool, 8, 1));
    Expr b = expr_eq(pool, expr_object_byte(pool, o, 1), expr_const(pool, 8, 2));
    Path *p = path_add(NULL, EXPR_TRUE);
    assert_null(p); /* what is true adds nothing */
    p = path_add(path_add(p, a), a);
    assert_int_equal(p->length, 1);      /* nor what was said just before */
    Path *q = path_add(path_hold(p), b); /* shares its beginning */
    ExprVec list = {0};
    path_list(q, &list);
    assert_int_equal(list.n, 2);
    assert_true(expr_same(list.v[0], a) && expr_same(list.v[1], b));
    path_list(NULL, &list);
    assert_int_equal(list.n, 0);
    assert_int_equal(p->refs, 2);
    path_drop(q);
    assert_int_equal(p->refs, 1);
    for (uint32_t i = 0; i < 1000000; i++) /* as long as runs may be: dropped without recursion */
        p = path_add(p, i & 1 ? a : b);
    path_drop(p);
    vec_free(&list);
    expr_pool_free(pool);
}

static void test_origins(void **state)
{
    (void)state;
    ExprInput input = {0};
    expr_input_set_byte(&input, 3, 7);
    Origin *o = origin_new(&input);
    expr_input_set_byte(&input, 3, 8);
    assert_int_equal(expr_input_byte(&o->input, 3), 7); /* a copy */
    assert_ptr_equal(origin_hold(o), o);
    origin_drop(o);
    assert_int_equal(o->refs, 1);
    origin_drop(o);
    assert_null(origin_hold(NULL));
    expr_input_free(&input);
}

/* ---- the frontier ---------------------------------------------------------------------------- */

enum { TASKS = 50 };

static void fill(Frontier *f)
{
    for (uint32_t i = 1; i <= TASKS; i++)
        frontier_file(f, (Task){.because = i, .fn = IR_NONE, .block = IR_NONE});
}

/* The order in which all are taken; each comes once. */
static void drain(Frontier *f, uint64_t order[TASKS])
{
    Task task;
    bool seen[TASKS + 1] = {false};
    for (uint32_t i = 0; i < TASKS; i++) {
        assert_int_equal(frontier_size(f), TASKS - i);
        assert_true(frontier_take(f, &task));
        assert_false(seen[task.because]);
        seen[task.because] = true;
        order[i] = task.because;
    }
    assert_false(frontier_take(f, &task));
}

static void test_orders(void **state)
{
    (void)state;
    static const struct {
        ExploreSearch search;
        uint64_t seed;
    } runs[] = {
        {EXPLORE_DFS, 1}, {EXPLORE_BFS, 1}, {EXPLORE_RANDOM, 1}, {EXPLORE_RANDOM, 1}, {EXPLORE_RANDOM, 2}};
    uint64_t order[COUNT_OF(runs)][TASKS];
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        Frontier f;
        frontier_init(&f, runs[i].search, runs[i].seed, NULL);
        fill(&f);
        drain(&f, order[i]);
        frontier_free(&f, NULL);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        assert_int_equal(order[0][i], TASKS - i);
        assert_int_equal(order[1][i], i + 1);
    }
    assert_memory_equal(order[2], order[3], sizeof order[2]);
    assert_memory_not_equal(order[2], order[4], sizeof order[2]);
    assert_memory_not_equal(order[2], order[0], sizeof order[2]);
}

/* The deepest first, of equally deep ones the latest; what is filed meanwhile takes its place among them. */
static void test_deepest_first(void **state)
{
    (void)state;
    static const uint32_t depths[] = {2, 0, 5, 2, 100000, 5, 99999}, order[] = {7, 5, 8, 6, 3, 4, 1, 2};
    Frontier f;
    Task task;
    frontier_init(&f, EXPLORE_DFS, 1, NULL);
    for (uint32_t i = 0; i < COUNT_OF(depths); i++)
        frontier_file(&f, (Task){.because = i + 1, .depth = depths[i], .fn = IR_NONE, .block = IR_NONE});
    uint64_t sum = 0;
    FrontierPlace at = {0};
    for (const Task *t; (t = frontier_next(&f, &at));)
        sum += t->because;
    assert_int_equal(sum, 28);
    for (uint32_t i = 0; i < COUNT_OF(order); i++) {
        if (i == 2)
            frontier_file(&f, (Task){.because = 8, .depth = 6, .fn = IR_NONE, .block = IR_NONE});
        assert_true(frontier_take(&f, &task));
        assert_int_equal(task.because, order[i]);
    }
    assert_false(frontier_take(&f, &task));
    fill(&f);
    frontier_clear(&f);
    assert_int_equal(frontier_size(&f), 0);
    assert_false(frontier_take(&f, &task));
    frontier_free(&f, NULL);
}

/* For who judges by its first runs: the first 16 are the deepest; then up to the 272nd every fourth is the
 * shallowest. All are taken once. */
static void test_some_shallow(void **state)
{
    (void)state;
    enum { TASKS_IN_ALL = 400 };
    Frontier f;
    Task task;
    uint32_t low = 0, high = TASKS_IN_ALL;
    frontier_init(&f, EXPLORE_DFS, 1, NULL);
    f.samples = true;
    for (uint32_t i = 0; i < TASKS_IN_ALL; i++)
        frontier_file(&f, (Task){.depth = i, .fn = IR_NONE, .block = IR_NONE});
    for (uint32_t i = 1; i <= TASKS_IN_ALL; i++) {
        bool shallow = i > 16 && i <= 272 && i % 4 == 0;
        assert_true(frontier_take(&f, &task));
        assert_int_equal(task.depth, shallow ? low++ : --high);
    }
    assert_int_equal(low, 64);
    assert_false(frontier_take(&f, &task));
    frontier_free(&f, NULL);
}

/* bfs gives space back while it is used from both ends. */
static void test_bfs_queue(void **state)
{
    (void)state;
    Frontier f;
    Task task;
    uint64_t filed = 0, taken = 0;
    frontier_init(&f, EXPLORE_BFS, 1, NULL);
    for (uint32_t round = 0; round < 1000; round++) {
        for (uint32_t i = 0; i < 3; i++)
            frontier_file(&f, (Task){.because = ++filed, .fn = IR_NONE, .block = IR_NONE});
        for (uint32_t i = 0; i < (round < 500 ? 2 : 4) && frontier_take(&f, &task); i++)
            assert_int_equal(task.because, ++taken);
    }
    assert_int_equal(frontier_size(&f), filed - taken);
    FrontierPlace at = {0};
    for (const Task *t; (t = frontier_next(&f, &at));)
        assert_int_equal(t->because, ++taken);
    assert_int_equal(taken, filed);
    frontier_free(&f, NULL);
}

/* ---- weights --------------------------------------------------------------------------------- */

static Task task_because(uint64_t because)
{
    return (Task){.because = because, .fn = IR_NONE, .block = IR_NONE};
}

/* The alternatives of a decision and what the run goes on with have equal parts; what cannot be split stays
 * with the run, however deep; what is filed when nothing was pending has no weight. */
static void test_weights(void **state)
{
    (void)state;
    enum { ALTERNATIVES = 3, DEEP = 100 };
    Frontier f;
    Task task;
    frontier_init(&f, EXPLORE_BFS, 1, NULL);
    frontier_file_first(&f);
    assert_int_equal(frontier_weight(&f), EXPLORE_WHOLE);
    assert_true(frontier_take(&f, &task));
    for (uint32_t k = 0; k < ALTERNATIVES; k++)
        frontier_file_part(&f, task_because(k + 1), ALTERNATIVES + 1 - k);
    FrontierPlace at = {0};
    for (const Task *t; (t = frontier_next(&f, &at));)
        assert_int_equal(t->weight, EXPLORE_WHOLE / (ALTERNATIVES + 1));
    assert_int_equal(frontier_explored(&f), EXPLORE_WHOLE / (ALTERNATIVES + 1));
    while (frontier_take(&f, &task))
        for (uint32_t i = 0; task.because == 1 && i < DEEP; i++)
            frontier_file_part(&f, task_because(0), 2);
    assert_int_equal(frontier_explored(&f), EXPLORE_WHOLE);
    frontier_file(&f, task_because(0));
    assert_true(frontier_take(&f, &task));
    frontier_file_part(&f, task_because(0), 1);
    assert_int_equal(frontier_explored(&f) + frontier_weight(&f), EXPLORE_WHOLE);
    frontier_free(&f, NULL);
}

/* Of a run with five branches half stays behind at each. */
static void test_explored(void **state)
{
    (void)state;
    enum { BITS = 5 };
    for (uint64_t runs = 1; runs <= 1u << BITS; runs++) {
        ExploreOptions o = exploration_options();
        o.search = EXPLORE_DFS;
        o.max_runs = runs;
        Exploration *x = explore_bits(BITS, o);
        assert_true(explore_explored(x->explore) == (double)runs / (1u << BITS));
        exploration_end(x);
    }
}

/* Tasks that lead to blocks that no run has entered come first. */
static void test_coverage_first(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.max_runs = 1;
    Exploration *x =
        explore_bits(2, o); /* the first input is zero: ^n0 and ^n1 are covered, ^y0 and ^y1 not */
    Vm *vm = explore_vm(x->explore);
    uint32_t fn = ir_fn_find(x->program, "main");
    uint32_t blocks = x->program->fns.v[fn].blocks.n, fresh = 0, first = 0;
    Frontier f;
    Task task;
    frontier_init(&f, EXPLORE_COVERAGE, 1, vm);
    for (uint32_t b = 0; b < blocks; b++) {
        frontier_file(&f, (Task){.because = b + 1, .fn = fn, .block = b});
        fresh += !vm_block_covered(vm, fn, b);
    }
    assert_true(fresh >= 2 && fresh < blocks);
    while (frontier_take(&f, &task) && !vm_block_covered(vm, fn, task.block))
        first++;
    assert_int_equal(first, fresh);
    frontier_free(&f, vm);
    exploration_end(x);
}

/* Every order finds the same paths. */
static void test_same_paths(void **state)
{
    (void)state;
    static const ExploreSearch searches[] = {EXPLORE_DFS, EXPLORE_BFS, EXPLORE_RANDOM, EXPLORE_COVERAGE};
    for (size_t i = 0; i < COUNT_OF(searches); i++) {
        ExploreOptions o = exploration_options();
        o.search = searches[i];
        o.seed = i;
        Exploration *x = explore_bits(6, o);
        expect_all_statuses(x, 64);
        assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
        assert_int_equal(explore_count(x->explore, EXPLORE_RUNS), 64);
        assert_int_equal(explore_count(x->explore, EXPLORE_TASKS), 63);
        exploration_end(x);
    }
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void test_max_runs(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.max_runs = 5;
    Exploration *x = explore_bits(4, o);
    assert_int_equal(x->paths.n, 5);
    assert_true(explore_pending(x->explore) > 0);
    expect_ledger(x, LEDGER_RUNS);
    exploration_end(x);
    o.max_runs = 16; /* met at the very end: nothing was cut off */
    x = explore_bits(4, o);
    expect_all_statuses(x, 16);
    assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
    exploration_end(x);
}

/* Tasks that no input satisfies need no run: what is left when the runs are used up may be nothing. */
static void test_max_runs_and_infeasible(void **state)
{
    (void)state;
    static const char text[] = DECLS
        "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = load.32 $x, "
        "align 4\n"
        "    %c = ult.32 %x, 10\n    br %c, ^a, ^end\n^a:\n    %d = ult.32 %x, 20\n    br %d, ^b, ^end\n"
        "^b:\n    %e = ult.32 %x, 30\n    br %e, ^end, ^end\n^end:\n    ret 0:32\n}\n";
    static const ExploreSearch searches[] = {EXPLORE_DFS, EXPLORE_BFS};
    for (size_t i = 0; i < COUNT_OF(searches); i++) {
        ExploreOptions o = exploration_options();
        o.search = searches[i];
        o.max_runs = 2;
        Exploration *x = exploration_of(text, o);
        assert_int_equal(x->paths.n, 2);
        assert_int_equal(explore_pending(x->explore), 0);
        assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
        exploration_end(x);
        o.max_runs = 1;
        x = exploration_of(text, o);
        assert_int_equal(x->paths.n, 1);
        assert_true(explore_pending(x->explore) > 0); /* the task that needs a run is among them */
        expect_ledger(x, LEDGER_RUNS);
        exploration_end(x);
    }
}

static void test_max_depth(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.max_depth = 3;
    Exploration *x = explore_bits(5, o);
    assert_int_equal(x->paths.n, 8);
    bool depth = false;
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x->explore)); i++) {
        assert_int_equal(ledger_entry(explore_ledger(x->explore), i)->kind, LEDGER_DEPTH);
        depth = true;
    }
    assert_true(depth);
    exploration_end(x);
    o.max_depth = 5;
    x = explore_bits(5, o);
    expect_all_statuses(x, 32);
    assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
    exploration_end(x);
}

/* A run that never ends by itself is ended by the clock, */
static void test_max_time_inside_a_run(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.vm.max_steps = 0;
    o.max_time = 0.05;
    Exploration *x = exploration_of(DECLS "fn @main() -> 32 {\n^entry:\n    jmp ^again\n^again:\n"
                                          "    %n = phi.64 ^entry: 0:64, ^again: %m\n    %m = add.64 %n, 1\n"
                                          "    %c = eq.64 %m, 0\n    br %c, ^out, ^again\n"
                                          "^out:\n    ret 0:32\n}\n",
                                    o);
    assert_int_equal(x->paths.n, 1);
    assert_int_equal(x->paths.v[0].ending, VM_END_LIMIT);
    expect_ledger(x, LEDGER_TIME);
    exploration_end(x);
}

/* unless its state repeats. */
static void test_endless(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.vm.max_steps = 0;
    Exploration *x =
        exploration_of(DECLS "fn @main() -> 32 {\n^entry:\n    jmp ^again\n^again:\n    jmp ^again\n}\n", o);
    assert_int_equal(x->paths.n, 1);
    assert_int_equal(x->paths.v[0].ending, VM_END_LIMIT);
    assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
    exploration_end(x);
}

static volatile bool stop_now;
static void stop_at_third(void *context, const ExploreRun *run)
{
    exploration_run(context, run);
    stop_now = run->number == 3;
}

static void test_stop(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    Exploration *x = mem_zalloc(sizeof *x);
    char *text = bits_program(5);
    x->arena = arena_new();
    x->program = text_parse(x->arena, text);
    x->environment = text_environment();
    o.stop = &stop_now;
    o.on_run = stop_at_third;
    o.context = x;
    x->options = o;
    x->explore = explore_new_test(x->program, &x->environment, &x->options, &(ExploreTest){.weighs = true});
    explore_all(x->explore);
    assert_int_equal(x->paths.n, 3);
    expect_ledger(x, LEDGER_INTERRUPTED);
    mem_free(text);
    exploration_end(x);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* With hardly any memory tasks become inputs and run from the entry: the same paths, each once. */
static void test_spill(void **state)
{
    (void)state;
    for (int search = EXPLORE_DFS; search <= EXPLORE_COVERAGE; search++) {
        ExploreOptions o = exploration_options();
        o.search = (ExploreSearch)search;
        o.max_memory = 1;
        o.symbolic.verify = false;
        Exploration *x = explore_bits(7, o);
        expect_all_statuses(x, 128);
        assert_true(explore_count(x->explore, EXPLORE_SPILLED) > 0);
        assert_int_equal(explore_count(x->explore, EXPLORE_DIVERGED), 0);
        assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
        exploration_end(x);
    }
}

/* A task that decides its pointer anew keeps, beside its input, which objects were tried. */
static void test_spill_elsewhere(void **state)
{
    (void)state;
    Str s = {0};
    str_add(&s, DECLS);
    for (uint32_t i = 0; i < 6; i++)
        str_printf(&s, "global $o%u 4 align 4 {\n    0 \"\\%02x\\00\\00\\00\"\n}\n", i, i + 1);
    str_add(&s, "global $table 64 align 8 constant {\n");
    for (uint32_t i = 0; i < 8; i++)
        str_printf(&s, "    %u $o%u\n", 8 * i, i % 6);
    str_add(&s, "}\nfn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = "
                "load.32 $x, align 4\n"
                "    %i = and.32 %x, 7\n    %p = index $table, %i, scale 8\n    %q = load.64 %p, align 8\n"
                "    %v = load.32 %q, align 4\n    ret %v\n}\n");
    uint32_t runs[2];
    for (int tight = 0; tight < 2; tight++) {
        ExploreOptions o = exploration_options();
        o.max_memory = tight ? 1 : 0;
        o.symbolic.pointer_candidates = 2;
        o.symbolic.verify = false;
        Exploration *x = exploration_of(str_text(&s), o);
        bool seen[8] = {false};
        for (uint32_t i = 0; i < x->paths.n; i++)
            if (x->paths.v[i].ending == VM_END_RETURN)
                seen[x->paths.v[i].status & 7] = true;
        for (uint32_t i = 1; i <= 6; i++)
            assert_true(seen[i]);
        runs[tight] = x->paths.n;
        assert_int_equal(explore_count(x->explore, EXPLORE_DIVERGED), 0);
        exploration_end(x);
    }
    assert_int_equal(runs[0], runs[1]);
    str_free(&s);
}

/* ---- what can be read of it ------------------------------------------------------------------ */

static void test_stats(void **state)
{
    (void)state;
    Exploration *x = explore_bits(3, exploration_options());
    JsonOut json = {0};
    json_object_begin(&json, NULL);
    explore_stats(x->explore, &json);
    json_object_end(&json);
    const char *why;
    const Json *root = json_parse(x->arena, str_text(&json.text), json.text.n, &why);
    assert_non_null(root);
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        assert_non_null(json_member(root, explore_counter_key(i)));
    assert_string_equal(json_member(root, "runs")->string, "8");
    assert_string_equal(json_member(root, "pending")->string, "0");
    bool full = false;
    for (size_t i = 0; explore_names[i]; i++)
        full |= !strcmp(explore_names[i], "full");
    assert_true(full);
    str_free(&json.text);
    exploration_end(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),          cmocka_unit_test(test_origins),
        cmocka_unit_test(test_orders),         cmocka_unit_test(test_deepest_first),
        cmocka_unit_test(test_some_shallow),   cmocka_unit_test(test_bfs_queue),
        cmocka_unit_test(test_coverage_first), cmocka_unit_test(test_same_paths),
        cmocka_unit_test(test_max_runs),       cmocka_unit_test(test_max_runs_and_infeasible),
        cmocka_unit_test(test_max_depth),      cmocka_unit_test(test_max_time_inside_a_run),
        cmocka_unit_test(test_endless),        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_weights),        cmocka_unit_test(test_explored),
        cmocka_unit_test(test_spill),          cmocka_unit_test(test_spill_elsewhere),
        cmocka_unit_test(test_stats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
