/* bounds.c - between which numbers a value lies, by looking at a few operators below it: enough to decide
 * that a byte scaled and added stays inside a table, without asking anyone. Sound, never precise at any
 * price: BUDGET nodes. */
#include "expr/expr_int.h"

enum { BUDGET = 24 };

static Bounds unsigned_bounds(const ExprPool *p, Expr e, unsigned *budget);
static SignedBounds signed_bounds(const ExprPool *p, Expr e, unsigned *budget);

static Bounds all_of(unsigned width) { return (Bounds){0, bits_mask(width)}; }

static SignedBounds all_signed(unsigned width)
{
    i128 greatest = (i128)(bits_mask(width) >> 1);
    return (SignedBounds){-greatest - 1, greatest};
}

static u128 low_ones_up_to(u128 value) /* the least 2^n - 1 that is not below value */
{
    return value ? bits_mask(128 - (unsigned)bits_apply(BITS_CTLZ, 128, 0, value, 0, 0)) : 0;
}

/* ---- unsigned -------------------------------------------------------------------------------- */

static Bounds arithmetic_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    unsigned width = width_of(p, e);
    Bounds a = unsigned_bounds(p, kid(p, e, 0), budget);
    if (a.high == bits_mask(width)) /* anything more wraps */
        return all_of(width);
    Bounds b = unsigned_bounds(p, kid(p, e, 1), budget), r;
    bool wraps = is(p, e, EXPR_ADD) ? __builtin_add_overflow(a.high, b.high, &r.high)
                                    : __builtin_mul_overflow(a.high, b.high, &r.high);
    if (wraps || r.high > bits_mask(width))
        return all_of(width);
    r.low = is(p, e, EXPR_ADD) ? a.low + b.low : a.low * b.low;
    return r;
}

static Bounds bitwise_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    Bounds a = unsigned_bounds(p, kid(p, e, 0), budget), b = unsigned_bounds(p, kid(p, e, 1), budget);
    u128 greater = a.high > b.high ? a.high : b.high, less = a.high < b.high ? a.high : b.high;
    if (is(p, e, EXPR_AND))
        return (Bounds){0, less};
    return (Bounds){is(p, e, EXPR_OR) ? (a.low > b.low ? a.low : b.low) : 0, low_ones_up_to(greater)};
}

static Bounds division_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    Bounds a = unsigned_bounds(p, kid(p, e, 0), budget);
    u128 k = is_const(p, kid(p, e, 1)) ? value_of(p, kid(p, e, 1)) : 0;
    if (is(p, e, EXPR_UREM)) /* never more than the dividend */
        return (Bounds){0, k && k - 1 < a.high ? k - 1 : a.high};
    return k ? (Bounds){a.low / k, a.high / k} : all_of(width_of(p, e));
}

static Bounds part_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    unsigned width = width_of(p, e);
    if (is(p, e, EXPR_EXTRACT)) {
        Bounds a = unsigned_bounds(p, kid(p, e, 0), budget);
        u128 high = a.high >> low_of(p, e);
        return high <= bits_mask(width) ? (Bounds){a.low >> low_of(p, e), high} : all_of(width);
    }
    Bounds a = unsigned_bounds(p, kid(p, e, 0), budget);
    unsigned split = width_of(p, kid(p, e, 1));
    return (Bounds){a.low << split, a.high << split | bits_mask(split)};
}

