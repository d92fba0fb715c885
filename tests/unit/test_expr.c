/* Tests of expr beside its rules: identity, normal forms that others rely on, evaluation, sets, arrays,
 * substitution, import, depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "expr/expr.h"

static const ExprCType INT = {EXPR_C_INT, 0}, CHARS = {EXPR_C_CHAR, 1};

static Expr word(ExprPool *p, const char *name)
{
    return expr_object_word(p, expr_object(p, name, name, 4, INT), 0, 4);
}
static Expr k32(ExprPool *p, int64_t value) { return expr_const(p, 32, (u128)(i128)value); }

static void assert_same(Expr a, Expr b) { assert_int_equal(a.id, b.id); }

/* ---- identity and normal forms --------------------------------------------------------------- */

static void equal_expressions_are_one(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Expr x = word(p, "x"), y = word(p, "y"), z = word(p, "z");
    assert_same(expr_const(p, 1, 1), EXPR_TRUE);
    assert_same(expr_const(p, 1, 0), EXPR_FALSE);
    assert_same(expr_const(p, 128, (u128)5 << 100), expr_const(p, 128, (u128)5 << 100));
    assert_true(expr_const_value(p, expr_const(p, 128, (u128)5 << 100)) == (u128)5 << 100);
    assert_int_not_equal(expr_const(p, 8, 5).id, expr_const(p, 16, 5).id);
    assert_same(expr_add(p, x, y), expr_add(p, y, x));
    assert_same(expr_add(p, expr_add(p, x, y), z), expr_add(p, x, expr_add(p, z, y)));
    assert_same(expr_sub(p, expr_add(p, expr_add(p, x, y), k32(p, 5)), expr_add(p, x, k32(p, 5))), y);
    assert_same(expr_add(p, x, x), expr_mul(p, x, k32(p, 2)));
    assert_same(expr_sub(p, x, x), k32(p, 0));
    uint32_t count = expr_pool_count(p);
    expr_add(p, y, x);
    assert_int_equal(expr_pool_count(p), count);
    for (uint32_t id = 1; id < count; id++) /* children come first */
        for (uint32_t i = 0; i < expr_child_count(p, (Expr){id}); i++)
            assert_true(expr_child(p, (Expr){id}, i).id < id);
    assert_true(expr_pool_bytes(p) > 0);
    expr_pool_free(p);
}

static Expr stored_and_loaded(ExprPool *p, Expr e)
{
    Expr bytes[16];
    unsigned n = expr_width(p, e) / 8;
    for (unsigned i = 0; i < n; i++)
        bytes[i] = expr_extract(p, e, 8 * i, 8);
    return expr_concat_bytes(p, bytes, n);
}

