/* distance.c - how far an input is from satisfying constraints: what local search descends. */
#include "solver/solver_int.h"

#include <math.h>

enum { DEPTH = 24 };

i128 float_ordinal(u128 bits, unsigned width)
{
    u128 magnitude = bits & bits_mask(width - 1);
    return bits >> (width - 1) & 1 ? -(i128)magnitude : (i128)magnitude;
}

u128 float_from_ordinal(i128 o, unsigned width)
{
    u128 magnitude = (u128)(o < 0 ? -o : o) & bits_mask(width - 1);
    return magnitude | (u128)(o < 0) << (width - 1);
}

/* log2(1 + |a - b|) or nearly so: exact enough to tell nearer from farther. */
static double logarithm(u128 a, u128 b)
{
    u128 d = (a > b ? a - b : b - a);
    if (d >> 52)
        return log2((double)d);
    uint64_t n = (uint64_t)d + 1;
    unsigned whole = 63 - (unsigned)__builtin_clzll(n);
    return whole + ((double)n / (double)((uint64_t)1 << whole) - 1);
}

static u128 shifted(i128 v) { return (u128)v ^ (u128)1 << 127; } /* signed order as unsigned order */

static bool is_nan(u128 v, unsigned w)
{
    return isnan(w == 32 ? bits_to_float(v) : w == 64 ? bits_to_double(v) : (double)bits_to_ldouble(v));
}

/* How far a condition is from being `goal`, about in bits; 0 only if it is. */
static double condition_distance(ExprPool *p, ExprEval *ev, Expr c, bool goal, unsigned depth)
{
    if (expr_eval_true(ev, c) == goal)
        return 0;
    ExprOp op = expr_op(p, c);
    if (op == EXPR_NOT && depth < DEPTH)
        return condition_distance(p, ev, expr_child(p, c, 0), !goal, depth + 1);
    if (expr_child_count(p, c) != 2)
        return 64;
    Expr a = expr_child(p, c, 0), b = expr_child(p, c, 1);
    unsigned w = expr_width(p, a);
    if (op == EXPR_AND && depth < DEPTH) {
        double da = condition_distance(p, ev, a, goal, depth + 1),
               db = condition_distance(p, ev, b, goal, depth + 1);
        return goal ? da + db : da < db ? da : db;
    }
    u128 va = expr_eval(ev, a), vb = expr_eval(ev, b);
    switch (op) {
    case EXPR_FOEQ:
    case EXPR_FOLT:
    case EXPR_FOLE:
        if (is_nan(va, w) || is_nan(vb, w))
            return goal ? 80 : 8;
        return 1 + logarithm(shifted(float_ordinal(va, w)), shifted(float_ordinal(vb, w)));
    case EXPR_EQ: return goal ? 1 + logarithm(va, vb) : 1;
    case EXPR_ULT: return 1 + logarithm(va, vb);
    case EXPR_SLT: return 1 + logarithm(shifted(bits_signed(va, w)), shifted(bits_signed(vb, w)));
    default: return 64;
    }
}

double constraint_distance(Solver *s, Expr c) { return condition_distance(s->pool, s->eval, c, true, 0); }
