// 128-bit integers: arithmetic, shifts, division, conversion to and from floats.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *what, u128 v)
{
    printf("%s %016llx%016llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void)
{
    u128 a = (u128)0x0123456789abcdefull << 64 | 0xfedcba9876543210ull, b = 0x1000000000000001ull;
    show("add", a + b);
    show("sub", b - a);
    show("mul", a * b);
    show("div", a / b);
    show("rem", a % b);
    show("sdiv", (u128)(-(i128)a / 1000007));
    show("srem", (u128)(-(i128)a % 1000007));
    for (int s = 0; s < 128; s += 37) {
        show("shl", a << s);
        show("shr", a >> s);
        show("sar", (u128)(-(i128)a >> s));
    }
    printf("%d %d %d\n", a < b, (i128)-1 < (i128)0, (u128)-1 > a);
    printf("%.6e %.6Le\n", (double)a, (long double)-(i128)a);
    show("from double", (u128)1.5e30);
    show("from negative", (u128)(i128)-1.5e20);
    i128 fib = 1, last = 0;
    for (int i = 0; i < 180; i++) {
        i128 next = fib + last;
        last = fib;
        fib = next;
    }
    show("fib", (u128)fib);
    return 0;
}
