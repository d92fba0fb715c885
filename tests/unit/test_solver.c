/* test_solver.c - the face of the solver: hints, cores, layers, limits, children that misbehave, logs,
 * growth. */
#include "solver/solver.h"
#include "solver/solver_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

static const uint32_t all_layers = (1u << SOLVER_LAYER_BACKEND) - 1;

typedef struct Rig {
    ExprPool *p;
    Solver *s;
    Expr b[8]; /* input bytes */
    SolverAnswer a;
} Rig;

static Rig rig_open(const SolverOptions *options)
{
    Rig g = {.p = expr_pool_new()};
    ExprObject o = expr_object(g.p, "in", "in", 8, (ExprCType){EXPR_C_CHAR, 1});
    for (uint32_t i = 0; i < 8; i++)
        g.b[i] = expr_object_byte(g.p, o, i);
    g.s = solver_new(g.p, options);
    return g;
}

static void rig_close(Rig *g)
{
    solver_answer_free(&g->a);
    solver_free(g->s);
    expr_pool_free(g->p);
}

static Expr number(Rig *g, unsigned width, u128 v) { return expr_const(g->p, width, v); }
static Expr is(Rig *g, Expr e, u128 v) { return expr_eq(g->p, e, number(g, expr_width(g->p, e), v)); }
static Expr sum(Rig *g, int i, int k)
{
    return expr_add(g->p, expr_zext(g->p, g->b[i], 16), expr_zext(g->p, g->b[k], 16));
}

static SolverStatus ask(Rig *g, const ExprInput *hint, uint32_t n, ...)
{
    Expr c[8];
    va_list args;
    va_start(args, n);
    for (uint32_t i = 0; i < n; i++)
        c[i] = va_arg(args, Expr);
    va_end(args);
    return solver_check(g->s, &(SolverQuery){.constraints = c, .n = n, .hint = hint}, &g->a);
}

