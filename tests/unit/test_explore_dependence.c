/* test_explore_dependence.c - the parts of `dependence` by themselves: ways, names, kept runs, classes,
 * explanations. */
#include "explore/explain.h"
#include "vm_explore.h"

/* A run of made-up decisions: the condition of each is that a byte of the input is 1. */
typedef struct Bench {
    ExprPool *pool;
    ExprObject object;
    VmTrace trace;
    Fingerprints names;
    Flips flips;
    Str told; /* of on_flip */
    U64Vec told_names;
    bool paths;   /* tell them too */
    Arena *arena; /* of what runs look at */
} Bench;

static Expr is_one(Bench *b, uint32_t byte)
{
    return expr_eq(b->pool, expr_object_byte(b->pool, b->object, byte), expr_const(b->pool, 8, 1));
}

static ExprSet set_of(Bench *b, const char *digits)
{
    ExprSet set = EXPR_SET_EMPTY;
    for (; *digits; digits++)
        set = expr_set_union(b->pool, set, expr_set_of(b->pool, (uint32_t)(*digits - '0')));
    return set;
}

static void add_decision(Bench *b, uint32_t byte, const char *label)
{
    VmDecision d = {.kind = VM_DECISION_BRANCH,
                    .index = 1000 + byte,
                    .holds = is_one(b, byte),
                    .site = byte,
                    .first = b->trace.alternatives.n,
                    .count = 1,
                    .label = set_of(b, label)};
    vec_push(&b->trace.alternatives, ((VmAlternative){.condition = expr_not(b->pool, d.holds)}));
    vec_push(&b->trace.decisions, d);
}

static void clear_trace(Bench *b)
{
    vec_clear(&b->trace.decisions);
    vec_clear(&b->trace.alternatives);
    vec_clear(&b->trace.sinks);
}

/* The byte that a condition is about. */
static uint32_t byte_of(Bench *b, Expr condition)
{
    for (uint32_t i = 0; i < 16; i++)
        if (expr_same(condition, is_one(b, i)))
            return i;
    fail_msg("no condition of this test");
    return 0;
}

/* "3|01 " for decision 3 under 0 and 1; with its path "3|01=01 ". */
static void tell_way(void *context, const Flip *way)
{
    Bench *b = context;
    str_printf(&b->told, "%u|", way->decision);
    ExprSet kept = EXPR_SET_EMPTY;
    for (uint32_t i = 0; i < b->flips.steps.n; i++) {
        if (flip_keeps(&b->flips, way, i)) {
            str_printf(&b->told, "%u", i);
            kept = expr_set_union(b->pool, kept, expr_set_of(b->pool, i));
        } else {
            assert_false(
                flip_keeps_all(&b->flips, way, expr_set_union(b->pool, kept, expr_set_of(b->pool, i))));
        }
    }
    assert_true(flip_keeps_all(&b->flips, way, kept));
    if (b->paths) {
        ExprVec list = {0};
        path_list(flip_path(&b->flips, way), &list);
        str_add_char(&b->told, '=');
        for (uint32_t i = 0; i < list.n; i++)
            str_printf(&b->told, "%u", byte_of(b, list.v[i]));
        vec_free(&list);
    }
    str_add_char(&b->told, ' ');
    vec_push(&b->told_names, way->name);
}

static Bench *bench_new(void)
{
    Bench *b = mem_zalloc(sizeof *b);
    b->pool = expr_pool_new();
    b->arena = arena_new();
    b->object = expr_object(b->pool, "x", "x", 16, (ExprCType){EXPR_C_UCHAR, 0});
    b->names.pool = b->pool;
    b->flips = (Flips){.pool = b->pool, .names = &b->names, .on_flip = tell_way, .context = b};
    return b;
}

static void bench_free(Bench *b)
{
    flips_free(&b->flips);
    vec_free(&b->names.of);
    vec_free(&b->told_names);
    str_free(&b->told);
    clear_trace(b);
    vec_free(&b->trace.decisions);
    vec_free(&b->trace.alternatives);
    vec_free(&b->trace.sinks);
    expr_pool_free(b->pool);
    arena_free(b->arena);
    mem_free(b);
}

static const void *copy(Bench *b, const void *from, size_t size)
{
    return memcpy(arena_alloc(b->arena, size), from, size);
}