static Bounds unsigned_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    unsigned width = width_of(p, e);
    if (is_const(p, e))
        return (Bounds){value_of(p, e), value_of(p, e)};
    if (*budget == 0)
        return all_of(width);
    --*budget;
    switch (op_of(p, e)) {
    case EXPR_ZEXT: return unsigned_bounds(p, kid(p, e, 0), budget);
    case EXPR_ADD:
    case EXPR_MUL: return arithmetic_bounds(p, e, budget);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return bitwise_bounds(p, e, budget);
    case EXPR_UDIV:
    case EXPR_UREM: return division_bounds(p, e, budget);
    case EXPR_EXTRACT:
    case EXPR_CONCAT: return part_bounds(p, e, budget);
    case EXPR_LSHR: return (Bounds){0, unsigned_bounds(p, kid(p, e, 0), budget).high};
    case EXPR_SEXT: {
        Bounds a = unsigned_bounds(p, kid(p, e, 0), budget);
        return a.high >> (width_of(p, kid(p, e, 0)) - 1) ? all_of(width) : a;
    }
    case EXPR_ITE: {
        Bounds a = unsigned_bounds(p, kid(p, e, 1), budget), b = unsigned_bounds(p, kid(p, e, 2), budget);
        return (Bounds){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
    default: return all_of(width);
    }
}

/* ---- signed ---------------------------------------------------------------------------------- */

static SignedBounds hull(SignedBounds a, SignedBounds b)
{
    return (SignedBounds){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* Requires: widths up to 64, so that sums and products are exact in 128 bits. */
static SignedBounds signed_arithmetic(const ExprPool *p, Expr e, unsigned *budget)
{
    SignedBounds a = signed_bounds(p, kid(p, e, 0), budget), b, r;
    switch (op_of(p, e)) {
    case EXPR_NEG: r = (SignedBounds){-a.high, -a.low}; break;
    case EXPR_ADD:
        b = signed_bounds(p, kid(p, e, 1), budget);
        r = (SignedBounds){a.low + b.low, a.high + b.high};
        break;
    default:
        b = signed_bounds(p, kid(p, e, 1), budget);
        r = hull((SignedBounds){a.low * b.low, a.low * b.low},
                 (SignedBounds){a.low * b.high, a.low * b.high});
        r = hull(r, (SignedBounds){a.high * b.low, a.high * b.low});
        r = hull(r, (SignedBounds){a.high * b.high, a.high * b.high});
        break;
    }
    SignedBounds all = all_signed(width_of(p, e));
    return r.low < all.low || r.high > all.high ? all : r;
}

static SignedBounds signed_division(const ExprPool *p, Expr e, unsigned *budget)
{
    Expr divisor = kid(p, e, 1);
    i128 k = is_const(p, divisor) ? bits_signed(value_of(p, divisor), width_of(p, divisor)) : 0;
    if (k <= 0)
        return all_signed(width_of(p, e));
    SignedBounds a = signed_bounds(p, kid(p, e, 0), budget);
    if (is(p, e, EXPR_SDIV))
        return (SignedBounds){a.low / k, a.high / k};
    SignedBounds r = {a.low >= 0   ? 0
                      : a.low > -k ? a.low
                                   : 1 - k,
                      a.high <= 0  ? 0
                      : a.high < k ? a.high
                                   : k - 1};
    return r;
}

static SignedBounds signed_bounds(const ExprPool *p, Expr e, unsigned *budget)
{
    unsigned width = width_of(p, e);
    if (is_const(p, e)) {
        i128 value = bits_signed(value_of(p, e), width);
        return (SignedBounds){value, value};
    }
    if (*budget == 0)
        return all_signed(width);
    --*budget;
    switch (op_of(p, e)) {
    case EXPR_SEXT: return signed_bounds(p, kid(p, e, 0), budget);
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_MUL: return width <= 64 ? signed_arithmetic(p, e, budget) : all_signed(width);
    case EXPR_SDIV:
    case EXPR_SREM: return signed_division(p, e, budget);
    case EXPR_ITE: {
        SignedBounds a = signed_bounds(p, kid(p, e, 1), budget);
        return hull(a, signed_bounds(p, kid(p, e, 2), budget));
    }
    default: {
        Bounds u = unsigned_bounds(p, e, budget);
        return u.high >> (width - 1) ? all_signed(width) : (SignedBounds){(i128)u.low, (i128)u.high};
    }
    }
}

/* ---- the face -------------------------------------------------------------------------------- */

Bounds expr_bounds(const ExprPool *p, Expr e)
{
    unsigned budget = BUDGET;
    return unsigned_bounds(p, e, &budget);
}

SignedBounds expr_signed_bounds(const ExprPool *p, Expr e)
{
    unsigned budget = BUDGET;
    return signed_bounds(p, e, &budget);
}
