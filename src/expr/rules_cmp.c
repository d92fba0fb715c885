/* rules_cmp.c - eq, ult, slt, of which all comparisons are made.
 *
 * Normal forms: a constant stands on the right; k < x is not(x < k + 1), so that every threshold of x has one
 * node and its negation; x < 1 is x == 0, and so at the other ends. In an equation of sums each term stands
 * on the side where its factor is positive and the constant on the right, alone if nothing else is there. */
#include "expr/expr_int.h"

enum { PEEL_LIMIT = 64 };

/* ---- equality with a constant ---------------------------------------------------------------- */

/* The inverse of an odd number modulo 2^128: each step of Newton's doubles the number of right bits. */
static u128 inverse(u128 odd)
{
    u128 x = odd;
    for (int i = 0; i < 7; i++)
        x *= 2 - odd * x;
    return x;
}

typedef enum Peeled { PEEL_NO, PEEL_ON, PEEL_NEVER } Peeled;

/* c*x == k. With c = 2^t * odd: the low t bits of k must be zero, and the low bits of x are then k / c. */
static Peeled peel_product(ExprPool *p, Expr *e, u128 *k)
{
    unsigned width = width_of(p, *e);
    u128 c = value_of(p, kid(p, *e, 1));
    unsigned t = (unsigned)bits_apply(BITS_CTTZ, width, 0, c, 0, 0);
    if (t >= width || !HIT(p, EQ_MUL))
        return PEEL_NO;
    if (*k & bits_mask(t))
        return PEEL_NEVER;
    *k = (*k >> t) * inverse(c >> t) & bits_mask(width - t);
    *e = expr_extract(p, kid(p, *e, 0), 0, width - t);
    return PEEL_ON;
}

static Peeled peel_parts(ExprPool *p, Expr *e, u128 *k)
{
    unsigned split = width_of(p, kid(p, *e, 1));
    u128 high = *k >> split, low = *k & bits_mask(split);
    for (unsigned i = 0; i < 2; i++)
        if (is_const(p, kid(p, *e, i)) && HIT(p, EQ_CONCAT)) {
            if (value_of(p, kid(p, *e, i)) != (i ? low : high))
                return PEEL_NEVER;
            *e = kid(p, *e, 1 - i);
            *k = i ? high : low;
            return PEEL_ON;
        }
    return PEEL_NO;
}

static Peeled peel_extended(ExprPool *p, Expr *e, u128 *k)
{
    Expr x = kid(p, *e, 0);
    unsigned inner = width_of(p, x), width = width_of(p, *e);
    u128 low = *k & bits_mask(inner);
    bool fits = is(p, *e, EXPR_ZEXT) ? low == *k : bits_apply(BITS_SEXT, width, inner, low, 0, 0) == *k;
    if (!HIT(p, EQ_EXTENDED))
        return PEEL_NO;
    *e = x;
    *k = low;
    return fits ? PEEL_ON : PEEL_NEVER;
}

/* One invertible operator off *e, with *k changed to match. */
static Peeled peel(ExprPool *p, Expr *e, u128 *k)
{
    u128 mask = bits_mask(width_of(p, *e));
    Expr a = kid(p, *e, 0), b = kid(p, *e, 1);
    switch (op_of(p, *e)) {
    case EXPR_NOT:
        if (!HIT(p, EQ_NOT))
            return PEEL_NO;
        *k = ~*k & mask;
        break;
    case EXPR_NEG:
        if (!HIT(p, EQ_NEG))
            return PEEL_NO;
        *k = -*k & mask;
        break;
    case EXPR_ADD:
        if (!is_const(p, b) || !HIT(p, EQ_ADD))
            return PEEL_NO;
        *k = (*k - value_of(p, b)) & mask;
        break;
    case EXPR_XOR:
        if (!is_const(p, b) || !HIT(p, EQ_XOR))
            return PEEL_NO;
        *k ^= value_of(p, b);
        break;
    case EXPR_MUL: return is_const(p, b) ? peel_product(p, e, k) : PEEL_NO;
    case EXPR_CONCAT: return peel_parts(p, e, k);
    case EXPR_ZEXT:
    case EXPR_SEXT: return peel_extended(p, e, k);
    default: return PEEL_NO;
    }
    *e = a;
    return PEEL_ON;
}

