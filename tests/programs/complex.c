// Complex numbers: arithmetic, parts, magnitude, by value.
#include <complex.h>
#include <stdio.h>

static double complex step(double complex z, double complex c) { return z * z + c; }

int main(void)
{
    for (int y = -4; y <= 4; y++) {
        for (int x = -12; x <= 4; x++) {
            double complex z = 0, c = x * 0.15 + y * 0.25 * I;
            int n = 0;
            while (n < 9 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4)
                z = step(z, c), n++;
            putchar(" .:-=+*%@#"[n]);
        }
        putchar('\n');
    }
    float complex f = 3 + 4 * I, g = f / (1 - 2 * I);
    printf("%g %g %g %g\n", crealf(f), cimagf(f), crealf(g), cimagf(g));
    return 0;
}
