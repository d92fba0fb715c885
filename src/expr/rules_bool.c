/* rules_bool.c - and, or, xor, not, on conditions and on words.
 *
 * Conditions (width 1) use only and, not, eq and ite: a | b is not(and(not a, not b)), so that negation never
 * has to be pushed anywhere and opposites are found by looking at one node. A conjunction leans left, its
 * members ordered by id, none twice; beyond CHAIN_LIMIT members it grows at the end and only the last members
 * are looked at. */
#include "expr/expr_int.h"

enum { CHAIN_LIMIT = 8 };

/* ---- not ------------------------------------------------------------------------------------- */

Expr expr_not(ExprPool *p, Expr a)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_const(p, width, ~value_of(p, a));
    if (is(p, a, EXPR_NOT) && HIT(p, NOT_NOT))
        return kid(p, a, 0);
    if (is(p, a, EXPR_NEG) && HIT(p, NOT_NEG))
        return expr_add(p, kid(p, a, 0), expr_const(p, width, bits_mask(width)));
    if (is_const_ite(p, a) && HIT(p, NOT_ITE))
        return expr_ite(p, kid(p, a, 0), expr_not(p, kid(p, a, 1)), expr_not(p, kid(p, a, 2)));
    if (is(p, a, EXPR_SEXT) && HIT(p, NOT_SEXT))
        return expr_sext(p, expr_not(p, kid(p, a, 0)), width);
    return raw1(p, EXPR_NOT, width, a);
}

/* ---- conjunctions of conditions -------------------------------------------------------------- */

/* Members of a chain of and, first members first; false if there are more than CHAIN_LIMIT. */
static bool members(const ExprPool *p, Expr e, Expr *out, unsigned *n)
{
    Expr stack[CHAIN_LIMIT + 1];
    unsigned top = 0;
    stack[top++] = e;
    while (top) {
        e = stack[--top];
        if (is(p, e, EXPR_AND)) {
            if (top + 2 > COUNT_OF(stack))
                return false;
            stack[top++] = kid(p, e, 1);
            stack[top++] = kid(p, e, 0);
            continue;
        }
        if (*n >= CHAIN_LIMIT)
            return false;
        out[(*n)++] = e;
    }
    return true;
}

/* Sorts, drops duplicates; false if two members are opposite. */
static bool order_members(const ExprPool *p, Expr *m, unsigned *n)
{
    for (unsigned i = 1; i < *n; i++)
        for (unsigned k = i; k > 0 && m[k].id < m[k - 1].id; k--)
            swap_exprs(&m[k], &m[k - 1]);
    unsigned kept = 0;
    for (unsigned i = 0; i < *n; i++)
        if (kept == 0 || m[kept - 1].id != m[i].id)
            m[kept++] = m[i];
    *n = kept;
    for (unsigned i = 0; i < kept; i++)
        for (unsigned k = 0; is(p, m[i], EXPR_NOT) && k < kept; k++)
            if (m[k].id == kid(p, m[i], 0).id)
                return false;
    return true;
}

/* b is or(u, v), that is not(and(not u, not v)), and a is one of u, v or the opposite of one: a & b is
 * simpler. */
static bool absorb(ExprPool *p, Expr a, Expr b, Expr *out)
{
    if (!is(p, b, EXPR_NOT) || !is(p, kid(p, b, 0), EXPR_AND))
        return false;
    Expr both = kid(p, b, 0), u = kid(p, both, 0), v = kid(p, both, 1);
    if (are_opposite(p, a, u) || are_opposite(p, a, v)) {
        *out = a;
        return true;
    }
    if (a.id != u.id && a.id != v.id)
        return false;
    *out = expr_and(p, a, expr_not(p, a.id == u.id ? v : u));
    return true;
}

