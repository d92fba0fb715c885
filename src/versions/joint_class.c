/* joint_class.c - in which way two words differ: by rounding, or where a number is NaN. */
#include "versions/joint_int.h"

void joint_class_numbers(ExprPool *p, const VmTrace *trace, ExprVec *out)
{
    vec_clear(out);
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

bool joint_class_exactly_same(ExprPool *p, Expr a, Expr b)
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
