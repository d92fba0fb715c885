/* complex.c - what clang calls for products and quotients of complex numbers, and the simple functions of
 * complex.h.
 *
 * Products and quotients follow Annex G of the C standard: where the plain formula gives NaN + NaN i from
 * operands that are infinite, the infinity is recovered. Rounding is that of libgcc, which native programs
 * use. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "internal.h"

#define TYPE              float
#define NAME(function)    function##f
#define BUILTIN(function) __builtin_##function##f
#define MUL               __mulsc3
#include "complex.inc"
#undef TYPE
#undef NAME
#undef BUILTIN
#undef MUL

/* In double nothing leaves the range. */
float complex __divsc3(float a, float b, float c, float d)
{
    double below = (double)c * c + (double)d * d;
    return quotientf((float)(((double)a * c + (double)b * d) / below),
                     (float)(((double)b * c - (double)a * d) / below), a, b, c, d);
}

#define TYPE              double
#define NAME(function)    function
#define BUILTIN(function) __builtin_##function
#define MUL               __muldc3
#define DIV               __divdc3
#define LEAST             DBL_MIN
#define GREATEST          DBL_MAX
#define STEP              DBL_EPSILON
#include "complex.inc"
#include "complex_divide.inc"
#undef TYPE
#undef NAME
#undef BUILTIN
#undef MUL
#undef DIV
#undef LEAST
#undef GREATEST
#undef STEP

#define TYPE              long double
#define NAME(function)    function##l
#define BUILTIN(function) __builtin_##function##l
#define MUL               __mulxc3
#define DIV               __divxc3
#define LEAST             LDBL_MIN
#define GREATEST          LDBL_MAX
#define STEP              LDBL_EPSILON
#include "complex.inc"
#include "complex_divide.inc"