static ExprInput bytes_of(const char *text)
{
    ExprInput in = {0};
    for (uint32_t i = 0; text[i]; i++)
        expr_input_set_byte(&in, i, (uint8_t)text[i]);
    return in;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void test_hint_stays_where_it_can(void **state)
{
    (void)state;
    ExprInput hint = bytes_of("abcdefgh");
    for (int pass = 0; pass < 2; pass++) { /* with all layers, then with the back end and its care alone */
        Rig g = rig_open(&(SolverOptions){
            .without = pass ? all_layers & ~(1u << SOLVER_LAYER_HINT | 1u << SOLVER_LAYER_SPLIT) : 0});
        assert_int_equal(ask(&g, &hint, 2, is(&g, g.b[0], 'a'), is(&g, g.b[1], 'b')), SOLVER_SAT);
        assert_int_equal(g.a.by, SOLVER_LAYER_HINT);
        assert_memory_equal(g.a.model.v, "abcdefgh", 8);
        /* b[0] must change; b[1] and b[2] are tied to each other only; the rest is free. */
        assert_int_equal(ask(&g, &hint, 3, is(&g, g.b[0], 'z'), expr_ult(g.p, g.b[1], g.b[2]),
                             is(&g, sum(&g, 3, 4), 'd' + 'e')),
                         SOLVER_SAT);
        assert_memory_equal(g.a.model.v, "zbcdefgh", 8);
        /* One change within an entangled group suffices. */
        assert_int_equal(ask(&g, &hint, 2, expr_not(g.p, is(&g, sum(&g, 3, 4), 'd' + 'e')),
                             is(&g, sum(&g, 4, 5), 'e' + 'f')),
                         SOLVER_SAT);
        uint32_t changed = 0;
        for (uint32_t i = 0; i < 8; i++)
            changed += g.a.model.v[i] != hint.v[i];
        assert_int_equal(changed, 1);
        rig_close(&g);
    }
    expr_input_free(&hint);
}

static void test_cores_and_values(void **state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        Rig g = rig_open(&(SolverOptions){.without = pass ? all_layers : 0});
        assert_int_equal(ask(&g, NULL, 4, is(&g, g.b[5], 1), is(&g, sum(&g, 0, 1), 3), is(&g, g.b[6], 2),
                             is(&g, sum(&g, 0, 1), 4)),
                         SOLVER_UNSAT);
        assert_int_equal(g.a.core.n, 2);
        assert_int_equal(g.a.core.v[0], 1);
        assert_int_equal(g.a.core.v[1], 3);
        assert_int_equal(ask(&g, NULL, 2, is(&g, g.b[0], 1), EXPR_FALSE), SOLVER_UNSAT);
        assert_int_equal(g.a.core.n, 1);
        assert_int_equal(g.a.core.v[0], 1);
        Expr c = is(&g, g.b[2], 9);
        assert_int_equal(
            solver_check(
                g.s, &(SolverQuery){.constraints = &c, .n = 1, .value = expr_mul(g.p, g.b[2], g.b[2])}, &g.a),
            SOLVER_SAT);
        assert_int_equal((int)g.a.value, 81);
        assert_int_equal(ask(&g, NULL, 0), SOLVER_SAT);
        rig_close(&g);
    }
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void test_each_layer_decides(void **state)
{
    (void)state;
    Rig g = rig_open(NULL);
    Expr above = expr_ult(g.p, number(&g, 8, 10), g.b[0]), below = expr_ult(g.p, g.b[0], number(&g, 8, 12));
    assert_int_equal(ask(&g, NULL, 2, above, below), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_BYTES);
    assert_int_equal(ask(&g, NULL, 2, above, below), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_CACHE); /* the same again */
    assert_int_equal(ask(&g, NULL, 1, above), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_CACHE); /* a subset of what has a model */
    assert_int_equal(ask(&g, NULL, 2, is(&g, g.b[1], 1), is(&g, g.b[1], 2)), SOLVER_UNSAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_BYTES);
    assert_int_equal(ask(&g, NULL, 3, is(&g, g.b[1], 1), is(&g, g.b[1], 2), is(&g, sum(&g, 1, 2), 2)),
                     SOLVER_UNSAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_CACHE); /* a superset of what has none */
    assert_int_equal(ask(&g, NULL, 1, is(&g, sum(&g, 3, 4), 77)), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_REPAIR);
    assert_int_equal(ask(&g, NULL, 1, expr_ult(g.p, number(&g, 16, 70), sum(&g, 3, 4))), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_REUSE);
    Expr much = expr_ult(g.p, number(&g, 16, 400), sum(&g, 5, 6)),
         little = expr_ult(g.p, expr_add(g.p, g.b[5], g.b[5]), number(&g, 8, 2));
    Expr small = expr_ult(g.p, g.b[6], number(&g, 8, 9));
    assert_int_equal(ask(&g, NULL, 3, much, little, small), SOLVER_UNSAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_RANGES);
    Expr product = expr_mul(g.p, expr_zext(g.p, g.b[6], 16), expr_zext(g.p, g.b[7], 16)),
         difference = expr_sub(g.p, g.b[7], g.b[6]);
    assert_int_equal(ask(&g, NULL, 2, is(&g, product, 221), is(&g, difference, 4)), SOLVER_SAT);
    assert_true(g.a.by >= SOLVER_LAYER_WALK);
    rig_close(&g);
}

/* The same question in whatever order: the cache knows it, and what is said twice counts once. */
static void test_order_is_nothing(void **state)
{
    (void)state;
    enum { MANY = 120 };
    Rig g = rig_open(NULL);
    Expr c[2 * MANY];
    for (uint32_t i = 0; i < MANY; i++)
        c[MANY - 1 - i] = c[2 * MANY - 1 - i] =
            expr_not(g.p, is(&g, sum(&g, 0, 1), i)); /* latest first, twice */
    SolverQuery question = {.constraints = c, .n = 2 * MANY};
    assert_int_equal(solver_check(g.s, &question, &g.a), SOLVER_SAT);
    uint64_t before = solver_layer_hits(g.s, SOLVER_LAYER_CACHE);
    for (uint32_t i = 0; i < MANY / 2; i++) { /* and now in the order of their birth */
        Expr e = c[i];
        c[i] = c[MANY - 1 - i];
        c[MANY - 1 - i] = e;
    }
    question.n = MANY;
    assert_int_equal(solver_check(g.s, &question, &g.a), SOLVER_SAT);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_CACHE), before + 1);
    rig_close(&g);
}