/* Is `e` a member of the chain `a`, looking at its last members only? */
static bool ends_with(const ExprPool *p, Expr a, Expr e, bool opposite)
{
    for (unsigned i = 0; i <= CHAIN_LIMIT; i++) {
        Expr last = is(p, a, EXPR_AND) ? kid(p, a, 1) : a;
        if (opposite ? are_opposite(p, last, e) : last.id == e.id)
            return true;
        if (!is(p, a, EXPR_AND))
            return false;
        a = kid(p, a, 0);
    }
    return false;
}

/* a is x == k1, and b tells of another value of x: that it is that, or not. */
static bool other_value(const ExprPool *p, Expr a, Expr b, Expr *out)
{
    Expr eq = is(p, b, EXPR_NOT) ? kid(p, b, 0) : b;
    if (!is(p, a, EXPR_EQ) || !is(p, eq, EXPR_EQ) || kid(p, a, 0).id != kid(p, eq, 0).id || a.id == eq.id ||
        !is_const(p, kid(p, a, 1)) || !is_const(p, kid(p, eq, 1)))
        return false;
    *out = is(p, b, EXPR_NOT) ? a : EXPR_FALSE;
    return true;
}

static Expr and_bits(ExprPool *p, Expr a, Expr b)
{
    Expr simpler, m[CHAIN_LIMIT];
    unsigned n = 0;
    if (p->on[EXPR_RULE_AND_VALUES] && (other_value(p, a, b, &simpler) || other_value(p, b, a, &simpler)) &&
        HIT(p, AND_VALUES))
        return simpler;
    if (p->on[EXPR_RULE_AND_ABSORB] && (absorb(p, a, b, &simpler) || absorb(p, b, a, &simpler)) &&
        HIT(p, AND_ABSORB))
        return simpler;
    if (!p->on[EXPR_RULE_AND_SORT])
        return raw2(p, EXPR_AND, 1, a, b);
    if (members(p, a, m, &n) && members(p, b, m, &n)) {
        if (!order_members(p, m, &n) && HIT(p, AND_OPPOSITE))
            return EXPR_FALSE;
        if (is(p, a, EXPR_AND) || is(p, b, EXPR_AND))
            p->hits[EXPR_RULE_AND_SORT]++;
        Expr all = m[0];
        for (unsigned i = 1; i < n; i++)
            all = raw2(p, EXPR_AND, 1, all, m[i]);
        return all;
    }
    if (is(p, b, EXPR_AND) && !is(p, a, EXPR_AND))
        swap_exprs(&a, &b);
    if (ends_with(p, a, b, false) && HIT(p, AND_MEMBER))
        return a;
    if (ends_with(p, a, b, true) && HIT(p, AND_OPPOSITE))
        return EXPR_FALSE;
    return raw2(p, EXPR_AND, 1, a, b);
}

/* ---- and, or, xor of words ------------------------------------------------------------------- */

/* and, or, xor of a concat or zext with a constant, part by part; pays where a part becomes trivial. */
static Expr by_parts(ExprPool *p, Expr (*op)(ExprPool *, Expr, Expr), Expr a, Expr k)
{
    Expr high, low;
    unsigned width = width_of(p, a);
    if (is(p, a, EXPR_ZEXT)) {
        low = kid(p, a, 0);
        high = expr_const(p, width - width_of(p, low), 0);
    } else {
        high = kid(p, a, 0);
        low = kid(p, a, 1);
    }
    unsigned split = width_of(p, low);
    return expr_concat(p, op(p, high, expr_extract(p, k, split, width - split)),
                       op(p, low, expr_extract(p, k, 0, split)));
}

static bool has_parts(const ExprPool *p, Expr e) { return is(p, e, EXPR_CONCAT) || is(p, e, EXPR_ZEXT); }

