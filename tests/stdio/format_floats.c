// Floating-point conversions.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1.0 / 3, 123456789.0, 1e10, 1e-5, 1e100, 9.995, 0.5, 2.5,
                                    DBL_MAX, DBL_MIN, 4.9e-324};
    static const char *const formats[] = {"%f", "%.0f", "%.1f", "%10.3f", "%-12.2f|", "%+.2f", "%012.3f", "% f", "%#.0f",
                                          "%e", "%.0e", "%E", "%.3e", "%15.4e", "%g", "%G", "%.3g", "%#g", "%.10g",
                                          "%a", "%.2a", "%A", "%20a", "%F"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned j = 0; j < sizeof values / sizeof *values; j++) {
            printf(formats[i], values[j]);
            putchar(j + 1 < sizeof values / sizeof *values ? ' ' : '\n');
        }
    printf("%f %F %e %G %5.1f %-6g|\n", INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY);
    printf("%f %F %e %010f\n", NAN, NAN, -NAN, NAN);
    printf("%Lf %Le %Lg %La\n", 1.0L / 3, LDBL_MAX, LDBL_MIN, 0.1L);
    printf("%.20Lf %30.5Lf\n", 3.14159265358979323846L, -2.5L);
    printf("%.*f %*.*f\n", 2, 3.14159, 10, 4, 2.71828);
    char buffer[400];
    int n = snprintf(buffer, sizeof buffer, "%.15f|%e|%g|%La", 0.1, 12345.678, 1e-7, 1.5L);
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, 5, "%f", 12345.678);
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, sizeof buffer, "%f", DBL_MAX);
    printf("%d %s\n", n, buffer);
    float f = 0.1f;
    printf("%f %.10f %g\n", f, f, f * 3);
    return 0;
}
