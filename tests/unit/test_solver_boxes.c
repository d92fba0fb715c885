/* test_solver_boxes.c - the layer that looks for points outside of boxes, against trying all points. */
#include "solver_rig.h"

enum { ROUNDS = 400, BOXES_MOST = 30 };

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
    rig_bound_bytes(g);
    for (uint64_t n = 1 + rng_below(&g->rng, BOXES_MOST); n > 0; n--) {
        Expr box[3];
        for (uint32_t i = 0; i < COUNT_OF(box); i++)
            box[i] = condition(g, open);
        vec_push(&g->query, expr_not(g->p, expr_and_all(g->p, box, 2 + (uint32_t)rng_below(&g->rng, 2))));
    }
}

/* A core may do without a bound: then values beyond it are tried too, which are all alike to conditions over
 * one byte. */
static bool has_point(Rig *g, const U32Vec *only)
{
    ExprInput in = {0};
    bool found = false;
    unsigned most = only ? BELOW + 2 : BELOW;
    for (unsigned i = 0; i < most * most * most && !found; i++) {
        expr_input_set_byte(&in, 0, (uint8_t)(i % most));
        expr_input_set_byte(&in, 1, (uint8_t)(i / most % most));
        expr_input_set_byte(&in, 2, (uint8_t)(i / most / most));
        found = rig_holds(g, &in, only);
    }
    expr_input_free(&in);
    return found;
}

static void ask_all(Rig *g, unsigned open, uint32_t *sat)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        make_query(g, open);
        rig_ask(g);
        assert_int_equal(g->a.status, has_point(g, NULL) ? SOLVER_SAT : SOLVER_UNSAT);
        if (g->a.status == SOLVER_SAT)
            assert_true(rig_holds(g, &g->a.model, NULL));
        else
            assert_false(has_point(g, &g->a.core));
        *sat += g->a.status == SOLVER_SAT;
    }
}

static void test_exact(void **state)
{
    (void)state;
    Rig g = rig_open(SOLVER_LAYER_BOXES, 7);
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
    Rig g = rig_open(SOLVER_LAYER_BOXES, 7);
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
    Rig g = rig_open(SOLVER_LAYER_BOXES, 7);
    for (unsigned v = 0; v < 256; v++)
        if (v != 77)
            for (uint32_t i = 0; i < BYTES; i++) {
                Expr at = expr_eq(g.p, g.b[i], expr_const(g.p, 8, v));
                Expr low = expr_ult(g.p, g.b[(i + 1) % BYTES], expr_const(g.p, 8, 100));
                vec_push(&g.query, expr_not(g.p, expr_and(g.p, at, low)));
            }
    for (uint32_t i = 0; i < BYTES; i++)
        vec_push(&g.query, expr_ult(g.p, g.b[i], expr_const(g.p, 8, 100)));
    rig_ask(&g);
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