/* The constant is all zeros or all ones on one of the parts: then splitting removes work. */
static bool parts_pay(const ExprPool *p, Expr a, u128 k)
{
    if (!has_parts(p, a))
        return false;
    if (is(p, a, EXPR_ZEXT))
        return true;
    unsigned width = width_of(p, a), split = width_of(p, kid(p, a, 1));
    u128 high = k >> split, low = k & bits_mask(split);
    return high == 0 || high == bits_mask(width - split) || low == 0 || low == bits_mask(split) ||
           is_const(p, kid(p, a, 0)) || is_const(p, kid(p, a, 1));
}

static Expr and_constant(ExprPool *p, Expr a, Expr b, unsigned width)
{
    u128 k = value_of(p, b);
    if (k == 0 && HIT(p, AND_ZERO))
        return b;
    if (k == bits_mask(width) && HIT(p, AND_ONES))
        return a;
    if (is(p, a, EXPR_AND) && is_const(p, kid(p, a, 1)) && HIT(p, AND_CONSTANTS))
        return expr_and(p, kid(p, a, 0), expr_const(p, width, k & value_of(p, kid(p, a, 1))));
    if (k && !(k & (k + 1)) && HIT(p, AND_LOW_MASK))
        return expr_zext(p, expr_extract(p, a, 0, (unsigned)bits_apply(BITS_CTPOP, 128, 0, k, 0, 0)), width);
    if (parts_pay(p, a, k) && HIT(p, AND_PARTS))
        return by_parts(p, expr_and, a, b);
    u128 below = ~k & bits_mask(width); /* a mask of the high bits leaves low ones below */
    if (k && below && !(below & (below + 1)) && HIT(p, AND_HIGH_MASK)) {
        unsigned low = (unsigned)bits_apply(BITS_CTPOP, 128, 0, below, 0, 0);
        return expr_concat(p, expr_extract(p, a, low, width - low), expr_const(p, low, 0));
    }
    if (is_const_ite(p, a) && HIT(p, AND_ITE))
        return expr_ite(p, kid(p, a, 0), expr_and(p, kid(p, a, 1), b), expr_and(p, kid(p, a, 2), b));
    return raw2(p, EXPR_AND, width, a, b);
}

