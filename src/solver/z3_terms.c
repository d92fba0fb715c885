/* z3_terms.c - see z3_terms.h. */
#include "solver/z3_terms.h"

enum { SPELT_OUT = 65536 }; /* arrays up to this size are no arrays to Z3 */

struct Z3Terms {
    ExprPool *pool;
    Z3_context z;
    Map where; /* node id to number in terms */
    Vec(Z3_ast) terms;
    U32Vec stack;
    uint32_t fresh; /* names of free words */
};

Z3Terms *z3_terms_new(ExprPool *p, Z3_context context)
{
    Z3Terms *t = mem_zalloc(sizeof *t);
    t->pool = p;
    t->z = context;
    return t;
}

void z3_terms_free(Z3Terms *t)
{
    if (!t)
        return;
    map_free(&t->where);
    vec_free(&t->terms);
    vec_free(&t->stack);
    mem_free(t);
}

uint32_t z3_terms_count(const Z3Terms *t) { return t->terms.n; }

/* ---- words ----------------------------------------------------------------------------------- */

static Z3_ast constant(Z3Terms *t, unsigned width, u128 value)
{
    if (width <= 64)
        return Z3_mk_unsigned_int64(t->z, (uint64_t)value, Z3_mk_bv_sort(t->z, width));
    char text[48];
    text_u128(text, value, false);
    return Z3_mk_numeral(t->z, text, Z3_mk_bv_sort(t->z, width));
}

static Z3_ast named(Z3Terms *t, char kind, uint32_t number, unsigned width)
{
    char name[16];
    snprintf(name, sizeof name, "%c%u", kind, number);
    Z3_sort sort = width == 1 ? Z3_mk_bool_sort(t->z) : Z3_mk_bv_sort(t->z, width);
    return Z3_mk_const(t->z, Z3_mk_string_symbol(t->z, name), sort);
}

static Z3_ast free_word(Z3Terms *t, unsigned width) { return named(t, 'f', t->fresh++, width); }

static Z3_ast to_bits(Z3Terms *t, Z3_ast condition)
{
    return Z3_mk_ite(t->z, condition, constant(t, 1, 1), constant(t, 1, 0));
}

static Z3_ast to_bool(Z3Terms *t, Z3_ast bit) { return Z3_mk_eq(t->z, bit, constant(t, 1, 1)); }

static Z3_ast known(const Z3Terms *t, Expr e)
{
    uint64_t at;
    if (!map_get(&t->where, e.id, &at))
        bug("node %u has no Z3 term", e.id);
    return t->terms.v[at];
}

