/* rules_float.c - float operators: folding, comparisons of converted integers and of widened floats.
 *
 * A rule must keep every bit that bits_apply computes, payloads of NaNs included: so fadd is commutative only
 * in a pool that is told so (expr_pool_commute_floats), and x * 1.0 is not x (a signalling NaN becomes
 * quiet). */
#include "expr/expr_int.h"

#include <math.h>

static long double to_long(u128 value, unsigned width)
{
    return width == 32 ? bits_to_float(value) : width == 64 ? bits_to_double(value) : bits_to_ldouble(value);
}

/* Equal to nothing, as the FPU sees it: a NaN, or an 80-bit pattern with a wrong integer bit. */
static bool is_nan(const ExprPool *p, Expr e)
{
    if (!is_const(p, e))
        return false;
    long double v = to_long(value_of(p, e), width_of(p, e));
    return v != v;
}

/* A float that is an integer converted without rounding. */
static bool is_exact_integer(const ExprPool *p, Expr e)
{
    if (!is(p, e, EXPR_SITOFP) && !is(p, e, EXPR_UITOFP))
        return false;
    unsigned precision = width_of(p, e) == 32 ? 24 : width_of(p, e) == 64 ? 53 : 64;
    return width_of(p, kid(p, e, 0)) <= precision + is(p, e, EXPR_SITOFP);
}

typedef enum Relation { REL_EQ, REL_LT, REL_LE, REL_GT, REL_GE } Relation;

/* x REL t over the integers, where t is integral and x an integer of this width. */
static Expr compare_integer(ExprPool *p, Expr x, bool is_signed, Relation rel, long double t)
{
    unsigned width = width_of(p, x);
    long double least = is_signed ? -ldexpl(1, (int)width - 1) : 0;
    long double beyond = ldexpl(1, (int)width - is_signed);
    if (t < least)
        return expr_bool(rel == REL_GT || rel == REL_GE);
    if (t >= beyond)
        return expr_bool(rel == REL_LT || rel == REL_LE);
    Expr k = expr_const(p, width, t < 0 ? (u128)(i128)t : (u128)t);
    switch (rel) {
    case REL_EQ: return expr_eq(p, x, k);
    case REL_LT: return is_signed ? expr_slt(p, x, k) : expr_ult(p, x, k);
    case REL_LE: return is_signed ? expr_sle(p, x, k) : expr_ule(p, x, k);
    case REL_GT: return is_signed ? expr_slt(p, k, x) : expr_ult(p, k, x);
    default: return is_signed ? expr_sle(p, k, x) : expr_ule(p, k, x);
    }
}

/* (float)x REL k: the bound rounds to the integer that decides the same. k is no NaN. */
static Expr compare_converted(ExprPool *p, Expr a, Relation rel, long double k)
{
    bool is_signed = is(p, a, EXPR_SITOFP);
    if (rel == REL_EQ)
        return k == truncl(k) ? compare_integer(p, kid(p, a, 0), is_signed, rel, k) : EXPR_FALSE;
    bool up = rel == REL_LT || rel == REL_GE; /* x < 2.5 is x < 3; x <= 2.5 is x <= 2 */
    return compare_integer(p, kid(p, a, 0), is_signed, rel, up ? ceill(k) : floorl(k));
}

static u128 narrowed(long double k, unsigned width)
{
    return width == 32 ? bits_of_float((float)k) : bits_of_double((double)k);
}

static u128 stepped(u128 value, unsigned width, double towards)
{
    return width == 32 ? bits_of_float(nextafterf(bits_to_float(value), (float)towards))
                       : bits_of_double(nextafter(bits_to_double(value), towards));
}

static Expr compare_floats(ExprPool *p, Relation rel, Expr x, Expr k)
{
    switch (rel) {
    case REL_EQ: return expr_make(p, BITS_FOEQ, 0, x, k, EXPR_NONE);
    case REL_LT: return expr_make(p, BITS_FOLT, 0, x, k, EXPR_NONE);
    case REL_LE: return expr_make(p, BITS_FOLE, 0, x, k, EXPR_NONE);
    case REL_GT: return expr_make(p, BITS_FOLT, 0, k, x, EXPR_NONE);
    default: return expr_make(p, BITS_FOLE, 0, k, x, EXPR_NONE);
    }
}

