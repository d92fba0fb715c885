/* test_solver_simplify.c - simplified conditions mean the same wherever the context holds, are never larger,
 * and cost what they should.
 *
 * SHEAF_SIMPLIFY_CONDITIONS sets how many random conditions (1500), SHEAF_SIMPLIFY_SEED where to start. */
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct Fixture {
    ExprPool *pool;
    Solver *solver;
    SolverRefute refute;
    SolverSimplify options;
    uint32_t asked;
} Fixture;

static void open_fixture(Fixture *f)
{
    *f = (Fixture){.pool = expr_pool_new()};
    f->solver = solver_new(f->pool, NULL);
    f->refute = (SolverRefute){.solver = f->solver};
    f->options = (SolverSimplify){
        .unsat = solver_refutes, .context = &f->refute, .queries = 100000, .asked = &f->asked};
}

static void close_fixture(Fixture *f)
{
    solver_free(f->solver);
    expr_pool_free(f->pool);
}

static Expr word(Fixture *f, const char *name, unsigned bytes, ExprCKind kind)
{
    return expr_object_word(f->pool, expr_object(f->pool, name, name, bytes, (ExprCType){kind, 0}), 0, bytes);
}
static Expr bit(Fixture *f, const char *name)
{
    return expr_object_symbol(f->pool,
                              expr_object_scalar(f->pool, name, name, 1, (ExprCType){EXPR_C_BOOL, 0}));
}
static Expr k(Fixture *f, int value) { return expr_const(f->pool, 32, (u128)(i128)value); }

static void check_text(Fixture *f, Expr e, Expr context, const char *want)
{
    Str text = {0};
    expr_print_c(f->pool, solver_simplify(f->pool, e, context, &f->options), 0, &text);
    assert_string_equal(str_text(&text), want);
    str_free(&text);
}

/* ---- single rules ---------------------------------------------------------------------------- */

static void test_intervals(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f);
    ExprPool *p = f.pool;
    Expr i = word(&f, "i", 4, EXPR_C_INT), x = word(&f, "x", 4, EXPR_C_INT),
         c = word(&f, "c", 1, EXPR_C_CHAR);
    check_text(&f, expr_and(p, expr_slt(p, i, k(&f, 16)), expr_ule(p, k(&f, 16), i)), EXPR_TRUE, "i < 0");
    check_text(
        &f, expr_or(p, expr_or(p, expr_eq(p, x, k(&f, 3)), expr_eq(p, x, k(&f, 4))), expr_eq(p, x, k(&f, 5))),
        EXPR_TRUE, "x >= 3 && x < 6");
    check_text(&f, expr_and(p, expr_slt(p, k(&f, 0), x), expr_sle(p, expr_sub(p, x, k(&f, 1)), k(&f, 0))),
               EXPR_TRUE, "x == 1");
    check_text(&f, expr_or(p, expr_slt(p, x, k(&f, 5)), expr_slt(p, k(&f, 3), x)), EXPR_TRUE, "1");
    check_text(&f, expr_and(p, expr_slt(p, x, k(&f, 5)), expr_slt(p, k(&f, 7), x)), EXPR_TRUE, "0");
    /* by samples: nothing compares the variable itself with a constant */
    check_text(&f, expr_eq(p, expr_sdiv(p, x, k(&f, 10)), k(&f, 3)), EXPR_TRUE, "x / 10 == 3");
    check_text(&f,
               expr_and(p, expr_eq(p, expr_and(p, c, expr_const(p, 8, 0xf0)), expr_const(p, 8, 0x30)),
                        expr_slt(p, expr_and(p, c, expr_const(p, 8, 15)), expr_const(p, 8, 10))),
               EXPR_TRUE, "c >= '0' && c <= '9'");
    close_fixture(&f);
}

static void test_context(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f);
    ExprPool *p = f.pool;
    Expr x = word(&f, "x", 4, EXPR_C_INT), y = word(&f, "y", 4, EXPR_C_INT), z = word(&f, "z", 4, EXPR_C_INT),
         a = bit(&f, "a");
    Expr less = expr_slt(p, x, y), next = expr_slt(p, y, z), both = expr_slt(p, x, z);
    check_text(&f, expr_and(p, both, expr_eq(p, y, k(&f, 3))), expr_and(p, less, next), "y == 3");
    check_text(&f, expr_and(p, expr_not(p, both), a), expr_and(p, less, next), "0");
    check_text(&f, expr_and_all(p, (Expr[]){less, next, both}, 3), EXPR_TRUE, "x < y && y < z");
    check_text(&f, expr_or(p, expr_and(p, a, less), expr_and(p, expr_not(p, a), less)), EXPR_TRUE, "x < y");
    check_text(&f, expr_or(p, expr_and(p, a, less), less), EXPR_TRUE, "x < y");
    check_text(&f, expr_ite(p, a, less, expr_not(p, expr_sle(p, y, x))), EXPR_TRUE, "x < y");
    check_text(&f, expr_and(p, expr_eq(p, x, k(&f, 3)), expr_slt(p, expr_add(p, x, y), k(&f, 5))), EXPR_TRUE,
               "x == 3 && y + 3 < 5");
    check_text(&f, expr_slt(p, expr_ite(p, less, z, y), k(&f, 5)), expr_not(p, less), "y < 5");
    close_fixture(&f);
}