static void test_layers_switch_off(void **state)
{
    (void)state;
    Rig g = rig_open(&(SolverOptions){.without = all_layers});
    assert_int_equal(ask(&g, NULL, 1, is(&g, g.b[0], 5)), SOLVER_SAT);
    assert_int_equal(ask(&g, NULL, 1, is(&g, g.b[0], 5)), SOLVER_SAT);
    assert_int_equal(g.a.by, SOLVER_LAYER_BACKEND);
    for (unsigned i = 0; i < SOLVER_LAYER_BACKEND; i++)
        assert_int_equal(solver_layer_hits(g.s, (SolverLayer)i), 0);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND), 2);
    solver_forget(g.s);
    assert_int_equal(ask(&g, NULL, 1, is(&g, g.b[0], 5)), SOLVER_SAT);
    rig_close(&g);
}

/* ---- arrays, functions, floats --------------------------------------------------------------- */

static void test_large_tables(void **state)
{
    (void)state;
    uint8_t table[2000];
    for (int i = 0; i < 2000; i++)
        table[i] = (uint8_t)(i * 7 % 200);
    static const char *const backends[] = {"cadical", "z3"};
    for (int k = 0; k < 2; k++) {
        Rig g = rig_open(&(SolverOptions){.backend = backends[k], .without = all_layers});
        ExprArray a = expr_array_const(g.p, table, 2000);
        Expr index = expr_zext(g.p, expr_concat(g.p, expr_extract(g.p, g.b[0], 0, 3), g.b[1]), 64);
        a = expr_array_store(g.p, a, expr_zext(g.p, g.b[2], 64), number(&g, 8, 250));
        Expr read = expr_array_select(g.p, a, index);
        assert_int_equal(ask(&g, NULL, 1, is(&g, read, 199)), SOLVER_SAT);
        assert_int_equal(ask(&g, NULL, 2, is(&g, read, 250), is(&g, g.b[2], 17)), SOLVER_SAT);
        assert_int_equal(ask(&g, NULL, 1, is(&g, read, 251)), SOLVER_UNSAT);
        rig_close(&g);
    }
}

static u128 square(void *context, const u128 *x, uint32_t n)
{
    (void)context, (void)n;
    return x[0] * x[0];
}

static void test_external_functions(void **state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        Rig g = rig_open(&(SolverOptions){.without = pass ? all_layers : 0});
        uint32_t f = expr_fn(g.p, "square", 16, square, NULL);
        Expr low = expr_extract(g.p, g.b[0], 0, 4);
        Expr call = expr_apply(g.p, f, &low, 1);
        assert_int_equal(ask(&g, NULL, 1, is(&g, call, 49)), SOLVER_SAT);
        assert_int_equal(g.a.model.v[0] & 15, 7);
        assert_int_equal(ask(&g, NULL, 1, is(&g, call, 50)), SOLVER_UNSAT);
        rig_close(&g);
    }
}

static void test_floats(void **state)
{
    (void)state;
    Rig g = rig_open(NULL);
    Expr x = expr_object_symbol(g.p, expr_object_scalar(g.p, "x", "x", 64, (ExprCType){EXPR_C_FLOAT, 0}));
    Expr one = number(&g, 64, bits_of_double(1)), tenth = number(&g, 64, bits_of_double(0.1));
    Expr plus = expr_make(g.p, BITS_FADD, 64, x, tenth, EXPR_NONE);
    assert_int_equal(ask(&g, NULL, 2, expr_make(g.p, BITS_FOLT, 1, one, plus, EXPR_NONE),
                         expr_make(g.p, BITS_FOLT, 1, x, one, EXPR_NONE)),
                     SOLVER_SAT);
    assert_true(g.a.by <= SOLVER_LAYER_FLOATS);
    assert_int_equal(ask(&g, NULL, 2, expr_make(g.p, BITS_FOLT, 1, plus, x, EXPR_NONE),
                         expr_make(g.p, BITS_FOLT, 1, one, x, EXPR_NONE)),
                     SOLVER_UNSAT);
    rig_close(&g);
}

/* A query that is stopped before its search has no influence on those that follow: what it assumed was
 * assumed in the next. */
