/* rules_arith.c - sums, products, quotients.
 *
 * Normal form of a sum: c1*x1 + c2*x2 + ... + k, leaning left, terms ordered by the id of x, no x twice, the
 * constant last. x - y is x + neg(y). A sum of more than SUM_LIMIT terms keeps the order in which it grew;
 * only constants (and a last term that cancels) are still collected, so that adding to a long sum stays fast
 * and makes one node. */
#include "expr/expr_int.h"

/* ---- sums ------------------------------------------------------------------------------------ */

bool expr_sum_add(const ExprPool *p, Sum *s, Expr e, u128 factor)
{
    struct {
        Expr e;
        u128 factor;
    } stack[2 * SUM_LIMIT + 2];
    unsigned top = 0, steps = 0, before = s->n;
    u128 mask = bits_mask(s->width);
    stack[top].e = e;
    stack[top++].factor = factor;
    while (top) {
        e = stack[--top].e;
        factor = stack[top].factor;
        if (++steps > 4 * SUM_LIMIT)
            return false;
        switch (op_of(p, e)) {
        case EXPR_CONST: s->constant = (s->constant + factor * value_of(p, e)) & mask; continue;
        case EXPR_ADD:
            if (top + 2 > COUNT_OF(stack))
                return false;
            for (unsigned i = 0; i < 2; i++, top++) {
                stack[top].e = kid(p, e, i);
                stack[top].factor = factor;
            }
            continue;
        case EXPR_NEG:
            stack[top].e = kid(p, e, 0);
            stack[top++].factor = -factor & mask;
            continue;
        case EXPR_NOT: /* ~x is -x - 1 */
            s->constant = (s->constant - factor) & mask;
            stack[top].e = kid(p, e, 0);
            stack[top++].factor = -factor & mask;
            continue;
        case EXPR_MUL:
            if (!is_const(p, kid(p, e, 1)))
                break;
            factor = factor * value_of(p, kid(p, e, 1)) & mask;
            e = kid(p, e, 0);
            if (is(p, e, EXPR_ADD)) /* k*(x + y): distributing would copy the product */
                break;
            stack[top].e = e;
            stack[top++].factor = factor;
            continue;
        default: break;
        }
        if (s->n - before >= SUM_LIMIT || s->n >= COUNT_OF(s->term))
            return false;
        s->term[s->n].base = e;
        s->term[s->n++].factor = factor;
    }
    return true;
}

void expr_sum_sort(Sum *s)
{
    for (unsigned i = 1; i < s->n; i++)
        for (unsigned k = i; k > 0 && s->term[k].base.id < s->term[k - 1].base.id; k--) {
            __typeof__(s->term[0]) t = s->term[k];
            s->term[k] = s->term[k - 1];
            s->term[k - 1] = t;
        }
    unsigned kept = 0;
    for (unsigned i = 0; i < s->n;) {
        Expr base = s->term[i].base;
        u128 factor = 0;
        for (; i < s->n && s->term[i].base.id == base.id; i++)
            factor += s->term[i].factor;
        factor &= bits_mask(s->width);
        if (factor) {
            s->term[kept].base = base;
            s->term[kept++].factor = factor;
        }
    }
    s->n = kept;
}

static Expr term_build(ExprPool *p, Expr base, u128 factor, unsigned width)
{
    if (factor == 1)
        return base;
    if (factor == bits_mask(width))
        return raw1(p, EXPR_NEG, width, base);
    return raw2(p, EXPR_MUL, width, base, expr_const(p, width, factor));
}

Expr expr_sum_build(ExprPool *p, const Sum *s)
{
    if (s->n == 0)
        return expr_const(p, s->width, s->constant);
    Expr all = term_build(p, s->term[0].base, s->term[0].factor, s->width);
    for (unsigned i = 1; i < s->n; i++)
        all = raw2(p, EXPR_ADD, s->width, all, term_build(p, s->term[i].base, s->term[i].factor, s->width));
    if (s->constant)
        all = raw2(p, EXPR_ADD, s->width, all, expr_const(p, s->width, s->constant));
    return all;
}

