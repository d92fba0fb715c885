/* bits.c - the operators on integers, and the table of operators. */
#include "bits/bits_int.h"

typedef struct OpInfo {
    const char *text;
    uint8_t arity, result;
} OpInfo;

static const OpInfo ops[BITS_COUNT] = {
#define BITS(NAME, text, arity, result) [BITS_##NAME] = {text, arity, BITS_RESULT_##result},
#include "bits/bits.def"
#undef BITS
};

const char *bits_op_text(BitsOp op) { return ops[op].text; }
unsigned bits_op_arity(BitsOp op) { return ops[op].arity; }
BitsResult bits_op_result(BitsOp op) { return ops[op].result; }
bool bits_op_is_float(BitsOp op) { return op >= BITS_FADD; }

static bool float_width(unsigned width) { return width == 32 || width == 64 || width == 80; }

bool bits_widths_ok(BitsOp op, unsigned width, unsigned source)
{
    if (width < 1 || width > 128 || (bits_op_result(op) == BITS_RESULT_CAST && (source < 1 || source > 128)))
        return false;
    switch (op) {
    case BITS_BSWAP: return width % 8 == 0;
    case BITS_TRUNC: return width <= source;
    case BITS_ZEXT:
    case BITS_SEXT: return width >= source;
    case BITS_FPTRUNC: return float_width(width) && float_width(source) && width <= source;
    case BITS_FPEXT: return float_width(width) && float_width(source) && width >= source;
    case BITS_FPTOUI:
    case BITS_FPTOSI: return float_width(source);
    default: return !bits_op_is_float(op) || float_width(width);
    }
}

/* ---- division, shifts ------------------------------------------------------------------------ */

static u128 udiv(u128 a, u128 b, unsigned width)
{
    if (b == 0)
        return bits_mask(width);
    return width <= 64 ? (uint64_t)a / (uint64_t)b : a / b;
}

static u128 urem(u128 a, u128 b, unsigned width)
{
    if (b == 0)
        return a;
    return width <= 64 ? (uint64_t)a % (uint64_t)b : a % b;
}

static bool negative(u128 a, unsigned width) { return a >> (width - 1) & 1; }
static u128 negate(u128 a, unsigned width) { return -a & bits_mask(width); }
static u128 magnitude(u128 a, unsigned width) { return negative(a, width) ? negate(a, width) : a; }

/* SMT-LIB: divide the magnitudes, then give the quotient the sign of a*b and the remainder the sign of a. */
static u128 sdiv(u128 a, u128 b, unsigned width)
{
    u128 q = udiv(magnitude(a, width), magnitude(b, width), width);
    return negative(a, width) != negative(b, width) ? negate(q, width) : q;
}

static u128 srem(u128 a, u128 b, unsigned width)
{
    u128 r = urem(magnitude(a, width), magnitude(b, width), width);
    return negative(a, width) ? negate(r, width) : r;
}

static u128 shl(u128 a, u128 b, unsigned width)
{
    return b >= width ? 0 : a << (unsigned)b & bits_mask(width);
}
static u128 lshr(u128 a, u128 b, unsigned width) { return b >= width ? 0 : a >> (unsigned)b; }

static u128 ashr(u128 a, u128 b, unsigned width)
{
    unsigned by = b >= width ? width - 1 : (unsigned)b;
    return (u128)(bits_signed(a, width) >> by) & bits_mask(width);
}

/* ---- overflow and saturation ----------------------------------------------------------------- */

static bool fits_signed(i128 exact, unsigned width)
{
    return bits_signed((u128)exact & bits_mask(width), width) == exact;
}

static bool overflows(BitsOp op, unsigned width, u128 a, u128 b)
{
    i128 sa = bits_signed(a, width), sb = bits_signed(b, width), s;
    u128 u;
    switch (op) {
    case BITS_UADD_OVF: return __builtin_add_overflow(a, b, &u) || u > bits_mask(width);
    case BITS_USUB_OVF: return a < b;
    case BITS_UMUL_OVF: return __builtin_mul_overflow(a, b, &u) || u > bits_mask(width);
    case BITS_SADD_OVF: return __builtin_add_overflow(sa, sb, &s) || !fits_signed(s, width);
    case BITS_SSUB_OVF: return __builtin_sub_overflow(sa, sb, &s) || !fits_signed(s, width);
    case BITS_SMUL_OVF: return __builtin_mul_overflow(sa, sb, &s) || !fits_signed(s, width);
    default: bug("not an overflow operator: %d", (int)op);
    }
}

static u128 signed_limit(bool is_negative, unsigned width)
{
    u128 least = (u128)1 << (width - 1);
    return is_negative ? least : least - 1;
}

