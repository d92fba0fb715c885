/* rules_shift.c - shl, lshr, ashr. A shift by a constant is no shift at all but a choice of bits: concat,
 * zext and sext of an extract. Only shifts by symbolic amounts remain as nodes. */
#include "expr/expr_int.h"

Expr expr_shl(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b) && HIT(p, SHIFT_CONST)) {
        u128 by = value_of(p, b);
        if (by >= width)
            return expr_const(p, width, 0);
        if (by == 0)
            return a;
        return expr_concat(p, expr_extract(p, a, 0, width - (unsigned)by), expr_const(p, (unsigned)by, 0));
    }
    if (is_zero(p, a) && HIT(p, SHIFT_ZERO))
        return a;
    if (width == 1 && HIT(p, SHIFT_BIT))
        return expr_and(p, a, expr_not(p, b));
    return raw2(p, EXPR_SHL, width, a, b);
}

Expr expr_lshr(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b) && HIT(p, SHIFT_CONST)) {
        u128 by = value_of(p, b);
        if (by >= width)
            return expr_const(p, width, 0);
        return expr_zext(p, expr_extract(p, a, (unsigned)by, width - (unsigned)by), width);
    }
    if (is_zero(p, a) && HIT(p, SHIFT_ZERO))
        return a;
    if (width == 1 && HIT(p, SHIFT_BIT))
        return expr_and(p, a, expr_not(p, b));
    return raw2(p, EXPR_LSHR, width, a, b);
}

Expr expr_ashr(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b) && HIT(p, SHIFT_CONST)) {
        unsigned by = value_of(p, b) >= width ? width - 1 : (unsigned)value_of(p, b);
        return expr_sext(p, expr_extract(p, a, by, width - by), width);
    }
    if ((is_zero(p, a) || is_ones(p, a)) && HIT(p, SHIFT_ZERO))
        return a;
    if (width == 1 && HIT(p, SHIFT_BIT))
        return a;
    if (is(p, a, EXPR_ZEXT) && HIT(p, ASHR_NATURAL))
        return expr_lshr(p, a, b);
    return raw2(p, EXPR_ASHR, width, a, b);
}
