/* Integers from text: limits, bases, prefixes, signs, rest and errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static const char *const texts[] = {"",
                                    " ",
                                    "0",
                                    "-0",
                                    "+0",
                                    "1",
                                    "-1",
                                    "+1",
                                    "--1",
                                    "+-1",
                                    "- 1",
                                    "42abc",
                                    "  \t\n\v\f\r42",
                                    "0x",
                                    "0x1f",
                                    "0X1F",
                                    "-0x10",
                                    "0xg",
                                    "0x 1",
                                    "x1",
                                    "010",
                                    "08",
                                    "0b11",
                                    "0b2",
                                    "zz",
                                    "ZZ",
                                    "1z",
                                    "2147483647",
                                    "2147483648",
                                    "-2147483648",
                                    "-2147483649",
                                    "4294967295",
                                    "4294967296",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "-9223372036854775808",
                                    "-9223372036854775809",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "-18446744073709551615",
                                    "-18446744073709551616",
                                    "99999999999999999999999",
                                    "-99999999999999999999999x",
                                    "0x7fffffffffffffff",
                                    "0x8000000000000000",
                                    "0xffffffffffffffff",
                                    "0x10000000000000000",
                                    "000000000000000000000000000000000012",
                                    "1 2",
                                    "1.5",
                                    "1e5",
                                    "\xa0"
                                    "1",
                                    "777777777777777777777",
                                    "1777777777777777777777",
                                    "1010101",
                                    "12345678901"};
static const int bases[] = {0, 2, 3, 8, 10, 16, 36, 1, 37, -1};

int main(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *t = texts[i];
        for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
            char *end = (char *)t;
            errno = 0;
            long l = strtol(t, &end, bases[k]);
            printf("%zu/%d: %ld %td %d", i, bases[k], l, end - t, errno);
            errno = 0;
            unsigned long u = strtoul(t, &end, bases[k]);
            printf(" | %lu %td %d", u, end - t, errno);
            errno = 0;
            long long ll = strtoll(t, NULL, bases[k]);
            unsigned long long ull = strtoull(t, &end, bases[k]);
            printf(" | %lld %llu %td %d", ll, ull, end - t, errno);
            printf(" | %jd %ju\n", strtoimax(t, &end, bases[k]), strtoumax(t, &end, bases[k]));
            wchar_t wide[64], *wide_end = wide;
            size_t n = 0;
            for (; t[n]; n++)
                wide[n] = (unsigned char)t[n];
            wide[n] = 0;
            errno = 0;
            long w = wcstol(wide, &wide_end, bases[k]);
            printf("   %ld %td %d %lu\n", w, wide_end - wide, errno, wcstoul(wide, NULL, bases[k]));
        }
        printf("%d %ld %lld\n", atoi(t), atol(t), atoll(t));
    }
    static const long numbers[] = {0, 1, 11, 12, 37, 38, 63, 64, 4096, 123456789, 2147483647, -1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf("%s %ld ", l64a(numbers[i]), a64l(l64a(numbers[i])));
    printf("%ld %ld\n", a64l("zzzzzzz"), a64l("/ x"));
    return 0;
}
