/* Functions of math.h that answer through a pointer. */
#define _GNU_SOURCE
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0.0,      -0.0,      1.0,        -1.0,    0.5,         0.75,     3.14159, -2.718,
                                    1e10,     -1e-10,    123456.789, DBL_MIN, DBL_MIN / 8, 4.9e-324, DBL_MAX, -DBL_MAX,
                                    INFINITY, -INFINITY, NAN,        1e300,   7.5,         -7.5,     1e-45,   1e38};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double d = values[i], whole, sine, cosine;
        float f = (float)d, whole_f;
        long double l = d * (long double)1e-4800, whole_l;
        int e = 99, ef = 99, el = 99, q = 0;
        double m = frexp(d, &e);
        float mf = frexpf(f, &ef);
        long double ml = frexpl(l, &el);
        if (isfinite(d))
            printf("%a %d %a %d %La %d | ", m, e, mf, ef, ml, el);
        else
            printf("%g %g %Lg | ", m, mf, ml);
        double r = modf(d, &whole);
        float rf = modff(f, &whole_f);
        long double rl = modfl(d, &whole_l);
        printf("%a %a %a %a %La %La | ", r, whole, rf, whole_f, rl, whole_l);
        sincos(d, &sine, &cosine);
        printf("%.15g %.15g |", sine, cosine);
        for (int k = 0; k < 4; k++) {
            static const double by[] = {1.0, -3.0, 0.7, 1e300};
            double rest = remquo(d, by[k], &q);
            printf(" %a %d", rest, isfinite(d) ? q & 7 : 0);
        }
        printf("\n");
    }
    return 0;
}
