/* make.c - expr_make: every operator of bits.def, made of the few kinds of node that expr.def has. */
#include "expr/expr_int.h"

static Expr number(ExprPool *p, unsigned width, u128 value) { return expr_const(p, width, value); }
static Expr sign_of(ExprPool *p, Expr a) { return expr_extract(p, a, width_of(p, a) - 1, 1); }

/* ---- overflow -------------------------------------------------------------------------------- */

/* Both operands have the sign that the result lost (for sub: after changing b's sign). */
static Expr signed_overflow(ExprPool *p, Expr a, Expr b, bool is_sub)
{
    Expr r = is_sub ? expr_sub(p, a, b) : expr_add(p, a, b);
    Expr sa = sign_of(p, a), sb = sign_of(p, b), sr = sign_of(p, r);
    Expr alike = is_sub ? expr_ne(p, sa, sb) : expr_eq(p, sa, sb);
    return expr_and(p, alike, expr_ne(p, sa, sr));
}

/* x + k or x - k leaves the range: one comparison of x. */
static Expr signed_overflow_by(ExprPool *p, Expr x, u128 k, bool is_sub)
{
    unsigned width = width_of(p, x);
    u128 least = (u128)1 << (width - 1), greatest = least - 1;
    bool upwards = !(k >> (width - 1)) != is_sub;
    if (is_sub)
        return upwards ? expr_slt(p, number(p, width, greatest + k), x)
                       : expr_slt(p, x, number(p, width, least + k));
    return upwards ? expr_slt(p, number(p, width, greatest - k), x)
                   : expr_slt(p, x, number(p, width, least - k));
}

static Expr product_overflow_by(ExprPool *p, Expr x, u128 k, bool is_signed)
{
    unsigned width = width_of(p, x);
    u128 most = bits_mask(width), least = (u128)1 << (width - 1), greatest = least - 1;
    if (k == 0 || k == 1)
        return is_signed && width == 1 && k == 1 ? x : EXPR_FALSE;
    if (!is_signed)
        return expr_ult(p, number(p, width, most / k), x);
    if (k == most) /* -1: only the least number has no opposite */
        return expr_eq(p, x, number(p, width, least));
    /* the quotients of both ends by k, rounded towards zero, bound x */
    Expr low = number(p, width, bits_apply(BITS_SDIV, width, 0, k >> (width - 1) ? greatest : least, k, 0));
    Expr high = number(p, width, bits_apply(BITS_SDIV, width, 0, k >> (width - 1) ? least : greatest, k, 0));
    return expr_or(p, expr_slt(p, x, low), expr_slt(p, high, x));
}

/* By the product in twice the width, or, where that is too wide, by dividing the product again. */
static Expr product_overflow(ExprPool *p, Expr a, Expr b, bool is_signed)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a))
        swap_exprs(&a, &b);
    if (is_const(p, b))
        return product_overflow_by(p, a, value_of(p, b), is_signed);
    if (2 * width <= 128 && !is_signed) {
        Expr r = expr_mul(p, expr_zext(p, a, 2 * width), expr_zext(p, b, 2 * width));
        return expr_ne(p, expr_extract(p, r, width, width), number(p, width, 0));
    }
    if (2 * width <= 128) {
        Expr r = expr_mul(p, expr_sext(p, a, 2 * width), expr_sext(p, b, 2 * width));
        return expr_ne(p, expr_sext(p, expr_extract(p, r, 0, width), 2 * width), r);
    }
    Expr r = expr_mul(p, a, b), zero = number(p, width, 0);
    if (!is_signed)
        return expr_and(p, expr_ne(p, a, zero), expr_ne(p, expr_udiv(p, r, a), b));
    Expr ends = expr_and(p, expr_eq(p, a, number(p, width, bits_mask(width))),
                         expr_eq(p, b, number(p, width, (u128)1 << (width - 1))));
    return expr_or(p, ends, expr_and(p, expr_ne(p, a, zero), expr_ne(p, expr_sdiv(p, r, a), b)));
}

/* Do the bounds of the operands leave no room for an overflow? Signed: of words up to 64 bits, exact in
 * 128. */