/* It may be looked at when the trace is another. */
static StoredRun *run_of(Bench *b, uint64_t number, const char *bytes)
{
    ExprInput input = {0};
    for (uint32_t i = 0; bytes[i]; i++)
        expr_input_set_byte(&input, i, (uint8_t)(bytes[i] - '0'));
    Origin *origin = origin_new(&input);
    StoredRun *run = stored_run_new(&b->trace, origin, number);
    run->normal = true;
    run->decisions = copy(b, run->decisions, run->n * sizeof *run->decisions);
    run->alternatives = copy(b, run->alternatives, run->nalternatives * sizeof *run->alternatives);
    origin_drop(origin);
    expr_input_free(&input);
    return run;
}

static void expect_flips(Bench *b, const char *set, const char *target)
{
    vec_clear(&b->told);
    flips_expand(&b->flips, set_of(b, set));
    assert_string_equal(str_text(&b->told), target);
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* The second depends on the first, the others on nothing. */
static StoredRun *run_of_four(Bench *b)
{
    add_decision(b, 0, "");
    add_decision(b, 1, "0");
    add_decision(b, 2, "");
    add_decision(b, 3, "");
    return run_of(b, 1, "1111");
}

/* The last first, then the rest from the back, each behind what it depends on. */
static void order_of_a_set(void **state)
{
    (void)state;
    static const struct {
        bool in_order, alone;
        const char *target;
    } rows[] = {
        {false, false, "3|= 2|3=3 0|23=32 1|023=320 "},
        {true, false, "0| 1|0 2|01 3|012 "},
        {false, true, "3|= "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench *b = bench_new();
        StoredRun *run = run_of_four(b);
        b->paths = !rows[i].in_order; /* paths are of the other order */
        b->flips.in_order = rows[i].in_order;
        b->flips.alone = rows[i].alone;
        assert_int_equal(flips_begin(&b->flips, run, 1), 0);
        expect_flips(b, "0123", rows[i].target);
        stored_run_free(run);
        bench_free(b);
    }
}

/* Labels that grow by one: each set is the one before and its last, and each decision is told once. */
static void chains_share(void **state)
{
    (void)state;
    Bench *b = bench_new();
    add_decision(b, 0, "");
    add_decision(b, 1, "0");
    add_decision(b, 2, "01");
    add_decision(b, 3, "");
    StoredRun *run = run_of(b, 1, "1111");
    b->paths = true;
    flips_begin(&b->flips, run, 1);
    expect_flips(b, "012", "0|= 1|0=0 2|01=01 ");
    expect_flips(b, "012", ""); /* nothing is expanded twice */
    expect_flips(b, "01", "");
    expect_flips(b, "0123", "3|= 0|3=3 1|03=30 2|013=301 ");
    expect_flips(b, "", "");
    assert_ptr_equal(b->flips.steps.v[2].path->parent,
                     b->flips.steps.v[1].path); /* paths share their beginnings */
    Flip way = flip_of(&b->flips, 2);
    assert_int_equal(way.label.id, set_of(b, "01").id);
    assert_true(flip_keeps_all(&b->flips, &way, set_of(b, "01")) &&
                !flip_keeps_all(&b->flips, &way, set_of(b, "03")));
    stored_run_free(run);
    bench_free(b);
}

/* A condition that is true belongs to no path and no name. */
static void forced_decisions(void **state)
{
    (void)state;
    Bench *b = bench_new();
    add_decision(b, 0, "");
    add_decision(b, 1, "0");
    add_decision(b, 2, "01");
    b->trace.decisions.v[1].holds = EXPR_TRUE;
    StoredRun *run = run_of(b, 1, "111");
    b->paths = true;
    flips_begin(&b->flips, run, 1);
    expect_flips(b, "012", "0|= 1|0=0 2|01=0 ");
    assert_int_equal(b->told_names.v[1], b->told_names.v[2]);
    stored_run_free(run);
    bench_free(b);
}

/* The same decisions in another run, behind another one: the same names, and nothing is expanded again. */
static void names_across_runs(void **state)
{
    (void)state;
    Bench *b = bench_new();
    add_decision(b, 0, "");
    add_decision(b, 1, "0");
    add_decision(b, 2, "");
    StoredRun *first = run_of(b, 1, "111");
    flips_begin(&b->flips, first, 1);
    expect_flips(b, "012", "2| 0|2 1|02 ");
    clear_trace(b);
    add_decision(b, 7, "");
    add_decision(b, 0, "");
    add_decision(b, 1, "1");
    add_decision(b, 2, "");
    StoredRun *second = run_of(b, 2, "11100001");
    assert_int_equal(flips_begin(&b->flips, second, 1), 0);
    expect_flips(b, "123", "");
    expect_flips(b, "0123", "3| 1|3 2|13 0|123 "); /* with the other one it is another set */
    assert_int_equal(b->told_names.n, 7);
    assert_memory_equal(b->told_names.v, b->told_names.v + 3, 3 * sizeof *b->told_names.v);
    assert_int_equal(flips_begin(&b->flips, second, 2), 0); /* what was expanded in another phase is again */
    expect_flips(b, "123", "3| 1|3 2|13 ");
    stored_run_free(first);
    stored_run_free(second);
    bench_free(b);
}

/* A run that begins as the one before tells so; another condition, label or number of alternatives ends
 * that. */
static void common_beginnings(void **state)
{
    (void)state;
    Bench *b = bench_new();
    for (uint32_t i = 0; i < 4; i++)
        add_decision(b, i, "");
    StoredRun *runs[4];
    runs[0] = run_of(b, 1, "1111");
    b->trace.decisions.v[2].holds = expr_not(b->pool, is_one(b, 2));
    runs[1] = run_of(b, 2, "1101");
    b->trace.decisions.v[1].label = set_of(b, "0");
    runs[2] = run_of(b, 3, "1101");
    b->trace.decisions.v[0].count = 0;
    runs[3] = run_of(b, 4, "1101");
    static const uint32_t common[] = {0, 2, 1, 0};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(flips_begin(&b->flips, runs[i], 1), common[i]);
        assert_int_equal(b->flips.steps.n, 4);
    }
    assert_int_equal(flips_begin(&b->flips, runs[3], 1), 4);
    flips_forget(&b->flips);
    assert_int_equal(flips_begin(&b->flips, runs[3], 1), 0);
    for (uint32_t i = 0; i < 4; i++)
        stored_run_free(runs[i]);
    bench_free(b);
}

/* A step knows the one before it with the same condition, in the run that is looked at. */
static void conditions_again(void **state)
{
    (void)state;
    Bench *b = bench_new();
    static const uint32_t bytes[2][4] = {{0, 1, 0, 0}, {0, 1, 1, 0}};
    static const uint32_t same[2][4] = {{UINT32_MAX, UINT32_MAX, 0, 2}, {UINT32_MAX, UINT32_MAX, 1, 0}};
    StoredRun *runs[2];
    for (uint32_t i = 0; i < 2; i++) {
        clear_trace(b);
        for (uint32_t k = 0; k < 4; k++)
            add_decision(b, bytes[i][k], "");
        runs[i] = run_of(b, i, "11");
        flips_begin(&b->flips, runs[i], 1);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(b->flips.steps.v[k].same, same[i][k]);
    }
    stored_run_free(runs[0]);
    stored_run_free(runs[1]);
    bench_free(b);
}

/* A decision without alternatives has no way of its own, nor has one that depends on such alone. */
static void nothing_to_negate(void **state)
{
    (void)state;
    Bench *b = bench_new();
    add_decision(b, 0, "");
    add_decision(b, 1, "0");
    add_decision(b, 2, "01");
    add_decision(b, 3, "");
    for (uint32_t i = 1; i < 4; i++)
        b->trace.decisions.v[i].count = 0;
    StoredRun *run = run_of(b, 1, "1111");
    flips_begin(&b->flips, run, 1);
    expect_flips(b, "3", "");
    expect_flips(b, "012", "0| ");
    expect_flips(b, "01", "");
    expect_flips(b, "03", "3| 0|3 ");
    stored_run_free(run);
    bench_free(b);
}

/* A condition on a byte that its label fixes has no alternative, and stands in no path; one that the label
 * does not fix has, and does. */
static void implied_by_a_label(void **state)
{
    (void)state;
    Bench *b = bench_new();
    add_decision(b, 0, "");
    add_decision(b, 4, "0");
    add_decision(b, 5, "");
    add_decision(b, 1, "012");
    VmDecision *d = b->trace.decisions.v;
    d[1].holds = d[2].holds =
        expr_ult(b->pool, expr_object_byte(b->pool, b->object, 0), expr_const(b->pool, 8, 9));
    d[1].entailed = d[2].entailed = true;
    StoredRun *run = run_of(b, 1, "1111");
    flips_begin(&b->flips, run, 1);
    assert_true(b->flips.steps.v[1].implied);
    assert_false(b->flips.steps.v[2].implied);
    expect_flips(b, "01", "0| "); /* all ways are those of its label */
    ExprVec list = {0};
    Flip way = flip_of(&b->flips, 3);
    path_list(flip_path(&b->flips, &way), &list);
    assert_int_equal(list.n, 2);
    assert_true(expr_same(list.v[0], d[0].holds));
    assert_true(expr_same(list.v[1], d[2].holds));
    vec_free(&list);
    stored_run_free(run);
    bench_free(b);
}

/* A condition that very many decisions have is looked for among the latest of them: else a run would take the
 * square. */
static void conditions_of_many_rounds(void **state)
{
    (void)state;
    enum { ROUNDS = 100, LOOKED_AT = 64 };
    Bench *b = bench_new();
    for (uint32_t i = 0; i < ROUNDS; i++)
        add_decision(b, 0, "");
    StoredRun *run = run_of(b, 1, "1");
    flips_begin(&b->flips, run, 1);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        Flip way = {.decision = ROUNDS - 1, .label = expr_set_of(b->pool, i)};
        assert_int_equal(flip_has(&b->flips, &way, ROUNDS - 1), i >= ROUNDS - LOOKED_AT);
    }
    stored_run_free(run);
    bench_free(b);
}

