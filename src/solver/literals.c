/* literals.c - comparisons as people would write them: common factors divided out, sums of two widths as
 * one. */
#include "solver/literals.h"

enum { DEPTH_MOST = 24, CONE_MOST = 400, SHIFT_MOST = 12 };

static i128 as_signed(u128 value, unsigned width) { return bits_signed(value, width); }

/* What is shifted up in x << k, which is concat(low bits of x, 0), as a word of this width. */
static Expr shifted(ExprPool *p, Expr high, unsigned width)
{
    if (expr_op(p, high) == EXPR_EXTRACT && !expr_extract_low(p, high) &&
        expr_width(p, expr_child(p, high, 0)) == width)
        return expr_child(p, high, 0);
    return expr_op(p, high) == EXPR_ZEXT ? expr_zext(p, expr_child(p, high, 0), width)
                                         : expr_sext(p, high, width);
}

/* A term whose product with 2^shift is e, modulo 2^w; EXPR_NONE if e does not show one. */
static Expr divided(ExprPool *p, Expr e, unsigned shift, unsigned depth)
{
    unsigned width = expr_width(p, e);
    if (!depth)
        return EXPR_NONE;
    if (expr_is_const(p, e)) {
        i128 value = as_signed(expr_const_value(p, e), width), unit = (i128)1 << shift;
        return value % unit ? EXPR_NONE : expr_const(p, width, (u128)(value / unit));
    }
    switch (expr_op(p, e)) {
    case EXPR_ADD: {
        Expr a = divided(p, expr_child(p, e, 0), shift, depth - 1),
             b = expr_is_none(a) ? a : divided(p, expr_child(p, e, 1), shift, depth - 1);
        return expr_is_none(b) ? b : expr_add(p, a, b);
    }
    case EXPR_NEG: {
        Expr a = divided(p, expr_child(p, e, 0), shift, depth - 1);
        return expr_is_none(a) ? a : expr_neg(p, a);
    }
    case EXPR_MUL: {
        Expr k = expr_child(p, e, 1), by = expr_is_const(p, k) ? divided(p, k, shift, 1) : EXPR_NONE;
        return expr_is_none(by) ? by : expr_mul(p, expr_child(p, e, 0), by);
    }
    case EXPR_ZEXT: {
        Expr a = expr_op(p, expr_child(p, e, 0)) == EXPR_CONCAT
                     ? divided(p, expr_child(p, e, 0), shift, depth - 1)
                     : EXPR_NONE;
        return expr_is_none(a) ? a : expr_zext(p, a, width);
    }
    case EXPR_CONCAT: {
        Expr low = expr_child(p, e, 1);
        if (!expr_is_value(p, low, 0) || expr_width(p, low) < shift)
            return EXPR_NONE;
        return expr_mul(p, shifted(p, expr_child(p, e, 0), width),
                        expr_const(p, width, (u128)1 << (expr_width(p, low) - shift)));
    }
    default: return EXPR_NONE;
    }
}

Expr literal_divided(ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    if ((op != EXPR_ULT && op != EXPR_SLT) || !expr_is_const(p, expr_child(p, e, 1)))
        return EXPR_NONE;
    Expr term = expr_child(p, e, 0), k = expr_child(p, e, 1);
    unsigned width = expr_width(p, term);
    for (unsigned shift = SHIFT_MOST; shift; shift--) {
        Expr smaller = shift < width ? divided(p, term, shift, DEPTH_MOST) : EXPR_NONE;
        if (expr_is_none(smaller))
            continue;
        i128 value = op == EXPR_SLT ? as_signed(expr_const_value(p, k), width) : (i128)expr_const_value(p, k),
             unit = (i128)1 << shift;
        Expr bound = expr_const(p, width, (u128)(value >= 0 ? (value + unit - 1) / unit : -(-value / unit)));
        return op == EXPR_SLT ? expr_slt(p, smaller, bound) : expr_ult(p, smaller, bound);
    }
    return EXPR_NONE;
}

Expr literal_widened(ExprPool *p, Expr e, uint32_t *from)
{
    U32Vec cone = {0};
    Expr found = EXPR_NONE;
    expr_cone(p, &e, 1, &cone);
    for (; *from < cone.n && cone.n <= CONE_MOST && expr_is_none(found); ++*from) {
        Expr x = {cone.v[*from]},
             sum = expr_op(p, x) == EXPR_SEXT || expr_op(p, x) == EXPR_ZEXT ? expr_child(p, x, 0) : EXPR_NONE;
        if (expr_is_none(sum) || expr_op(p, sum) != EXPR_ADD || !expr_is_const(p, expr_child(p, sum, 1)))
            continue;
        unsigned width = expr_width(p, x);
        Expr (*extend)(ExprPool *, Expr, unsigned) = expr_op(p, x) == EXPR_SEXT ? expr_sext : expr_zext;
        Expr wide =
            expr_add(p, extend(p, expr_child(p, sum, 0), width), expr_sext(p, expr_child(p, sum, 1), width));
        ExprSubst *s = expr_subst_new(p);
        expr_subst_add(s, x, wide);
        found = expr_subst_apply(s, e);
        expr_subst_free(s);
    }
    vec_free(&cone);
    return found;
}

/* !(x < b), or x != 0 for b = 1. */
static bool is_at_least(const ExprPool *p, Expr e, Expr x, u128 b)
{
    if (expr_op(p, e) != EXPR_NOT)
        return false;
    Expr inner = expr_child(p, e, 0);
    ExprOp op = expr_op(p, inner);
    if ((op != EXPR_EQ && op != EXPR_ULT) || !expr_same(expr_child(p, inner, 0), x))
        return false;
    return expr_is_value(p, expr_child(p, inner, 1), op == EXPR_EQ ? 0 : b) && (op == EXPR_ULT || b == 1);
}

Expr literal_joined(ExprPool *p, Expr a, Expr b)
{
    Expr inner = expr_op(p, b) == EXPR_NOT ? expr_child(p, b, 0) : EXPR_NONE;
    if (expr_is_none(inner) || expr_op(p, inner) != EXPR_ULT ||
        expr_op(p, expr_child(p, inner, 0)) != EXPR_ADD)
        return EXPR_NONE;
    Expr sum = expr_child(p, inner, 0), x = expr_child(p, sum, 0), k = expr_child(p, sum, 1),
         y = expr_child(p, inner, 1);
    if (!expr_is_const(p, k))
        return EXPR_NONE;
    u128 distance = -expr_const_value(p, k) & bits_mask(expr_width(p, sum));
    if (!is_at_least(p, a, x, distance))
        return EXPR_NONE;
    if (distance == 1) /* x - 1 >= y and x >= 1: x > y, whatever y is */
        return expr_ult(p, y, x);
    return expr_not(p, expr_ult(p, x, expr_add(p, y, expr_const(p, expr_width(p, x), distance))));
}
