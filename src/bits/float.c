/* float.c - the operators on floats, by the host's FPU in the type itself.
 *
 * What IEEE 754 leaves open is settled as x86-64 settles it:
 * - An invalid operation makes the default NaN (sign set, only the quiet bit of the fraction).
 * - add, sub, mul and div of NaNs in binary32 and binary64 give the first operand that is a NaN, made quiet;
 * so do floor, ceil, trunc, round and rint. We do so by hand, since a C compiler may exchange the operands of
 * a commutative operation, and expands rint in a way that leaves a NaN signalling. In the 80-bit type the
 * x87's own rule is symmetric (the larger significand wins), and the hardware decides.
 * - fptoui and fptosi out of range give what clang -O0 (14, 16 and 19 agree) makes of them: see
 * float_to_int. */
#include "bits/bits_int.h"

#include <math.h>

float bits_to_float(u128 a)
{
    uint32_t word = (uint32_t)a;
    float f;
    memcpy(&f, &word, 4);
    return f;
}

double bits_to_double(u128 a)
{
    uint64_t word = (uint64_t)a;
    double d;
    memcpy(&d, &word, 8);
    return d;
}

long double bits_to_ldouble(u128 a)
{
    long double l = 0;
    memcpy(&l, &a, 10);
    return l;
}

u128 bits_of_float(float f)
{
    uint32_t word;
    memcpy(&word, &f, 4);
    return word;
}

u128 bits_of_double(double d)
{
    uint64_t word;
    memcpy(&word, &d, 8);
    return word;
}

u128 bits_of_ldouble(long double l)
{
    u128 a = 0;
    memcpy(&a, &l, 10);
    return a;
}

#define FLOAT_TYPE     float
#define FLOAT_NAME(x)  x##_32
#define FLOAT_LIBM(fn) fn##f
#include "bits/float_type.inc"
#undef FLOAT_TYPE
#undef FLOAT_NAME
#undef FLOAT_LIBM

#define FLOAT_TYPE     double
#define FLOAT_NAME(x)  x##_64
#define FLOAT_LIBM(fn) fn
#include "bits/float_type.inc"
#undef FLOAT_TYPE
#undef FLOAT_NAME
#undef FLOAT_LIBM

#define FLOAT_TYPE     long double
#define FLOAT_NAME(x)  x##_80
#define FLOAT_LIBM(fn) fn##l
#include "bits/float_type.inc"
#undef FLOAT_TYPE
#undef FLOAT_NAME
#undef FLOAT_LIBM

static u128 sign_bit(unsigned width) { return (u128)1 << (width - 1); }

/* Of binary32 and binary64: the NaN that SSE gives for an operation on these operands, or false if none is a
 * NaN. */
static bool sse_nan(unsigned width, u128 a, u128 b, u128 *nan)
{
    u128 infinity = width == 32 ? (u128)0xff << 23 : (u128)0x7ff << 52;
    u128 quiet = (u128)1 << (width == 32 ? 22 : 51), rest = sign_bit(width) - 1;
    if ((a & rest) > infinity)
        *nan = a | quiet;
    else if ((b & rest) > infinity)
        *nan = b | quiet;
    else
        return false;
    return true;
}

static u128 compute(BitsOp op, unsigned width, u128 a, u128 b, u128 c)
{
    u128 nan;
    switch (op) {
    case BITS_FNEG: return a ^ sign_bit(width);
    case BITS_FABS: return a & (sign_bit(width) - 1);
    case BITS_FCOPYSIGN: return (a & (sign_bit(width) - 1)) | (b & sign_bit(width));
    case BITS_FADD:
    case BITS_FSUB:
    case BITS_FMUL:
    case BITS_FDIV:
        if (width != 80 && sse_nan(width, a, b, &nan))
            return nan;
        break;
    case BITS_FFLOOR:
    case BITS_FCEIL:
    case BITS_FTRUNC:
    case BITS_FROUND:
    case BITS_FRINT:
        if (width != 80 && sse_nan(width, a, a, &nan))
            return nan;
        break;
    default: break;
    }
    switch (width) {
    case 32: return bits_of_float(compute_32(op, bits_to_float(a), bits_to_float(b), bits_to_float(c)));
    case 64: return bits_of_double(compute_64(op, bits_to_double(a), bits_to_double(b), bits_to_double(c)));
    case 80:
        return bits_of_ldouble(compute_80(op, bits_to_ldouble(a), bits_to_ldouble(b), bits_to_ldouble(c)));
    default: bug("no float of %u bits", width);
    }
}

static bool compare(BitsOp op, unsigned width, u128 a, u128 b)
{
    switch (width) {
    case 32: return compare_32(op, bits_to_float(a), bits_to_float(b));
    case 64: return compare_64(op, bits_to_double(a), bits_to_double(b));
    case 80: return compare_80(op, bits_to_ldouble(a), bits_to_ldouble(b));
    default: bug("no float of %u bits", width);
    }
}

/* ---- conversions ----------------------------------------------------------------------------- */

