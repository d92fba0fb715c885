/* ecvt, fcvt, gcvt, strfrom*, sbrk, and the functions of uchar.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <unistd.h>

int main(void)
{
    static const double values[] = {0.0, 1.0, -1.5, 123.456, 0.001234, 87.65, 1e20, 1e-5, 12345678.9, 0.05};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (int n = 1; n < 8; n += 2) {
            int point, sign;
            printf("%s", ecvt(values[i], n, &point, &sign));
            printf(" %d %d | ", point, sign);
            printf("%s", fcvt(values[i], n, &point, &sign));
            printf(" %d %d | ", point, sign);
            char text[64], other[64];
            printf("%s ", gcvt(values[i], n, text));
            strfromd(text, sizeof text, "%.3f", values[i]);
            strfroml(other, sizeof other, "%.4g", values[i]);
            printf("%s %s\n", text, other);
        }
    }
    char16_t c16 = 7;
    char32_t c32 = 7;
    char out[16] = "";
    printf("%zd %d ", mbrtoc16(&c16, "A", 1, NULL), c16);
    printf("%zd %d ", mbrtoc32(&c32, "B", 1, NULL), (int)c32);
    printf("%zd %c ", c16rtomb(out, u'x', NULL), out[0]);
    printf("%zd %c\n", c32rtomb(out, U'y', NULL), out[0]);
    char *end = sbrk(0), *more = sbrk(4096);
    printf("%d %td\n", end == more, (char *)sbrk(0) - more);
    memset(more, 'z', 4096);
    printf("%c %d\n", more[4095], brk(more) == 0);
    printf("%d %d %d\n", rpmatch("yes"), rpmatch("No"), rpmatch("maybe"));
    return 0;
}
