// Every integer type: conversions, wrap-around, division and remainder of all signs, mixed comparisons.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static void divide(int a, int b) { printf("%d/%d=%d r %d\n", a, b, a / b, a % b); }

int main(void)
{
    signed char c = (signed char)200;
    unsigned char u = (unsigned char)-1;
    short s = (short)70000;
    printf("%d %u %d %d\n", c, u, s, (unsigned short)s);
    for (int a = -7; a <= 7; a += 7)
        for (int b = -3; b <= 3; b += 2)
            divide(a, b);
    printf("%u %lu %llu\n", UINT_MAX + 1u, ULONG_MAX * 3, (unsigned long long)-5);
    printf("%d %d\n", -1 < 1u, (long)-1 < (long)1u);
    printf("%d %d %d\n", -17 >> 2, (int)(-17u >> 28), 1 << 30);
    long long big = 0x123456789abcdefLL;
    printf("%lld %d %hd %hhd\n", big, (int)big, (short)big, (char)big);
    unsigned long long product = 0xfedcba9876543210ull * 0x0123456789abcdefull;
    printf("%llx %llx\n", product, product / 12345);
    int8_t i8 = INT8_MIN;
    printf("%d %d\n", i8 / -1, (int8_t)(i8 / -1));
    printf("%d\n", (_Bool)256 + (_Bool)0.5 + !!-1);
    return (int)(big % 251);
}