Expr expr_and(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a) & value_of(p, b));
    if (a.id == b.id && HIT(p, AND_SELF))
        return a;
    if ((is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    if (is_const(p, b))
        return and_constant(p, a, b, width);
    if (are_opposite(p, a, b) && HIT(p, AND_OPPOSITE))
        return expr_const(p, width, 0);
    if (width == 1)
        return and_bits(p, a, b);
    if (is(p, a, EXPR_ZEXT) && is(p, b, EXPR_ZEXT) &&
        width_of(p, kid(p, a, 0)) == width_of(p, kid(p, b, 0)) && HIT(p, AND_ZEXT))
        return expr_zext(p, expr_and(p, kid(p, a, 0), kid(p, b, 0)), width);
    return raw2(p, EXPR_AND, width, a, b);
}

static Expr or_constant(ExprPool *p, Expr a, Expr b, unsigned width)
{
    u128 k = value_of(p, b);
    if (k == 0 && HIT(p, OR_ZERO))
        return a;
    if (k == bits_mask(width) && HIT(p, OR_ONES))
        return b;
    if (is(p, a, EXPR_OR) && is_const(p, kid(p, a, 1)) && HIT(p, OR_CONSTANTS))
        return expr_or(p, kid(p, a, 0), expr_const(p, width, k | value_of(p, kid(p, a, 1))));
    if (parts_pay(p, a, k) && HIT(p, OR_PARTS))
        return by_parts(p, expr_or, a, b);
    if (is_const_ite(p, a) && HIT(p, OR_ITE))
        return expr_ite(p, kid(p, a, 0), expr_or(p, kid(p, a, 1), b), expr_or(p, kid(p, a, 2), b));
    return raw2(p, EXPR_OR, width, a, b);
}

Expr expr_or(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a) | value_of(p, b));
    if (width == 1 && HIT(p, OR_BIT))
        return expr_not(p, expr_and(p, expr_not(p, a), expr_not(p, b)));
    if (a.id == b.id && HIT(p, OR_SELF))
        return a;
    if ((is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    if (is_const(p, b))
        return or_constant(p, a, b, width);
    if (are_opposite(p, a, b) && HIT(p, OR_OPPOSITE))
        return expr_const(p, width, bits_mask(width));
    Expr joined;
    if (p->on[EXPR_RULE_OR_DISJOINT] && expr_join_disjoint(p, a, b, &joined) && HIT(p, OR_DISJOINT))
        return joined;
    if (is(p, a, EXPR_ZEXT) && is(p, b, EXPR_ZEXT) &&
        width_of(p, kid(p, a, 0)) == width_of(p, kid(p, b, 0)) && HIT(p, OR_ZEXT))
        return expr_zext(p, expr_or(p, kid(p, a, 0), kid(p, b, 0)), width);
    return raw2(p, EXPR_OR, width, a, b);
}

static Expr xor_constant(ExprPool *p, Expr a, Expr b, unsigned width)
{
    u128 k = value_of(p, b);
    if (k == 0 && HIT(p, XOR_ZERO))
        return a;
    if (k == bits_mask(width) && HIT(p, XOR_ONES))
        return expr_not(p, a);
    if (is(p, a, EXPR_XOR) && is_const(p, kid(p, a, 1)) && HIT(p, XOR_CONSTANTS))
        return expr_xor(p, kid(p, a, 0), expr_const(p, width, k ^ value_of(p, kid(p, a, 1))));
    if (is(p, a, EXPR_NOT) && HIT(p, XOR_NOT))
        return expr_xor(p, kid(p, a, 0), expr_const(p, width, ~k));
    if (parts_pay(p, a, k) && HIT(p, XOR_PARTS))
        return by_parts(p, expr_xor, a, b);
    if (is_const_ite(p, a) && HIT(p, XOR_ITE))
        return expr_ite(p, kid(p, a, 0), expr_xor(p, kid(p, a, 1), b), expr_xor(p, kid(p, a, 2), b));
    return raw2(p, EXPR_XOR, width, a, b);
}

Expr expr_xor(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a) ^ value_of(p, b));
    if (a.id == b.id && HIT(p, XOR_SELF))
        return expr_const(p, width, 0);
    if (width == 1 && HIT(p, XOR_BIT))
        return expr_not(p, expr_eq(p, a, b));
    if ((is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    if (is_const(p, b))
        return xor_constant(p, a, b, width);
    if (are_opposite(p, a, b) && HIT(p, XOR_OPPOSITE))
        return expr_const(p, width, bits_mask(width));
    if (is(p, a, EXPR_NOT) && HIT(p, XOR_NOT))
        return expr_not(p, expr_xor(p, kid(p, a, 0), b));
    if (is(p, b, EXPR_NOT) && HIT(p, XOR_NOT))
        return expr_not(p, expr_xor(p, a, kid(p, b, 0)));
    Expr joined;
    if (p->on[EXPR_RULE_XOR_DISJOINT] && expr_join_disjoint(p, a, b, &joined) && HIT(p, XOR_DISJOINT))
        return joined;
    if (is(p, a, EXPR_ZEXT) && is(p, b, EXPR_ZEXT) &&
        width_of(p, kid(p, a, 0)) == width_of(p, kid(p, b, 0)) && HIT(p, XOR_ZEXT))
        return expr_zext(p, expr_xor(p, kid(p, a, 0), kid(p, b, 0)), width);
    return raw2(p, EXPR_XOR, width, a, b);
}

Expr expr_implies(ExprPool *p, Expr a, Expr b) { return expr_not(p, expr_and(p, a, expr_not(p, b))); }

Expr expr_and_all(ExprPool *p, const Expr *conditions, uint32_t n)
{
    Expr all = EXPR_TRUE;
    for (uint32_t i = 0; i < n; i++)
        all = expr_and(p, all, conditions[i]);
    return all;
}
