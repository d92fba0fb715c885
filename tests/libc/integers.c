/* Quotients and absolute values of stdlib.h and inttypes.h. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static const long values[] = {0, 1, -1, 7, -7, 100, -100, INT_MAX, INT_MIN + 1, 123456789012l, -123456789012l};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        long v = values[i];
        printf("%d %ld %lld %jd", abs((int)v), labs(v), llabs(v), imaxabs(v));
        for (long by = -3; by <= 3; by++) {
            if (by == 0)
                continue;
            div_t d = div((int)v, (int)by);
            ldiv_t l = ldiv(v, by);
            lldiv_t ll = lldiv(v, by);
            imaxdiv_t m = imaxdiv(v, by);
            printf(" | %d %d %ld %ld %lld %lld %jd %jd", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot, m.rem);
        }
        printf("\n");
    }
    char bytes[] = "abcdef", swapped[8] = "";
    swab(bytes, swapped, 6);
    printf("%s ", swapped);
    swab(bytes, swapped, 3);
    printf("%s\n", swapped);
    char *options = strdup("ro,size=5,other,x="), *value;
    static char *const tokens[] = {"rw", "ro", "size", "x", NULL};
    while (*options) {
        int which = getsubopt(&options, tokens, &value);
        printf("%d %s; ", which, value ? value : "-");
    }
    printf("\n");
    return 0;
}
