/* test_solver_boxes.c - the layer that looks for points outside of boxes, against trying all points. */
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { BYTES = 3, BELOW = 6, ROUNDS = 400, BOXES_MOST = 30 };

typedef struct Rig {
    ExprPool *p;
    Solver *s;
    ExprEval *eval;
    Expr b[BYTES];
    Rng rng;
    ExprVec query;
    SolverAnswer a;
} Rig;

static Rig rig_open(void)
{
    Rig g = {.p = expr_pool_new()};
    ExprObject o = expr_object(g.p, "in", "in", BYTES, (ExprCType){EXPR_C_CHAR, 1});
    uint32_t without = ((1u << SOLVER_LAYER_BACKEND) - 1) & ~(1u << SOLVER_LAYER_BYTES | 1u << SOLVER_LAYER_BOXES);
    for (uint32_t i = 0; i < BYTES; i++)
        g.b[i] = expr_object_byte(g.p, o, i);
    g.s = solver_new(g.p, &(SolverOptions){.without = without});
    g.eval = expr_eval_new(g.p);
    rng_seed(&g.rng, 7);
    return g;
}

static void rig_close(Rig *g)
{
    solver_answer_free(&g->a);
    solver_free(g->s);
    expr_eval_free(g->eval);
    vec_free(&g->query);
    expr_pool_free(g->p);
}

static Expr byte(Rig *g) { return g->b[rng_below(&g->rng, BYTES)]; }

static Expr condition(Rig *g, unsigned open)
{
    Expr x = byte(g), k = expr_const(g->p, 8, rng_below(&g->rng, BELOW));
    if (rng_below(&g->rng, 100) < open)
        return expr_eq(g->p, expr_add(g->p, x, byte(g)), k);
    Expr c = rng_below(&g->rng, 2) ? expr_eq(g->p, x, k) : expr_ult(g->p, x, k);
    return rng_below(&g->rng, 2) ? c : expr_not(g->p, c);
}

/* Every byte is below a bound, and some boxes are excluded. */
static void make_query(Rig *g, unsigned open)
{
    vec_clear(&g->query);
    for (uint32_t i = 0; i < BYTES; i++)
        vec_push(&g->query, expr_ult(g->p, g->b[i], expr_const(g->p, 8, BELOW)));
    for (uint64_t n = 1 + rng_below(&g->rng, BOXES_MOST); n > 0; n--) {
        Expr box[3];
        for (uint32_t i = 0; i < COUNT_OF(box); i++)
            box[i] = condition(g, open);
        vec_push(&g->query, expr_not(g->p, expr_and_all(g->p, box, 2 + (uint32_t)rng_below(&g->rng, 2))));
    }
}

static bool holds(Rig *g, const ExprInput *in, const U32Vec *only)
{
    expr_eval_input(g->eval, in);
    for (uint32_t i = 0; i < (only ? only->n : g->query.n); i++)
        if (!expr_eval_true(g->eval, g->query.v[only ? only->v[i] : i]))
            return false;
    return true;
}

/* A core may do without a bound: then values beyond it are tried too, which are all alike to conditions over one byte. */
static bool has_point(Rig *g, const U32Vec *only)
{
    ExprInput in = {0};
    bool found = false;
    unsigned most = only ? BELOW + 2 : BELOW;
    for (unsigned i = 0; i < most * most * most && !found; i++) {
        expr_input_set_byte(&in, 0, (uint8_t)(i % most));
        expr_input_set_byte(&in, 1, (uint8_t)(i / most % most));
        expr_input_set_byte(&in, 2, (uint8_t)(i / most / most));
        found = holds(g, &in, only);
    }
    expr_input_free(&in);
    return found;
}

static void ask_all(Rig *g, unsigned open, uint32_t *sat)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        make_query(g, open);
        solver_check(g->s, &(SolverQuery){.constraints = g->query.v, .n = g->query.n}, &g->a);
        assert_int_equal(g->a.status, has_point(g, NULL) ? SOLVER_SAT : SOLVER_UNSAT);
        if (g->a.status == SOLVER_SAT)
            assert_true(holds(g, &g->a.model, NULL));
        else
            assert_false(has_point(g, &g->a.core));
        *sat += g->a.status == SOLVER_SAT;
    }
}

static void test_exact(void **state)
{
    (void)state;
    Rig g = rig_open();
    uint32_t sat = 0;
    ask_all(&g, 0, &sat);
    assert_in_range(sat, ROUNDS / 8, ROUNDS - ROUNDS / 8);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND), 0);
    assert_true(solver_layer_hits(g.s, SOLVER_LAYER_BOXES) > ROUNDS / 2);
    rig_close(&g);
}

static void test_open_members(void **state)
{
    (void)state;
    Rig g = rig_open();
    uint32_t sat = 0;
    ask_all(&g, 30, &sat);
    assert_true(solver_layer_hits(g.s, SOLVER_LAYER_BACKEND) > 0);
    assert_true(solver_layer_hits(g.s, SOLVER_LAYER_BOXES) > ROUNDS / 4);
    rig_close(&g);
}

/* Each box leaves but one value to its symbol: found without a back end, however many there are. */
static void test_many_boxes(void **state)
{
    (void)state;
    Rig g = rig_open();
    for (unsigned v = 0; v < 256; v++)
        if (v != 77)
            for (uint32_t i = 0; i < BYTES; i++) {
                Expr at = expr_eq(g.p, g.b[i], expr_const(g.p, 8, v));
                Expr low = expr_ult(g.p, g.b[(i + 1) % BYTES], expr_const(g.p, 8, 100));
                vec_push(&g.query, expr_not(g.p, expr_and(g.p, at, low)));
            }
    for (uint32_t i = 0; i < BYTES; i++)
        vec_push(&g.query, expr_ult(g.p, g.b[i], expr_const(g.p, 8, 100)));
    solver_check(g.s, &(SolverQuery){.constraints = g.query.v, .n = g.query.n}, &g.a);
    assert_int_equal(g.a.status, SOLVER_SAT);
    for (uint32_t i = 0; i < BYTES; i++)
        assert_int_equal(expr_input_byte(&g.a.model, i), 77);
    assert_int_equal(solver_layer_hits(g.s, SOLVER_LAYER_BOXES), 1);
    rig_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_open_members),
        cmocka_unit_test(test_many_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