/* Names of conditions are those of their structure, in whatever pool and in whatever order they were made. */
static void names_of_conditions(void **state)
{
    (void)state;
    uint64_t found[2][4];
    for (uint32_t i = 0; i < 2; i++) {
        Bench *b = bench_new();
        Expr x = expr_object_byte(b->pool, b->object, i ? 1 : 0),
             y = expr_object_byte(b->pool, b->object, i ? 0 : 1);
        Expr low = i ? y : x, high = i ? x : y;
        found[i][0] = fingerprint_of(&b->names, expr_add(b->pool, x, y));
        found[i][1] = fingerprint_of(&b->names, expr_ult(b->pool, low, high));
        found[i][2] = fingerprint_of(&b->names, expr_ult(b->pool, high, low));
        found[i][3] = fingerprint_of(&b->names, is_one(b, 3));
        bench_free(b);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    assert_int_not_equal(found[0][1], found[0][2]);
    assert_int_not_equal(found[0][0], found[0][3]);
    Bench *b = bench_new();
    assert_int_equal(fingerprint_of(&b->names, expr_not(b->pool, is_one(b, 3))), found[0][3] ^ 1);
    assert_int_equal(found[0][3] & 1, 0);
    bench_free(b);
}

/* ---- what became of tasks -------------------------------------------------------------------- */

/* Names are hashes but for the last bit, in which opposites differ. */
static uint64_t task_named(uint64_t number) { return (hash_u64(number / 2) & ~UINT64_C(1)) | (number & 1); }

static void filed_in_pairs(void **state)
{
    (void)state;
    FiledTasks filed = {0};
    uint64_t side = task_named(8), opposite = task_named(9);
    assert_false(filed_tasks_has(&filed, side));
    filed_tasks_add(&filed, side);
    assert_true(filed_tasks_has(&filed, side));
    assert_false(filed_tasks_has(&filed, opposite));
    filed_tasks_ran(&filed, opposite, true);
    assert_true(filed_tasks_has(&filed, opposite));
    assert_true(filed_tasks_normal(&filed, opposite));
    assert_false(filed_tasks_normal(&filed, side));
    filed_tasks_ran(&filed, side, true);
    filed_tasks_ran(&filed, opposite, false);
    assert_true(filed_tasks_has(&filed, opposite));
    assert_false(filed_tasks_normal(&filed, opposite));
    assert_true(filed_tasks_normal(&filed, side));
    assert_false(filed_tasks_has(&filed, task_named(12)));
    for (uint64_t i = 12; i < 3000; i++) /* there are more than there was room for */
        filed_tasks_ran(&filed, task_named(i), i % 3 == 0);
    for (uint64_t i = 12; i < 3000; i++)
        assert_int_equal(filed_tasks_normal(&filed, task_named(i)), i % 3 == 0);
    assert_true(filed_tasks_normal(&filed, side) && !filed_tasks_normal(&filed, opposite));
    filed_tasks_free(&filed);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static Path *path_of(Bench *b, const char *bytes)
{
    Path *path = NULL;
    for (; *bytes; bytes++)
        path = path_add(path, is_one(b, (uint32_t)(*bytes - '0')));
    return path;
}

static uint64_t fitting(Bench *b, RunStore *runs, const char *target, Expr avoided, bool again,
                        bool normal_only)
{
    Path *path = path_of(b, target);
    Task task = {.path = path_hold(path), .redecide = again};
    if (!expr_is_none(avoided))
        task.path = path_add(task.path, avoided);
    uint32_t looked = 0;
    const StoredRun *run = run_store_satisfying(runs, &task, path, normal_only, &looked);
    uint64_t number = run ? run->number : 0;
    path_drop(task.path);
    path_drop(path);
    return number;
}

/* Run 1 decided 0 and 1, run 2 decided 0, 1 and 2 and failed, run 3 decided 2 alone. */
static void three_runs(Bench *b, RunStore *runs)
{
    run_store_init(runs, b->pool);
    add_decision(b, 0, "");
    add_decision(b, 1, "");
    run_store_add(runs, run_of(b, 1, "11"), 0);
    add_decision(b, 2, "");
    StoredRun *failed = run_of(b, 2, "111");
    failed->normal = false;
    run_store_add(runs, failed, 0);
    clear_trace(b);
    add_decision(b, 2, "");
    run_store_add(runs, run_of(b, 3, "001"), 0);
}

static void runs_that_fit(void **state)
{
    (void)state;
    Bench *b = bench_new();
    RunStore runs;
    three_runs(b, &runs);
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, false), 2); /* the latest */
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, true), 1);  /* that normal */
    assert_int_equal(fitting(b, &runs, "01", EXPR_NONE, false, true), 1);
    assert_int_equal(fitting(b, &runs, "2", EXPR_NONE, false, false), 3);
    assert_int_equal(fitting(b, &runs, "02", EXPR_NONE, false, false), 2);
    assert_int_equal(fitting(b, &runs, "02", EXPR_NONE, false, true), 0);
    assert_int_equal(fitting(b, &runs, "5", EXPR_NONE, false, false), 0); /* held in no run */
    assert_int_equal(fitting(b, &runs, "0", expr_not(b->pool, is_one(b, 2)), false, false),
                     1); /* outside a class */
    assert_int_equal(fitting(b, &runs, "2", expr_not(b->pool, is_one(b, 2)), false, false), 0);
    assert_int_equal(fitting(b, &runs, "", EXPR_NONE, false, false), 3); /* the first task fits any */
    assert_int_equal(fitting(b, &runs, "5", EXPR_NONE, true, false), 0); /* evaluated, not looked up */
    assert_int_equal(fitting(b, &runs, "1", EXPR_NONE, true, false), 2);
    run_store_free(&runs);
    bench_free(b);
}

