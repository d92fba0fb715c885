/* circuit.c - the arithmetic circuits: adders, multipliers, dividers, comparators. */
#include "solver/circuit.h"

void circuit_const(u128 value, unsigned width, Lit *out)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = lit_const(i < 128 && (value >> i & 1));
}

u128 circuit_hinted(const Lit *a, unsigned width)
{
    u128 value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (u128)lit_hinted(a[i]) << i;
    return value;
}

bool circuit_is_const(const Lit *a, unsigned width, u128 *value)
{
    for (unsigned i = 0; i < width; i++)
        if (!lit_is_const(a[i]))
            return false;
    *value = circuit_hinted(a, width);
    return true;
}

void circuit_extend(const Lit *a, unsigned from, unsigned to, Lit fill, Lit *out)
{
    for (unsigned i = 0; i < to; i++)
        out[i] = i < from ? a[i] : fill;
}

/* ---- comparison ------------------------------------------------------------------------------ */

Lit circuit_eq(Gates *g, const Lit *a, const Lit *b, unsigned width)
{
    Lit same[CIRCUIT_MAX] = {0};
    for (unsigned i = 0; i < width; i++) {
        same[i] = -gates_xor(g, a[i], b[i]);
        if (same[i] == LIT_FALSE)
            return LIT_FALSE;
    }
    return gates_and_n(g, same, width);
}

/* One bit decides over all below it: a < b is the carry out of (not a) + b. */
static Lit less(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit below)
{
    for (unsigned i = 0; i < width; i++)
        below = gates_majority(g, -a[i], b[i], below);
    return below;
}

Lit circuit_ult(Gates *g, const Lit *a, const Lit *b, unsigned width)
{
    return less(g, a, b, width, LIT_FALSE);
}

Lit circuit_slt(Gates *g, const Lit *a, const Lit *b, unsigned width)
{
    Lit below = less(g, a, b, width - 1, LIT_FALSE);
    return gates_majority(g, a[width - 1], -b[width - 1], below);
}

/* ---- sums ------------------------------------------------------------------------------------ */

void circuit_ite(Gates *g, Lit c, const Lit *t, const Lit *e, unsigned width, Lit *out)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_ite(g, c, t[i], e[i]);
}

Lit circuit_add(Gates *g, const Lit *a, const Lit *b, Lit carry, unsigned width, Lit *out)
{
    for (unsigned i = 0; i < width; i++) {
        Lit sum = gates_xor3(g, a[i], b[i], carry);
        carry = gates_majority(g, a[i], b[i], carry);
        out[i] = sum;
    }
    return carry;
}

Lit circuit_sub(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *out)
{
    Lit flipped[CIRCUIT_MAX] = {0};
    for (unsigned i = 0; i < width; i++)
        flipped[i] = -b[i];
    return circuit_add(g, a, flipped, LIT_TRUE, width, out);
}

void circuit_neg(Gates *g, const Lit *a, unsigned width, Lit *out)
{
    Lit zero[CIRCUIT_MAX] = {0};
    circuit_const(0, width, zero);
    circuit_sub(g, zero, a, width, out);
}

/* ---- products -------------------------------------------------------------------------------- */

/* a * constant in canonical signed digits: runs of ones cost one addition and one subtraction. */
static void multiply_const(Gates *g, const Lit *a, const Lit *constant, unsigned width, Lit *out)
{
    int digit[CIRCUIT_MAX + 1] = {0};
    int carry = 0;
    for (unsigned i = 0; i < width; i++) {
        int here = (constant[i] == LIT_TRUE) + carry;
        int next = i + 1 < width && constant[i + 1] == LIT_TRUE;
        digit[i] = here == 1 ? (next ? -1 : 1) : 0;
        carry = here == 2 || (here == 1 && next);
    }
    circuit_const(0, width, out);
    for (unsigned i = 0; i < width; i++) {
        if (digit[i] > 0)
            circuit_add(g, out + i, a, LIT_FALSE, width - i, out + i);
        else if (digit[i] < 0)
            circuit_sub(g, out + i, a, width - i, out + i);
    }
}

static unsigned known_bits(const Lit *a, unsigned width)
{
    unsigned n = 0;
    for (unsigned i = 0; i < width; i++)
        n += lit_is_const(a[i]);
    return n;
}