static void words_survive_memory(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Expr x = word(p, "x"), y = word(p, "y"),
         byte = expr_object_byte(p, expr_object(p, "s", "s", 8, CHARS), 2);
    Expr condition = expr_slt(p, x, y);
    Expr words[] = {
        x,
        expr_add(p, x, y),
        expr_mul(p, x, y),
        expr_sext(p, byte, 32),
        expr_zext(p, byte, 32),
        expr_add(p, expr_sext(p, byte, 32), k32(p, 1)),
        expr_zext(p, condition, 32),
        expr_sext(p, condition, 32),
        expr_ite(p, condition, k32(p, 7), k32(p, 1000)),
        expr_ite(p, condition, x, y),
        expr_and(p, x, y),
        expr_not(p, x),
        expr_shl(p, x, k32(p, 3)),
        expr_ashr(p, x, k32(p, 5)),
        expr_neg(p, expr_sext(p, byte, 32)),
        expr_sext(p, expr_add(p, x, y), 64),
        expr_udiv(p, x, y),
        expr_make(p, BITS_FADD, 32, x, y, EXPR_NONE),
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        assert_same(stored_and_loaded(p, words[i]), words[i]);
    /* bytes put together by shifts, in either order, are the word of those bytes */
    ExprObject object = expr_object(p, "b", "b", 4, CHARS);
    Expr little = k32(p, 0), big = k32(p, 0);
    for (unsigned i = 0; i < 4; i++) {
        Expr b = expr_zext(p, expr_object_byte(p, object, i), 32);
        little = expr_or(p, little, expr_shl(p, b, k32(p, 8 * i)));
        big = expr_or(p, expr_shl(p, big, k32(p, 8)), b);
    }
    assert_same(little, expr_object_word(p, object, 0, 4));
    assert_same(big, expr_make(p, BITS_BSWAP, 32, little, EXPR_NONE, EXPR_NONE));
    expr_pool_free(p);
}

static void conditions_have_one_form(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Expr x = word(p, "x"), y = word(p, "y"), a = expr_slt(p, x, y), b = expr_eq(p, x, k32(p, 3));
    assert_same(expr_sle(p, x, k32(p, 10)), expr_slt(p, x, k32(p, 11)));
    assert_same(expr_slt(p, k32(p, 10), x), expr_not(p, expr_sle(p, x, k32(p, 10))));
    assert_same(expr_eq(p, expr_add(p, x, k32(p, 5)), k32(p, 8)), b);
    assert_same(expr_eq(p, expr_sub(p, x, y), k32(p, 3)), expr_eq(p, x, expr_add(p, y, k32(p, 3))));
    assert_same(expr_ult(p, x, k32(p, 1)), expr_eq(p, x, k32(p, 0)));
    assert_same(expr_ne(p, expr_zext(p, a, 32), k32(p, 0)), a);
    assert_same(expr_not(p, expr_or(p, a, b)), expr_and(p, expr_not(p, a), expr_not(p, b)));
    assert_same(expr_and(p, a, expr_not(p, a)), EXPR_FALSE);
    assert_same(expr_or(p, a, expr_not(p, a)), EXPR_TRUE);
    assert_same(expr_and(p, a, expr_or(p, a, b)), a);
    assert_same(expr_and(p, a, expr_or(p, expr_not(p, a), b)), expr_and(p, a, b));
    assert_same(expr_implies(p, a, a), EXPR_TRUE);
    ExprVec parts = {0};
    expr_split(p, expr_and(p, expr_and(p, a, b), expr_ult(p, y, x)), &parts);
    assert_int_equal(parts.n, 3);
    assert_same(expr_and_all(p, parts.v, 3), expr_and(p, expr_ult(p, y, x), expr_and(p, b, a)));
    vec_free(&parts);
    expr_pool_free(p);
}

/* Checks that a person sees at once to hold need no solver. */
static void bounds_decide(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    ExprObject s = expr_object(p, "s", "s", 8, CHARS);
    Expr c = expr_object_byte(p, s, 0), d = expr_object_byte(p, s, 1), x = word(p, "x");
    Expr index = expr_add(p, expr_mul(p, expr_zext(p, c, 64), expr_const(p, 64, 4)), expr_const(p, 64, 3));
    assert_same(expr_ult(p, index, expr_const(p, 64, 1024)), EXPR_TRUE);
    assert_int_equal(expr_op(p, expr_ult(p, index, expr_const(p, 64, 1023))), EXPR_ULT);
    Expr sum = expr_sub(p, expr_sext(p, c, 32), expr_sext(p, d, 32));
    assert_same(expr_slt(p, sum, k32(p, 256)), EXPR_TRUE);
    assert_same(expr_eq(p, expr_urem(p, x, k32(p, 10)), k32(p, 10)), EXPR_FALSE);
    assert_same(expr_eq(p, expr_and(p, x, k32(p, 0x50)), k32(p, 1)), EXPR_FALSE);
    assert_same(expr_make(p, BITS_SADD_OVF, 0, expr_sext(p, c, 32), sum, EXPR_NONE), EXPR_FALSE);
    assert_same(expr_make(p, BITS_SMUL_OVF, 0, expr_sext(p, c, 32), sum, EXPR_NONE), EXPR_FALSE);
    assert_same(expr_make(p, BITS_UADD_OVF, 0, expr_zext(p, c, 16), expr_zext(p, d, 16), EXPR_NONE),
                EXPR_FALSE);
    assert_true(expr_is_symbolic(p, expr_make(p, BITS_SADD_OVF, 0, x, sum, EXPR_NONE)));
    expr_pool_free(p);
}

/* ---- objects and inputs ---------------------------------------------------------------------- */

static void objects_and_inputs(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    ExprObject x = expr_object(p, "nondet@1", "x", 4, INT), s = expr_object(p, "stdin", "stdin", 10, CHARS);
    ExprObject b = expr_object_scalar(p, "b", "b", 13, INT);
    assert_int_equal(expr_object(p, "nondet@1", "x", 4, INT).id, x.id);
    assert_int_not_equal(expr_object(p, "nondet@1", "x", 8, INT).id, x.id);
    assert_int_equal(expr_object_info(p, s)->at, 4);
    ExprObject found;
    assert_true(expr_object_find(p, "stdin", 10, &found) && found.id == s.id);
    assert_false(expr_object_find(p, "stdin", 11, &found));
    Expr byte = expr_object_byte(p, s, 3), scalar = expr_object_symbol(p, b);
    uint32_t offset;
    assert_int_equal(expr_symbol_at(p, byte), 7);
    assert_same(expr_symbol_of(p, 7), byte);
    assert_same(expr_symbol_of(p, expr_symbol_at(p, scalar)), scalar);
    assert_int_equal(expr_symbol_start(p, 7), 7);
    assert_int_equal(expr_symbol_start(p, expr_symbol_at(p, scalar) + 1), expr_symbol_at(p, scalar));
    assert_int_equal(expr_symbol_object(p, byte, &offset).id, s.id);
    assert_int_equal(offset, 3);
    ExprInput in = {0};
    assert_true(expr_input_get(p, &in, scalar) == 0);
    expr_input_set(p, &in, scalar, 0xffff);
    assert_true(expr_input_get(p, &in, scalar) == 0x1fff);
    expr_input_set(p, &in, byte, 0xab);
    assert_int_equal(expr_input_byte(&in, 7), 0xab);
    ExprInput copy = {0};
    expr_input_copy(&copy, &in);
    assert_true(expr_input_get(p, &copy, scalar) == 0x1fff);
    assert_true(expr_eval_once(p, &in, expr_object_word(p, s, 2, 2)) == 0xab00);
    expr_input_free(&in);
    expr_input_free(&copy);
    expr_pool_free(p);
}

/* ---- depth ----------------------------------------------------------------------------------- */

/* Positions at which two inputs differ, against a look at each: near the ends of words and of the inputs. */
static void inputs_differ(void **state)
{
    (void)state;
    enum { LONGEST = 20 };
    for (uint32_t n = 0; n <= LONGEST; n++)
        for (uint32_t m = 0; m <= LONGEST; m++)
            for (uint32_t other = 0; other < LONGEST; other++) {
                ExprInput a = {0}, b = {0};
                for (uint32_t i = 0; i < n; i++)
                    expr_input_set_byte(&a, i, (uint8_t)(i % 3));
                for (uint32_t i = 0; i < m; i++)
                    expr_input_set_byte(&b, i, (uint8_t)(i == other ? 9 : i % 3));
                for (uint32_t from = 0; from <= LONGEST + 1; from++) {
                    uint32_t first = from;
                    while (first < LONGEST && expr_input_byte(&a, first) == expr_input_byte(&b, first))
                        first++;
                    assert_int_equal(expr_input_differs(&a, &b, from), first < LONGEST ? first : UINT32_MAX);
                }
                expr_input_free(&a);
                expr_input_free(&b);
            }
}

/* A chain of a million operators: built, evaluated, measured, substituted, imported and printed without a
 * deep stack.
 */
static void a_million_deep(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new(), *other = expr_pool_new();
    Expr x = word(p, "x"), y = word(p, "y"), h = x;
    uint32_t want = 3;
    for (uint32_t i = 0; i < 500000; i++) {
        h = expr_mul(p, expr_xor(p, h, y), k32(p, 16777619));
        want = (want ^ 77u) * 16777619u;
    }
    ExprInput in = {0};
    expr_input_set_byte(&in, 0, 3);
    expr_input_set_byte(&in, 4, 77);
    assert_true(expr_eval_once(p, &in, h) == want);
    assert_true(expr_size(p, h) > 1000000);
    ExprSubst *s = expr_subst_new(p);
    for (uint32_t i = 0; i < 4; i++)
        expr_subst_add(s, expr_symbol_of(p, 4 + i), expr_const(p, 8, i == 0 ? 77 : 0));
    Expr only_x = expr_subst_apply(s, h);
    assert_true(expr_eval_once(p, &in, only_x) == want);
    assert_false(expr_set_has(p, expr_symbols(p, only_x), 4));
    expr_eq(p, only_x, k32(p, 5));
    ExprImport *im = expr_import_new(other, p);
    Expr moved = expr_import(im, h);
    assert_true(expr_eval_once(other, &in, moved) == want);
    Str text = {0};
    expr_print(p, h, 100, &text);
    expr_print_c(p, h, 100, &text);
    Expr condition = expr_eq(p, h, k32(p, 5));
    expr_print_smt_query(p, &condition, 1, "deep", &text);
    assert_non_null(strstr(str_text(&text), "(check-sat)"));
    str_free(&text);
    expr_import_free(im);
    expr_subst_free(s);
    expr_input_free(&in);
    expr_pool_free(p);
    expr_pool_free(other);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static void sets_against_bit_sets(void **state)
{
    (void)state;
    enum { SETS = 40, RANGE = 5000 };
    ExprPool *p = expr_pool_new();
    Rng r;
    rng_seed(&r, 5);
    ExprSet set[SETS] = {0};
    BitSet plain[SETS] = {0};
    for (int step = 0; step < 3000; step++) {
        uint32_t a = (uint32_t)rng_below(&r, SETS), b = (uint32_t)rng_below(&r, SETS);
        uint32_t at = (uint32_t)rng_below(&r, rng_below(&r, 2) ? 200 : RANGE);
        if (rng_below(&r, 3)) {
            set[a] = expr_set_union(p, set[a], expr_set_of(p, at));
            bitset_add(&plain[a], at);
        } else if (rng_below(&r, 8) == 0) {
            set[a] = EXPR_SET_EMPTY;
            bitset_free(&plain[a]);
        } else {
            set[a] = expr_set_union(p, set[a], set[b]);
            bitset_unite(&plain[a], &plain[b]);
        }
        assert_int_equal(expr_set_size(p, set[a]), bitset_count(&plain[a]));
        assert_int_equal(expr_set_meets(p, set[a], set[b]), bitset_meets(&plain[a], &plain[b]));
        assert_int_equal(expr_set_subset(p, set[a], set[b]), bitset_subset(&plain[a], &plain[b]));
        assert_int_equal(expr_set_has(p, set[a], at), bitset_has(&plain[a], at));
        assert_int_equal(expr_set_next(p, set[a], at), bitset_next(&plain[a], at));
        bool equal = bitset_subset(&plain[a], &plain[b]) && bitset_subset(&plain[b], &plain[a]);
        assert_int_equal(set[a].id == set[b].id, equal);
    }
    for (int i = 0; i < SETS; i++)
        bitset_free(&plain[i]);
    expr_pool_free(p);
}

static void symbols_of_expressions(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Expr x = word(p, "x"), y = word(p, "y");
    ExprSet both = expr_symbols(p, expr_add(p, x, y));
    assert_int_equal(expr_set_size(p, both), 8);
    assert_int_equal(expr_symbols(p, expr_mul(p, y, x)).id, both.id);
    assert_false(expr_set_meets(p, expr_symbols(p, x), expr_symbols(p, y)));
    assert_int_equal(expr_symbols(p, expr_sub(p, expr_add(p, x, y), y)).id, expr_symbols(p, x).id);
    assert_false(expr_is_symbolic(p, k32(p, 3)));
    /* an array read at a symbolic index depends on all of its bytes */
    ExprArray a = expr_array_input(p, expr_object(p, "t", "t", 100, CHARS));
    Expr e = expr_array_select(p, a, expr_zext(p, x, 64));
    assert_int_equal(expr_set_size(p, expr_symbols(p, e)), 104);
    expr_pool_free(p);
}

/* ---- arrays, functions ----------------------------------------------------------------------- */

static void arrays_read_over_writes(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    const uint8_t bytes[] = {10, 11, 12, 13};
    Expr i = expr_zext(p, word(p, "i"), 64), v = expr_object_byte(p, expr_object(p, "v", "v", 1, CHARS), 0);
    ExprArray base = expr_array_const(p, bytes, 4);
    ExprArray one = expr_array_store(p, base, expr_const(p, 64, 2), v),
              two = expr_array_store(p, one, i, expr_const(p, 8, 99));
    assert_int_equal(expr_array_size(p, two), 4);
    assert_int_equal(expr_array_depth(p, two), 2);
    assert_int_equal(expr_array_base(p, two).id, base.id);
    assert_same(expr_array_select(p, one, expr_const(p, 64, 2)), v);
    assert_same(expr_array_select(p, one, expr_const(p, 64, 3)), expr_const(p, 8, 13));
    assert_same(expr_array_select(p, one, expr_const(p, 64, 4)), expr_const(p, 8, 0));
    assert_int_equal(expr_op(p, expr_array_select(p, two, expr_const(p, 64, 3))), EXPR_SELECT);
    Expr next = expr_add(p, i, expr_const(p, 64, 1));
    assert_same(expr_array_select(p, expr_array_store(p, two, next, v), i), expr_array_select(p, two, i));
    ExprInput in = {0};
    expr_input_set_byte(&in, 0, 3);
    expr_input_set_byte(&in, 4, 200);
    assert_true(expr_eval_once(p, &in, expr_array_select(p, two, expr_const(p, 64, 3))) == 99);
    assert_true(expr_eval_once(p, &in, expr_array_select(p, two, expr_const(p, 64, 2))) == 200);
    expr_input_set_byte(&in, 0, 4); /* beyond: nothing was stored, and nothing is read */
    assert_true(expr_eval_once(p, &in, expr_array_select(p, two, expr_const(p, 64, 3))) == 13);
    assert_true(expr_eval_once(p, &in, expr_array_select(p, two, i)) == 0);
    expr_input_free(&in);
    expr_pool_free(p);
}

static u128 add_up(void *context, const u128 *arguments, uint32_t n)
{
    u128 sum = *(int *)context;
    for (uint32_t i = 0; i < n; i++)
        sum += arguments[i];
    return sum;
}

static void functions_are_applied(void **state)
{
    (void)state;
    int thousand = 1000;
    ExprPool *p = expr_pool_new();
    uint32_t fn = expr_fn(p, "add_up", 16, add_up, &thousand);
    Expr x = word(p, "x");
    assert_int_equal(expr_fn(p, "add_up", 16, add_up, &thousand), fn);
    Expr e = expr_apply(p, fn, (Expr[]){x, k32(p, 5)}, 2);
    assert_int_equal(expr_op(p, e), EXPR_APPLY);
    assert_int_equal(expr_width(p, e), 16);
    assert_same(expr_apply(p, fn, (Expr[]){x, k32(p, 5)}, 2), e);
    assert_same(expr_apply(p, fn, (Expr[]){k32(p, 1), k32(p, 2)}, 2), expr_const(p, 16, 1003));
    ExprInput in = {0};
    expr_input_set_byte(&in, 0, 7);
    assert_true(expr_eval_once(p, &in, e) == 1012);
    expr_input_free(&in);
    expr_pool_free(p);
}

/* ---- substitution ---------------------------------------------------------------------------- */

static void substitution_reaches_everything(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    ExprObject t = expr_object(p, "t", "t", 4, CHARS);
    Expr x = word(p, "x"), y = word(p, "y"), index = expr_zext(p, expr_extract(p, x, 0, 2), 64);
    Expr e =
        expr_add(p, expr_zext(p, expr_array_select(p, expr_array_input(p, t), index), 32), expr_mul(p, x, y));
    ExprSubst *s = expr_subst_new(p);
    expr_subst_add(s, expr_object_byte(p, t, 1), expr_const(p, 8, 42));
    Expr replaced = expr_subst_apply(s, e);
    assert_false(expr_set_has(p, expr_symbols(p, replaced), expr_symbol_at(p, expr_object_byte(p, t, 1))));
    ExprInput in = {0};
    for (uint32_t v = 0; v < 4; v++) {
        expr_input_set(p, &in, expr_object_byte(p, t, 1), 42);
        expr_input_set(p, &in, expr_object_byte(p, t, 2), 9);
        expr_input_set(p, &in, expr_symbol_of(p, 4), v);
        expr_input_set(p, &in, expr_symbol_of(p, 8), 3);
        assert_true(expr_eval_once(p, &in, e) == expr_eval_once(p, &in, replaced));
    }
    expr_subst_add(s, x, k32(p, 2)); /* a whole word, not a symbol */
    assert_same(expr_subst_apply(s, expr_add(p, x, y)), expr_add(p, y, k32(p, 2)));
    expr_subst_free(s);
    expr_input_free(&in);
    expr_pool_free(p);
}

static void evaluation_follows_the_input(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Expr x = word(p, "x"), wide = expr_concat(p, expr_zext(p, x, 96), x);
    ExprEval *ev = expr_eval_new(p);
    ExprInput in = {0};
    assert_true(expr_eval(ev, x) == 0);
    for (uint8_t v = 0; v < 5; v++) {
        expr_input_set_byte(&in, 0, v);
        expr_eval_input(ev, &in);
        assert_true(expr_eval(ev, wide) == ((u128)v << 32 | v));
        assert_true(expr_eval_true(ev, expr_eq(p, x, k32(p, v)))); /* nodes made after the context */
    }
    expr_eval_free(ev);
    expr_input_free(&in);
    expr_pool_free(p);
}

static void import_keeps_names(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new(), *to = expr_pool_new();
    Expr spare = word(to, "other"), y = word(p, "y"), x = word(p, "x");
    Expr e = expr_ite(p, expr_slt(p, x, y), expr_object_symbol(p, expr_object_scalar(p, "z", "z", 32, INT)),
                      k32(p, 4));
    e = expr_add(p, e,
                 expr_zext(p,
                           expr_array_select(p, expr_array_input(p, expr_object(p, "t", "t", 9, CHARS)),
                                             expr_zext(p, x, 64)),
                           32));
    ExprImport *im = expr_import_new(to, p), *back = expr_import_new(p, to);
    Expr moved = expr_import(im, e);
    assert_true(spare.id != 0 && expr_size(to, moved) == expr_size(p, e));
    assert_same(expr_import(back, moved), e);
    expr_import_free(im);
    expr_import_free(back);
    expr_pool_free(p);
    expr_pool_free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one),
        cmocka_unit_test(words_survive_memory),
        cmocka_unit_test(conditions_have_one_form),
        cmocka_unit_test(bounds_decide),
        cmocka_unit_test(objects_and_inputs),
        cmocka_unit_test(inputs_differ),
        cmocka_unit_test(a_million_deep),
        cmocka_unit_test(sets_against_bit_sets),
        cmocka_unit_test(symbols_of_expressions),
        cmocka_unit_test(arrays_read_over_writes),
        cmocka_unit_test(functions_are_applied),
        cmocka_unit_test(substitution_reaches_everything),
        cmocka_unit_test(evaluation_follows_the_input),
        cmocka_unit_test(import_keeps_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