static void runs_by_input(void **state)
{
    (void)state;
    Bench *b = bench_new();
    RunStore runs;
    ExprInput input = {0};
    three_runs(b, &runs);
    expr_input_set_byte(&input, 9, 0); /* zeros at the end are none */
    expr_input_set_byte(&input, 2, 1);
    assert_int_equal(run_store_of_input(&runs, &input)->number, 3);
    expr_input_set_byte(&input, 0, 1);
    assert_null(run_store_of_input(&runs, &input));
    expr_input_set_byte(&input, 1, 1);
    expr_input_set_byte(&input, 3, 1); /* run 2 failed and decided nothing by that byte */
    assert_null(run_store_of_input(&runs, &input));
    assert_int_equal(run_store_of_path(&runs, &input)->number, 2);
    expr_input_set_byte(&input, 2, 0); /* as run 1 did, which terminated normally */
    assert_null(run_store_of_path(&runs, &input));
    expr_input_free(&input);
    run_store_free(&runs);
    bench_free(b);
}

/* The oldest go first, the latest stays whatever it takes, and who is gone is not found. */
static void runs_within_a_limit(void **state)
{
    (void)state;
    Bench *b = bench_new();
    RunStore runs;
    three_runs(b, &runs);
    size_t before = run_store_bytes(&runs), all = runs.bytes;
    run_store_limit(&runs, all);
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, true), 1);
    run_store_limit(&runs, all - 1);
    assert_true(runs.bytes < all);
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, true), 0);
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, false), 2);
    run_store_limit(&runs, 0);
    assert_true(run_store_bytes(&runs) < before);
    assert_int_equal(fitting(b, &runs, "0", EXPR_NONE, false, false), 0);
    assert_int_equal(fitting(b, &runs, "2", EXPR_NONE, false, false), 3);
    assert_int_equal(runs.all.n, 1); /* their places are given back */
    run_store_free(&runs);
    bench_free(b);
}

