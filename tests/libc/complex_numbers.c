/* Products and quotients of complex numbers, the ones that the compiler leaves to its library too. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdio.h>

/* The sign of a NaN is not specified. */
static double plain(long double x)
{
    return isnan(x) ? NAN : (double)x;
}

int main(void)
{
    static const double parts[] = {0.0, -0.0, 1.0, -2.5, 3.0, 1e200, 1e-200, 1e308, 4e-320, INFINITY, -INFINITY, NAN};
    enum { N = sizeof parts / sizeof *parts };
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b += 2)
            for (int c = 0; c < N; c++)
                for (int d = 1; d < N; d += 3) {
                    double complex x = __builtin_complex(parts[a], parts[b]), y = __builtin_complex(parts[c], parts[d]),
                                   p = x * y, q = x / y;
                    printf("%g %g %g %g", plain(creal(p)), plain(cimag(p)), plain(creal(q)), plain(cimag(q)));
                    float complex xf = __builtin_complex((float)parts[a], (float)parts[b]),
                                  yf = __builtin_complex((float)parts[c], (float)parts[d]), pf = xf * yf, qf = xf / yf;
                    printf(" %g %g %g %g", plain(crealf(pf)), plain(cimagf(pf)), plain(crealf(qf)), plain(cimagf(qf)));
                    long double complex xl = __builtin_complex((long double)parts[a], (long double)parts[b]),
                                        yl = __builtin_complex((long double)parts[c], (long double)parts[d]),
                                        pl = xl * yl, ql = xl / yl;
                    printf(" %g %g %g %g\n", plain(creall(pl)), plain(cimagl(pl)), plain(creall(ql)),
                           plain(cimagl(ql)));
                }
    double complex z = 3 + 4 * I;
    z = (z * (1 - 2 * I)) / (2 + I) - conj(z);
    printf("%.17g %.17g %.17g %.17g %.17g\n", creal(z), cimag(z), cabs(z), carg(z), cimag(cproj(z)));
    for (int i = 1; i < 30; i++) {
        double complex w = (i * 0.37 + 1.1 * I) / (0.3 - i * 0.77 * I);
        printf("%.17g %.17g\n", creal(w), cimag(w));
    }
    return 0;
}