/* A child as a word, also of width 1. */
static Z3_ast word(Z3Terms *t, Expr e, uint32_t i)
{
    Expr c = expr_child(t->pool, e, i);
    Z3_ast a = known(t, c);
    return expr_width(t->pool, c) == 1 ? to_bits(t, a) : a;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A base is a free array with all its bytes stored: reads look only inside of it. (A constant array would do
 * with fewer stores, but Z3's decision procedure for those is incomplete.) */
static Z3_ast base_array(Z3Terms *t, Expr e)
{
    ExprArray a = {e.id};
    uint32_t size = expr_array_size(t->pool, a);
    char name[16];
    snprintf(name, sizeof name, "a%u", e.id);
    Z3_sort sort = Z3_mk_array_sort(t->z, Z3_mk_bv_sort(t->z, 64), Z3_mk_bv_sort(t->z, 8));
    Z3_ast array = Z3_mk_const(t->z, Z3_mk_string_symbol(t->z, name), sort);
    for (uint32_t i = 0; i < size; i++) {
        Expr byte = expr_array_base_byte(t->pool, a, i);
        Z3_ast value =
            expr_is_const(t->pool, byte) ? constant(t, 8, expr_const_value(t->pool, byte)) : known(t, byte);
        array = Z3_mk_store(t->z, array, constant(t, 64, i), value);
    }
    return array;
}

/* Z3 decides reads of arrays far more slowly than the same reads spelt out as choices. */
bool z3_terms_spelt_out(const Z3Terms *t, Expr array)
{
    return expr_array_size(t->pool, (ExprArray){array.id}) <= SPELT_OUT;
}

/* The byte of a base that the index selects, as a tree over the index's bits. */
static Z3_ast base_choice(Z3Terms *t, ExprArray base, Z3_ast index)
{
    uint32_t n = expr_array_size(t->pool, base);
    Z3_ast *level = mem_alloc(n * sizeof *level);
    for (uint32_t i = 0; i < n; i++) {
        Expr byte = expr_array_base_byte(t->pool, base, i);
        level[i] =
            expr_is_const(t->pool, byte) ? constant(t, 8, expr_const_value(t->pool, byte)) : known(t, byte);
    }
    for (unsigned k = 0; n > 1; k++, n = (n + 1) / 2) {
        Z3_ast bit = to_bool(t, Z3_mk_extract(t->z, k, k, index));
        for (uint32_t i = 0; i < n; i += 2)
            level[i / 2] = i + 1 < n ? Z3_mk_ite(t->z, bit, level[i + 1], level[i]) : level[i];
    }
    Z3_ast result = level[0];
    mem_free(level);
    return result;
}

static Z3_ast array_choice(Z3Terms *t, Expr array, Z3_ast index)
{
    ExprVec stores = {0};
    for (; expr_op(t->pool, array) == EXPR_STORE; array = expr_child(t->pool, array, 0))
        vec_push(&stores, array);
    Z3_ast result = base_choice(t, (ExprArray){array.id}, index);
    while (stores.n > 0) {
        Expr store = vec_pop(&stores);
        Z3_ast here = Z3_mk_eq(t->z, index, known(t, expr_child(t->pool, store, 1)));
        result = Z3_mk_ite(t->z, here, known(t, expr_child(t->pool, store, 2)), result);
    }
    vec_free(&stores);
    return result;
}

static Z3_ast select_term(Z3Terms *t, Expr e)
{
    Expr array = expr_child(t->pool, e, 0);
    Z3_ast index = known(t, expr_child(t->pool, e, 1));
    Z3_ast size = constant(t, 64, expr_array_size(t->pool, (ExprArray){array.id}));
    Z3_ast byte = z3_terms_spelt_out(t, array) ? array_choice(t, array, index)
                                               : Z3_mk_select(t->z, known(t, array), index);
    return Z3_mk_ite(t->z, Z3_mk_bvult(t->z, index, size), byte, constant(t, 8, 0));
}

/* ---- floats ---------------------------------------------------------------------------------- */

static Z3_sort float_sort(Z3Terms *t, unsigned width)
{
    return width == 32   ? Z3_mk_fpa_sort(t->z, 8, 24)
           : width == 64 ? Z3_mk_fpa_sort(t->z, 11, 53)
                         : Z3_mk_fpa_sort(t->z, 15, 64);
}

/* The number with these bits. The 80-bit format writes the integer bit that others imply. */
static Z3_ast number_of(Z3Terms *t, Z3_ast bits, unsigned width)
{
    if (width == 80)
        bits = Z3_mk_concat(t->z, Z3_mk_extract(t->z, 79, 64, bits), Z3_mk_extract(t->z, 62, 0, bits));
    return Z3_mk_fpa_to_fp_bv(t->z, bits, float_sort(t, width));
}

/* 80 bits whose integer bit is not what the exponent implies are no number, and what the FPU makes of them
 * differs. */
static Z3_ast is_odd_encoding(Z3Terms *t, Z3_ast bits, unsigned width)
{
    if (width != 80)
        return Z3_mk_false(t->z);
    Z3_ast zero_exponent = Z3_mk_eq(t->z, Z3_mk_extract(t->z, 78, 64, bits), constant(t, 15, 0));
    Z3_ast integer_bit = to_bool(t, Z3_mk_extract(t->z, 63, 63, bits));
    return Z3_mk_iff(t->z, zero_exponent, integer_bit);
}

/* The bits of a number that is not a NaN. */
static Z3_ast bits_of(Z3Terms *t, Z3_ast number, unsigned width)
{
    Z3_ast bits = Z3_mk_fpa_to_ieee_bv(t->z, number);
    if (width != 80)
        return bits;
    Z3_ast exponent = Z3_mk_extract(t->z, 77, 63, bits);
    Z3_ast integer_bit = to_bits(t, Z3_mk_not(t->z, Z3_mk_eq(t->z, exponent, constant(t, 15, 0))));
    return Z3_mk_concat(t->z, Z3_mk_extract(t->z, 78, 63, bits),
                        Z3_mk_concat(t->z, integer_bit, Z3_mk_extract(t->z, 62, 0, bits)));
}

/* What every NaN that an operation makes has set: the exponent and the quiet bit. */
static u128 quiet_mask(unsigned width)
{
    return width == 32 ? (u128)0x1ff << 22 : width == 64 ? (u128)0xfff << 51 : (u128)0x1ffff << 62;
}

/* The NaN of add, sub, mul and div in SSE: the first operand that is one, made quiet; else the default. */
static Z3_ast sse_nan(Z3Terms *t, Z3_ast a, Z3_ast b, unsigned width)
{
    Z3_ast mask = constant(t, width, quiet_mask(width));
    Z3_ast standard = constant(t, width, quiet_mask(width) | (u128)1 << (width - 1));
    Z3_ast second =
        Z3_mk_ite(t->z, Z3_mk_fpa_is_nan(t->z, number_of(t, b, width)), Z3_mk_bvor(t->z, b, mask), standard);
    return Z3_mk_ite(t->z, Z3_mk_fpa_is_nan(t->z, number_of(t, a, width)), Z3_mk_bvor(t->z, a, mask), second);
}

static Z3_ast rounding(Z3Terms *t, ExprOp op)
{
    switch (op) {
    case EXPR_FFLOOR: return Z3_mk_fpa_rtn(t->z);
    case EXPR_FCEIL: return Z3_mk_fpa_rtp(t->z);
    case EXPR_FTRUNC: return Z3_mk_fpa_rtz(t->z);
    case EXPR_FROUND: return Z3_mk_fpa_rna(t->z);
    default: return Z3_mk_fpa_rne(t->z);
    }
}

/* The number that an operator computes, operands as numbers; NULL if Z3 has no such operator. */
static Z3_ast compute(Z3Terms *t, ExprOp op, const Z3_ast *n)
{
    Z3_context z = t->z;
    Z3_ast rne = Z3_mk_fpa_rne(z);
    switch (op) {
    case EXPR_FADD: return Z3_mk_fpa_add(z, rne, n[0], n[1]);
    case EXPR_FSUB: return Z3_mk_fpa_sub(z, rne, n[0], n[1]);
    case EXPR_FMUL: return Z3_mk_fpa_mul(z, rne, n[0], n[1]);
    case EXPR_FDIV: return Z3_mk_fpa_div(z, rne, n[0], n[1]);
    case EXPR_FMIN: return Z3_mk_fpa_min(z, n[0], n[1]);
    case EXPR_FMAX: return Z3_mk_fpa_max(z, n[0], n[1]);
    case EXPR_FSQRT: return Z3_mk_fpa_sqrt(z, rne, n[0]);
    case EXPR_FMA: return Z3_mk_fpa_fma(z, rne, n[0], n[1], n[2]);
    case EXPR_FFLOOR:
    case EXPR_FCEIL:
    case EXPR_FTRUNC:
    case EXPR_FROUND:
    case EXPR_FRINT: return Z3_mk_fpa_round_to_integral(z, rounding(t, op), n[0]);
    default: return NULL;
    }
}

/* A float result as bits. open: where the result is not determined by the numbers alone. */
static Z3_ast float_result(Z3Terms *t, Z3_ast number, Z3_ast nan, Z3_ast open, unsigned width)
{
    Z3_ast bits = Z3_mk_ite(t->z, Z3_mk_fpa_is_nan(t->z, number), nan, bits_of(t, number, width));
    return Z3_mk_ite(t->z, open, free_word(t, width), bits);
}

static Z3_ast is_signalling(Z3Terms *t, Z3_ast bits, Z3_ast number, unsigned width)
{
    unsigned quiet = width == 32 ? 22 : width == 64 ? 51 : 62;
    Z3_ast both[2] = {Z3_mk_fpa_is_nan(t->z, number),
                      Z3_mk_not(t->z, to_bool(t, Z3_mk_extract(t->z, quiet, quiet, bits)))};
    return Z3_mk_and(t->z, 2, both);
}

/* fmin and fmax leave to libm which of two zeros they give, and whether a signalling NaN beside a number
 * gives a NaN or the number. */
static Z3_ast extremum(Z3Terms *t, const Z3_ast *a, const Z3_ast *n, Z3_ast result, unsigned width)
{
    Z3_ast zeros[2] = {Z3_mk_fpa_is_zero(t->z, n[0]), Z3_mk_fpa_is_zero(t->z, n[1])};
    Z3_ast signalling[2] = {is_signalling(t, a[0], n[0], width), is_signalling(t, a[1], n[1], width)};
    Z3_ast some_zero = Z3_mk_bvand(t->z, free_word(t, width), constant(t, width, (u128)1 << (width - 1)));
    result = Z3_mk_ite(t->z, Z3_mk_and(t->z, 2, zeros), some_zero, result);
    Z3_ast some_nan = Z3_mk_bvor(t->z, free_word(t, width), constant(t, width, quiet_mask(width)));
    Z3_ast other = Z3_mk_ite(t->z, Z3_mk_fpa_is_nan(t->z, n[0]), a[1], a[0]);
    Z3_ast either = Z3_mk_ite(t->z, free_word(t, 1), some_nan, other);
    return Z3_mk_ite(t->z, Z3_mk_or(t->z, 2, signalling), either, result);
}

static Z3_ast float_operator(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    Z3_ast a[3], n[3], odd[3];
    uint32_t count = expr_child_count(t->pool, e);
    for (uint32_t i = 0; i < count; i++) {
        a[i] = word(t, e, i);
        n[i] = number_of(t, a[i], width);
        odd[i] = is_odd_encoding(t, a[i], width);
    }
    Z3_ast number = compute(t, op, n);
    if (!number)
        return free_word(t, width);
    Z3_ast open = Z3_mk_or(t->z, count, odd);
    Z3_ast nan = Z3_mk_bvor(t->z, free_word(t, width), constant(t, width, quiet_mask(width)));
    if (op >= EXPR_FADD && op <= EXPR_FDIV && width != 80)
        nan = sse_nan(t, a[0], a[1], width);
    Z3_ast result = float_result(t, number, nan, open, width);
    return op == EXPR_FMIN || op == EXPR_FMAX ? extremum(t, a, n, result, width) : result;
}

static Z3_ast float_compare(Z3Terms *t, Expr e, ExprOp op)
{
    unsigned width = expr_width(t->pool, expr_child(t->pool, e, 0));
    Z3_ast a = word(t, e, 0), b = word(t, e, 1), x = number_of(t, a, width), y = number_of(t, b, width);
    Z3_ast result = op == EXPR_FOEQ   ? Z3_mk_fpa_eq(t->z, x, y)
                    : op == EXPR_FOLT ? Z3_mk_fpa_lt(t->z, x, y)
                                      : Z3_mk_fpa_leq(t->z, x, y);
    if (width != 80)
        return result;
    Z3_ast odd[2] = {is_odd_encoding(t, a, width), is_odd_encoding(t, b, width)};
    return Z3_mk_ite(t->z, Z3_mk_or(t->z, 2, odd), free_word(t, 1), result);
}

static Z3_ast float_sign(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    Z3_ast sign = constant(t, width, (u128)1 << (width - 1)), a = word(t, e, 0);
    return op == EXPR_FNEG ? Z3_mk_bvxor(t->z, a, sign) : Z3_mk_bvand(t->z, a, Z3_mk_bvnot(t->z, sign));
}

static Z3_ast float_to_float(Z3Terms *t, Expr e, unsigned width)
{
    unsigned source = expr_width(t->pool, expr_child(t->pool, e, 0));
    Z3_ast a = word(t, e, 0);
    if (source == width)
        return a;
    Z3_ast number =
        Z3_mk_fpa_to_fp_float(t->z, Z3_mk_fpa_rne(t->z), number_of(t, a, source), float_sort(t, width));
    Z3_ast nan = Z3_mk_bvor(t->z, free_word(t, width), constant(t, width, quiet_mask(width)));
    return float_result(t, number, nan, is_odd_encoding(t, a, source), width);
}

/* Truncation; the pattern 2^(width-1) if the value does not fit. */
static Z3_ast float_to_int(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    unsigned source = expr_width(t->pool, expr_child(t->pool, e, 0));
    if (op != EXPR_FPTOSI || width > 64)
        return free_word(t, width);
    Z3_ast a = word(t, e, 0), n = number_of(t, a, source), rtz = Z3_mk_fpa_rtz(t->z);
    Z3_ast whole = Z3_mk_fpa_round_to_integral(t->z, rtz, n);
    Z3_ast limit =
        Z3_mk_fpa_to_fp_unsigned(t->z, rtz, constant(t, 65, (u128)1 << (width - 1)), float_sort(t, source));
    Z3_ast fits[2] = {Z3_mk_fpa_lt(t->z, whole, limit),
                      Z3_mk_fpa_geq(t->z, whole, Z3_mk_fpa_neg(t->z, limit))};
    Z3_ast result = Z3_mk_ite(t->z, Z3_mk_and(t->z, 2, fits), Z3_mk_fpa_to_sbv(t->z, rtz, n, width),
                              constant(t, width, (u128)1 << (width - 1)));
    return Z3_mk_ite(t->z, is_odd_encoding(t, a, source), free_word(t, width), result);
}

static Z3_ast int_to_float(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    Z3_ast a = word(t, e, 0), rne = Z3_mk_fpa_rne(t->z);
    Z3_sort sort = float_sort(t, width);
    return bits_of(t,
                   op == EXPR_UITOFP ? Z3_mk_fpa_to_fp_unsigned(t->z, rne, a, sort)
                                     : Z3_mk_fpa_to_fp_signed(t->z, rne, a, sort),
                   width);
}

static Z3_ast float_term(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    switch (op) {
    case EXPR_FOEQ:
    case EXPR_FOLT:
    case EXPR_FOLE: return float_compare(t, e, op);
    case EXPR_FNEG:
    case EXPR_FABS: return float_sign(t, e, op, width);
    case EXPR_FCAST: return float_to_float(t, e, width);
    case EXPR_FPTOUI:
    case EXPR_FPTOSI: return float_to_int(t, e, op, width);
    case EXPR_UITOFP:
    case EXPR_SITOFP: return int_to_float(t, e, op, width);
    default: return float_operator(t, e, op, width);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef Z3_ast (*Binary)(Z3_context, Z3_ast, Z3_ast);

static Binary binary_of(ExprOp op)
{
    switch (op) {
    case EXPR_ADD: return Z3_mk_bvadd;
    case EXPR_MUL: return Z3_mk_bvmul;
    case EXPR_UDIV: return Z3_mk_bvudiv;
    case EXPR_SDIV: return Z3_mk_bvsdiv;
    case EXPR_UREM: return Z3_mk_bvurem;
    case EXPR_SREM: return Z3_mk_bvsrem;
    case EXPR_AND: return Z3_mk_bvand;
    case EXPR_OR: return Z3_mk_bvor;
    case EXPR_XOR: return Z3_mk_bvxor;
    case EXPR_SHL: return Z3_mk_bvshl;
    case EXPR_LSHR: return Z3_mk_bvlshr;
    case EXPR_ASHR: return Z3_mk_bvashr;
    case EXPR_ULT: return Z3_mk_bvult;
    case EXPR_SLT: return Z3_mk_bvslt;
    case EXPR_CONCAT: return Z3_mk_concat;
    default: return NULL;
    }
}

/* Operators on conditions, as Bool; NULL if it is none of them. */
static Z3_ast bool_term(Z3Terms *t, Expr e, ExprOp op)
{
    Expr first = expr_child_count(t->pool, e) > 0 ? expr_child(t->pool, e, 0) : EXPR_NONE;
    if (expr_is_none(first) || expr_width(t->pool, first) != 1 || expr_width(t->pool, e) != 1)
        return NULL;
    Z3_ast a[2] = {known(t, first),
                   expr_child_count(t->pool, e) == 2 ? known(t, expr_child(t->pool, e, 1)) : NULL};
    switch (op) {
    case EXPR_AND: return Z3_mk_and(t->z, 2, a);
    case EXPR_OR: return Z3_mk_or(t->z, 2, a);
    case EXPR_XOR: return Z3_mk_xor(t->z, a[0], a[1]);
    case EXPR_EQ: return Z3_mk_eq(t->z, a[0], a[1]);
    case EXPR_NOT: return Z3_mk_not(t->z, a[0]);
    default: return NULL;
    }
}

static Z3_ast bits_term(Z3Terms *t, Expr e, ExprOp op, unsigned width)
{
    Z3_context z = t->z;
    Binary binary = binary_of(op);
    Z3_ast r = NULL;
    if (binary)
        r = binary(z, word(t, e, 0), word(t, e, 1));
    switch (op) {
    case EXPR_NEG: r = Z3_mk_bvneg(z, word(t, e, 0)); break;
    case EXPR_NOT: r = Z3_mk_bvnot(z, word(t, e, 0)); break;
    case EXPR_EQ: r = Z3_mk_eq(z, word(t, e, 0), word(t, e, 1)); break;
    case EXPR_EXTRACT: {
        unsigned low = expr_extract_low(t->pool, e);
        r = Z3_mk_extract(z, low + width - 1, low, word(t, e, 0));
        break;
    }
    case EXPR_ZEXT:
        r = Z3_mk_zero_ext(z, width - expr_width(t->pool, expr_child(t->pool, e, 0)), word(t, e, 0));
        break;
    case EXPR_SEXT:
        r = Z3_mk_sign_ext(z, width - expr_width(t->pool, expr_child(t->pool, e, 0)), word(t, e, 0));
        break;
    default: break;
    }
    if (!r)
        bug("no Z3 term for %s", expr_op_text(op));
    bool is_bool = op == EXPR_EQ || op == EXPR_ULT || op == EXPR_SLT;
    return width == 1 && !is_bool ? to_bool(t, r) : r;
}

static Z3_ast term(Z3Terms *t, Expr e)
{
    ExprPool *p = t->pool;
    ExprOp op = expr_op(p, e);
    unsigned width = expr_width(p, e);
    switch (op) {
    case EXPR_CONST:
        return width > 1                ? constant(t, width, expr_const_value(p, e))
               : expr_const_value(p, e) ? Z3_mk_true(t->z)
                                        : Z3_mk_false(t->z);
    case EXPR_SYMBOL: return named(t, 's', expr_symbol_at(p, e), width);
    case EXPR_ITE:
        return Z3_mk_ite(t->z, known(t, expr_child(p, e, 0)), known(t, expr_child(p, e, 1)),
                         known(t, expr_child(p, e, 2)));
    case EXPR_SELECT: return select_term(t, e);
    case EXPR_STORE:
        return Z3_mk_store(t->z, known(t, expr_child(p, e, 0)), known(t, expr_child(p, e, 1)),
                           known(t, expr_child(p, e, 2)));
    case EXPR_ARRAY_CONST:
    case EXPR_ARRAY_LIST:
    case EXPR_ARRAY_INPUT: return base_array(t, e);
    case EXPR_APPLY: return free_word(t, width);
    default: break;
    }
    if (expr_op_is_float(op))
        return float_term(t, e, op, width);
    Z3_ast as_bool = bool_term(t, e, op);
    return as_bool ? as_bool : bits_term(t, e, op, width);
}

static void need(Z3Terms *t, Expr e)
{
    if (!map_get(&t->where, e.id, NULL))
        vec_push(&t->stack, e.id);
}

static void need_base(Z3Terms *t, ExprArray base)
{
    for (uint32_t i = 0; i < expr_array_size(t->pool, base); i++) {
        Expr byte = expr_array_base_byte(t->pool, base, i);
        if (!expr_is_const(t->pool, byte))
            need(t, byte);
    }
}

/* Pushes what must have terms before e. */
static void need_before(Z3Terms *t, Expr e)
{
    ExprPool *p = t->pool;
    ExprOp op = expr_op(p, e);
    if (op == EXPR_SELECT && z3_terms_spelt_out(t, expr_child(p, e, 0))) {
        need(t, expr_child(p, e, 1));
        Expr a = expr_child(p, e, 0);
        for (; expr_op(p, a) == EXPR_STORE; a = expr_child(p, a, 0)) {
            need(t, expr_child(p, a, 1));
            need(t, expr_child(p, a, 2));
        }
        need_base(t, (ExprArray){a.id});
        return;
    }
    for (uint32_t i = 0; i < expr_child_count(p, e); i++)
        need(t, expr_child(p, e, i));
    if (op == EXPR_ARRAY_INPUT)
        need_base(t, (ExprArray){e.id});
}

Z3_ast z3_terms_of(Z3Terms *t, Expr root, Budget *budget)
{
    need(t, root);
    while (t->stack.n > 0) {
        Expr e = {vec_last(&t->stack)};
        uint32_t before = t->stack.n;
        if (!map_get(&t->where, e.id, NULL)) {
            need_before(t, e);
            if (t->stack.n > before)
                continue;
            if (budget_spent(budget)) {
                vec_clear(&t->stack);
                return NULL;
            }
            Z3_ast a = term(t, e);
            vec_push(&t->terms, a);
            map_put(&t->where, e.id, t->terms.n - 1);
        }
        t->stack.n = before - 1;
    }
    return known(t, root);
}