static bool cannot_overflow(const ExprPool *p, BitsOp op, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (op == BITS_UADD_OVF || op == BITS_UMUL_OVF) {
        u128 a_most = expr_bounds(p, a).high, b_most = expr_bounds(p, b).high;
        return !bits_apply(op, width, 0, a_most, b_most, 0);
    }
    if (op == BITS_USUB_OVF || width > 64)
        return false;
    SignedBounds x = expr_signed_bounds(p, a), y = expr_signed_bounds(p, b);
    u128 mask = bits_mask(width);
    for (int i = 0; i < 4; i++) { /* the extremes are at the corners */
        u128 corner_a = (u128)(i & 1 ? x.low : x.high) & mask,
             corner_b = (u128)(i & 2 ? y.low : y.high) & mask;
        if (bits_apply(op, width, 0, corner_a, corner_b, 0))
            return false;
    }
    return true;
}

static Expr overflow(ExprPool *p, BitsOp op, Expr a, Expr b)
{
    if (p->on[EXPR_RULE_OVERFLOW_BOUND] && cannot_overflow(p, op, a, b) && HIT(p, OVERFLOW_BOUND))
        return EXPR_FALSE;
    switch (op) {
    case BITS_UADD_OVF: return expr_ult(p, expr_add(p, a, b), a);
    case BITS_USUB_OVF: return expr_ult(p, a, b);
    case BITS_UMUL_OVF: return product_overflow(p, a, b, false);
    case BITS_SMUL_OVF: return product_overflow(p, a, b, true);
    default: break;
    }
    bool is_sub = op == BITS_SSUB_OVF;
    if (!is_sub && is_const(p, a))
        swap_exprs(&a, &b);
    return is_const(p, b) ? signed_overflow_by(p, a, value_of(p, b), is_sub)
                          : signed_overflow(p, a, b, is_sub);
}

/* ---- saturation, minimum, maximum ------------------------------------------------------------ */

static Expr signed_limit(ExprPool *p, Expr a)
{
    unsigned width = width_of(p, a);
    u128 least = (u128)1 << (width - 1);
    return expr_ite(p, sign_of(p, a), number(p, width, least), number(p, width, least - 1));
}

static Expr saturated(ExprPool *p, BitsOp op, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    Expr ones = number(p, width, bits_mask(width)), r;
    switch (op) {
    case BITS_UADD_SAT: return expr_ite(p, overflow(p, BITS_UADD_OVF, a, b), ones, expr_add(p, a, b));
    case BITS_USUB_SAT: return expr_ite(p, expr_ult(p, a, b), number(p, width, 0), expr_sub(p, a, b));
    case BITS_SADD_SAT:
        return expr_ite(p, overflow(p, BITS_SADD_OVF, a, b), signed_limit(p, a), expr_add(p, a, b));
    case BITS_SSUB_SAT:
        return expr_ite(p, overflow(p, BITS_SSUB_OVF, a, b), signed_limit(p, a), expr_sub(p, a, b));
    case BITS_USHL_SAT: r = expr_shl(p, a, b); return expr_ite(p, expr_eq(p, expr_lshr(p, r, b), a), r, ones);
    default:
        r = expr_shl(p, a, b);
        return expr_ite(p, expr_eq(p, expr_ashr(p, r, b), a), r, signed_limit(p, a));
    }
}

static Expr chosen(ExprPool *p, BitsOp op, Expr a, Expr b)
{
    bool is_signed = op == BITS_SMIN || op == BITS_SMAX, is_max = op == BITS_UMAX || op == BITS_SMAX;
    Expr less = is_signed ? expr_slt(p, a, b) : expr_ult(p, a, b);
    return is_max ? expr_ite(p, less, b, a) : expr_ite(p, less, a, b);
}

/* ---- counting and moving bits ---------------------------------------------------------------- */

/* Pieces of `size` bits in opposite order: bytes for bswap, bits for bitrev. */
static Expr reversed(ExprPool *p, Expr a, unsigned size)
{
    Expr all = expr_extract(p, a, width_of(p, a) - size, size);
    for (unsigned at = width_of(p, a) - size; at >= size; at -= size)
        all = expr_concat(p, expr_extract(p, a, at - size, size), all);
    return all;
}

/* The number of ones among `width` bits from `low` on, as narrow as each level allows; depth is
 * log2(width). */
static Expr ones_in(ExprPool *p, Expr a, unsigned low, unsigned width)
{
    if (width == 1)
        return expr_extract(p, a, low, 1);
    Expr left = ones_in(p, a, low, width / 2), right = ones_in(p, a, low + width / 2, width - width / 2);
    unsigned need = width_of(p, right) + 1;
    return expr_add(p, expr_zext(p, left, need), expr_zext(p, right, need));
}