/* Comparisons that another one stands for, where no sum wraps around. */
static void test_literals(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f);
    ExprPool *p = f.pool;
    Expr n = word(&f, "n", 4, EXPR_C_INT), room = word(&f, "room", 8, EXPR_C_UINT),
         at = word(&f, "at", 8, EXPR_C_UINT), wide = expr_sext(p, n, 64);
    Expr row = word(&f, "row", 4, EXPR_C_INT);
    Expr eight = expr_const(p, 64, 8), one = expr_const(p, 64, 1), positive = expr_slt(p, k(&f, 0), n);
    check_text(&f,
               expr_ult(p,
                        expr_add(p, expr_mul(p, wide, eight),
                                 expr_mul(p, expr_sext(p, row, 64), expr_const(p, 64, 64))),
                        expr_const(p, 64, 249)),
               EXPR_TRUE, "(unsigned long)(8 * (long)row + n) < 32");
    check_text(&f, expr_slt(p, expr_mul(p, wide, eight), expr_const(p, 64, (u128)-15)), EXPR_TRUE, "n < -1");
    /* (long)(n - 1) is (long)n - 1 unless n is the least number */
    Expr before = expr_add(p, expr_sext(p, expr_sub(p, n, k(&f, 1)), 64), one);
    check_text(&f, expr_slt(p, room, before), positive, "(long)room < n");
    check_text(&f, expr_slt(p, room, before), EXPR_TRUE, "(long)room < (long)(n - 1) + 1");
    /* room == 0 || room - 1 < at, of any at; room < 8 || room - 8 < at, of one that is small */
    Expr beyond = expr_or(p, expr_eq(p, room, expr_const(p, 64, 0)), expr_ult(p, expr_sub(p, room, one), at));
    check_text(&f, beyond, EXPR_TRUE, "at >= room");
    beyond = expr_or(p, expr_ult(p, room, eight), expr_ult(p, expr_sub(p, room, eight), at));
    check_text(&f, beyond, expr_ult(p, at, expr_const(p, 64, 1000)), "room < at + 8");
    check_text(&f, beyond, EXPR_TRUE, "room - 8 < at || room < 8");
    close_fixture(&f);
}

static void test_no_budget(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f);
    Expr x = word(&f, "x", 4, EXPR_C_INT),
         e = expr_and(f.pool, expr_slt(f.pool, x, k(&f, 3)), expr_slt(f.pool, x, k(&f, 5)));
    f.options.queries = 0;
    assert_true(expr_same(solver_simplify(f.pool, e, EXPR_TRUE, &f.options), e));
    assert_int_equal(f.asked, 0);
    close_fixture(&f);
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* n blocks `if (op_i) …` that have nothing to do with the failure, as a graph. */
static uint32_t queries_of_blocks(uint32_t n, bool distinct)
{
    Fixture f;
    open_fixture(&f);
    ExprPool *p = f.pool;
    Expr x = word(&f, "x", 4, EXPR_C_INT), failure = expr_slt(p, x, k(&f, 16)), e = failure;
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "op%u", i);
        Expr op = bit(&f, name);
        /* the same said in another way on one side: only the solver sees that */
        Expr other =
            distinct
                ? expr_and(p, e, expr_not(p, expr_eq(p, expr_and(p, x, k(&f, -16)), k(&f, 16 + 16 * (int)i))))
                : e;
        e = expr_or(p, expr_and(p, op, e), expr_and(p, expr_not(p, op), other));
    }
    assert_true(expr_same(solver_simplify(p, e, EXPR_TRUE, &f.options), failure));
    close_fixture(&f);
    return f.asked;
}

static void test_blocks(void **state)
{
    (void)state;
    for (unsigned distinct = 0; distinct < 2; distinct++) {
        uint32_t few = queries_of_blocks(25, distinct), many = queries_of_blocks(100, distinct);
        print_message("25 blocks: %u queries, 100 blocks: %u\n", few, many);
        assert_true(many <= 1000);
        assert_true(many <= 5 * few + 20);
    }
}

/* ---- random conditions ----------------------------------------------------------------------- */

enum { VARIABLES = 3, BITS = 4 };

typedef struct Random {
    Fixture *f;
    Rng rng;
    Expr v[VARIABLES];
    Vec(Expr) stock;
} Random;

/* Mostly of the latest, so that conditions grow. */
static Expr draw(Random *r)
{
    uint32_t n = r->stock.n, recent = n > 6 && rng_below(&r->rng, 3) ? 6 : n;
    return r->stock.v[n - 1 - rng_below(&r->rng, recent)];
}

