/* joint_class.c - in which way a row differs: by rounding, where a number is NaN, after the NUL of a string.
 */
#include "versions/joint_compare.h"

/* That no number of the run's input is NaN, one condition for each. */
static void not_nan(ExprPool *p, const VmTrace *trace, ExprVec *out)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        ExprObject object = trace->inputs.v[i].object;
        const ExprObjectInfo *info = expr_object_info(p, object);
        for (uint32_t k = 0; k < info->nfields; k++) {
            const ExprField *f = &info->fields[k];
            if (f->kind != EXPR_C_FLOAT || (f->bits != 32 && f->bits != 64) || f->low % 8)
                continue;
            Expr x = info->scalar == f->bits
                         ? expr_object_symbol(p, object)
                         : expr_object_word(p, object, (uint32_t)(f->low / 8), f->bits / 8);
            vec_push(out, expr_make(p, BITS_FORD, f->bits, x, x, EXPR_NONE));
        }
    }
}

/* ---- exact arithmetic ------------------------------------------------------------------------ */

/* Both are evaluated modulo a prime, with random values for all that is no sum, product, quotient or
 * constant. Two different rational functions agree in one such point with a chance of their degree in 2^61
 * (Schwartz and Zippel). */
static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t times(uint64_t a, uint64_t b) { return (uint64_t)((u128)a * b % prime); }
static uint64_t minus(uint64_t a) { return a ? prime - a : 0; }

static uint64_t power(uint64_t a, uint64_t n)
{
    uint64_t result = 1;
    for (; n; n >>= 1, a = times(a, a))
        if (n & 1)
            result = times(result, a);
    return result;
}

static uint64_t inverse(uint64_t a) { return power(a, prime - 2); }

/* A finite constant, as mantissa times a power of two. */
static bool constant_value(unsigned width, u128 bits, uint64_t *out)
{
    double x = width == 64 ? bits_to_double(bits) : width == 32 ? (double)bits_to_float(bits) : 0;
    uint64_t pattern = (uint64_t)bits_of_double(x), mantissa = pattern & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(pattern >> 52 & 2047);
    if ((width != 32 && width != 64) || exponent == 2047)
        return false;
    mantissa |= exponent ? UINT64_C(1) << 52 : 0;
    exponent = (exponent ? exponent : 1) - 1075;
    uint64_t scale = power(2, (uint64_t)(exponent < 0 ? -exponent : exponent));
    *out = times(mantissa % prime, exponent < 0 ? inverse(scale) : scale);
    if (pattern >> 63)
        *out = minus(*out);
    return true;
}

static bool is_arithmetic(ExprOp op)
{
    return op == EXPR_FADD || op == EXPR_FSUB || op == EXPR_FMUL || op == EXPR_FDIV || op == EXPR_FNEG ||
           op == EXPR_FMA || op == EXPR_FCAST;
}

static uint64_t exact(const ExprPool *p, Expr e, Map *known)
{
    uint64_t value, v[3] = {0, 0, 0};
    ExprOp op = expr_op(p, e);
    if (map_get(known, e.id, &value))
        return value;
    for (uint32_t i = 0; is_arithmetic(op) && i < expr_child_count(p, e) && i < 3; i++)
        v[i] = exact(p, expr_child(p, e, i), known);
    switch (op) {
    case EXPR_FADD: value = (v[0] + v[1]) % prime; break;
    case EXPR_FSUB: value = (v[0] + minus(v[1])) % prime; break;
    case EXPR_FMUL: value = times(v[0], v[1]); break;
    case EXPR_FDIV: value = times(v[0], inverse(v[1])); break;
    case EXPR_FNEG: value = minus(v[0]); break;
    case EXPR_FMA: value = (times(v[0], v[1]) + v[2]) % prime; break;
    case EXPR_FCAST: value = v[0]; break;
    default:
        if (!expr_is_const(p, e) || !constant_value(expr_width(p, e), expr_const_value(p, e), &value))
            value = hash_u64(e.id + UINT64_C(0x5eaf)) % prime;
    }
    map_put(known, e.id, value);
    return value;
}