/* (wider)x REL k in x's own type; if k lies between two floats there, against the one on the right side of
 * it. */
static Expr compare_widened(ExprPool *p, Expr a, Relation rel, long double k)
{
    Expr x = kid(p, a, 0);
    unsigned width = width_of(p, x);
    u128 near = narrowed(k, width);
    long double got = to_long(near, width);
    if (got == k)
        return compare_floats(p, rel, x, expr_const(p, width, near));
    if (rel == REL_EQ)
        return EXPR_FALSE;
    bool below = rel == REL_LT || rel == REL_LE;
    if (below && got > k)
        near = stepped(near, width, -INFINITY);
    if (!below && got < k)
        near = stepped(near, width, INFINITY);
    return compare_floats(p, below ? REL_LE : REL_GE, x, expr_const(p, width, near));
}

static bool is_widened(const ExprPool *p, Expr e)
{
    return is(p, e, EXPR_FCAST) && width_of(p, kid(p, e, 0)) < width_of(p, e);
}

/* a REL k for a constant k that is no NaN. */
static bool compare_constant(ExprPool *p, Expr a, Relation rel, Expr k, Expr *out)
{
    long double value = to_long(value_of(p, k), width_of(p, k));
    if (is_exact_integer(p, a) && HIT(p, FCMP_INTEGER)) {
        *out = compare_converted(p, a, rel, value);
        return true;
    }
    if (is_widened(p, a) && HIT(p, FCMP_WIDENED)) {
        *out = compare_widened(p, a, rel, value);
        return true;
    }
    return false;
}

/* Both sides converted alike from narrower types. */
static bool compare_alike(ExprPool *p, ExprOp op, Expr a, Expr b, Expr *out)
{
    Expr x = kid(p, a, 0), y = kid(p, b, 0);
    if (op_of(p, a) != op_of(p, b) || width_of(p, x) != width_of(p, y))
        return false;
    if (is_exact_integer(p, a) && HIT(p, FCMP_INTEGER)) {
        bool is_signed = is(p, a, EXPR_SITOFP);
        if (op == EXPR_FOEQ)
            *out = expr_eq(p, x, y);
        else if (op == EXPR_FOLT)
            *out = is_signed ? expr_slt(p, x, y) : expr_ult(p, x, y);
        else
            *out = is_signed ? expr_sle(p, x, y) : expr_ule(p, x, y);
        return true;
    }
    if (is_widened(p, a) && HIT(p, FCMP_WIDENED)) {
        *out = expr_make(p, expr_op_bits(op), 0, x, y, EXPR_NONE);
        return true;
    }
    return false;
}

Expr expr_float_compare(ExprPool *p, ExprOp op, Expr a, Expr b)
{
    unsigned width = width_of(p, a);
    if (is_const(p, a) && is_const(p, b) && HIT(p, FOLD))
        return expr_bool((bool)bits_apply(expr_op_bits(op), width, 0, value_of(p, a), value_of(p, b), 0));
    if ((is_nan(p, a) || is_nan(p, b)) && HIT(p, FCMP_NAN))
        return EXPR_FALSE;
    if (op == EXPR_FOLT && a.id == b.id && HIT(p, FCMP_SELF))
        return EXPR_FALSE;
    if (op == EXPR_FOLE && a.id == b.id && HIT(p, FCMP_SELF))
        return expr_float_compare(p, EXPR_FOEQ, a, b);
    if (op == EXPR_FOEQ && (is_const(p, a) || (b.id < a.id && !is_const(p, b))) && HIT(p, COMMUTE))
        swap_exprs(&a, &b);
    Relation rel = op == EXPR_FOEQ ? REL_EQ : op == EXPR_FOLT ? REL_LT : REL_LE;
    Expr out;
    if (is_const(p, b) && !is_nan(p, b) && compare_constant(p, a, rel, b, &out))
        return out;
    if (is_const(p, a) && !is_nan(p, a) &&
        compare_constant(p, b,
                         rel == REL_EQ   ? REL_EQ
                         : rel == REL_LT ? REL_GT
                                         : REL_GE,
                         a, &out))
        return out;
    if (!is_const(p, a) && !is_const(p, b) && compare_alike(p, op, a, b, &out))
        return out;
    return raw2(p, op, 1, a, b);
}