static Expr count_ones(ExprPool *p, Expr a)
{
    unsigned width = width_of(p, a);
    return expr_zext(p, ones_in(p, a, 0, width), width);
}

/* Zeros at the top (or bottom) of `width` bits from `low` on, as a word of a's width: halving. */
static Expr zeros_in(ExprPool *p, Expr a, unsigned low, unsigned width, bool from_top)
{
    unsigned result = width_of(p, a);
    if (width == 1)
        return expr_zext(p, expr_not(p, expr_extract(p, a, low, 1)), result);
    unsigned half = width / 2, rest = width - half;
    unsigned first = from_top ? low + rest : low, second = from_top ? low : low + half;
    Expr empty = expr_eq(p, expr_extract(p, a, first, half), number(p, half, 0));
    Expr more = expr_add(p, zeros_in(p, a, second, rest, from_top), number(p, result, half));
    return expr_ite(p, empty, more, zeros_in(p, a, first, half, from_top));
}

static Expr funnel(ExprPool *p, BitsOp op, Expr a, Expr b, Expr c)
{
    unsigned width = width_of(p, a);
    if (width == 1)
        return op == BITS_FSHL ? a : b;
    Expr by = expr_urem(p, c, number(p, width, width)), back = expr_sub(p, number(p, width, width), by);
    if (op == BITS_FSHL) /* a shift by the whole width gives zero */
        return expr_or(p, expr_shl(p, a, by), expr_lshr(p, b, back));
    return expr_or(p, expr_shl(p, a, back), expr_lshr(p, b, by));
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* As bits/float.c describes what compiled code does; only conversions that the hardware has remain as
 * nodes. */
static Expr float_to_uint64(ExprPool *p, Expr a)
{
    unsigned source = width_of(p, a);
    Expr half = number(p, source, bits_apply(BITS_UITOFP, source, 64, (u128)1 << 63, 0, 0));
    Expr shifted = expr_float_op(p, EXPR_FSUB, a, half, EXPR_NONE);
    if (source == 80) {
        Expr high = expr_not(p, expr_float_compare(p, EXPR_FOLT, a, half));
        Expr r = expr_float_cast(p, EXPR_FPTOSI, 64, expr_ite(p, high, shifted, a));
        return expr_xor(p, r, expr_concat(p, high, number(p, 63, 0)));
    }
    Expr low = expr_float_cast(p, EXPR_FPTOSI, 64, a), high = expr_float_cast(p, EXPR_FPTOSI, 64, shifted);
    return expr_or(p, low, expr_and(p, high, expr_ashr(p, low, number(p, 64, 63))));
}

static Expr float_to_int(ExprPool *p, bool is_signed, unsigned width, Expr a)
{
    bool x87 = width_of(p, a) == 80;
    unsigned by;
    if (width > 64)
        return expr_trunc(p, expr_float_cast(p, is_signed ? EXPR_FPTOSI : EXPR_FPTOUI, 128, a), width);
    if (!is_signed && width > 32)
        return expr_trunc(p, float_to_uint64(p, a), width);
    if (is_signed)
        by = width > 32 ? 64 : x87 && width <= 16 ? 16 : 32;
    else
        by = width > 16 ? 64 : x87 && width <= 8 ? 16 : 32;
    return expr_trunc(p, expr_float_cast(p, EXPR_FPTOSI, by, a), width);
}

static Expr float_compare(ExprPool *p, BitsOp op, Expr a, Expr b)
{
    switch (op) {
    case BITS_FOEQ: return expr_float_compare(p, EXPR_FOEQ, a, b);
    case BITS_FOLT: return expr_float_compare(p, EXPR_FOLT, a, b);
    case BITS_FOLE: return expr_float_compare(p, EXPR_FOLE, a, b);
    case BITS_FONE: return expr_or(p, float_compare(p, BITS_FOLT, a, b), float_compare(p, BITS_FOLT, b, a));
    case BITS_FORD: return expr_and(p, float_compare(p, BITS_FOEQ, a, a), float_compare(p, BITS_FOEQ, b, b));
    case BITS_FUNO: return expr_not(p, float_compare(p, BITS_FORD, a, b));
    case BITS_FUEQ: return expr_not(p, float_compare(p, BITS_FONE, a, b));
    case BITS_FUNE: return expr_not(p, float_compare(p, BITS_FOEQ, a, b));
    case BITS_FULT: return expr_not(p, float_compare(p, BITS_FOLE, b, a));
    default: return expr_not(p, float_compare(p, BITS_FOLT, b, a));
    }
}

static Expr copy_sign(ExprPool *p, Expr a, Expr b)
{
    return expr_concat(p, sign_of(p, b), expr_extract(p, a, 0, width_of(p, a) - 1));
}

static Expr make_float(ExprPool *p, BitsOp op, unsigned width, Expr a, Expr b, Expr c)
{
    if (bits_op_result(op) == BITS_RESULT_BIT)
        return float_compare(p, op, a, b);
    switch (op) {
    case BITS_FCOPYSIGN: return copy_sign(p, a, b);
    case BITS_FPTRUNC:
    case BITS_FPEXT: return expr_float_cast(p, EXPR_FCAST, width, a);
    case BITS_FPTOUI: return float_to_int(p, false, width, a);
    case BITS_FPTOSI: return float_to_int(p, true, width, a);
    case BITS_UITOFP: return expr_float_cast(p, EXPR_UITOFP, width, a);
    case BITS_SITOFP: return expr_float_cast(p, EXPR_SITOFP, width, a);
    default: break;
    }
    for (int i = EXPR_FADD; i <= EXPR_FMA; i++)
        if (expr_op_bits((ExprOp)i) == op)
            return expr_float_op(p, (ExprOp)i, a, b, c);
    bug("no expression for operator %s", bits_op_text(op));
}

/* ---- all of them ----------------------------------------------------------------------------- */

Expr expr_make(ExprPool *p, BitsOp op, unsigned width, Expr a, Expr b, Expr c)
{
    switch (op) {
    case BITS_ADD: return expr_add(p, a, b);
    case BITS_SUB: return expr_sub(p, a, b);
    case BITS_MUL: return expr_mul(p, a, b);
    case BITS_UDIV: return expr_udiv(p, a, b);
    case BITS_SDIV: return expr_sdiv(p, a, b);
    case BITS_UREM: return expr_urem(p, a, b);
    case BITS_SREM: return expr_srem(p, a, b);
    case BITS_AND: return expr_and(p, a, b);
    case BITS_OR: return expr_or(p, a, b);
    case BITS_XOR: return expr_xor(p, a, b);
    case BITS_SHL: return expr_shl(p, a, b);
    case BITS_LSHR: return expr_lshr(p, a, b);
    case BITS_ASHR: return expr_ashr(p, a, b);
    case BITS_UMIN:
    case BITS_UMAX:
    case BITS_SMIN:
    case BITS_SMAX: return chosen(p, op, a, b);
    case BITS_UADD_SAT:
    case BITS_SADD_SAT:
    case BITS_USUB_SAT:
    case BITS_SSUB_SAT:
    case BITS_USHL_SAT:
    case BITS_SSHL_SAT: return saturated(p, op, a, b);
    case BITS_UADD_OVF:
    case BITS_SADD_OVF:
    case BITS_USUB_OVF:
    case BITS_SSUB_OVF:
    case BITS_UMUL_OVF:
    case BITS_SMUL_OVF: return overflow(p, op, a, b);
    case BITS_EQ: return expr_eq(p, a, b);
    case BITS_NE: return expr_ne(p, a, b);
    case BITS_ULT: return expr_ult(p, a, b);
    case BITS_ULE: return expr_ule(p, a, b);
    case BITS_SLT: return expr_slt(p, a, b);
    case BITS_SLE: return expr_sle(p, a, b);
    case BITS_ABS: return expr_ite(p, sign_of(p, a), expr_neg(p, a), a);
    case BITS_BSWAP: return reversed(p, a, 8);
    case BITS_BITREV: return reversed(p, a, 1);
    case BITS_CTPOP: return count_ones(p, a);
    case BITS_CTLZ: return zeros_in(p, a, 0, width_of(p, a), true);
    case BITS_CTTZ: return zeros_in(p, a, 0, width_of(p, a), false);
    case BITS_FSHL:
    case BITS_FSHR: return funnel(p, op, a, b, c);
    case BITS_SELECT: return expr_ite(p, a, b, c);
    case BITS_TRUNC: return expr_trunc(p, a, width);
    case BITS_ZEXT: return expr_zext(p, a, width);
    case BITS_SEXT: return expr_sext(p, a, width);
    default: return make_float(p, op, width, a, b, c);
    }
}