static Expr random_term(Random *r, unsigned depth)
{
    ExprPool *p = r->f->pool;
    Expr v = r->v[rng_below(&r->rng, VARIABLES)], c = expr_const(p, BITS, rng_below(&r->rng, 1u << BITS));
    if (!depth)
        return rng_below(&r->rng, 4) ? v : c;
    Expr a = random_term(r, depth - 1);
    switch (rng_below(&r->rng, 6)) {
    case 0: return expr_add(p, a, c);
    case 1: return expr_add(p, a, v);
    case 2: return expr_and(p, a, c);
    case 3: return expr_udiv(p, a, c);
    case 4: return r->stock.n ? expr_ite(p, draw(r), a, v) : a;
    default: return a;
    }
}

static Expr random_literal(Random *r)
{
    ExprPool *p = r->f->pool;
    Expr a = random_term(r, (unsigned)rng_below(&r->rng, 3)),
         b = rng_below(&r->rng, 3) ? expr_const(p, BITS, rng_below(&r->rng, 1u << BITS)) : random_term(r, 0);
    switch (rng_below(&r->rng, 3)) {
    case 0: return expr_eq(p, a, b);
    case 1: return expr_ult(p, a, b);
    default: return expr_slt(p, a, b);
    }
}

static Expr random_condition(Random *r)
{
    ExprPool *p = r->f->pool;
    vec_clear(&r->stock);
    for (unsigned i = 0, n = 3 + (unsigned)rng_below(&r->rng, 5); i < n; i++)
        vec_push(&r->stock, random_literal(r));
    for (unsigned i = 0, n = 6 + (unsigned)rng_below(&r->rng, 24); i < n; i++) {
        Expr a = draw(r), b = draw(r), c = draw(r);
        switch (rng_below(&r->rng, 6)) {
        case 0:
        case 1: a = expr_and(p, a, b); break;
        case 2:
        case 3: a = expr_or(p, a, b); break;
        case 4: a = expr_ite(p, c, a, b); break;
        default: a = rng_below(&r->rng, 2) ? expr_not(p, a) : expr_eq(p, a, b);
        }
        vec_push(&r->stock, a);
    }
    return vec_last(&r->stock);
}

/* Both have the same value for all values of the variables that satisfy the context. */
static bool same_by_table(Fixture *f, const Expr *v, Expr context, Expr a, Expr b)
{
    ExprEval *ev = expr_eval_new(f->pool);
    ExprInput in = {0};
    bool same = true;
    for (uint32_t i = 0; i < 1u << VARIABLES * BITS && same; i++) {
        for (unsigned n = 0; n < VARIABLES; n++)
            expr_input_set(f->pool, &in, v[n], i >> n * BITS & bits_mask64(BITS));
        expr_eval_input(ev, &in);
        same = !expr_eval_true(ev, context) || expr_eval_true(ev, a) == expr_eval_true(ev, b);
    }
    expr_eval_free(ev);
    expr_input_free(&in);
    return same;
}

static void check_random(uint64_t seed, uint64_t *before, uint64_t *after)
{
    Fixture f;
    open_fixture(&f);
    Random r = {.f = &f};
    rng_seed(&r.rng, seed);
    for (unsigned i = 0; i < VARIABLES; i++)
        r.v[i] = expr_object_symbol(f.pool, expr_object_scalar(f.pool, (const char *[]){"x", "y", "z"}[i],
                                                               (const char *[]){"x", "y", "z"}[i], BITS,
                                                               (ExprCType){EXPR_C_INT, 0}));
    Expr context = rng_below(&r.rng, 2) ? EXPR_TRUE : random_condition(&r), e = random_condition(&r);
    f.options.queries = rng_below(&r.rng, 4) ? 100000 : (uint32_t)rng_below(&r.rng, 20);
    Expr s = solver_simplify(f.pool, e, context, &f.options);
    uint32_t size = expr_size(f.pool, e), now = expr_size(f.pool, s);
    bool by_solver = solver_refutes(&f.refute, (Expr[]){context, expr_ne(f.pool, e, s)}, 2),
         by_table = same_by_table(&f, r.v, context, e, s);
    if (!by_solver || !by_table || now > size || f.asked > f.options.queries) {
        Str text = {0};
        expr_print(f.pool, e, 0, &text);
        str_add(&text, "\n  becomes ");
        expr_print(f.pool, s, 0, &text);
        str_add(&text, "\n  under ");
        expr_print(f.pool, context, 0, &text);
        print_error("seed %llu: %s\n(solver %d, table %d, %u to %u nodes, %u queries)\n",
                    (unsigned long long)seed, str_text(&text), by_solver, by_table, size, now, f.asked);
        fail();
    }
    *before += size;
    *after += now;
    vec_free(&r.stock);
    close_fixture(&f);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t first = setting("SHEAF_SIMPLIFY_SEED", 1), n = setting("SHEAF_SIMPLIFY_CONDITIONS", 1500),
             before = 0, after = 0;
    for (uint64_t i = 0; i < n; i++)
        check_random(first + i, &before, &after);
    print_message("%llu nodes became %llu\n", (unsigned long long)before, (unsigned long long)after);
    assert_true(after * 4 < before * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals), cmocka_unit_test(test_context), cmocka_unit_test(test_literals),
        cmocka_unit_test(test_no_budget), cmocka_unit_test(test_blocks),  cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