static u128 float_to_float(unsigned width, unsigned source, u128 a)
{
    if (width == source)
        return a;
    switch (source << 8 | width) {
    case 32 << 8 | 64: return bits_of_double(bits_to_float(a));
    case 32 << 8 | 80: return bits_of_ldouble(bits_to_float(a));
    case 64 << 8 | 32: return bits_of_float((float)bits_to_double(a));
    case 64 << 8 | 80: return bits_of_ldouble(bits_to_double(a));
    case 80 << 8 | 32: return bits_of_float((float)bits_to_ldouble(a));
    case 80 << 8 | 64: return bits_of_double((double)bits_to_ldouble(a));
    default: bug("no conversion from a float of %u bits to one of %u", source, width);
    }
}

/* One instruction of the hardware: truncation to a signed integer of `width` bits, the indefinite pattern
 * (only the sign bit set) if the value does not fit. Exact for all three types, since each is a subset of
 * long double. */
static int64_t hardware_truncate(long double x, unsigned width)
{
    long double t = truncl(x), limit = ldexpl(1, (int)width - 1);
    if (!(t >= -limit && t < limit))
        return (int64_t)(~(uint64_t)0 << (width - 1));
    return (int64_t)t;
}

/* x - 2^63, rounded in the type of x as the compiled code rounds it. */
static long double minus_2_63(long double x, unsigned source)
{
    switch (source) {
    case 32: return (float)x - 0x1p63f;
    case 64: return (double)x - 0x1p63;
    default: return x - 0x1p63L;
    }
}

static uint64_t to_uint64(long double x, unsigned source)
{
    if (source == 80) {
        bool high = !(x < 0x1p63L); /* unordered counts as high in the compiled code */
        return (uint64_t)hardware_truncate(high ? minus_2_63(x, 80) : x, 64) ^ (uint64_t)high << 63;
    }
    int64_t low = hardware_truncate(x, 64), high = hardware_truncate(minus_2_63(x, source), 64);
    return (uint64_t)(low | (high & low >> 63));
}

/* The compiler's own helpers for 128 bits; calling them by name keeps a conversion out of range defined for
 * us. */
extern i128 __fixsfti(float);
extern i128 __fixdfti(double);
extern i128 __fixxfti(long double);
extern u128 __fixunssfti(float);
extern u128 __fixunsdfti(double);
extern u128 __fixunsxfti(long double);

static u128 to_int128(bool is_signed, unsigned source, u128 a)
{
    switch (source) {
    case 32: return is_signed ? (u128)__fixsfti(bits_to_float(a)) : __fixunssfti(bits_to_float(a));
    case 64: return is_signed ? (u128)__fixdfti(bits_to_double(a)) : __fixunsdfti(bits_to_double(a));
    default: return is_signed ? (u128)__fixxfti(bits_to_ldouble(a)) : __fixunsxfti(bits_to_ldouble(a));
    }
}

/* The width of the hardware conversion that clang -O0 takes for a result of at most 32 bits (64 for signed);
 * the result is then cut to its width. SSE converts to 32 or 64 bits, the x87 also to 16. */
static unsigned conversion_width(bool is_signed, unsigned width, unsigned source)
{
    if (is_signed && width > 32)
        return 64;
    if (is_signed)
        return source == 80 && width <= 16 ? 16 : 32;
    if (width > 16)
        return 64;
    return source == 80 && width <= 8 ? 16 : 32;
}

/* Out of range: the value cut to the result's width if it fits the hardware conversion (so -1.0 to unsigned
 * is all ones, 300.7 to char is 44), else the indefinite pattern of that conversion cut to the result's
 * width. */
static u128 float_to_int(bool is_signed, unsigned width, unsigned source, u128 a)
{
    if (width > 64)
        return to_int128(is_signed, source, a) & bits_mask(width);
    long double x = bits_to_ldouble(float_to_float(80, source, a));
    if (!is_signed && width > 32)
        return to_uint64(x, source) & bits_mask64(width);
    return (uint64_t)hardware_truncate(x, conversion_width(is_signed, width, source)) & bits_mask64(width);
}

static u128 uint_to_float(unsigned width, u128 a)
{
    switch (width) {
    case 32: return bits_of_float(a >> 64 ? (float)a : (float)(uint64_t)a);
    case 64: return bits_of_double(a >> 64 ? (double)a : (double)(uint64_t)a);
    default: return bits_of_ldouble(a >> 64 ? (long double)a : (long double)(uint64_t)a);
    }
}

static u128 int_to_float(unsigned width, i128 a)
{
    int64_t small = (int64_t)a;
    bool is_small = small == a;
    switch (width) {
    case 32: return bits_of_float(is_small ? (float)small : (float)a);
    case 64: return bits_of_double(is_small ? (double)small : (double)a);
    default: return bits_of_ldouble(is_small ? (long double)small : (long double)a);
    }
}

u128 bits_float_apply(BitsOp op, unsigned width, unsigned source, u128 a, u128 b, u128 c)
{
    switch (op) {
    case BITS_FPTRUNC:
    case BITS_FPEXT: return float_to_float(width, source, a);
    case BITS_FPTOUI: return float_to_int(false, width, source, a);
    case BITS_FPTOSI: return float_to_int(true, width, source, a);
    case BITS_UITOFP: return uint_to_float(width, a);
    case BITS_SITOFP: return int_to_float(width, bits_signed(a, source));
    default:
        if (bits_op_result(op) == BITS_RESULT_BIT)
            return compare(op, width, a, b);
        return compute(op, width, a, b, c);
    }
}