/* ite(c, k1, y) == k: c or not c decides one side. */
static bool eq_ite(ExprPool *p, Expr e, Expr k, Expr *out)
{
    Expr c = kid(p, e, 0), then = kid(p, e, 1), otherwise = kid(p, e, 2);
    if (!is_const(p, then) && !is_const(p, otherwise))
        return false;
    if (is_const(p, then) && is_const(p, otherwise)) {
        bool yes = then.id == k.id, no = otherwise.id == k.id;
        *out = yes && no ? EXPR_TRUE : yes ? c : no ? expr_not(p, c) : EXPR_FALSE;
        return true;
    }
    Expr decided = is_const(p, then) ? c : expr_not(p, c), rest = is_const(p, then) ? otherwise : then;
    if (is(p, rest, EXPR_ITE)) /* a chain of arms stays a chain: bounded work */
        return false;
    Expr same = expr_eq(p, rest, k);
    bool hit = (is_const(p, then) ? then : otherwise).id == k.id;
    *out = hit ? expr_or(p, decided, same) : expr_and(p, expr_not(p, decided), same);
    return true;
}

/* (x == j ? rest : arm) == k, where the arm is k only if x == j: what is left is x == j & rest == k. So the
 * comparison of two strings is equal if each of their bytes is. */
static bool eq_dead_arm(ExprPool *p, Expr e, Expr k, Expr *out)
{
    Expr c = kid(p, e, 0), then = kid(p, e, 1), otherwise = kid(p, e, 2);
    if (!is(p, c, EXPR_EQ) || is(p, otherwise, EXPR_ITE) || is_const(p, otherwise) ||
        expr_eq(p, otherwise, k).id != c.id)
        return false;
    *out = expr_and(p, c, expr_eq(p, then, k));
    return true;
}

static Expr eq_constant(ExprPool *p, Expr a, Expr b)
{
    u128 k = value_of(p, b);
    for (unsigned i = 0; i < PEEL_LIMIT && !is_const(p, a); i++) {
        Peeled how = peel(p, &a, &k);
        if (how == PEEL_NEVER)
            return EXPR_FALSE;
        if (how == PEEL_NO)
            break;
    }
    unsigned width = width_of(p, a);
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_bool(value_of(p, a) == k);
    if (width == 1 && HIT(p, EQ_BIT))
        return k ? a : expr_not(p, a);
    Bounds bounds = expr_bounds(p, a);
    if ((k < bounds.low || k > bounds.high) && HIT(p, EQ_BOUND))
        return EXPR_FALSE;
    if ((is(p, a, EXPR_AND) || is(p, a, EXPR_OR)) && is_const(p, kid(p, a, 1))) {
        u128 mask = value_of(p, kid(p, a, 1));
        if ((is(p, a, EXPR_AND) ? k & ~mask : mask & ~k) && HIT(p, EQ_MASK))
            return EXPR_FALSE;
    }
    Expr out;
    b = expr_const(p, width, k);
    if (is(p, a, EXPR_ITE) && p->on[EXPR_RULE_EQ_ITE] && eq_ite(p, a, b, &out) && HIT(p, EQ_ITE))
        return out;
    if (is(p, a, EXPR_ITE) && p->on[EXPR_RULE_EQ_DEAD_ARM] && eq_dead_arm(p, a, b, &out) &&
        HIT(p, EQ_DEAD_ARM))
        return out;
    if (is(p, a, EXPR_SREM) && k == 0 && is_const(p, kid(p, a, 1))) {
        u128 m = value_of(p, kid(p, a, 1));
        if (m && !(m & (m - 1)) && m != 1 && HIT(p, EQ_SREM))
            return expr_eq(p, expr_urem(p, kid(p, a, 0), kid(p, a, 1)), b);
    }
    return raw2(p, EXPR_EQ, 1, a, b);
}