/* A run of decisions about these bytes, of which so many are those of the run before. */
static StoredRun *keep(Bench *b, RunStore *runs, uint64_t number, const char *bytes, uint32_t common)
{
    clear_trace(b);
    for (const char *c = bytes; *c; c++)
        add_decision(b, (uint32_t)(*c - '0'), "");
    StoredRun *run = run_of(b, number, "");
    run_store_add(runs, run, common);
    assert_null(run->decisions);
    return run;
}

static void expect_kept(Bench *b, RunStore *runs, StoredRun *run, const char *bytes)
{
    run_store_load(runs, run);
    assert_int_equal(run->n, strlen(bytes));
    for (uint32_t i = 0; i < run->n; i++) {
        Expr holds = is_one(b, (uint32_t)(bytes[i] - '0'));
        assert_true(expr_same(run->decisions[i].holds, holds));
        assert_true(expr_same(stored_run_holds(run, i), holds));
        assert_true(
            expr_same(run->alternatives[run->decisions[i].first].condition, expr_not(b->pool, holds)));
    }
}

/* Runs keep what their traces lose, each of them what the one before does not have; what later ones have of
 * it outlives a run. */
static void runs_share(void **state)
{
    (void)state;
    Bench *b = bench_new();
    RunStore runs;
    static const struct {
        const char *bytes;
        uint32_t common;
    } rows[] = {{"0123", 0}, {"0145", 2}, {"0146", 3}, {"07", 1}, {"07", 2}, {"", 0}, {"89", 0}};
    StoredRun *kept[COUNT_OF(rows)];
    run_store_init(&runs, b->pool);
    for (uint32_t i = 0; i < COUNT_OF(rows); i++)
        kept[i] = keep(b, &runs, i + 1, rows[i].bytes, rows[i].common);
    for (uint32_t i = 0; i < COUNT_OF(rows); i++)
        expect_kept(b, &runs, kept[i], rows[i].bytes);
    assert_int_equal(kept[2]->piece->n - kept[2]->piece->shared, 1);
    assert_ptr_equal(kept[3]->piece->before,
                     kept[0]->piece); /* not by way of the one before, which has nothing of it */
    run_store_load(&runs, kept[2]);   /* what follows begins like that one */
    run_store_peek(&runs, kept[0]);   /* and not like this one */
    StoredRun *last = keep(b, &runs, 9, "0149", 3);
    run_store_limit(&runs, 0);
    assert_int_equal(runs.all.n - runs.dropped, 1);
    expect_kept(b, &runs, last, "0149");
    run_store_free(&runs);
    assert_int_equal(stored_run_free(NULL), 0);
    bench_free(b);
}