/* e as rest + constant. */
static u128 split_constant(const ExprPool *p, Expr *e)
{
    if (!is(p, *e, EXPR_ADD) || !is_const(p, kid(p, *e, 1)))
        return 0;
    u128 k = value_of(p, kid(p, *e, 1));
    *e = kid(p, *e, 0);
    return k;
}

static bool are_negatives(const ExprPool *p, Expr a, Expr b)
{
    return (is(p, a, EXPR_NEG) && kid(p, a, 0).id == b.id) || (is(p, b, EXPR_NEG) && kid(p, b, 0).id == a.id);
}

/* Sums too long to sort: unite the constants, cancel against the last term, else one node. */
static Expr add_long(ExprPool *p, Expr a, Expr b, unsigned width)
{
    u128 k = split_constant(p, &a) + split_constant(p, &b);
    Expr all;
    if (are_negatives(p, a, b))
        all = expr_const(p, width, 0);
    else if (is(p, a, EXPR_ADD) && are_negatives(p, kid(p, a, 1), b))
        all = kid(p, a, 0);
    else
        all = raw2(p, EXPR_ADD, width, a, b);
    if (is_const(p, all))
        return expr_const(p, width, k + value_of(p, all));
    k = (k + split_constant(p, &all)) & bits_mask(width);
    return k ? raw2(p, EXPR_ADD, width, all, expr_const(p, width, k)) : all;
}

/* Nothing inside either operand could combine with the other: the node itself is the normal form. */
static bool is_plain_term(const ExprPool *p, Expr e)
{
    switch (op_of(p, e)) {
    case EXPR_ADD:
    case EXPR_NEG:
    case EXPR_NOT:
    case EXPR_MUL:
    case EXPR_CONST: return false;
    default: return true;
    }
}

static Expr add_sorted(ExprPool *p, Expr a, Expr b, u128 factor_b, unsigned width)
{
    Sum s = {.width = width};
    if (expr_sum_add(p, &s, a, 1) && expr_sum_add(p, &s, b, factor_b)) {
        expr_sum_sort(&s);
        if (s.n <= SUM_LIMIT)
            return expr_sum_build(p, &s);
    }
    return EXPR_NONE;
}

static Expr add_constant(ExprPool *p, Expr a, Expr k, unsigned width)
{
    u128 value = value_of(p, k);
    if (value == 0 && HIT(p, ADD_ZERO))
        return a;
    if (is(p, a, EXPR_ADD) && is_const(p, kid(p, a, 1)) && HIT(p, ADD_CONSTANTS)) {
        value = (value + value_of(p, kid(p, a, 1))) & bits_mask(width);
        a = kid(p, a, 0);
        return value ? raw2(p, EXPR_ADD, width, a, expr_const(p, width, value)) : a;
    }
    if (is(p, a, EXPR_NOT) && HIT(p, ADD_SORT)) {
        Sum s = {.width = width, .constant = value};
        if (expr_sum_add(p, &s, a, 1)) {
            expr_sum_sort(&s);
            return expr_sum_build(p, &s);
        }
    }
    if (is_const_ite(p, a) && HIT(p, ADD_ITE))
        return expr_ite(p, kid(p, a, 0), expr_add(p, kid(p, a, 1), k), expr_add(p, kid(p, a, 2), k));
    return raw2(p, EXPR_ADD, width, a, k);
}

Expr expr_add(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a) + value_of(p, b));
    if (is_const(p, a) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    if (width == 1 && HIT(p, ADD_BIT))
        return expr_xor(p, a, b);
    if (is_const(p, b))
        return add_constant(p, a, b, width);
    Expr joined;
    if (p->on[EXPR_RULE_ADD_DISJOINT] && expr_join_disjoint(p, a, b, &joined) && HIT(p, ADD_DISJOINT))
        return joined;
    if (!p->on[EXPR_RULE_ADD_SORT])
        return raw2(p, EXPR_ADD, width, a, b);
    if (is_plain_term(p, a) && is_plain_term(p, b) && a.id != b.id)
        return a.id < b.id ? raw2(p, EXPR_ADD, width, a, b) : raw2(p, EXPR_ADD, width, b, a);
    p->hits[EXPR_RULE_ADD_SORT]++;
    Expr sorted = add_sorted(p, a, b, 1, width);
    return expr_is_none(sorted) ? add_long(p, a, b, width) : sorted;
}

