/* test_solver_cases.c - the layer that tries all values of a few bytes, against trying all values. */
#include "solver_rig.h"

enum { ROUNDS = 300, CONDITIONS_MOST = 4 };

static Expr wide(Rig *g) { return expr_zext(g->p, g->b[rng_below(&g->rng, BYTES)], 32); }

static Expr as_double(ExprPool *p, Expr e) { return expr_make(p, BITS_UITOFP, 64, e, EXPR_NONE, EXPR_NONE); }

static Expr condition(Rig *g, bool floats)
{
    ExprPool *p = g->p;
    Expr x = wide(g), y = wide(g), k = expr_const(p, 32, rng_below(&g->rng, BELOW * BELOW));
    if (floats && rng_below(&g->rng, 2)) {
        Expr quotient = expr_make(p, BITS_FDIV, 64, as_double(p, x), as_double(p, y), EXPR_NONE);
        return expr_make(p, BITS_FOEQ, 64, quotient, as_double(p, wide(g)), EXPR_NONE);
    }
    Expr value = rng_below(&g->rng, 2) ? expr_mul(p, x, y) : expr_add(p, expr_add(p, x, y), wide(g));
    Expr c = rng_below(&g->rng, 3) ? expr_eq(p, value, k) : expr_ult(p, value, k);
    return rng_below(&g->rng, 3) ? c : expr_not(p, c);
}

static void make_query(Rig *g, bool floats)
{
    rig_bound_bytes(g);
    for (uint64_t n = 1 + rng_below(&g->rng, CONDITIONS_MOST); n > 0; n--)
        vec_push(&g->query, condition(g, floats));
}

static bool core_has(const U32Vec *core, uint32_t constraint)
{
    for (uint32_t i = 0; i < core->n; i++)
        if (core->v[i] == constraint)
            return true;
    return false;
}

/* Values of a byte that matter: those below its bound, if that is asked for; all, if only others speak of
 * it. */
static unsigned values_of(Rig *g, const U32Vec *only, uint32_t byte)
{
    bool mentioned = false;
    if (!only || core_has(only, byte))
        return BELOW;
    for (uint32_t i = 0; i < only->n; i++)
        mentioned = mentioned || expr_set_has(g->p, expr_symbols(g->p, g->query.v[only->v[i]]),
                                              expr_symbol_at(g->p, g->b[byte]));
    return mentioned ? 256 : 1;
}

static bool has_point(Rig *g, const U32Vec *only)
{
    ExprInput in = {0};
    bool found = false;
    unsigned n[BYTES], all = 1;
    for (uint32_t i = 0; i < BYTES; i++)
        all *= n[i] = values_of(g, only, i);
    assert_in_range(all, 1, 256 * BELOW * BELOW);
    for (unsigned i = 0; i < all && !found; i++) {
        for (unsigned k = 0, rest = i; k < BYTES; rest /= n[k++])
            expr_input_set_byte(&in, k, (uint8_t)(rest % n[k]));
        found = rig_holds(g, &in, only);
    }
    expr_input_free(&in);
    return found;
}

static void ask_all(Rig *g, bool floats)
{
    uint32_t sat = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        make_query(g, floats);
        assert_int_equal(rig_ask(g), has_point(g, NULL) ? SOLVER_SAT : SOLVER_UNSAT);
        if (g->a.status == SOLVER_SAT)
            assert_true(rig_holds(g, &g->a.model, NULL));
        else
            assert_false(has_point(g, &g->a.core));
        sat += g->a.status == SOLVER_SAT;
    }
    assert_in_range(sat, ROUNDS / 8, ROUNDS - ROUNDS / 8);
    assert_int_equal(solver_layer_hits(g->s, SOLVER_LAYER_BACKEND), 0);
    assert_true(solver_layer_hits(g->s, SOLVER_LAYER_CASES) > ROUNDS / 2);
}

static void test_exact(void **state)
{
    (void)state;
    Rig g = rig_open(SOLVER_LAYER_CASES, 11);
    ask_all(&g, false);
    rig_close(&g);
}

static void test_floats(void **state)
{
    (void)state;
    Rig g = rig_open(SOLVER_LAYER_CASES, 11);
    ask_all(&g, true);
    rig_close(&g);
}

/* Three free bytes have too many cases; two have not, if a product is at stake. */
static void test_bounds(void **state)
{
    (void)state;
    Rig g = rig_open(SOLVER_LAYER_CASES, 11);
    Expr x = expr_zext(g.p, g.b[0], 32), y = expr_zext(g.p, g.b[1], 32), z = expr_zext(g.p, g.b[2], 32);
    vec_push(&g.query, expr_eq(g.p, expr_add(g.p, expr_add(g.p, x, y), z), expr_const(g.p, 32, 765)));
    assert_int_equal(rig_ask(&g), SOLVER_SAT);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND), 1);
    vec_clear(&g.query);
    vec_push(&g.query, expr_eq(g.p, expr_mul(g.p, x, y), expr_const(g.p, 32, 251 * 241)));
    assert_int_equal(rig_ask(&g), SOLVER_SAT);
    assert_int_equal(expr_input_byte(&g.a.model, 0) * expr_input_byte(&g.a.model, 1), 251 * 241);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND), 1);
    rig_close(&g);
}

/* Few cases are tried however large the constraint is: a calendar over 27 dates was given up after 22 s. */
static void test_few_cases_of_large(void **state)
{
    enum { VALUES = 3, STEPS = 500 };
    (void)state;
    Rig g = rig_open(SOLVER_LAYER_CASES, 11);
    Expr e = expr_const(g.p, 32, 1);
    for (uint32_t i = 0; i < BYTES; i++)
        vec_push(&g.query, expr_ult(g.p, g.b[i], expr_const(g.p, 8, VALUES)));
    for (uint32_t i = 0; i < STEPS; i++)
        e = expr_xor(g.p, expr_mul(g.p, e, expr_const(g.p, 32, 1664525)), expr_zext(g.p, g.b[i % BYTES], 32));
    vec_push(&g.query, expr_eq(g.p, e, expr_const(g.p, 32, 1)));
    assert_in_range(expr_size(g.p, e), STEPS, 4 * STEPS);
    assert_int_equal(rig_ask(&g), SOLVER_UNSAT);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_CASES), 1);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND), 0);
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_few_cases_of_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