static Expr class_of(FailureClasses *classes, const Bench *b, const ExprInput *input)
{
    ExprEval *eval = expr_eval_new(b->pool);
    expr_eval_input(eval, input);
    Expr found = failure_class_of(classes, eval);
    expr_eval_free(eval);
    return found;
}

/* Classes are known once each, the latest is asked first; they outlive the pool. */
static void classes_that_fail(void **state)
{
    (void)state;
    Bench *b = bench_new();
    FailureClasses classes = {0};
    ExprInput input = {0};
    Expr zero = expr_not(b->pool, is_one(b, 0)), one = expr_not(b->pool, is_one(b, 1));
    assert_true(expr_is_none(class_of(&classes, b, &input)));
    failure_class_add(&classes, b->pool, zero);
    failure_class_add(&classes, b->pool, one);
    failure_class_add(&classes, b->pool, zero);
    assert_int_equal(classes.blocking.n, 2);
    assert_true(expr_is_none(class_of(&classes, b, &input)));
    expr_input_set_byte(&input, 0, 1);
    assert_true(expr_same(class_of(&classes, b, &input), zero));
    expr_input_set_byte(&input, 1, 1);
    assert_true(expr_same(class_of(&classes, b, &input), one));
    Bench *other = bench_new();
    is_one(other, 5); /* ids are others there */
    ExprImport *import = expr_import_new(other->pool, b->pool);
    failure_classes_move(&classes, other->pool, import);
    expr_import_free(import);
    assert_true(expr_same(class_of(&classes, other, &input), expr_not(other->pool, is_one(other, 1))));
    failure_class_add(&classes, other->pool, expr_not(other->pool, is_one(other, 0)));
    assert_int_equal(classes.blocking.n, 2);
    failure_classes_free(&classes);
    expr_input_free(&input);
    bench_free(other);
    bench_free(b);
}

static Expr outside(Bench *b, const char *bytes)
{
    ExprVec list = {0};
    for (; *bytes; bytes++)
        vec_push(&list, is_one(b, (uint32_t)(*bytes - '0')));
    Expr blocking = expr_not(b->pool, expr_and_all(b->pool, list.v, list.n));
    vec_free(&list);
    return blocking;
}

/* A query is told of the classes that it does not exclude itself, of none within another, of none that it
 * has. */
