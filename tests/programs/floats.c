// float, double, long double: arithmetic, special values, comparisons, conversions, rounding.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    volatile double zero = 0;
    double inf = 1 / zero, nan = inf - inf;
    printf("%g %g %g %d %d\n", inf, -inf, fabs(nan), nan == nan, nan != nan);
    printf("%d %d %d %d\n", nan < 1, !(nan >= 1), -zero == zero, signbit(-zero) != 0);
    float f = 0.1f;
    double d = 0.1;
    long double l = 0.1L;
    printf("%.10f %.20f %.25Lf\n", f, d, l);
    printf("%.9g %.17g %.21Lg\n", f * 3, d * 3, l * 3);
    printf("%d %d %u %lld\n", (int)-2.9, (int)2.9f, (unsigned)3e9, (long long)-1e15);
    printf("%.1f %.1f %.1f\n", (double)(1ull << 63), (double)-5, (double)18446744073709551615ull);
    printf("%.1f %.1Lf\n", (float)16777217, (long double)9223372036854775807ll);
    printf("%e %e %e\n", FLT_MIN, DBL_MAX, DBL_EPSILON);
    printf("%g %g\n", DBL_MIN / 4, (double)(float)1e-45);
    double harmonic = 0;
    for (int i = 1; i <= 1000; i++)
        harmonic += 1.0 / i;
    printf("%.15f\n", harmonic);
    float small = 0;
    for (int i = 0; i < 100; i++)
        small += 0.1f;
    printf("%.7f\n", small);
    printf("%.3f %.3f %.3f\n", fmod(10.5, 3), sqrt(2), floor(-2.5));
    printf("%a %A %La\n", 1.0, 0.1, 2.5L);
    return isnan(nan) + 2 * isinf(inf);
}