static void test_stopped_leaves_nothing(void **state)
{
    (void)state;
    Rig g = rig_open(&(SolverOptions){.without = all_layers});
    Expr high = is(&g, sum(&g, 0, 1), 300), low = is(&g, sum(&g, 0, 1), 20);
    assert_int_equal(ask(&g, NULL, 1, high), SOLVER_SAT);
    assert_int_equal(ask(&g, NULL, 1, low), SOLVER_SAT);
    volatile bool stop = true;
    assert_int_equal(solver_check(g.s, &(SolverQuery){.constraints = &high, .n = 1, .stop = &stop}, &g.a),
                     SOLVER_UNKNOWN);
    assert_int_equal(ask(&g, NULL, 1, low), SOLVER_SAT);
    rig_close(&g);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* x * y is a product of two primes of 64 and 63 bits. */
static Expr factoring(ExprPool *p)
{
    ExprCType t = {EXPR_C_UINT, 0};
    Expr x = expr_object_symbol(p, expr_object_scalar(p, "x", "x", 64, t)),
         y = expr_object_symbol(p, expr_object_scalar(p, "y", "y", 64, t));
    Expr wide = expr_mul(p, expr_zext(p, x, 128), expr_zext(p, y, 128)), one = expr_const(p, 64, 1);
    Expr product = expr_const(p, 128, (u128)11400714819323198393u * 8193536679195372797u);
    return expr_and(p, expr_eq(p, wide, product), expr_and(p, expr_ult(p, one, x), expr_ult(p, one, y)));
}

static void test_limits(void **state)
{
    (void)state;
    static const char *const backends[] = {"cadical", "z3", "exec sleep 1000"};
    for (size_t k = 0; k < COUNT_OF(backends); k++) {
        Rig g = rig_open(&(SolverOptions){.backend = backends[k]});
        Expr c = factoring(g.p);
        volatile bool stop = false;
        SolverQuery q = {.constraints = &c, .n = 1, .seconds = 0.2, .stop = &stop};
        assert_int_equal(solver_check(g.s, &q, &g.a), SOLVER_UNKNOWN);
        assert_int_equal(g.a.reason, SOLVER_REASON_TIME);
        stop = true;
        q.seconds = 0;
        assert_int_equal(solver_check(g.s, &q, &g.a), SOLVER_UNKNOWN);
        assert_int_equal(g.a.reason, SOLVER_REASON_STOPPED);
        /* It still works afterwards. */
        if (k < 2)
            assert_int_equal(ask(&g, NULL, 1, is(&g, sum(&g, 0, 1), 300)), SOLVER_SAT);
        rig_close(&g);
    }
}

static void test_memory_limit(void **state)
{
    (void)state;
    Rig g = rig_open(&(SolverOptions){.without = all_layers});
    Expr x = expr_object_symbol(g.p, expr_object_scalar(g.p, "x", "x", 128, (ExprCType){EXPR_C_UINT, 0})),
         power = x;
    for (int i = 0; i < 300; i++)
        power = expr_mul(g.p, power, expr_add(g.p, x, number(&g, 128, (u128)i)));
    Expr c = is(&g, power, 12345);
    assert_int_equal(solver_check(g.s, &(SolverQuery){.constraints = &c, .n = 1, .bytes = 64 << 20}, &g.a),
                     SOLVER_UNKNOWN);
    assert_int_equal(g.a.reason, SOLVER_REASON_MEMORY);
    rig_close(&g);
}

/* ---- children -------------------------------------------------------------------------------- */

static const char unsat_child[] = "while read l; do case \"$l\" in *check-sat*) echo unsat;; esac; done";
static const char sat_child[] =
    "while read l; do case \"$l\" in *check-sat*) echo sat;; *get-value*) echo '((x #x07))';; esac; done";

static SolverStatus ask_child(const char *command, u128 wanted, uint64_t *starts, SolverReason *reason)
{
    Rig g = rig_open(&(SolverOptions){.backend = command, .without = all_layers});
    SolverStatus status = ask(&g, NULL, 1, is(&g, g.b[0], wanted));
    *starts = solver_count(g.s, SOLVER_CHILD_STARTS_COUNT);
    *reason = g.a.reason;
    rig_close(&g);
    return status;
}

static void test_children(void **state)
{
    (void)state;
    uint64_t starts;
    SolverReason reason;
    assert_int_equal(ask_child(unsat_child, 7, &starts, &reason), SOLVER_UNSAT);
    assert_int_equal(starts, 1);
    assert_int_equal(ask_child(sat_child, 7, &starts, &reason), SOLVER_SAT);
    assert_int_equal(ask_child(sat_child, 8, &starts, &reason), SOLVER_UNKNOWN); /* a model that is wrong */
    assert_int_equal(reason, SOLVER_REASON_BACKEND);
    static const char *const bad[] = {"kill -9 $$", "exit 1", "echo gibberish; cat",
                                      "echo '(error \"no\")'; cat >/dev/null", "no-such-solver"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_int_equal(ask_child(bad[i], 7, &starts, &reason), SOLVER_UNKNOWN);
        assert_int_equal(reason, SOLVER_REASON_BACKEND);
        assert_int_equal(starts, 2); /* started again once */
    }
}

/* Killed at its first query, well at the second start: the caller does not notice. */
static void test_child_is_restarted(void **state)
{
    (void)state;
    char dir[] = "/tmp/sheaf-solver-XXXXXX";
    assert_non_null(mkdtemp(dir));
    Str command = {0};
    str_printf(&command, "if mkdir %s/seen 2>/dev/null; then read l; kill -9 $$; fi; %s", dir, unsat_child);
    uint64_t starts;
    SolverReason reason;
    assert_int_equal(ask_child(str_text(&command), 7, &starts, &reason), SOLVER_UNSAT);
    assert_int_equal(starts, 2);
    vec_clear(&command);
    str_printf(&command, "%s/seen", dir);
    rmdir(str_text(&command));
    rmdir(dir);
    str_free(&command);
}

/* ---- the log, and growth --------------------------------------------------------------------- */

static void test_log(void **state)
{
    (void)state;
    char dir[] = "/tmp/sheaf-solver-XXXXXX", path[100];
    assert_non_null(mkdtemp(dir));
    Rig g = rig_open(&(SolverOptions){.log_dir = dir, .without = all_layers});
    assert_int_equal(ask(&g, NULL, 1, is(&g, sum(&g, 0, 1), 300)), SOLVER_SAT);
    Expr small = expr_ult(g.p, g.b[0], number(&g, 8, 10));
    assert_int_equal(ask(&g, NULL, 2, is(&g, sum(&g, 0, 1), 300), small), SOLVER_UNSAT);
    rig_close(&g);
    for (int i = 1; i <= 2; i++) {
        Str text = {0};
        snprintf(path, sizeof path, "%s/%06d.smt2", dir, i);
        assert_true(file_read(path, 1 << 20, &text));
        assert_non_null(strstr(str_text(&text), i == 1 ? "cadical: sat in " : "cadical: unsat in "));
        /* What was logged can be asked again. */
        Arena *a = arena_new();
        ExprPool *p = expr_pool_new();
        Solver *s = solver_new(p, NULL);
        char *out = NULL;
        size_t size;
        FILE *f = open_memstream(&out, &size);
        assert_null(solver_run_script(a, p, s, str_text(&text), text.n, 0, f));
        fclose(f);
        assert_string_equal(out, i == 1 ? "sat\n" : "unsat\n");
        free(out);
        solver_free(s);
        expr_pool_free(p);
        arena_free(a);
        str_free(&text);
        unlink(path);
    }
    assert_int_equal(rmdir(dir), 0);
}

/* Many different queries; the solver's own memory is bounded, so the process stays small (the pool is a few
 * MB). */
static void test_no_growth(void **state)
{
    (void)state;
    struct rusage before, after;
    Rig g = rig_open(NULL);
    Rng r;
    rng_seed(&r, 3);
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < 15000; i++) {
        int k = (int)rng_below(&r, 7);
        Expr mixed = expr_xor(g.p, sum(&g, k, k + 1), expr_zext(g.p, g.b[rng_below(&r, 8)], 16));
        SolverStatus status = ask(&g, NULL, 2, is(&g, mixed, rng_below(&r, 600)),
                                  expr_ult(g.p, g.b[k], number(&g, 8, rng_below(&r, 256))));
        assert_int_not_equal(status, SOLVER_UNKNOWN);
    }
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 300 * 1024);
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hint_stays_where_it_can),
        cmocka_unit_test(test_cores_and_values),
        cmocka_unit_test(test_each_layer_decides),
        cmocka_unit_test(test_order_is_nothing),
        cmocka_unit_test(test_layers_switch_off),
        cmocka_unit_test(test_large_tables),
        cmocka_unit_test(test_external_functions),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_stopped_leaves_nothing),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_child_is_restarted),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_no_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