static void classes_in_a_query(void **state)
{
    (void)state;
    Bench *b = bench_new();
    FailureClasses classes = {0};
    ExprVec query = {0};
    SolverOptions options = {0};
    Solver *solver = solver_new(b->pool, &options);
    static const char *const all[] = {"01", "012", "02", "23", "4"};
    for (uint32_t i = 0; i < COUNT_OF(all); i++)
        failure_class_add(&classes, b->pool, outside(b, all[i]));
    vec_push(&query, expr_not(b->pool, is_one(b, 2)));
    vec_push(&query, outside(b, "4"));
    failure_classes_exclude(&classes, solver, &query);
    assert_int_equal(query.n, 3); /* 23, 02 and 012 cannot be met */
    assert_true(expr_same(query.v[2], outside(b, "01")));
    vec_clear(&query);
    failure_classes_exclude(&classes, solver, &query);
    assert_int_equal(query.n, 4); /* 012 lies within 01 */
    vec_clear(&query);
    vec_push(&query, expr_ult(b->pool, expr_const(b->pool, 8, 1), expr_object_byte(b->pool, b->object, 0)));
    vec_push(&query, EXPR_TRUE);
    failure_classes_exclude(&classes, solver, &query);
    assert_int_equal(query.n, 4); /* a byte above 1 is not 1: 23 and 4 are left */
    solver_free(solver);
    vec_free(&query);
    failure_classes_free(&classes);
    bench_free(b);
}

/* ---- explanations ---------------------------------------------------------------------------- */

/* An exploration that has nothing but runs: each is a word, in which 0 or 1 is what byte 0, 1, ... was found
 * to be by a decision of its own. */
typedef struct Story {
    Bench *b;
    Explore x;
    Explain explain;
    Map sides;
    Str told;
} Story;

static Story *story_new(void)
{
    Story *s = mem_zalloc(sizeof *s);
    SolverOptions options = {0};
    s->b = bench_new();
    s->x.pool = s->b->pool;
    s->x.solver = solver_new(s->b->pool, &options);
    s->x.lane = &s->x.lanes[0];
    s->x.lane->ledger = ledger_new();
    s->explain = (Explain){.names.pool = s->b->pool, .most = 1 << 20};
    return s;
}

static void story_free(Story *s)
{
    explain_clear(&s->explain);
    map_free(&s->sides);
    str_free(&s->told);
    vec_free(&s->x.query);
    solver_answer_free(&s->x.answer);
    solver_free(s->x.solver);
    ledger_free(s->x.lane->ledger);
    bench_free(s->b);
    mem_free(s);
}

static StoredRun *run_of_word(Story *s, const char *word)
{
    Bench *b = s->b;
    clear_trace(b);
    for (uint32_t i = 0; word[i]; i++) {
        add_decision(b, i, "");
        if (word[i] == '1')
            continue;
        b->trace.decisions.v[i].holds = expr_not(b->pool, is_one(b, i));
        b->trace.alternatives.v[i].condition = is_one(b, i);
    }
    return run_of(b, s->explain.runs.n + 1, word);
}

/* Makes a run that ends early if its end depends on something, and whose sinks depend on these; NULL: perhaps
 * on all. */
static void make(Story *s, const char *word, const char *ending, const char *reached)
{
    StoredRun *run = run_of_word(s, word);
    BitSet set = {0};
    for (const char *c = reached; c && *c; c++)
        bitset_add(&set, (uint32_t)(*c - '0'));
    run->normal = !*ending;
    explain_run(&s->explain, run, set_of(s->b, ending), reached ? &set : NULL);
    vec_free(&set);
    stored_run_free(run);
}

/* "2.1=3/0 " for run 2, decision 1, which run 3 covers for what does not depend on decision 0; "2.1-3 " if no
 * sink depends on it, and run 3 takes that side; "?" if there is neither; "!" behind a run that ends
 * early. */
static void expect_told(Story *s, const char *target)
{
    explain_all(&s->explain, &s->x, &s->sides);
    ExplorePrunedList list = explain_list(&s->explain);
    for (uint32_t i = 0; i < list.n; i++) {
        const ExplorePruned *r = &list.v[i];
        str_printf(&s->told, "%u.%u%c%u%s", (unsigned)r->run, r->decision, "=-?"[r->why], (unsigned)r -> by,
                   r -> early ? "!" : "");
        for (uint32_t k = 0; k < r->napart; k++)
            str_printf(&s->told, "%c%u", k ? ',' : '/', r->apart[k].site);
        str_add_char(&s->told, ' ');
    }
    assert_string_equal(str_text(&s->told), target);
}