/* ---- equality of two terms ------------------------------------------------------------------- */

static bool is_linear(const ExprPool *p, Expr e)
{
    return is(p, e, EXPR_ADD) || is(p, e, EXPR_NEG) || (is(p, e, EXPR_MUL) && is_const(p, kid(p, e, 1)));
}

/* a == b as sums: everything to the left, then each term to the side where it is positive, the constant to
 * the right.
 */
static bool eq_sums(ExprPool *p, Expr a, Expr b, Expr *out)
{
    unsigned width = width_of(p, a);
    u128 mask = bits_mask(width);
    Sum s = {.width = width};
    if (!expr_sum_add(p, &s, a, 1) || !expr_sum_add(p, &s, b, mask))
        return false;
    expr_sum_sort(&s);
    if (s.n == 0) {
        *out = expr_bool(s.constant == 0);
        return true;
    }
    bool flip = s.term[0].factor >> (width - 1);
    Sum side[2] = {{.width = width}, {.width = width}};
    side[1].constant = (flip ? s.constant : -s.constant) & mask;
    for (unsigned i = 0; i < s.n; i++) {
        u128 factor = (flip ? -s.term[i].factor : s.term[i].factor) & mask;
        Sum *to = &side[factor >> (width - 1)];
        to->term[to->n].base = s.term[i].base;
        to->term[to->n++].factor = to == &side[1] ? -factor & mask : factor;
    }
    Expr left = expr_sum_build(p, &side[0]), right = expr_sum_build(p, &side[1]);
    if (is_const(p, left)) /* only 2^(width-1) * x, which is negative on either side */
        swap_exprs(&left, &right);
    if (is_const(p, right))
        *out = eq_constant(p, left, right);
    else
        *out = left.id < right.id ? raw2(p, EXPR_EQ, 1, left, right) : raw2(p, EXPR_EQ, 1, right, left);
    return true;
}

