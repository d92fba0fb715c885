/* Floating-point numbers from text. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    static const char *const texts[] = {"",
                                        "0",
                                        "-0",
                                        "1",
                                        "1.",
                                        ".5",
                                        ".",
                                        "-.5e",
                                        "1e",
                                        "1e+",
                                        "1e5",
                                        "1E-5x",
                                        "  12.75 ",
                                        "+3",
                                        "1e308",
                                        "1e309",
                                        "-1e309",
                                        "1e-308",
                                        "1e-320",
                                        "4.9406564584124654e-324",
                                        "1e-400",
                                        "3.4028235e38",
                                        "3.5e38",
                                        "1e-46",
                                        "1.17549435e-38",
                                        "0x1p3",
                                        "0x.8p1",
                                        "0x1.fffffffffffffp1023",
                                        "0x1p1024",
                                        "0x",
                                        "0xp1",
                                        "inf",
                                        "INFINITY",
                                        "-infinityx",
                                        "infx",
                                        "nan",
                                        "NaN(12)",
                                        "nan(",
                                        "nan(x-)",
                                        "0.1",
                                        "0.2",
                                        "0.3",
                                        "123456789012345678901234567890",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "2.2250738585072014e-308",
                                        "9007199254740993",
                                        "1.00000000000000011102230246251565",
                                        "1,5",
                                        "1e4932",
                                        "1e4933",
                                        "x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *t = texts[i];
        char *end;
        errno = 0;
        double d = strtod(t, &end);
        printf("%s: %.17g %a %td %d", t, d, d, end - t, errno);
        errno = 0;
        float f = strtof(t, &end);
        printf(" | %.9g %td %d", f, end - t, errno);
        errno = 0;
        long double l = strtold(t, &end);
        printf(" | %.21Lg %td %d", l, end - t, errno);
        wchar_t wide[64], *wide_end;
        size_t n = 0;
        for (; t[n]; n++)
            wide[n] = (unsigned char)t[n];
        wide[n] = 0;
        double w = wcstod(wide, &wide_end);
        printf(" | %.17g %td | %g\n", w, wide_end - wide, atof(t));
    }
    return 0;
}