Expr expr_neg(ExprPool *p, Expr a)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_const(p, width, -value_of(p, a));
    if (width == 1 && HIT(p, NEG_BIT))
        return a;
    if (is_const_ite(p, a) && HIT(p, NEG_ITE))
        return expr_ite(p, kid(p, a, 0), expr_neg(p, kid(p, a, 1)), expr_neg(p, kid(p, a, 2)));
    if (!is_plain_term(p, a) && HIT(p, NEG_SUM)) {
        Sum s = {.width = width};
        if (expr_sum_add(p, &s, a, bits_mask(width))) {
            expr_sum_sort(&s);
            return expr_sum_build(p, &s);
        }
        u128 k = split_constant(p, &a);
        if (k)
            return expr_add(p, expr_neg(p, a), expr_const(p, width, -k));
    }
    return raw1(p, EXPR_NEG, width, a);
}

Expr expr_sub(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (a.id == b.id && HIT(p, SUB_SELF))
        return expr_const(p, width, 0);
    if (width > 1 && !is_const(p, b) && p->on[EXPR_RULE_ADD_SORT]) {
        Expr sorted = add_sorted(p, a, b, bits_mask(width), width);
        if (!expr_is_none(sorted) && HIT(p, ADD_SORT))
            return sorted;
    }
    return expr_add(p, a, expr_neg(p, b));
}

/* ---- products -------------------------------------------------------------------------------- */

static Expr mul_constant(ExprPool *p, Expr a, Expr k, unsigned width)
{
    u128 value = value_of(p, k);
    if (value == 0 && HIT(p, MUL_ZERO))
        return k;
    if (value == 1 && HIT(p, MUL_ONE))
        return a;
    if (is_const_ite(p, a) && HIT(p, MUL_ITE))
        return expr_ite(p, kid(p, a, 0), expr_mul(p, kid(p, a, 1), k), expr_mul(p, kid(p, a, 2), k));
    bool linear = is(p, a, EXPR_NEG) || is(p, a, EXPR_NOT) ||
                  (is(p, a, EXPR_MUL) && is_const(p, kid(p, a, 1))) ||
                  (is(p, a, EXPR_ADD) && is_const(p, kid(p, a, 1)));
    if ((linear || value == bits_mask(width)) && HIT(p, MUL_LINEAR)) {
        Sum s = {.width = width};
        u128 constant = value * split_constant(p, &a);
        if (is(p, a, EXPR_ADD)) { /* k*(x + y): distributing would copy x and y */
            if (value == bits_mask(width))
                return expr_add(p, expr_neg(p, a), expr_const(p, width, constant));
            return expr_add(p, raw2(p, EXPR_MUL, width, a, k), expr_const(p, width, constant));
        }
        s.constant = constant & bits_mask(width);
        if (expr_sum_add(p, &s, a, value)) {
            expr_sum_sort(&s);
            return expr_sum_build(p, &s);
        }
    }
    return raw2(p, EXPR_MUL, width, a, k);
}