static Expr eq_bits(ExprPool *p, Expr a, Expr b)
{
    if (are_opposite(p, a, b) && HIT(p, EQ_OPPOSITE))
        return EXPR_FALSE;
    bool negated = false;
    if (is(p, a, EXPR_NOT) && HIT(p, EQ_NOT)) {
        a = kid(p, a, 0);
        negated = true;
    }
    if (is(p, b, EXPR_NOT) && HIT(p, EQ_NOT)) {
        b = kid(p, b, 0);
        negated = !negated;
    }
    if (b.id < a.id && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    Expr e = raw2(p, EXPR_EQ, 1, a, b);
    return negated ? expr_not(p, e) : e;
}

static bool same_extension(const ExprPool *p, Expr a, Expr b, ExprOp op)
{
    return is(p, a, op) && is(p, b, op) && width_of(p, kid(p, a, 0)) == width_of(p, kid(p, b, 0));
}

/* At least two terms beside a constant. */
static bool is_proper_sum(const ExprPool *p, Expr e)
{
    return is(p, e, EXPR_ADD) && (!is_const(p, kid(p, e, 1)) || is(p, kid(p, e, 0), EXPR_ADD));
}

static bool has_arm(const ExprPool *p, Expr e, Expr arm)
{
    return is(p, e, EXPR_ITE) && (kid(p, e, 1).id == arm.id || kid(p, e, 2).id == arm.id);
}

Expr expr_eq(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (a.id == b.id && HIT(p, EQ_SELF))
        return EXPR_TRUE;
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_bool(value_of(p, a) == value_of(p, b));
    if ((is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    Expr out;
    if (is_const(p, b)) {
        if (is_proper_sum(p, a) && p->on[EXPR_RULE_EQ_SUMS] && eq_sums(p, a, b, &out) && HIT(p, EQ_SUMS))
            return out;
        return eq_constant(p, a, b);
    }
    if (width == 1)
        return eq_bits(p, a, b);
    if ((same_extension(p, a, b, EXPR_ZEXT) || same_extension(p, a, b, EXPR_SEXT)) && HIT(p, EQ_EXTENDED))
        return expr_eq(p, kid(p, a, 0), kid(p, b, 0));
    if (is(p, a, EXPR_NOT) && is(p, b, EXPR_NOT) && HIT(p, EQ_NOT))
        return expr_eq(p, kid(p, a, 0), kid(p, b, 0));
    if ((is_linear(p, a) || is_linear(p, b)) && p->on[EXPR_RULE_EQ_SUMS] && eq_sums(p, a, b, &out) &&
        HIT(p, EQ_SUMS))
        return out;
    if (has_arm(p, b, a))
        swap_exprs(&a, &b);
    if (has_arm(p, a, b) && HIT(p, EQ_ITE_ARM)) {
        bool then = kid(p, a, 1).id == b.id; /* ite(c, b, y) == b: c or y == b */
        Expr c = then ? kid(p, a, 0) : expr_not(p, kid(p, a, 0));
        return expr_or(p, c, raw2(p, EXPR_EQ, 1, kid(p, a, then ? 2 : 1), b));
    }
    return raw2(p, EXPR_EQ, 1, a, b);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Decided by the bounds of both sides? Then *holds says how. */
static bool less_by_bounds(const ExprPool *p, bool is_signed, Expr a, Expr b, bool *holds)
{
    if (is_signed) {
        SignedBounds x = expr_signed_bounds(p, a), y = expr_signed_bounds(p, b);
        *holds = x.high < y.low;
        return *holds || x.low >= y.high;
    }
    Bounds x = expr_bounds(p, a), y = expr_bounds(p, b);
    *holds = x.high < y.low;
    return *holds || x.low >= y.high;
}

/* x < k through an extension: the extension is monotonic, so the bound of the inner value is found by its
 * limits. */
static Expr less_extended(ExprPool *p, bool is_signed, Expr a, u128 k)
{
    Expr x = kid(p, a, 0);
    unsigned inner = width_of(p, x), width = width_of(p, a);
    u128 sign = (u128)1 << (width - 1);
    if (is(p, a, EXPR_ZEXT)) {
        if (is_signed && k & sign)
            return EXPR_FALSE;
        return k > bits_mask(inner) ? EXPR_TRUE : expr_ult(p, x, expr_const(p, inner, k));
    }
    u128 low = k & bits_mask(inner);
    bool fits = bits_apply(BITS_SEXT, width, inner, low, 0, 0) == k;
    if (fits)
        return is_signed ? expr_slt(p, x, expr_const(p, inner, low))
                         : expr_ult(p, x, expr_const(p, inner, low));
    if (is_signed)
        return expr_bool(!(k & sign));
    /* unsigned, between the natural and the negative values of x: below it lie exactly the natural ones */
    return expr_ult(p, x, expr_const(p, inner, (u128)1 << (inner - 1)));
}

/* concat(c, y) < k where c is constant: decided by c unless it equals the high part of k. */
static bool ult_concat(ExprPool *p, Expr a, u128 k, Expr *out)
{
    if (!is(p, a, EXPR_CONCAT) || !is_const(p, kid(p, a, 0)))
        return false;
    unsigned split = width_of(p, kid(p, a, 1));
    u128 high = value_of(p, kid(p, a, 0));
    if (high != k >> split)
        *out = expr_bool(high < k >> split);
    else
        *out = expr_ult(p, kid(p, a, 1), expr_const(p, split, k));
    return true;
}

/* x < k for a constant k. `least` and `greatest` are the ends of the order. */
static Expr less_constant(ExprPool *p, bool is_signed, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    u128 k = value_of(p, b), least = is_signed ? (u128)1 << (width - 1) : 0,
         greatest = ~least & bits_mask(width);
    if (k == least && HIT(p, LESS_LEAST))
        return EXPR_FALSE;
    if (k == ((least + 1) & bits_mask(width)) && HIT(p, LESS_END))
        return expr_eq(p, a, expr_const(p, width, least));
    if (k == greatest && HIT(p, LESS_END))
        return expr_not(p, expr_eq(p, a, b));
    if (is_const_ite(p, a) && HIT(p, LESS_ITE)) {
        Expr (*less)(ExprPool *, Expr, Expr) = is_signed ? expr_slt : expr_ult;
        return expr_ite(p, kid(p, a, 0), less(p, kid(p, a, 1), b), less(p, kid(p, a, 2), b));
    }
    if ((is(p, a, EXPR_ZEXT) || is(p, a, EXPR_SEXT)) && HIT(p, LESS_EXTENDED))
        return less_extended(p, is_signed, a, k);
    Expr out;
    bool holds;
    if (p->on[EXPR_RULE_LESS_BOUND] && less_by_bounds(p, is_signed, a, b, &holds) && HIT(p, LESS_BOUND))
        return expr_bool(holds);
    if (!is_signed && p->on[EXPR_RULE_ULT_CONCAT] && ult_concat(p, a, k, &out) && HIT(p, ULT_CONCAT))
        return out;
    return raw2(p, is_signed ? EXPR_SLT : EXPR_ULT, 1, a, b);
}

static Expr less(ExprPool *p, bool is_signed, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (a.id == b.id && HIT(p, LESS_SELF))
        return EXPR_FALSE;
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_bool(
            (bool)bits_apply(is_signed ? BITS_SLT : BITS_ULT, width, 0, value_of(p, a), value_of(p, b), 0));
    if (width == 1 && HIT(p, LESS_BIT))
        return is_signed ? expr_and(p, a, expr_not(p, b)) : expr_and(p, expr_not(p, a), b);
    if (is_const(p, a) && !is_const(p, b)) {
        u128 k = value_of(p, a), greatest = bits_mask(is_signed ? width - 1 : width);
        if (k == greatest && HIT(p, LESS_GREATEST))
            return EXPR_FALSE;
        if (k != greatest && HIT(p, LESS_SWAP))
            return expr_not(p, less(p, is_signed, b, expr_const(p, width, k + 1)));
    }
    if (is_const(p, b))
        return less_constant(p, is_signed, a, b);
    if (same_extension(p, a, b, EXPR_ZEXT) && HIT(p, LESS_EXTENDED))
        return expr_ult(p, kid(p, a, 0), kid(p, b, 0));
    if (same_extension(p, a, b, EXPR_SEXT) && HIT(p, LESS_EXTENDED))
        return less(p, is_signed, kid(p, a, 0), kid(p, b, 0));
    bool holds;
    if (p->on[EXPR_RULE_LESS_BOUND] && less_by_bounds(p, is_signed, a, b, &holds) && HIT(p, LESS_BOUND))
        return expr_bool(holds);
    return raw2(p, is_signed ? EXPR_SLT : EXPR_ULT, 1, a, b);
}

Expr expr_ult(ExprPool *p, Expr a, Expr b) { return less(p, false, a, b); }
Expr expr_slt(ExprPool *p, Expr a, Expr b) { return less(p, true, a, b); }
Expr expr_ne(ExprPool *p, Expr a, Expr b) { return expr_not(p, expr_eq(p, a, b)); }
Expr expr_ule(ExprPool *p, Expr a, Expr b) { return expr_not(p, expr_ult(p, b, a)); }
Expr expr_sle(ExprPool *p, Expr a, Expr b) { return expr_not(p, expr_slt(p, b, a)); }