void circuit_mul(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *out)
{
    u128 ignored;
    if (known_bits(a, width) > known_bits(b, width)) {
        const Lit *t = a;
        a = b;
        b = t;
    }
    if (width <= 128 && circuit_is_const(b, width, &ignored)) {
        multiply_const(g, a, b, width, out);
        return;
    }
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_and(g, a[i], b[0]);
    for (unsigned row = 1; row < width; row++) {
        if (b[row] == LIT_FALSE)
            continue;
        Lit addend[CIRCUIT_MAX] = {0};
        for (unsigned i = 0; i < width - row; i++)
            addend[i] = gates_and(g, a[i], b[row]);
        circuit_add(g, out + row, addend, LIT_FALSE, width - row, out + row);
    }
}

/* ---- quotients ------------------------------------------------------------------------------- */

static unsigned bit_length(u128 v)
{
    unsigned n = 0;
    for (; v; v >>= 1)
        n++;
    return n;
}

/* By a constant d > 0: the unique q and r < d with q * d + r = a, no step of which overflows. Far fewer gates
 * than long division, and the search may run from the result to the operand as well as forwards. */
static void divide_const(Gates *g, const Lit *a, u128 d, unsigned width, Lit *quotient, Lit *remainder)
{
    u128 hinted = circuit_hinted(a, width);
    u128 q = hinted / d, r = hinted % d;
    unsigned q_bits = width + 1 - bit_length(d), r_bits = bit_length(d - 1);
    for (unsigned i = 0; i < width; i++) {
        quotient[i] = i < q_bits ? gates_fresh(g, q >> i & 1) : LIT_FALSE;
        remainder[i] = i < r_bits ? gates_fresh(g, r >> i & 1) : LIT_FALSE;
    }
    /* q < 2^q_bits and d < 2^bit_length(d): the product is below 2^(width + 1), one bit more for the sum. */
    Lit wide_q[CIRCUIT_MAX] = {0}, wide_d[CIRCUIT_MAX] = {0}, wide_r[CIRCUIT_MAX] = {0};
    Lit product[CIRCUIT_MAX], sum[CIRCUIT_MAX];
    unsigned wide = width + 2;
    circuit_extend(quotient, width, wide, LIT_FALSE, wide_q);
    circuit_extend(remainder, width, wide, LIT_FALSE, wide_r);
    circuit_const(d, wide, wide_d);
    multiply_const(g, wide_q, wide_d, wide, product);
    circuit_add(g, product, wide_r, LIT_FALSE, wide, sum);
    for (unsigned i = 0; i < wide; i++) {
        Lit want = i < width ? a[i] : LIT_FALSE;
        gates_clause(g, (Lit[]){-sum[i], want}, 2);
        gates_clause(g, (Lit[]){sum[i], -want}, 2);
    }
    Lit below = circuit_ult(g, wide_r, wide_d, width);
    gates_clause(g, &below, 1);
}

/* Long division: the remainder so far never needs more than the bits seen so far. A divisor of zero yields
 * all ones and the dividend by itself: every step subtracts nothing and sets its bit. */
static void divide_long(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *quotient, Lit *remainder)
{
    Lit rest[CIRCUIT_MAX + 1], difference[CIRCUIT_MAX + 1];
    unsigned seen = 0;
    for (unsigned step = width; step-- > 0;) {
        memmove(rest + 1, rest, seen * sizeof(Lit));
        rest[0] = a[step];
        seen++;
        Lit low_fits = circuit_sub(g, rest, b, seen, difference);
        Lit high[CIRCUIT_MAX] = {0}; /* the divisor's bits above what was seen are zero */
        unsigned n = 0;
        for (unsigned i = seen; i < width; i++)
            high[n++] = -b[i];
        Lit fits = gates_and(g, low_fits, gates_and_n(g, high, n));
        quotient[step] = fits;
        circuit_ite(g, fits, difference, rest, seen, rest);
    }
    memcpy(remainder, rest, width * sizeof(Lit));
}

void circuit_divide(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *quotient, Lit *remainder)
{
    u128 d, unused;
    if (circuit_is_const(b, width, &d) && d != 0 && !circuit_is_const(a, width, &unused))
        divide_const(g, a, d, width, quotient, remainder);
    else
        divide_long(g, a, b, width, quotient, remainder);
}
