/* math_pointer.c - the functions of math.h that answer through a pointer. All others are pure functions,
 * which the machine takes from outside. */
#include <math.h>

#include "internal.h"

/* Exponents by the bits: `top` is the word that holds them, `shift` where, `bias` the exponent of a number in
 * [1/2, 1). A subnormal number is first made normal by 2^`up`. */
#define FREXP(type, name, word, offset, shift, mask, bias, up)              \
    type name(type x, int *exponent)                                        \
    {                                                                       \
        word top;                                                           \
        *exponent = 0;                                                      \
        if ((x == 0) | (x - x != 0))                                        \
            return x + x;                                                   \
        __builtin_memcpy(&top, (char *)&x + offset, sizeof top);            \
        int scaled = (top >> shift & mask) == 0 ? up : 0;                   \
        if (scaled) {                                                       \
            x *= (type)0x1p##up;                                            \
            __builtin_memcpy(&top, (char *)&x + offset, sizeof top);        \
        }                                                                   \
        *exponent = (int)(top >> shift & mask) - bias - scaled;             \
        top = (word)((top & ~((word)mask << shift)) | (word)bias << shift); \
        __builtin_memcpy((char *)&x + offset, &top, sizeof top);            \
        return x;                                                           \
    }
FREXP(float, frexpf, uint32_t, 0, 23, 255, 126, 30)
FREXP(double, frexp, uint64_t, 0, 52, 2047, 1022, 60)
FREXP(long double, frexpl, uint16_t, 8, 0, 32767, 16382, 70)

#define THROUGH_POINTER(type, suffix)                                                                 \
    type modf##suffix(type x, type *whole)                                                            \
    {                                                                                                 \
        type integral = __builtin_trunc##suffix(x);                                                   \
        *whole = integral;                                                                            \
        return __builtin_copysign##suffix(__builtin_isinf(x) ? 0 : x - integral, x);                  \
    }                                                                                                 \
    void sincos##suffix(type x, type *sine, type *cosine)                                             \
    {                                                                                                 \
        *sine = sin##suffix(x);                                                                       \
        *cosine = cos##suffix(x);                                                                     \
    }                                                                                                 \
    /* The quotient's low bits from a remainder by 8 * y, which leaves them as they are. */           \
    type remquo##suffix(type x, type y, int *quotient)                                                \
    {                                                                                                 \
        type size = __builtin_fabs##suffix(y), rest = remainder##suffix(x, y);                        \
        *quotient = 0;                                                                                \
        if (!__builtin_isfinite(x) || y != y || y == 0)                                               \
            return rest;                                                                              \
        type low = __builtin_fabs##suffix(x);                                                         \
        if (__builtin_isfinite(8 * y))                                                                \
            low = fmod##suffix(low, 8 * size);                                                        \
        rest = rest == 0 ? __builtin_copysign##suffix(0, x) : rest;                                   \
        type signed_rest = __builtin_signbit(x) ? -rest : rest;                                       \
        int bits = (int)((low - signed_rest) / size + (type)0.5) & 7;                                 \
        *quotient = !__builtin_signbit(x) != !__builtin_signbit(y) ? -bits : bits;                    \
        return rest;                                                                                  \
    }                                                                                                 \
    type nan##suffix(const char *tag)                                                                 \
    {                                                                                                 \
        (void)tag;                                                                                    \
        return (type)NAN;                                                                             \
    }                                                                                                 \
    type lgamma##suffix##_r(type x, int *sign)                                                        \
    {                                                                                                 \
        type below = __builtin_floor##suffix(x);                                                      \
        bool odd = fmod##suffix(below, 2) != 0;                                                       \
        *sign = (((x < 0) & (below != x) & odd) | ((x == 0) & (__builtin_signbit(x) != 0))) ? -1 : 1; \
        return lgamma##suffix(x);                                                                     \
    }

THROUGH_POINTER(float, f)
THROUGH_POINTER(double, )
THROUGH_POINTER(long double, l)
