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

/* ---- disjunctions ---------------------------------------------------------------------------- */

/* Unites and prints conjuncts parted by " && ". */
static char *united(Fixture *f, const ExprVec *alternatives, uint32_t n, const ExprVec *given)
{
    const ExprVec *list[16];
    ExprVec out = {0};
    Str text = {0};
    ExploreUniter *u = explore_uniter_new(f->solver, f->pool, given, &patience);
    for (uint32_t i = 0; i < n; i++)
        list[i] = &alternatives[i];
    explore_unite(u, list, n, &out);
    for (uint32_t i = 0; i < out.n; i++) {
        str_add(&text, i ? " && " : "");
        expr_print_c(f->pool, out.v[i], 0, &text);
    }
    explore_uniter_free(u);
    vec_free(&out);
    return str_take(&text);
}

#define CONJUNCTION(...) \
    ((ExprVec){.v = (Expr[]){__VA_ARGS__}, .n = sizeof((Expr[]){__VA_ARGS__}) / sizeof(Expr)})
#define CHECK_UNITED(f, want, given, ...)                      \
    do {                                                       \
        ExprVec list_[] = {__VA_ARGS__};                       \
        char *got_ = united(f, list_, COUNT_OF(list_), given); \
        assert_string_equal(got_, want);                       \
        mem_free(got_);                                        \
    } while (0)

static void test_disjunctions_become_small(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Expr a = expr_slt(p, f->x, k(f, 4)), b = expr_eq(p, f->y, k(f, 9)),
         c = expr_eq(p, f->c, expr_const(p, 8, 'a')), not_a = expr_not(p, a), not_b = expr_not(p, b);
    CHECK_UNITED(f, "x < 4", NULL, CONJUNCTION(a, b), CONJUNCTION(a, not_b));
    CHECK_UNITED(f, "", NULL, CONJUNCTION(a, b), CONJUNCTION(a, not_b), CONJUNCTION(not_a));
    CHECK_UNITED(f, "x < 4 || y == 9", NULL, CONJUNCTION(a, not_b), CONJUNCTION(b));
    /* A tree of decisions: the middle one does not matter in the end. */
    CHECK_UNITED(f, "x < 4 && y == 9 || s[1] == 'a'", NULL, CONJUNCTION(a, b), CONJUNCTION(a, not_b, c),
                 CONJUNCTION(not_a, c));
    CHECK_UNITED(f, "s[1] == 'a' && x < 4 || y == 9", NULL, CONJUNCTION(a, c), CONJUNCTION(not_a, b, c));
    CHECK_UNITED(f, "x >= 3 && x < 6", NULL, CONJUNCTION(expr_eq(p, f->x, k(f, 3))),
                 CONJUNCTION(expr_eq(p, f->x, k(f, 4))), CONJUNCTION(expr_eq(p, f->x, k(f, 5))));
}

static void test_what_is_given_is_used_for_disjunctions(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Expr zero = expr_eq(p, f->x, k(f, 0)), four = expr_eq(p, f->x, k(f, 4)), b = expr_eq(p, f->y, k(f, 9));
    ExprVec given = CONJUNCTION(expr_or(p, zero, four));
    CHECK_UNITED(f, "x == 0 || y == 9", NULL, CONJUNCTION(zero), CONJUNCTION(expr_not(p, zero), b));
    CHECK_UNITED(f, "x == 0 || y == 9", &given, CONJUNCTION(zero), CONJUNCTION(four, b));
    CHECK_UNITED(f, "", &given, CONJUNCTION(zero), CONJUNCTION(four));
}

static ExprVec random_conjunction(Fixture *f, Rng *rng)
{
    ExprPool *p = f->pool;
    ExprVec out = {0};
    for (uint64_t n = 1 + rng_below(rng, 4); n; n--) {
        Expr term = rng_below(rng, 2) ? f->c : expr_extract(p, f->x, 0, 8),
             limit = expr_const(p, 8, rng_below(rng, 16));
        Expr c = rng_below(rng, 2) ? expr_eq(p, term, limit) : expr_ult(p, term, limit);
        vec_push(&out, rng_below(rng, 2) ? expr_not(p, c) : c);
    }
    return out;
}

/* Random disjunctions of conditions on two bytes, before and after, for every value below 17; inputs that are
 * known change nothing. */
static void test_random_disjunctions_mean_the_same(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    Rng rng;
    rng_seed(&rng, 5);
    ExprEval *ev = expr_eval_new(p);
    for (int round = 0; round < 150; round++) {
        ExprVec list[5], out = {0};
        const ExprVec *parts[5];
        ExprInput input = {0};
        Expr before = EXPR_FALSE;
        uint32_t n = 2 + (uint32_t)rng_below(&rng, 4);
        ExploreUniter *u = explore_uniter_new(f->solver, p, NULL, &patience);
        for (uint32_t i = 0; i < n; i++) {
            parts[i] = &list[i];
            list[i] = random_conjunction(f, &rng);
            before = expr_or(p, before, expr_and_all(p, list[i].v, list[i].n));
        }
        for (uint64_t i = rng_below(&rng, 20); i; i--) {
            expr_input_set(p, &input, f->c, rng_below(&rng, 17));
            explore_uniter_sample(u, &input);
        }
        explore_unite(u, parts, n, &out);
        Expr after = expr_and_all(p, out.v, out.n);
        assert_true(expr_size(p, after) <=
                    expr_size(p, before) + 4 * n); /* bounds may stand for one comparison */
        for (unsigned value = 0; value < 17 * 17; value++) {
            expr_input_set(p, &input, f->c, value % 17);
            expr_input_set(p, &input, expr_extract(p, f->x, 0, 8), value / 17);
            expr_eval_input(ev, &input);
            assert_int_equal(expr_eval_true(ev, before), expr_eval_true(ev, after));
        }
        for (uint32_t i = 0; i < n; i++)
            vec_free(&list[i]);
        expr_input_free(&input);
        explore_uniter_free(u);
        vec_free(&out);
    }
    expr_eval_free(ev);
}

/* Out of time: what was given comes out. */
static void test_a_disjunction_without_time_stays(void **state)
{
    Fixture *f = *state;
    ExprPool *p = f->pool;
    ExplorePatience none = {.seconds = 60, .deadline = 1};
    ExprVec a = CONJUNCTION(expr_eq(p, f->x, k(f, 3)), expr_eq(p, f->y, k(f, 1))),
            b = CONJUNCTION(expr_eq(p, f->x, k(f, 3)), expr_ne(p, f->y, k(f, 1))), out = {0};
    const ExprVec *list[] = {&a, &b};
    ExploreUniter *u = explore_uniter_new(f->solver, p, NULL, &none);
    explore_unite(u, list, 2, &out);
    assert_int_equal(out.n, 1);
    assert_true(expr_same(out.v[0], expr_or(p, expr_and_all(p, a.v, 2), expr_and_all(p, b.v, 2))));
    explore_uniter_free(u);
    vec_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bounds_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_said_of_a_byte_is_read_as_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds_stand_where_the_first_stood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_implied_conjuncts_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_bounds_mean_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_disjunctions_become_small, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_given_is_used_for_disjunctions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_disjunctions_mean_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_disjunction_without_time_stays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