static u128 saturate(BitsOp op, unsigned width, u128 a, u128 b)
{
    u128 mask = bits_mask(width);
    switch (op) {
    case BITS_UADD_SAT: return overflows(BITS_UADD_OVF, width, a, b) ? mask : a + b;
    case BITS_USUB_SAT: return a < b ? 0 : a - b;
    case BITS_SADD_SAT:
        return overflows(BITS_SADD_OVF, width, a, b) ? signed_limit(negative(a, width), width)
                                                     : (a + b) & mask;
    case BITS_SSUB_SAT:
        return overflows(BITS_SSUB_OVF, width, a, b) ? signed_limit(negative(a, width), width)
                                                     : (a - b) & mask;
    case BITS_USHL_SAT: {
        u128 r = shl(a, b, width);
        return (b >= width && a != 0) || lshr(r, b, width) != a ? mask : r;
    }
    case BITS_SSHL_SAT: {
        u128 r = shl(a, b, width);
        return (b >= width && a != 0) || ashr(r, b, width) != a ? signed_limit(negative(a, width), width) : r;
    }
    default: bug("not a saturating operator: %d", (int)op);
    }
}

/* ---- bits as such ---------------------------------------------------------------------------- */

static unsigned popcount(u128 a)
{
    return (unsigned)(__builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)));
}

static unsigned leading_zeros(u128 a, unsigned width)
{
    if (a == 0)
        return width;
    uint64_t high = (uint64_t)(a >> 64);
    unsigned at128 = (unsigned)(high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)a));
    return at128 - (128 - width);
}

static unsigned trailing_zeros(u128 a, unsigned width)
{
    if (a == 0)
        return width;
    return (unsigned)((uint64_t)a ? __builtin_ctzll((uint64_t)a) : 64 + __builtin_ctzll((uint64_t)(a >> 64)));
}

static u128 swap_bytes(u128 a, unsigned width)
{
    u128 whole = (u128)__builtin_bswap64((uint64_t)a) << 64 | __builtin_bswap64((uint64_t)(a >> 64));
    return whole >> (128 - width);
}

static u128 reverse_bits(u128 a, unsigned width)
{
    u128 r = 0;
    for (unsigned i = 0; i < width; i++, a >>= 1)
        r = r << 1 | (a & 1);
    return r;
}

static u128 funnel(BitsOp op, unsigned width, u128 a, u128 b, u128 c)
{
    unsigned by = (unsigned)(c % width);
    if (by == 0)
        return op == BITS_FSHL ? a : b;
    unsigned left = op == BITS_FSHL ? by : width - by;
    return (a << left | b >> (width - left)) & bits_mask(width);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

u128 bits_apply(BitsOp op, unsigned width, unsigned source, u128 a, u128 b, u128 c)
{
    switch (op) {
    case BITS_ADD: return (a + b) & bits_mask(width);
    case BITS_SUB: return (a - b) & bits_mask(width);
    case BITS_MUL: return a * b & bits_mask(width);
    case BITS_UDIV: return udiv(a, b, width);
    case BITS_SDIV: return sdiv(a, b, width);
    case BITS_UREM: return urem(a, b, width);
    case BITS_SREM: return srem(a, b, width);
    case BITS_AND: return a & b;
    case BITS_OR: return a | b;
    case BITS_XOR: return a ^ b;
    case BITS_SHL: return shl(a, b, width);
    case BITS_LSHR: return lshr(a, b, width);
    case BITS_ASHR: return ashr(a, b, width);
    case BITS_UMIN: return a < b ? a : b;
    case BITS_UMAX: return a > b ? a : b;
    case BITS_SMIN: return bits_signed(a, width) < bits_signed(b, width) ? a : b;
    case BITS_SMAX: return bits_signed(a, width) > bits_signed(b, width) ? a : b;
    case BITS_UADD_SAT:
    case BITS_SADD_SAT:
    case BITS_USUB_SAT:
    case BITS_SSUB_SAT:
    case BITS_USHL_SAT:
    case BITS_SSHL_SAT: return saturate(op, width, a, b);
    case BITS_UADD_OVF:
    case BITS_SADD_OVF:
    case BITS_USUB_OVF:
    case BITS_SSUB_OVF:
    case BITS_UMUL_OVF:
    case BITS_SMUL_OVF: return overflows(op, width, a, b);
    case BITS_EQ: return a == b;
    case BITS_NE: return a != b;
    case BITS_ULT: return a < b;
    case BITS_ULE: return a <= b;
    case BITS_SLT: return bits_signed(a, width) < bits_signed(b, width);
    case BITS_SLE: return bits_signed(a, width) <= bits_signed(b, width);
    case BITS_ABS: return magnitude(a, width);
    case BITS_BSWAP: return swap_bytes(a, width);
    case BITS_BITREV: return reverse_bits(a, width);
    case BITS_CTPOP: return popcount(a) & bits_mask(width);
    case BITS_CTLZ: return leading_zeros(a, width) & bits_mask(width);
    case BITS_CTTZ: return trailing_zeros(a, width) & bits_mask(width);
    case BITS_FSHL:
    case BITS_FSHR: return funnel(op, width, a, b, c);
    case BITS_SELECT: return a ? b : c;
    case BITS_TRUNC: return a & bits_mask(width);
    case BITS_ZEXT: return a;
    case BITS_SEXT: return (u128)bits_signed(a, source) & bits_mask(width);
    default: return bits_float_apply(op, width, source, a, b, c);
    }
}
