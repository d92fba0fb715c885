// Compiler builtins: bit counting, byte swaps, overflow checks, rotations, expect, constant_p, object_size.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> ((32 - n) & 31); }

int main(void)
{
    uint32_t v[] = {1, 0x80000000u, 0xdeadbeef, 0x00ff00f0};
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d %08x %d\n", __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_popcount(v[i]), __builtin_parity(v[i]),
               __builtin_bswap32(v[i]), __builtin_ffs((int)v[i]));
    printf("%d %d %llx %x\n", __builtin_clzll(42ull), __builtin_popcountll(~0ull >> 3), __builtin_bswap64(0x0102030405060708ull),
           __builtin_bswap16(0x1234));
    int r;
    unsigned u;
    long l;
    printf("%d", __builtin_add_overflow(2147483647, 1, &r));
    printf(" %d", r);
    printf(" %d", __builtin_sub_overflow(3u, 5u, &u));
    printf(" %u", u);
    printf(" %d", __builtin_mul_overflow(1l << 40, 1l << 30, &l));
    printf(" %ld", l);
    printf(" %d\n", __builtin_mul_overflow(6, 7, &r));
    printf("%x %x\n", rotl(0x80000001u, 4), __builtin_rotateleft32(0x80000001u, 7));
    char buffer[10];
    printf("%d %zu\n", (int)__builtin_expect(r == 42, 1), __builtin_object_size(buffer, 0));
    printf("%d %g %g\n", __builtin_abs(-5), __builtin_fabs(-2.5), __builtin_copysign(3.0, -1.0));
    printf("%d %d\n", __builtin_isnan(0.0), __builtin_types_compatible_p(int, const int));
    int n = 3;
    int *p = __builtin_alloca(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i + 1;
    return p[0] + p[1] + p[2];
}