/* Each byte by itself: what two of them do together is left out, unless there is a run. */
static void explained_by_runs(void **state)
{
    (void)state;
    Story *s = story_new();
    make(s, "111", "", NULL);
    make(s, "011", "", NULL);
    make(s, "101", "", NULL);
    make(s, "110", "", NULL);
    expect_told(s, "2.1=3/0 2.2=4/0 3.2=4/1 ");
    assert_string_equal(explain_list(&s->explain).v[0].condition, "(unsigned char)(x >> 8) != 1");
    assert_true(explain_list(&s->explain).complete);
    story_free(s);
    s = story_new();
    make(s, "111", "", NULL);
    make(s, "001", "", NULL);
    make(s, "110", "", NULL);
    StoredRun *path = run_of_word(s, "101");
    explain_path(&s->explain, path); /* without labels: it covers nothing, but takes the alternative 1.1 */
    stored_run_free(path);
    expect_told(s, "2.1=1/0 2.2=3/0,1 ");
    story_free(s);
}

/* The run that differs in the fewest decisions, if it does not end by one of them. */
static void explained_by_the_nearest(void **state)
{
    (void)state;
    Story *s = story_new();
    make(s, "000", "", NULL);
    make(s, "111", "", NULL);
    make(s, "101", "0", NULL);
    expect_told(s, "1.1=2/0 1.2=2/0,1 2.2=1/0,1 3.2=1/0 ");
    story_free(s);
    s = story_new();
    make(s, "000", "", NULL);
    make(s, "111", "2", NULL);
    make(s, "011", "2", NULL);
    expect_told(s, "1.2=3/1 2.1=1/0 2.2=1/0,1 3.2=1/1 ");
    story_free(s);
    s = story_new();
    make(s, "00", "", NULL);
    make(s, "11", "01", NULL);
    expect_told(s, "1.1=2!/0 2.1=1/0 "); /* there is no other */
    story_free(s);
}

/* What no sink of the run depends on is told as such if the run came to its end, and else if no run covers
 * it. */
static void explained_without_sinks(void **state)
{
    (void)state;
    Story *s = story_new();
    make(s, "11", "", "1");
    make(s, "01", "", "0");
    make(s, "10", "", "");
    map_put(&s->sides, s->explain.alternatives.v[1].side, 3);
    expect_told(s, "2.1-3 ");
    story_free(s);
    s = story_new();
    make(s, "110", "", "1");
    make(s, "111", "", "");
    expect_told(s, "1.0-0 2.1-0 "); /* of the run in which that is so */
    story_free(s);
    s = story_new();
    make(s, "11", "0", "0");
    expect_told(s, "1.0?0 1.1-0 ");
    story_free(s);
    s = story_new();
    make(s, "11", "0", "0");
    ledger_add(s->x.lane->ledger, LEDGER_RUNS, IR_NONE, NULL);
    expect_told(s, ""); /* they may be pending */
    assert_false(explain_list(&s->explain).complete);
    story_free(s);
}

/* Beyond its memory, and when the pool is left, less is told. */
static void explained_within_limits(void **state)
{
    (void)state;
    Story *s = story_new();
    make(s, "11", "", NULL);
    make(s, "01", "", NULL);
    s->explain.most = 0;
    make(s, "10", "", NULL);
    expect_told(s, ""); /* the third is not known to cover anything, nor is its way pending */
    assert_int_equal(explain_list(&s->explain).unseen, 1);
    story_free(s);
    s = story_new();
    make(s, "11", "", NULL);
    make(s, "01", "", NULL);
    explain_move(&s->explain, s->b->pool);
    make(s, "10", "", NULL);
    expect_told(s, "");
    assert_int_equal(explain_list(&s->explain).undecided, 1);
    story_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_a_set),
        cmocka_unit_test(chains_share),
        cmocka_unit_test(forced_decisions),
        cmocka_unit_test(names_across_runs),
        cmocka_unit_test(common_beginnings),
        cmocka_unit_test(names_of_conditions),
        cmocka_unit_test(runs_that_fit),
        cmocka_unit_test(runs_by_input),
        cmocka_unit_test(runs_within_a_limit),
        cmocka_unit_test(runs_share),
        cmocka_unit_test(conditions_again),
        cmocka_unit_test(nothing_to_negate),
        cmocka_unit_test(conditions_of_many_rounds),
        cmocka_unit_test(filed_in_pairs),
        cmocka_unit_test(implied_by_a_label),
        cmocka_unit_test(classes_that_fail),
        cmocka_unit_test(classes_in_a_query),
        cmocka_unit_test(explained_by_runs),
        cmocka_unit_test(explained_by_the_nearest),
        cmocka_unit_test(explained_without_sinks),
        cmocka_unit_test(explained_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
