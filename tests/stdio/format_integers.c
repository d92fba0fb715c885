// Integer conversions with every flag, width, precision and length.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static const int values[] = {0, 1, -1, 42, -42, 255, 65535, INT_MAX, INT_MIN};
    static const char *const formats[] = {"[%d]", "[%5d]", "[%-5d]", "[%05d]", "[%+d]", "[% d]", "[%.3d]", "[%8.3d]",
                                          "[%-8.3d]", "[%+08d]", "[%.0d]", "[%i]", "[%u]", "[%o]", "[%#o]", "[%x]",
                                          "[%#x]", "[%X]", "[%#10X]", "[%#010x]", "[%-#10x]", "[%hd]", "[%hhd]",
                                          "[%hhu]", "[%hx]", "[%'d]"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (unsigned j = 0; j < sizeof values / sizeof *values; j++)
            printf(formats[i], values[j]);
        putchar('\n');
    }
    printf("%ld %ld %lu %lx %lo\n", LONG_MIN, LONG_MAX, ULONG_MAX, ULONG_MAX, ULONG_MAX);
    printf("%lld %llu %llx\n", LLONG_MIN, ULLONG_MAX, ULLONG_MAX);
    printf("%jd %ju %zu %zd %td\n", INTMAX_MIN, UINTMAX_MAX, SIZE_MAX, (ssize_t)-1, (ptrdiff_t)-5);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 "\n", (int8_t)-3, (uint16_t)65535, UINT32_MAX, INT64_MIN);
    printf("%*d|%-*d|%*d\n", 6, 1, 6, 2, -6, 3);
    printf("%.*d|%.*d|%*.*d\n", 4, 5, -1, 6, 8, 3, 7);
    printf("%3$d %1$d %2$d\n", 1, 2, 3);
    printf("%2$*1$d|%1$d\n", 5, 9);
    int n1, n2;
    long n3;
    int total = printf("abc%n%d%n%s%ln\n", &n1, 12345, &n2, "xyz", &n3);
    printf("%d %d %d %ld\n", total, n1, n2, n3);
    printf("%d\n", printf("%s", ""));
    return 0;
}
