/* arith.c - integer arithmetic of stdlib.h and inttypes.h; powers with integer exponents, which compilers
 * call. */
#include <inttypes.h>
#include <stdlib.h>

#include "internal.h"

int abs(int x) { return x < 0 ? -x : x; }

long labs(long x) { return x < 0 ? -x : x; }

long long llabs(long long x) { return x < 0 ? -x : x; }

intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }

div_t div(int a, int b) { return (div_t){.quot = a / b, .rem = a % b}; }

ldiv_t ldiv(long a, long b) { return (ldiv_t){.quot = a / b, .rem = a % b}; }

lldiv_t lldiv(long long a, long long b) { return (lldiv_t){.quot = a / b, .rem = a % b}; }

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){.quot = a / b, .rem = a % b}; }

/* The order of the products is that of the compilers' own libraries: so is each rounding. */
#define POWER(name, type)                                                        \
    type name(type x, int exponent)                                              \
    {                                                                            \
        unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent; \
        type power = left & 1 ? x : 1;                                           \
        while (left >>= 1) {                                                     \
            x *= x;                                                              \
            if (left & 1)                                                        \
                power *= x;                                                      \
        }                                                                        \
        return exponent < 0 ? 1 / power : power;                                 \
    }

POWER(__powisf2, float)
POWER(__powidf2, double)
POWER(__powixf2, long double)
