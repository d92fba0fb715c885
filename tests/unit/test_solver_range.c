/* test_solver_range.c - what ranges say of a result holds for every pair of members, on small words and on
 * wide ones. */
#include "solver/range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MEMBERS = 4 };

typedef struct Set {
    unsigned width;
    u128 v[MEMBERS];
    Range range; /* the narrowest that has them all */
} Set;

static u128 random_word(Rng *r, unsigned width)
{
    u128 v = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 4)) {
    case 0: v = rng_below(r, 5); break;
    case 1: v = ~(u128)rng_below(r, 5); break;
    case 2: v = ((u128)1 << (width - 1)) + rng_below(r, 5) - 2; break;
    default: break;
    }
    return v & bits_mask(width);
}

static Set random_set(Rng *r, unsigned width)
{
    Set s = {.width = width};
    u128 near = random_word(r, width);
    bool clustered = rng_below(r, 2);
    for (int i = 0; i < MEMBERS; i++) {
        s.v[i] = clustered ? (near + rng_below(r, 6)) & bits_mask(width) : random_word(r, width);
        Range one = range_const(s.v[i], width);
        s.range = i ? range_join(&s.range, &one) : one;
    }
    assert_true(range_tighten(&s.range, width));
    for (int i = 0; i < MEMBERS; i++)
        assert_true(range_has(&s.range, s.v[i], width));
    return s;
}

typedef Range (*Binary)(const Range *a, const Range *b, unsigned width);
static const struct {
    Binary range;
    BitsOp op;
} binary[] = {
    {range_and, BITS_AND}, {range_or, BITS_OR},     {range_xor, BITS_XOR},   {range_add, BITS_ADD},
    {range_mul, BITS_MUL}, {range_udiv, BITS_UDIV}, {range_urem, BITS_UREM}, {range_lshr, BITS_LSHR},
};

typedef int (*Compare)(const Range *a, const Range *b);
static const struct {
    Compare range;
    BitsOp op;
} compare[] = {
    {range_eq, BITS_EQ},
    {range_ult, BITS_ULT},
    {range_slt, BITS_SLT},
};

static void check_pairs(const Set *a, const Set *b)
{
    unsigned w = a->width;
    for (int i = 0; i < MEMBERS * MEMBERS; i++) {
        u128 x = a->v[i / MEMBERS], y = b->v[i % MEMBERS];
        for (size_t k = 0; k < COUNT_OF(binary); k++) {
            Range r = binary[k].range(&a->range, &b->range, w);
            if (!range_has(&r, bits_apply(binary[k].op, w, w, x, y, 0), w))
                fail_msg("%s of %u bits leaves its range", bits_op_text(binary[k].op), w);
        }
        for (size_t k = 0; k < COUNT_OF(compare); k++) {
            int known = compare[k].range(&a->range, &b->range);
            if (known >= 0 && known != (int)bits_apply(compare[k].op, w, w, x, y, 0))
                fail_msg("%s of %u bits is claimed to be %d", bits_op_text(compare[k].op), w, known);
        }
    }
}

static void check_single(const Set *a, const Set *b, Rng *r)
{
    unsigned w = a->width, wide = w + (unsigned)rng_below(r, 129 - w), low = (unsigned)rng_below(r, w);
    unsigned part = 1 + (unsigned)rng_below(r, w - low);
    Range flipped = range_not(&a->range, w), negated = range_neg(&a->range, w),
          zero = range_zext(&a->range, w, wide);
    Range sign = range_sext(&a->range, w, wide), slice = range_extract(&a->range, low, part), joined = {0};
    if (2 * w <= 128)
        joined = range_concat(&a->range, &b->range, w, 2 * w);
    for (int i = 0; i < MEMBERS; i++) {
        u128 x = a->v[i];
        assert_true(range_has(&flipped, ~x & bits_mask(w), w));
        assert_true(range_has(&negated, -x & bits_mask(w), w));
        assert_true(range_has(&zero, x, wide));
        assert_true(range_has(&sign, bits_apply(BITS_SEXT, wide, w, x, 0, 0), wide));
        assert_true(range_has(&slice, x >> low & bits_mask(part), part));
        if (2 * w <= 128)
            assert_true(range_has(&joined, x << w | b->v[i], 2 * w));
    }
}

/* What is in both is in the meet, and an empty meet means that nothing is. */
static void check_meet(const Set *a, const Set *b)
{
    Range r = a->range;
    bool changed = false, some = range_meet(&r, &b->range, a->width, &changed);
    for (int i = 0; i < MEMBERS; i++)
        if (range_has(&b->range, a->v[i], a->width)) {
            assert_true(some);
            assert_true(range_has(&r, a->v[i], a->width));
        }
    assert_true(!some || changed || memcmp(&r, &a->range, sizeof r) == 0);
}

static void test_results_stay_in_range(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 1);
    for (int round = 0; round < 20000; round++) {
        unsigned w = 1 + (unsigned)rng_below(&r, rng_below(&r, 4) ? 8 : 128);
        Set a = random_set(&r, w), b = random_set(&r, w);
        check_pairs(&a, &b);
        check_single(&a, &b, &r);
        check_meet(&a, &b);
    }
}

/* Ranges that always say "anything" would be sound too. */
static void test_ranges_know_something(void **state)
{
    (void)state;
    Range low = range_between(3, 9, 8), high = range_between(20, 30, 8), sum = range_add(&low, &high, 8);
    assert_true(sum.low == 23 && sum.high == 39);
    Range seven = range_const(7, 8), rest = range_urem(&high, &seven, 8),
          quotient = range_udiv(&high, &seven, 8);
    assert_true(rest.low == 0 && rest.high == 6);
    assert_true(quotient.low == 2 && quotient.high == 4);
    assert_int_equal(range_ult(&low, &high), 1);
    assert_int_equal(range_slt(&high, &low), 0);
    assert_int_equal(range_eq(&low, &high), 0);
    Range mask = range_const(0xf0, 8), any = range_all(8), masked = range_and(&any, &mask, 8);
    assert_true(masked.zeros == 0x0f && masked.high == 0xf0);
    Range product = range_mul(&low, &low, 8), wide = range_zext(&low, 8, 32),
          signed_wide = range_sext(&any, 8, 32);
    assert_true(product.low == 9 && product.high == 81);
    assert_true(wide.high == 9 && wide.zeros == 0xfffffff0u);
    assert_true(signed_wide.slow == -128 && signed_wide.shigh == 127);
    assert_true(range_near(&high, 25, 8) == 25);
    for (unsigned v = 0; v < 256; v++)
        assert_true(range_has(&high, range_near(&high, v, 8), 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_stay_in_range),
        cmocka_unit_test(test_ranges_know_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
