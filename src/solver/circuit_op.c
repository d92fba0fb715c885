/* circuit_op.c - every operator of bits.def that has a circuit, one function for each family. */
#include "solver/circuit.h"

typedef struct Operands {
    unsigned width, source;
    const Lit *a, *b, *c;
} Operands;

static void flip(const Lit *a, unsigned width, Lit *out)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = -a[i];
}

static Lit any(Gates *g, const Lit *a, unsigned width)
{
    Lit none[CIRCUIT_MAX] = {0};
    flip(a, width, none);
    return -gates_and_n(g, none, width);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static void magnitude(Gates *g, const Lit *a, unsigned width, Lit *out)
{
    Lit negated[CIRCUIT_MAX];
    circuit_neg(g, a, width, negated);
    circuit_ite(g, a[width - 1], negated, a, width, out);
}

static void divide_signed(Gates *g, const Operands *o, bool want_remainder, Lit *out)
{
    unsigned w = o->width;
    Lit a[CIRCUIT_MAX], b[CIRCUIT_MAX], q[CIRCUIT_MAX], r[CIRCUIT_MAX], negated[CIRCUIT_MAX];
    magnitude(g, o->a, w, a);
    magnitude(g, o->b, w, b);
    circuit_divide(g, a, b, w, q, r);
    Lit negate = want_remainder ? o->a[w - 1] : gates_xor(g, o->a[w - 1], o->b[w - 1]);
    const Lit *plain = want_remainder ? r : q;
    circuit_neg(g, plain, w, negated);
    circuit_ite(g, negate, negated, plain, w, out);
}

static void arithmetic(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    unsigned w = o->width;
    Lit other[CIRCUIT_MAX];
    switch (op) {
    case BITS_ADD: circuit_add(g, o->a, o->b, LIT_FALSE, w, out); break;
    case BITS_SUB: circuit_sub(g, o->a, o->b, w, out); break;
    case BITS_MUL: circuit_mul(g, o->a, o->b, w, out); break;
    case BITS_UDIV: circuit_divide(g, o->a, o->b, w, out, other); break;
    case BITS_UREM: circuit_divide(g, o->a, o->b, w, other, out); break;
    case BITS_SDIV: divide_signed(g, o, false, out); break;
    case BITS_SREM: divide_signed(g, o, true, out); break;
    case BITS_ABS: magnitude(g, o->a, w, out); break;
    default: bug("no arithmetic circuit for %s", bits_op_text(op));
    }
}

/* The smaller or larger of a and b. */
static void extremum(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    bool is_signed = op == BITS_SMIN || op == BITS_SMAX, want_less = op == BITS_UMIN || op == BITS_SMIN;
    Lit less = is_signed ? circuit_slt(g, o->a, o->b, o->width) : circuit_ult(g, o->a, o->b, o->width);
    circuit_ite(g, want_less ? less : -less, o->a, o->b, o->width, out);
}

/* ---- shifts ---------------------------------------------------------------------------------- */

/* A barrel shifter: one row of selections for each bit of the amount that matters. */
static void shift(Gates *g, bool left, Lit fill, const Lit *a, const Lit *by, unsigned width, Lit *out)
{
    Lit from[CIRCUIT_MAX];
    memcpy(out, a, width * sizeof(Lit));
    unsigned stage = 0;
    for (; stage < width && (1u << stage) < width; stage++) {
        unsigned step = 1u << stage;
        memcpy(from, out, width * sizeof(Lit));
        for (unsigned i = 0; i < width; i++) {
            Lit moved =
                left ? (i >= step ? from[i - step] : fill) : (i + step < width ? from[i + step] : fill);
            out[i] = gates_ite(g, by[stage], moved, from[i]);
        }
    }
    /* Amounts that the rows leave out are at least the width, since 2^stage >= width; so all bits are the
     * fill. */
    Lit far = any(g, by + stage, width - stage);
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_ite(g, far, fill, out[i]);
}

static void shift_op(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    shift(g, op == BITS_SHL, op == BITS_ASHR ? o->a[o->width - 1] : LIT_FALSE, o->a, o->b, o->width, out);
}

/* (a:b) shifted by c modulo the width. */
static void funnel(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    unsigned w = o->width;
    Lit width_word[CIRCUIT_MAX], quotient[CIRCUIT_MAX], by[CIRCUIT_MAX], pair[2 * CIRCUIT_MAX],
        from[2 * CIRCUIT_MAX];
    unsigned stages = 0;
    while ((1u << stages) < w)
        stages++;
    if ((w & (w - 1)) == 0) {
        memcpy(by, o->c, stages * sizeof(Lit));
    } else {
        circuit_const(w, w, width_word);
        circuit_divide(g, o->c, width_word, w, quotient, by);
    }
    memcpy(pair, o->b, w * sizeof(Lit));
    memcpy(pair + w, o->a, w * sizeof(Lit));
    for (unsigned stage = 0; stage < stages; stage++) {
        unsigned step = 1u << stage;
        memcpy(from, pair, 2 * w * sizeof(Lit));
        for (unsigned i = 0; i < 2 * w; i++) {
            unsigned to = op == BITS_FSHL ? i - step : i + step; /* wraps below zero: out of range */
            pair[i] = gates_ite(g, by[stage], to < 2 * w ? from[to] : LIT_FALSE, from[i]);
        }
    }
    memcpy(out, op == BITS_FSHL ? pair + w : pair, w * sizeof(Lit));
}

/* ---- overflow and saturation ----------------------------------------------------------------- */

static Lit multiply_overflows(Gates *g, bool is_signed, const Operands *o)
{
    unsigned w = o->width;
    Lit a[CIRCUIT_MAX] = {0}, b[CIRCUIT_MAX] = {0}, product[CIRCUIT_MAX];
    circuit_extend(o->a, w, 2 * w, is_signed ? o->a[w - 1] : LIT_FALSE, a);
    circuit_extend(o->b, w, 2 * w, is_signed ? o->b[w - 1] : LIT_FALSE, b);
    circuit_mul(g, a, b, 2 * w, product);
    if (!is_signed)
        return any(g, product + w, w);
    Lit differs[CIRCUIT_MAX];
    for (unsigned i = 0; i < w; i++)
        differs[i] = gates_xor(g, product[w - 1], product[w + i]);
    return any(g, differs, w);
}

/* Whether a + b (a - b) leaves the signed range, and its wrapped value. */
static Lit signed_overflows(Gates *g, bool subtracts, const Operands *o, Lit *wrapped)
{
    unsigned top = o->width - 1;
    if (subtracts)
        circuit_sub(g, o->a, o->b, o->width, wrapped);
    else
        circuit_add(g, o->a, o->b, LIT_FALSE, o->width, wrapped);
    Lit b_sign = subtracts ? -o->b[top] : o->b[top];
    return gates_and(g, -gates_xor(g, o->a[top], b_sign), gates_xor(g, o->a[top], wrapped[top]));
}

static Lit overflow(Gates *g, BitsOp op, const Operands *o)
{
    Lit unused[CIRCUIT_MAX];
    switch (op) {
    case BITS_UADD_OVF: return circuit_add(g, o->a, o->b, LIT_FALSE, o->width, unused);
    case BITS_USUB_OVF: return circuit_ult(g, o->a, o->b, o->width);
    case BITS_SADD_OVF: return signed_overflows(g, false, o, unused);
    case BITS_SSUB_OVF: return signed_overflows(g, true, o, unused);
    case BITS_UMUL_OVF: return multiply_overflows(g, false, o);
    case BITS_SMUL_OVF: return multiply_overflows(g, true, o);
    default: bug("no overflow circuit for %s", bits_op_text(op));
    }
}

/* The largest signed word if `sign` is false, else the least. */
static void signed_limit(Lit sign, unsigned width, Lit *out)
{
    for (unsigned i = 0; i < width; i++)
        out[i] = i == width - 1 ? sign : -sign;
}

static void saturate(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    unsigned w = o->width;
    Lit sign = o->a[w - 1], plain[CIRCUIT_MAX], limit[CIRCUIT_MAX], back[CIRCUIT_MAX], over;
    circuit_const(op == BITS_USUB_SAT ? 0 : bits_mask(w), w, limit);
    switch (op) {
    case BITS_UADD_SAT: over = circuit_add(g, o->a, o->b, LIT_FALSE, w, plain); break;
    case BITS_USUB_SAT: over = -circuit_sub(g, o->a, o->b, w, plain); break;
    case BITS_SADD_SAT:
    case BITS_SSUB_SAT: over = signed_overflows(g, op == BITS_SSUB_SAT, o, plain); break;
    case BITS_USHL_SAT:
    case BITS_SSHL_SAT:
        /* Shifting back gives a again if and only if nothing was lost. */
        shift(g, true, LIT_FALSE, o->a, o->b, w, plain);
        shift(g, false, op == BITS_SSHL_SAT ? plain[w - 1] : LIT_FALSE, plain, o->b, w, back);
        over = -circuit_eq(g, back, o->a, w);
        break;
    default: bug("no saturating circuit for %s", bits_op_text(op));
    }
    if (op == BITS_SADD_SAT || op == BITS_SSUB_SAT || op == BITS_SSHL_SAT)
        signed_limit(sign, w, limit);
    circuit_ite(g, over, limit, plain, w, out);
}

/* ---- counting and reordering ----------------------------------------------------------------- */

static void count_ones(Gates *g, const Lit *a, unsigned width, Lit *out)
{
    circuit_const(0, width, out);
    unsigned bits = 1;
    for (unsigned i = 0; i < width; i++) {
        if (i + 1 == 1u << bits)
            bits++;
        Lit one[CIRCUIT_MAX];
        circuit_const(0, width, one);
        one[0] = a[i];
        circuit_add(g, out, one, LIT_FALSE, bits < width ? bits : width, out);
    }
}

/* Zeros before the first one, from the top (ctlz) or the bottom (cttz); reduced modulo 2^width as in
 * bits_apply. */
static void count_zeros(Gates *g, bool from_top, const Lit *a, unsigned width, Lit *out)
{
    circuit_const(width & bits_mask(width), width, out);
    for (unsigned i = width; i-- > 0;) {
        Lit here[CIRCUIT_MAX];
        circuit_const(i, width, here);
        circuit_ite(g, a[from_top ? width - 1 - i : i], here, out, width, out);
    }
}

static void reorder(BitsOp op, const Operands *o, Lit *out)
{
    for (unsigned i = 0; i < o->width; i++) {
        unsigned from = o->width - 1 - i;
        out[i] = o->a[op == BITS_BITREV ? from : (from / 8 * 8) + i % 8];
    }
}

/* ---- floats: what needs no rounding ---------------------------------------------------------- */

static Lit is_nan(Gates *g, const Lit *a, unsigned width)
{
    Lit infinity[CIRCUIT_MAX];
    circuit_const(width == 32 ? (u128)0xff << 23 : (u128)0x7ff << 52, width - 1, infinity);
    return circuit_ult(g, infinity, a, width - 1);
}

static Lit float_compare(Gates *g, BitsOp op, const Operands *o)
{
    unsigned w = o->width;
    Lit unordered = gates_or(g, is_nan(g, o->a, w), is_nan(g, o->b, w));
    Lit a_sign = o->a[w - 1], b_sign = o->b[w - 1];
    Lit both_zero = -gates_or(g, any(g, o->a, w - 1), any(g, o->b, w - 1));
    Lit equal = gates_or(g, both_zero, circuit_eq(g, o->a, o->b, w));
    /* As sign and magnitude: negative before positive, two negatives the other way round. */
    Lit smaller = gates_ite(g, a_sign, circuit_ult(g, o->b, o->a, w - 1), circuit_ult(g, o->a, o->b, w - 1));
    Lit less = gates_and(g, -both_zero, gates_ite(g, gates_xor(g, a_sign, b_sign), a_sign, smaller));
    switch (op) {
    case BITS_FOEQ: return gates_and(g, -unordered, equal);
    case BITS_FONE: return gates_and(g, -unordered, -equal);
    case BITS_FOLT: return gates_and(g, -unordered, less);
    case BITS_FOLE: return gates_and(g, -unordered, gates_or(g, less, equal));
    case BITS_FORD: return -unordered;
    case BITS_FUNO: return unordered;
    case BITS_FUEQ: return gates_or(g, unordered, equal);
    case BITS_FUNE: return gates_or(g, unordered, -equal);
    case BITS_FULT: return gates_or(g, unordered, less);
    case BITS_FULE: return gates_or(g, unordered, gates_or(g, less, equal));
    default: bug("no float circuit for %s", bits_op_text(op));
    }
}

static void float_sign(BitsOp op, const Operands *o, Lit *out)
{
    unsigned top = o->width - 1;
    memcpy(out, o->a, o->width * sizeof(Lit));
    out[top] = op == BITS_FNEG ? -o->a[top] : op == BITS_FABS ? LIT_FALSE : o->b[top];
}

/* ---- dispatch -------------------------------------------------------------------------------- */

bool circuit_has(BitsOp op, unsigned width)
{
    if (!bits_op_is_float(op))
        return true;
    /* The 80-bit format has encodings that are no number: left to the back end that refines by values. */
    return width != 80 && ((op >= BITS_FOEQ && op <= BITS_FULE) || (op >= BITS_FCOPYSIGN && op <= BITS_FABS));
}

static void compare(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    unsigned w = o->width;
    switch (op) {
    case BITS_EQ: *out = circuit_eq(g, o->a, o->b, w); break;
    case BITS_NE: *out = -circuit_eq(g, o->a, o->b, w); break;
    case BITS_ULT: *out = circuit_ult(g, o->a, o->b, w); break;
    case BITS_ULE: *out = -circuit_ult(g, o->b, o->a, w); break;
    case BITS_SLT: *out = circuit_slt(g, o->a, o->b, w); break;
    case BITS_SLE: *out = -circuit_slt(g, o->b, o->a, w); break;
    default: bug("no comparison circuit for %s", bits_op_text(op));
    }
}

static void logic(Gates *g, BitsOp op, const Operands *o, Lit *out)
{
    for (unsigned i = 0; i < o->width; i++)
        out[i] = op == BITS_AND  ? gates_and(g, o->a[i], o->b[i])
                 : op == BITS_OR ? gates_or(g, o->a[i], o->b[i])
                                 : gates_xor(g, o->a[i], o->b[i]);
}

void circuit_apply(Gates *g, BitsOp op, unsigned width, unsigned source, const Lit *a, const Lit *b,
                   const Lit *c, Lit *out)
{
    Operands o = {width, source, a, b, c};
    switch (op) {
    case BITS_AND ... BITS_XOR: logic(g, op, &o, out); break;
    case BITS_SHL ... BITS_ASHR: shift_op(g, op, &o, out); break;
    case BITS_UMIN ... BITS_SMAX: extremum(g, op, &o, out); break;
    case BITS_UADD_SAT ... BITS_SSHL_SAT: saturate(g, op, &o, out); break;
    case BITS_UADD_OVF ... BITS_SMUL_OVF: *out = overflow(g, op, &o); break;
    case BITS_EQ ... BITS_SLE: compare(g, op, &o, out); break;
    case BITS_BSWAP ... BITS_BITREV: reorder(op, &o, out); break;
    case BITS_CTPOP: count_ones(g, a, width, out); break;
    case BITS_CTLZ ... BITS_CTTZ: count_zeros(g, op == BITS_CTLZ, a, width, out); break;
    case BITS_FSHL ... BITS_FSHR: funnel(g, op, &o, out); break;
    case BITS_SELECT: circuit_ite(g, a[0], b, c, width, out); break;
    case BITS_TRUNC: memcpy(out, a, width * sizeof(Lit)); break;
    case BITS_ZEXT: circuit_extend(a, source, width, LIT_FALSE, out); break;
    case BITS_SEXT: circuit_extend(a, source, width, a[source - 1], out); break;
    case BITS_FCOPYSIGN ... BITS_FABS: float_sign(op, &o, out); break;
    case BITS_FOEQ ... BITS_FULE: *out = float_compare(g, op, &o); break;
    default: arithmetic(g, op, &o, out); break;
    }
}