static Expr float_unary(ExprPool *p, ExprOp op, Expr a, unsigned width)
{
    if (op == EXPR_FNEG && is(p, a, EXPR_FNEG) && HIT(p, FNEG_FNEG))
        return kid(p, a, 0);
    if (op == EXPR_FABS && is(p, a, EXPR_FABS) && HIT(p, FABS_SIGN))
        return a;
    if (op == EXPR_FABS && is(p, a, EXPR_FNEG) && HIT(p, FABS_SIGN))
        return expr_float_op(p, EXPR_FABS, kid(p, a, 0), EXPR_NONE, EXPR_NONE);
    return raw1(p, op, width, a);
}

Expr expr_float_op(ExprPool *p, ExprOp op, Expr a, Expr b, Expr c)
{
    unsigned width = width_of(p, a), arity = bits_op_arity(expr_op_bits(op));
    bool constant = is_const(p, a) && (arity < 2 || is_const(p, b)) && (arity < 3 || is_const(p, c));
    if (constant && HIT(p, FOLD))
        return expr_const(p, width,
                          bits_apply(expr_op_bits(op), width, 0, value_of(p, a),
                                     arity < 2 ? 0 : value_of(p, b), arity < 3 ? 0 : value_of(p, c)));
    if (arity == 1)
        return float_unary(p, op, a, width);
    if (p->floats_commute && (op == EXPR_FADD || op == EXPR_FMUL || op == EXPR_FMA) && b.id < a.id)
        swap_exprs(&a, &b);
    return arity == 2 ? raw2(p, op, width, a, b) : raw3(p, op, width, a, b, c);
}

static Expr integer_to_float(ExprPool *p, ExprOp op, unsigned width, Expr a)
{
    if (is(p, a, EXPR_ZEXT) && HIT(p, ITOF_EXTENDED))
        return raw1(p, EXPR_UITOFP, width, kid(p, a, 0));
    if (op == EXPR_SITOFP && is(p, a, EXPR_SEXT) && HIT(p, ITOF_EXTENDED))
        return raw1(p, EXPR_SITOFP, width, kid(p, a, 0));
    return raw1(p, op, width, a);
}

Expr expr_float_cast(ExprPool *p, ExprOp op, unsigned width, Expr a)
{
    unsigned source = width_of(p, a);
    if (op == EXPR_FCAST && width == source)
        return a;
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_const(p, width, bits_apply(expr_op_bits(op), width, source, value_of(p, a), 0, 0));
    switch (op) {
    case EXPR_UITOFP:
    case EXPR_SITOFP: return integer_to_float(p, op, width, a);
    case EXPR_FCAST:
        if (width > source && is_widened(p, a) && HIT(p, FCAST_FCAST))
            return raw1(p, EXPR_FCAST, width, kid(p, a, 0));
        if (width > source && is_exact_integer(p, a) && HIT(p, FCAST_INTEGER))
            return raw1(p, op_of(p, a), width, kid(p, a, 0));
        break;
    case EXPR_FPTOSI:
        if (is_exact_integer(p, a) && width_of(p, kid(p, a, 0)) + is(p, a, EXPR_UITOFP) <= width &&
            HIT(p, FTOI_INTEGER))
            return is(p, a, EXPR_SITOFP) ? expr_sext(p, kid(p, a, 0), width)
                                         : expr_zext(p, kid(p, a, 0), width);
        break;
    default: break;
    }
    return raw1(p, op, width, a);
}
