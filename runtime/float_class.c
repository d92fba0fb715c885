/* float_class.c - classification of floating-point numbers by their bits, under the names that math.h
 * calls. */
#include <math.h>

#include "internal.h"

/* Exponent and fraction, moved to fields that all formats share. */
typedef struct Parts {
    bool negative;
    bool exponent_full, exponent_zero, fraction_zero;
    bool quiet;
} Parts;

static Parts parts_f(float x)
{
    uint32_t u;
    __builtin_memcpy(&u, &x, sizeof u);
    unsigned exponent = u >> 23 & 255;
    return (Parts){u >> 31, exponent == 255, exponent == 0, (u & 0x7fffff) == 0, u >> 22 & 1};
}

static Parts parts_(double x)
{
    uint64_t u;
    __builtin_memcpy(&u, &x, sizeof u);
    unsigned exponent = u >> 52 & 2047;
    return (Parts){u >> 63, exponent == 2047, exponent == 0, (u & 0xfffffffffffffull) == 0, u >> 51 & 1};
}

/* x87's format has its leading bit written out; a number with a leading bit of 0 and an exponent above 0 is
 * invalid and counts as NaN. */
static Parts parts_l(long double x)
{
    uint64_t u;
    uint16_t top;
    __builtin_memcpy(&u, &x, sizeof u);
    __builtin_memcpy(&top, (const char *)&x + 8, sizeof top);
    unsigned exponent = top & 32767;
    bool leading = u >> 63, invalid = !leading & (exponent != 0);
    bool fraction_zero = ((u << 1) == 0) & !invalid & !((exponent == 0) & leading);
    return (Parts){top >> 15, (exponent == 32767) | invalid, exponent == 0, fraction_zero, u >> 62 & 1};
}

#define CLASSIFY(type, suffix, parts)                                                    \
    int __fpclassify##suffix(type x)                                                     \
    {                                                                                    \
        Parts p = parts(x);                                                              \
        int special = p.fraction_zero ? FP_INFINITE : FP_NAN;                            \
        int small = p.fraction_zero ? FP_ZERO : FP_SUBNORMAL;                            \
        return p.exponent_full ? special : p.exponent_zero ? small : FP_NORMAL;          \
    }                                                                                    \
    int __isnan##suffix(type x)                                                          \
    {                                                                                    \
        Parts p = parts(x);                                                              \
        return p.exponent_full & !p.fraction_zero;                                       \
    }                                                                                    \
    int __isinf##suffix(type x)                                                          \
    {                                                                                    \
        Parts p = parts(x);                                                              \
        return (p.exponent_full & p.fraction_zero) ? (p.negative ? -1 : 1) : 0;          \
    }                                                                                    \
    int __finite##suffix(type x) { return !parts(x).exponent_full; }                     \
    int __signbit##suffix(type x) { return parts(x).negative ? SIGN_VALUE##suffix : 0; } \
    int __issignaling##suffix(type x)                                                    \
    {                                                                                    \
        Parts p = parts(x);                                                              \
        return p.exponent_full & !p.fraction_zero & !p.quiet;                            \
    }                                                                                    \
    int __iseqsig##suffix(type x, type y) { return x == y; }                             \
    int isnan##suffix(type x) { return __isnan##suffix(x); }                             \
    int isinf##suffix(type x) { return __isinf##suffix(x); }                             \
    int finite##suffix(type x) { return __finite##suffix(x); }

/* glibc returns the bit as it stands in the word. */
#define SIGN_VALUEf INT_MIN
#define SIGN_VALUE  128
#define SIGN_VALUEl 32768
#undef isnan
#undef isinf
CLASSIFY(float, f, parts_f)
CLASSIFY(double, , parts_)
CLASSIFY(long double, l, parts_l)
