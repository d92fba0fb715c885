// Bit-fields, signed and unsigned, packed and across units; unions seen through other members.
#include <stdio.h>
#include <string.h>

struct flags { unsigned a : 1, b : 3; int c : 5; unsigned long long d : 40; unsigned : 0; unsigned char e : 4, f : 4; };
struct __attribute__((packed)) header { unsigned version : 4, kind : 12; unsigned long long id : 48; short tail; };
union word { unsigned u; float f; unsigned char bytes[4]; struct { unsigned low : 16, high : 16; } half; };

int main(void)
{
    struct flags x = {1, 5, -9, 0x9876543210ull, 3, 12};
    printf("%zu %u %u %d %llx %u %u\n", sizeof x, x.a, x.b, x.c, (unsigned long long)x.d, x.e, x.f);
    x.b += 4;
    x.c -= 10;
    x.d++;
    x.e = x.f--;
    printf("%u %u %d %llx %u %u\n", x.a, x.b, x.c, (unsigned long long)x.d, x.e, x.f);
    struct header h;
    memset(&h, 0xff, sizeof h);
    h.kind = 0x123;
    h.id = 0xabcdef012345ull;
    unsigned char raw[sizeof h];
    memcpy(raw, &h, sizeof h);
    for (size_t i = 0; i < sizeof h; i++)
        printf("%02x", raw[i]);
    printf(" %d\n", h.tail);
    union word w = {.f = 1.5f};
    printf("%08x %02x %04x %04x\n", w.u, w.bytes[3], w.half.high, w.half.low);
    w.half.high ^= 0x8000;
    printf("%g\n", w.f);
    return x.c & 31;
}
