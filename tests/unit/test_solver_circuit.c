/* test_solver_circuit.c - every circuit computes what bits_apply computes, in CaDiCaL and under the hint. */
#include "solver/circuit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static u128 random_word(Rng *r, unsigned width)
{
    u128 v = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 6)) {
    case 0: v = rng_below(r, 4); break;
    case 1: v = ~(u128)rng_below(r, 4); break;
    case 2: v = (u128)1 << rng_below(r, width); break;
    case 3: v >>= rng_below(r, 128); break;
    default: break;
    }
    return v & bits_mask(width);
}

/* Some literals of a word are constants, so that folding is tested too. */
static void fresh_word(Gates *g, Rng *r, u128 hint, u128 value, unsigned width, Lit *out)
{
    bool constant = rng_below(r, 4) == 0;
    for (unsigned i = 0; i < width; i++)
        out[i] = constant || rng_below(r, 8) == 0 ? lit_const(value >> i & 1) : gates_fresh(g, hint >> i & 1);
}

static void assume_word(Gates *g, const Lit *a, u128 value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        ccadical_assume(gates_sat(g), value >> i & 1 ? a[i] : -a[i]);
}

static u128 word_value(Gates *g, const Lit *a, unsigned width)
{
    u128 v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (u128)(ccadical_val(gates_sat(g), abs(a[i])) > 0 ? a[i] > 0 : a[i] < 0) << i;
    return v;
}

static unsigned pick_width(Rng *r, BitsOp op)
{
    if (bits_op_is_float(op))
        return rng_below(r, 2) ? 32 : 64;
    unsigned w = 1 + (unsigned)rng_below(r, rng_below(r, 4) ? 16 : 128);
    return op == BITS_BSWAP ? 8 * (1 + w % 8) : w;
}

static void check_op(BitsOp op, Rng *r)
{
    unsigned width = pick_width(r, op), source = width;
    if (!circuit_has(op, width))
        return;
    if (op == BITS_TRUNC)
        source = width + (unsigned)rng_below(r, 129 - width);
    if (op == BITS_ZEXT || op == BITS_SEXT)
        source = 1 + (unsigned)rng_below(r, width);
    unsigned from[3] = {op == BITS_SELECT ? 1 : source, width, width};
    u128 hint[3], value[3];
    Lit in[3][CIRCUIT_MAX], out[CIRCUIT_MAX];
    Gates *g = gates_new();
    for (unsigned i = 0; i < 3; i++) {
        value[i] = random_word(r, from[i]);
        fresh_word(g, r, random_word(r, from[i]), value[i], from[i], in[i]);
        hint[i] = circuit_hinted(in[i], from[i]);
    }
    unsigned result = bits_op_result(op) == BITS_RESULT_BIT ? 1 : width;
    circuit_apply(g, op, width, source, in[0], in[1], in[2], out);
    u128 hinted = bits_apply(op, width, source, hint[0], hint[1], hint[2]);
    if (circuit_hinted(out, result) != hinted)
        fail_msg("%s, width %u: wrong under the hint", bits_op_text(op), width);
    for (unsigned i = 0; i < 3; i++)
        assume_word(g, in[i], value[i], from[i]);
    assert_int_equal(ccadical_solve(gates_sat(g)), 10);
    if (word_value(g, out, result) != bits_apply(op, width, source, value[0], value[1], value[2]))
        fail_msg("%s, width %u: wrong value", bits_op_text(op), width);
    gates_free(g);
}

static void test_circuits_compute_bits_apply(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 1);
    for (unsigned round = 0; round < 40; round++)
        for (BitsOp op = 0; op < BITS_COUNT; op++)
            check_op(op, &r);
}

/* Equal gates are one gate: building a circuit twice makes no further variable. */
static void test_gates_are_shared(void **state)
{
    (void)state;
    Gates *g = gates_new();
    Lit a[16], b[16], first[16], second[16];
    for (unsigned i = 0; i < 16; i++)
        a[i] = gates_fresh(g, i & 1), b[i] = gates_fresh(g, i & 2);
    circuit_mul(g, a, b, 16, first);
    uint32_t vars = gates_vars(g);
    circuit_mul(g, a, b, 16, second);
    assert_int_equal(gates_vars(g), vars);
    assert_memory_equal(first, second, sizeof first);
    gates_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuits_compute_bits_apply),
        cmocka_unit_test(test_gates_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
