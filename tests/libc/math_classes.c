/* Classification through macros and through the functions behind them. */
#define _GNU_SOURCE
#include <float.h>
#include <math.h>
#include <stdio.h>

int __fpclassify(double), __isnan(double), __isinf(double), __finite(double), __signbit(double);
int __fpclassifyf(float), __isnanf(float), __isinff(float), __finitef(float), __signbitf(float);
int __fpclassifyl(long double), __isnanl(long double), __isinfl(long double), __finitel(long double),
    __signbitl(long double);

int main(void)
{
    static const double values[] = {0.0,      -0.0,    1.0,      -1.5,     DBL_MIN,   DBL_MIN / 2, -DBL_MIN / 1e10,
                                    4.9e-324, DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN,         1e-40,
                                    1e39};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double d = values[i];
        float f = (float)d;
        long double l = d, tiny = d * (long double)LDBL_MIN;
        printf("%d %d %d %d %d | %d %d %d %d %d | %d %d %d %d %d | %d %d\n", __fpclassify(d), __isnan(d), __isinf(d),
               __finite(d), !!__signbit(d), __fpclassifyf(f), __isnanf(f), __isinff(f), __finitef(f), !!__signbitf(f),
               __fpclassifyl(l), !!__isnanl(l), __isinfl(l), __finitel(l), !!__signbitl(l), __fpclassifyl(tiny),
               __fpclassifyl(l * LDBL_MAX));
        printf("%d %d %d %d %d %d %d %d\n", fpclassify(d), !!isnan(f), !!isinf(l), !!isfinite(d), !!signbit(l),
               !!isnormal(f), !!isnormal(d), !!isunordered(d, l));
        printf("%d %d %d %d %d %d\n", isgreater(d, 0.5), isless(d, 0.5), islessgreater(d, 1.0), isgreaterequal(d, 1.0),
               islessequal(f, 1.0f), isunordered(d, NAN));
    }
    return 0;
}
