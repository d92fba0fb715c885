/* rules_ite.c - ite: decided and repeated conditions, arms that agree, conditions as arms. */
#include "expr/expr_int.h"

/* c ? a : b of one bit with a constant arm is a plain connective. */
static bool ite_bits(ExprPool *p, Expr c, Expr a, Expr b, Expr *out)
{
    if (expr_is_true(a))
        *out = expr_or(p, c, b);
    else if (expr_is_false(a))
        *out = expr_and(p, expr_not(p, c), b);
    else if (expr_is_true(b))
        *out = expr_or(p, expr_not(p, c), a);
    else if (expr_is_false(b))
        *out = expr_and(p, c, a);
    else
        return false;
    return true;
}

/* An arm that is an ite itself, sharing the condition or an arm with the outer one. */
static bool ite_nested(ExprPool *p, Expr c, Expr a, Expr b, Expr *out)
{
    if (is(p, a, EXPR_ITE)) {
        Expr d = kid(p, a, 0), x = kid(p, a, 1), y = kid(p, a, 2);
        if (d.id == c.id)
            *out = expr_ite(p, c, x, b);
        else if (y.id == b.id) /* c ? (d ? x : b) : b */
            *out = expr_ite(p, expr_and(p, c, d), x, b);
        else if (x.id == b.id)
            *out = expr_ite(p, expr_and(p, c, expr_not(p, d)), y, b);
        else
            return false;
        return true;
    }
    if (is(p, b, EXPR_ITE)) {
        Expr d = kid(p, b, 0), x = kid(p, b, 1), y = kid(p, b, 2);
        if (d.id == c.id)
            *out = expr_ite(p, c, a, y);
        else if (x.id == a.id) /* c ? a : (d ? a : y) */
            *out = expr_ite(p, expr_or(p, c, d), a, y);
        else if (y.id == a.id)
            *out = expr_ite(p, expr_and(p, expr_not(p, c), d), x, a);
        else
            return false;
        return true;
    }
    return false;
}

/* Arms under the same extension: one extension of a narrower ite. */
static bool ite_extended(ExprPool *p, Expr c, Expr a, Expr b, Expr *out)
{
    unsigned width = width_of(p, a);
    ExprOp op = op_of(p, a);
    if ((op != EXPR_ZEXT && op != EXPR_SEXT) || op_of(p, b) != op ||
        width_of(p, kid(p, a, 0)) != width_of(p, kid(p, b, 0)))
        return false;
    if (is_const(p, kid(p, a, 0)) &&
        is_const(p, kid(p, b, 0))) /* only if folding is off: the opposite rules hold */
        return false;
    Expr inner = expr_ite(p, c, kid(p, a, 0), kid(p, b, 0));
    *out = op == EXPR_ZEXT ? expr_zext(p, inner, width) : expr_sext(p, inner, width);
    return true;
}

Expr expr_ite(ExprPool *p, Expr c, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, c) && HIT(p, ITE_CONST))
        return value_of(p, c) ? a : b;
    if (a.id == b.id && HIT(p, ITE_SAME))
        return a;
    if (is(p, c, EXPR_NOT) && HIT(p, ITE_NOT)) {
        c = kid(p, c, 0);
        swap_exprs(&a, &b);
    }
    Expr out;
    if (width == 1) {
        if (p->on[EXPR_RULE_ITE_BITS] && ite_bits(p, c, a, b, &out) && HIT(p, ITE_BITS))
            return out;
        if (a.id == c.id && HIT(p, ITE_CONDITION)) /* c ? c : b */
            return expr_or(p, c, b);
        if (b.id == c.id && HIT(p, ITE_CONDITION)) /* c ? a : c */
            return expr_and(p, c, a);
        if (are_opposite(p, a, b) && HIT(p, ITE_OPPOSITE))
            return expr_eq(p, c, a);
    }
    if (width > 1 && is_const(p, a) && is_const(p, b)) {
        u128 x = value_of(p, a), y = value_of(p, b);
        if (x == 1 && y == 0 && HIT(p, ITE_ZEXT))
            return expr_zext(p, c, width);
        if (x == 0 && y == 1 && HIT(p, ITE_ZEXT))
            return expr_zext(p, expr_not(p, c), width);
    }
    if (p->on[EXPR_RULE_ITE_NESTED] && ite_nested(p, c, a, b, &out) && HIT(p, ITE_NESTED))
        return out;
    if (is(p, c, EXPR_EQ) &&
        ((kid(p, c, 0).id == a.id && kid(p, c, 1).id == b.id) ||
         (kid(p, c, 0).id == b.id && kid(p, c, 1).id == a.id)) &&
        HIT(p, ITE_EQ))
        return b; /* x == y ? x : y */
    if (p->on[EXPR_RULE_ITE_EXTENDED] && ite_extended(p, c, a, b, &out) && HIT(p, ITE_EXTENDED))
        return out;
    return raw3(p, EXPR_ITE, width, c, a, b);
}
