/* print_c_float.c - float operators as C. Where the bits of a word are taken for a float, or of a float for a
 * word, the text says so: as_double(...), bits(...). */
#include "expr/print_c.h"

#include <math.h>
#include <stdlib.h>

bool expr_c_looks_float(const ExprPool *p, Expr e)
{
    ExprOp op = op_of(p, e);
    if (op == EXPR_ITE)
        return expr_c_looks_float(p, kid(p, e, 1)) && op_of(p, kid(p, e, 1)) != EXPR_ITE;
    return (op >= EXPR_FADD && op <= EXPR_FMA) || op == EXPR_FCAST || op == EXPR_UITOFP ||
           op == EXPR_SITOFP || expr_c_leaf_is_float(p, e);
}

static const char *type_name(unsigned width)
{
    return width == 32 ? "float" : width == 64 ? "double" : "long double";
}

static Text float_const(u128 value, unsigned width)
{
    long double v = width == 32   ? bits_to_float(value)
                    : width == 64 ? bits_to_double(value)
                                  : bits_to_ldouble(value);
    char digits[64];
    bool minus = value >> (width - 1);
    if (v != v)
        return expr_c_new(P_PRIMARY, SIG_MOD, width, false, "NAN");
    if (isinf(v))
        return expr_c_new(P_UNARY, SIG_MOD, width, false, "%sINFINITY", minus ? "-" : "");
    for (int precision = 1; precision < 22; precision++) {
        snprintf(digits, sizeof digits, "%.*Lg", precision, v);
        long double back = strtold(digits, NULL);
        u128 again = width == 32   ? bits_of_float((float)back)
                     : width == 64 ? bits_of_double((double)back)
                                   : bits_of_ldouble(back);
        if (again == value)
            break;
    }
    bool integral = !strpbrk(digits, ".e");
    return expr_c_new(minus ? P_UNARY : P_PRIMARY, SIG_MOD, width, false, "%s%s%s", digits,
                      integral ? ".0" : "", width == 80 ? "L" : "");
}

static const char *function_name(ExprOp op)
{
    switch (op) {
    case EXPR_FREM: return "fmod";
    case EXPR_FMIN: return "fmin";
    case EXPR_FMAX: return "fmax";
    case EXPR_FABS: return "fabs";
    case EXPR_FSQRT: return "sqrt";
    case EXPR_FFLOOR: return "floor";
    case EXPR_FCEIL: return "ceil";
    case EXPR_FTRUNC: return "trunc";
    case EXPR_FROUND: return "round";
    case EXPR_FRINT: return "rint";
    case EXPR_FMA: return "fma";
    default: return NULL;
    }
}

static Text infix(CPrint *c, Expr e, const char *op, int prec)
{
    Text x = expr_c_float(c, kid(c->p, e, 0));
    return expr_c_join(x, op, expr_c_float(c, kid(c->p, e, 1)), prec);
}

static Text choice(CPrint *c, Expr e)
{
    Text condition = expr_c_bool(c, kid(c->p, e, 0), false);
    Text then = expr_c_float(c, kid(c->p, e, 1)), otherwise = expr_c_float(c, kid(c->p, e, 2));
    expr_c_wrap(&condition, P_COND + 1);
    str_printf(&condition.s, " ? %s : %s", str_text(&then.s), str_text(&otherwise.s));
    str_free(&then.s);
    str_free(&otherwise.s);
    condition.prec = P_COND;
    return condition;
}

static Text reinterpreted(CPrint *c, Expr e)
{
    unsigned width = width_of(c->p, e);
    Text x = expr_c_word(c, e, SIG_MOD);
    Text t = expr_c_new(P_PRIMARY, SIG_MOD, width, false, "as_%s(%s)",
                        width == 80 ? "long_double" : type_name(width), str_text(&x.s));
    str_free(&x.s);
    return t;
}

static Text float_node(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    unsigned width = width_of(p, e);
    Text t;
    Slice slice;
    if (expr_c_leaf_is_float(p, e) && expr_c_slice(p, e, &slice))
        return expr_c_element(&slice);
    if (is(p, e, EXPR_ITE) && expr_c_lookup(c, e, &t))
        return t;
    if (function_name(op_of(p, e)))
        return expr_c_call(c, function_name(op_of(p, e)), e);
    switch (op_of(p, e)) {
    case EXPR_CONST: return float_const(value_of(p, e), width);
    case EXPR_FADD: return infix(c, e, "+", P_ADD);
    case EXPR_FSUB: return infix(c, e, "-", P_ADD);
    case EXPR_FMUL: return infix(c, e, "*", P_MUL);
    case EXPR_FDIV: return infix(c, e, "/", P_MUL);
    case EXPR_ITE: return choice(c, e);
    case EXPR_APPLY: return expr_c_call(c, expr_fn_name(p, expr_apply_fn(p, e)), e);
    case EXPR_FNEG:
        t = expr_c_float(c, kid(p, e, 0));
        expr_c_wrap(&t, P_UNARY);
        Text minus = expr_c_new(P_UNARY, SIG_MOD, width, false, "-%s", str_text(&t.s));
        str_free(&t.s);
        return minus;
    case EXPR_FCAST:
        t = expr_c_float(c, kid(p, e, 0));
        if (width < width_of(p, kid(p, e, 0))) /* widening happens by itself */
            expr_c_cast(&t, type_name(width));
        return t;
    case EXPR_SITOFP:
    case EXPR_UITOFP:
        t = expr_c_word(c, kid(p, e, 0), is(p, e, EXPR_SITOFP) ? SIG_SIGNED : SIG_UNSIGNED);
        expr_c_cast(&t, type_name(width));
        return t;
    default: return reinterpreted(c, e);
    }
}

Text expr_c_float(CPrint *c, Expr e)
{
    if (expr_c_enter(c))
        return expr_c_new(P_PRIMARY, SIG_MOD, 64, false, "...");
    Text t = float_node(c, e);
    expr_c_leave(c);
    return t;
}