Expr expr_mul(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a) * value_of(p, b));
    if (width == 1 && HIT(p, MUL_BIT))
        return expr_and(p, a, b);
    if ((is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    if (is_const(p, b))
        return mul_constant(p, a, b, width);
    if (is(p, a, EXPR_NEG) && HIT(p, MUL_NEG))
        return expr_neg(p, expr_mul(p, kid(p, a, 0), b));
    if (is(p, b, EXPR_NEG) && HIT(p, MUL_NEG))
        return expr_neg(p, expr_mul(p, a, kid(p, b, 0)));
    return raw2(p, EXPR_MUL, width, a, b);
}

/* ---- quotients ------------------------------------------------------------------------------- */

static bool is_power(u128 value) { return value && !(value & (value - 1)); }
static unsigned log_of(u128 power) { return (unsigned)bits_apply(BITS_CTTZ, 128, 0, power, 0, 0); }

/* Known not to be negative: its top bit is zero. */
static bool is_natural(const ExprPool *p, Expr e)
{
    if (is_const(p, e))
        return !(value_of(p, e) >> (width_of(p, e) - 1));
    return is(p, e, EXPR_ZEXT);
}

Expr expr_udiv(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b)) {
        u128 k = value_of(p, b);
        if (is_const(p, a) && HIT(p, FOLD))
            return expr_const(p, width, bits_apply(BITS_UDIV, width, 0, value_of(p, a), k, 0));
        if (k == 0 && HIT(p, UDIV_ZERO))
            return expr_const(p, width, bits_mask(width));
        if (is_power(k) && HIT(p, UDIV_POWER))
            return expr_lshr(p, a, expr_const(p, width, log_of(k)));
        unsigned inner = is(p, a, EXPR_ZEXT) ? width_of(p, kid(p, a, 0)) : width;
        if (inner < width && k && HIT(p, UDIV_ZEXT))
            return k > bits_mask(inner)
                       ? expr_const(p, width, 0)
                       : expr_zext(p, expr_udiv(p, kid(p, a, 0), expr_const(p, inner, k)), width);
    }
    if (width == 1 && HIT(p, UDIV_BIT))
        return expr_or(p, a, expr_not(p, b));
    return raw2(p, EXPR_UDIV, width, a, b);
}

Expr expr_urem(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b)) {
        u128 k = value_of(p, b);
        if (is_const(p, a) && HIT(p, FOLD))
            return expr_const(p, width, bits_apply(BITS_UREM, width, 0, value_of(p, a), k, 0));
        if (k == 0 && HIT(p, UREM_ZERO))
            return a;
        if (k == 1 && HIT(p, UREM_ONE))
            return expr_const(p, width, 0);
        if (k > 1 && is_power(k) && HIT(p, UREM_POWER))
            return expr_zext(p, expr_extract(p, a, 0, log_of(k)), width);
        unsigned inner = is(p, a, EXPR_ZEXT) ? width_of(p, kid(p, a, 0)) : width;
        if (inner < width && k && HIT(p, UREM_ZEXT))
            return k > bits_mask(inner)
                       ? a
                       : expr_zext(p, expr_urem(p, kid(p, a, 0), expr_const(p, inner, k)), width);
    }
    if (a.id == b.id && HIT(p, REM_SELF))
        return expr_const(p, width, 0);
    if (width == 1 && HIT(p, UREM_BIT))
        return expr_and(p, a, expr_not(p, b));
    return raw2(p, EXPR_UREM, width, a, b);
}

Expr expr_sdiv(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b)) {
        u128 k = value_of(p, b);
        if (is_const(p, a) && HIT(p, FOLD))
            return expr_const(p, width, bits_apply(BITS_SDIV, width, 0, value_of(p, a), k, 0));
        if (k == 1 && width > 1 && HIT(p, SDIV_ONE))
            return a;
        if (k == bits_mask(width) && width > 1 && HIT(p, SDIV_MINUS_ONE))
            return expr_neg(p, a);
    }
    if (is_natural(p, a) && is_natural(p, b) && HIT(p, SDIV_NATURAL))
        return expr_udiv(p, a, b);
    return raw2(p, EXPR_SDIV, width, a, b);
}

Expr expr_srem(ExprPool *p, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, b)) {
        u128 k = value_of(p, b);
        if (is_const(p, a) && HIT(p, FOLD))
            return expr_const(p, width, bits_apply(BITS_SREM, width, 0, value_of(p, a), k, 0));
        if ((k == 1 || k == bits_mask(width)) && HIT(p, SREM_ONE))
            return expr_const(p, width, 0);
        if (k == 0 && HIT(p, UREM_ZERO))
            return a;
        if (k >> (width - 1) && k << 1 & bits_mask(width) && HIT(p, SREM_SIGN))
            return expr_srem(p, a, expr_const(p, width, -k));
    }
    if (a.id == b.id && HIT(p, REM_SELF))
        return expr_const(p, width, 0);
    if (is_natural(p, a) && is_natural(p, b) && HIT(p, SDIV_NATURAL))
        return expr_urem(p, a, b);
    return raw2(p, EXPR_SREM, width, a, b);
}