/* Are two floats the same function of their inputs in exact arithmetic, without rounding? */
static bool is_exactly_same(ExprPool *p, Expr a, Expr b)
{
    enum { DEEP = 4096 }; /* nodes: it recurses */
    if ((!is_arithmetic(expr_op(p, a)) && !is_arithmetic(expr_op(p, b))) || expr_size(p, a) > DEEP ||
        expr_size(p, b) > DEEP)
        return false;
    Map known = {0};
    bool same = exact(p, a, &known) == exact(p, b, &known);
    map_free(&known);
    return same;
}

/* ---- in which way a row differs -------------------------------------------------------------- */

/* Has the row no input that differs so, under this restriction as well? */
static bool is_same_under(const Comparison *c, Expr differs, const ExprVec *restriction)
{
    ExprVec conditions = {0};
    SolverAnswer answer = {0};
    vec_push(&conditions, differs);
    for (uint32_t i = 0; restriction && i < restriction->n; i++)
        vec_push(&conditions, restriction->v[i]);
    bool same = joint_row_ask(c, conditions.v, conditions.n, &answer) == SOLVER_UNSAT;
    solver_answer_free(&answer);
    vec_free(&conditions);
    return same;
}

static bool is_only_nan(const Comparison *c)
{
    ExprVec numbers = {0};
    not_nan(c->j->pool, c->trace[VERSIONS_NEW], &numbers);
    bool only = numbers.n && is_same_under(c, joint_some_differs(c), &numbers);
    vec_free(&numbers);
    return only;
}

static bool is_only_rounding(const Comparison *c)
{
    for (uint32_t i = 0; i < c->differences.n; i++) {
        const Difference *d = &c->differences.v[i];
        if (expr_is_none(d->word[0]) || !is_exactly_same(c->j->pool, d->word[0], d->word[1]))
            return false;
    }
    return c->differences.n > 0;
}

static bool is_string(const ExprPool *p, const SignatureOutput *o)
{
    bool string = o && o->kind == SIGNATURE_DATA && o->entry && o->fields.n;
    for (uint32_t i = 0; string && i < o->fields.n; i++)
        string = expr_width(p, o->fields.v[i].value) == 8;
    return string;
}

/* Where two strings differ in a byte before which OLD's has no NUL; EXPR_NONE: they are no strings of one
 * size. */
static Expr differ_up_to_nul(ExprPool *p, const SignatureOutput *old, const SignatureOutput *new)
{
    ExprVec bytes[2] = {{0}};
    Expr some = EXPR_NONE, before = EXPR_TRUE;
    if (!is_string(p, old) || !is_string(p, new))
        return EXPR_NONE;
    joint_output_bytes(p, old, &bytes[0]);
    joint_output_bytes(p, new, &bytes[1]);
    if (bytes[0].n == bytes[1].n)
        some = EXPR_FALSE;
    for (uint32_t k = 0; !expr_is_none(some) && k < bytes[0].n; k++) {
        Expr differs = expr_not(p, expr_eq(p, bytes[0].v[k], bytes[1].v[k]));
        some = expr_or(p, some, expr_and(p, before, differs));
        before = expr_and(p, before, expr_not(p, expr_eq(p, bytes[0].v[k], expr_const(p, 8, 0))));
    }
    vec_free(&bytes[0]);
    vec_free(&bytes[1]);
    return some;
}

static bool is_only_after_nul(const Comparison *c)
{
    Expr some = EXPR_FALSE;
    for (uint32_t i = 0; i < c->differences.n; i++) {
        const char *name = c->differences.v[i].output;
        Expr differs = differ_up_to_nul(c->j->pool, joint_output_find(&c->shown[VERSIONS_OLD], name),
                                        joint_output_find(&c->shown[VERSIONS_NEW], name));
        if (expr_is_none(differs))
            return false;
        some = expr_or(c->j->pool, some, differs);
    }
    return c->differences.n && is_same_under(c, some, NULL);
}

JointClass joint_classify(const Comparison *c)
{
    return is_only_rounding(c)    ? JOINT_ROUNDING
           : is_only_nan(c)       ? JOINT_NAN
           : is_only_after_nul(c) ? JOINT_AFTER_NUL
                                  : JOINT_ANY;
}
