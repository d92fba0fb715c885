// Bytes of everything: representation of integers, floats, structures with padding, serialisation.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void dump(const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    putchar('\n');
}

static void put_be(uint8_t *out, uint64_t v, int n)
{
    while (n--)
        out[n] = (uint8_t)v, v >>= 8;
}

int main(void)
{
    uint32_t u = 0x11223344;
    double d = -1.75;
    float f = 3.14159f;
    struct { char c; int i; short s; } padded;
    memset(&padded, 0, sizeof padded);
    padded.c = 'x', padded.i = -2, padded.s = 0x7788;
    dump(&u, sizeof u);
    dump(&d, sizeof d);
    dump(&f, sizeof f);
    dump(&padded, sizeof padded);
    uint8_t out[8];
    put_be(out, 0x0102030405060708ull, 8);
    dump(out, 8);
    uint64_t back;
    memcpy(&back, out, 8);
    printf("%llx\n", (unsigned long long)back);
    uint16_t halves[2];
    memcpy(halves, &u, 4);
    printf("%x %x\n", halves[0], halves[1]);
    *(uint8_t *)((char *)&u + 2) = 0xee;
    printf("%x\n", u);
    return 0;
}
