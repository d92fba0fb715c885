/* test_explore_condition.c - conjunctions made readable stay what they are. */
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct Fixture {
    ExprPool *pool;
    Solver *solver;
    Expr x, y, c; /* two ints of 32 bits, a char */
} Fixture;

static const ExplorePatience patience = {.seconds = 60};

static int set_up(void **state)
{
    Fixture *f = mem_zalloc(sizeof *f);
    f->pool = expr_pool_new();
    f->solver = solver_new(f->pool, NULL);
    f->x = expr_object_word(f->pool, expr_object(f->pool, "x", "x", 4, (ExprCType){EXPR_C_INT, 0}), 0, 4);
    f->y = expr_object_word(f->pool, expr_object(f->pool, "y", "y", 4, (ExprCType){EXPR_C_INT, 0}), 0, 4);
    f->c = expr_object_byte(f->pool, expr_object(f->pool, "s", "s", 3, (ExprCType){EXPR_C_CHAR, 1}), 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    solver_free(f->solver);
    expr_pool_free(f->pool);
    mem_free(f);
    return 0;
}

static Expr k(Fixture *f, int value) { return expr_const(f->pool, 32, (u128)(i128)value); }

/* Simplifies and prints conjuncts parted by " && ". */
static char *simplified(Fixture *f, const Expr *list, uint32_t n, const ExprVec *given)
{
    ExprVec in = {0}, out = {0};
    Str text = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&in, list[i]);
    explore_simplify(f->solver, f->pool, &in, given, &patience, &out);
    for (uint32_t i = 0; i < out.n; i++) {
        str_add(&text, i ? " && " : "");
        expr_print_c(f->pool, out.v[i], 0, &text);
    }
    vec_free(&in);
    vec_free(&out);
    return str_take(&text);
}

#define CHECK(f, want, given, ...)                                 \
    do {                                                           \
        Expr list_[] = {__VA_ARGS__};                              \
        char *got_ = simplified(f, list_, COUNT_OF(list_), given); \
        assert_string_equal(got_, want);                           \
        mem_free(got_);                                            \
    } while (0)

static void test_bounds_merge(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    CHECK(f, "x >= 3 && x < 8", NULL, expr_slt(p, f->x, k(f, 8)), expr_sle(p, k(f, 3), f->x));
    CHECK(f, "x >= 3 && x < 8", NULL, expr_slt(p, f->x, k(f, 100)), expr_sle(p, k(f, 3), f->x),
          expr_slt(p, f->x, k(f, 8)), expr_ne(p, f->x, k(f, 50)), expr_sle(p, k(f, -5), f->x));
    CHECK(f, "x == 3", NULL, expr_sle(p, k(f, 3), f->x), expr_slt(p, f->x, k(f, 5)),
          expr_ne(p, f->x, k(f, 4)));
    CHECK(f, "x == 3", NULL, expr_sle(p, k(f, 3), f->x), expr_ult(p, f->x, k(f, 4)));
    CHECK(f, "x >= 0 && x < 4", NULL, expr_ult(p, f->x, k(f, 4)), expr_slt(p, f->x, k(f, 4)));
    CHECK(f, "s[1] >= 'a' && s[1] <= 'z'", NULL, expr_sle(p, expr_const(p, 8, 'a'), f->c),
          expr_sle(p, f->c, expr_const(p, 8, 'z')));
}

static void test_what_is_said_of_a_byte_is_read_as_ranges(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Expr digit = expr_ult(p, expr_sub(p, f->c, expr_const(p, 8, '0')), expr_const(p, 8, 10));
    CHECK(f, "s[1] >= '0' && s[1] <= '9'", NULL, digit);
    CHECK(f, "s[1] > '9' || s[1] < '0'", NULL, expr_not(p, digit));
    CHECK(f, "s[1] == '1'", NULL, digit,
          expr_eq(p, expr_and(p, f->c, expr_const(p, 8, 15)), expr_const(p, 8, 1)));
}

static void test_bounds_stand_where_the_first_stood(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    CHECK(f, "x > 0 && x < 9 && y != 7", NULL, expr_slt(p, f->x, k(f, 9)), expr_ne(p, f->y, k(f, 7)),
          expr_sle(p, k(f, 1), f->x));
}

static void test_implied_conjuncts_go(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Expr sum = expr_add(p, expr_sext(p, f->x, 64), expr_sext(p, f->y, 64));
    CHECK(f, "x == 4 && y == 5", NULL, expr_slt(p, sum, expr_const(p, 64, 100)), expr_eq(p, f->x, k(f, 4)),
          expr_eq(p, f->y, k(f, 5)));
    CHECK(f, "", NULL, EXPR_TRUE);
    ExprVec given = {0};
    vec_push(&given, expr_ult(p, f->x, k(f, 10)));
    CHECK(f, "x >= 3", &given, expr_sle(p, k(f, 3), f->x), expr_slt(p, f->x, k(f, 20)));
    vec_free(&given);
}

/* Random bounds of one char and of a sum, before and after, for every value. */
static void test_random_bounds_mean_the_same(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Rng rng;
    rng_seed(&rng, 3);
    ExprEval *ev = expr_eval_new(p);
    for (int round = 0; round < 300; round++) {
        ExprVec in = {0}, out = {0};
        ExprInput input = {0};
        for (uint64_t n = 1 + rng_below(&rng, 6); n; n--) {
            Expr term = rng_below(&rng, 2) ? f->c : expr_add(p, f->c, expr_const(p, 8, 7));
            Expr limit =
                expr_const(p, 8, rng_below(&rng, 3) ? 250 + rng_below(&rng, 12) : rng_below(&rng, 256));
            Expr c = rng_below(&rng, 3) == 0 ? expr_eq(p, term, limit)
                     : rng_below(&rng, 2)    ? expr_slt(p, term, limit)
                                             : expr_ult(p, term, limit);
            vec_push(&in, rng_below(&rng, 4) ? expr_not(p, c) : c);
        }
        explore_simplify(f->solver, p, &in, NULL, &patience, &out);
        Expr before = expr_and_all(p, in.v, in.n), after = expr_and_all(p, out.v, out.n);
        for (unsigned value = 0; value < 256; value++) {
            expr_input_set(p, &input, f->c, value);
            expr_eval_input(ev, &input);
            assert_int_equal(expr_eval_true(ev, before), expr_eval_true(ev, after));
        }
        expr_input_free(&input);
        vec_free(&in);
        vec_free(&out);
    }
    expr_eval_free(ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bounds_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_said_of_a_byte_is_read_as_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds_stand_where_the_first_stood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_implied_conjuncts_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_bounds_mean_the_same, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
