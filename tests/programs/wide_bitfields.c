// Long rows of bit-fields: clang reads and writes them as integers of more than 128 bits.
#include <stdio.h>
#include <string.h>

struct row {
    signed a : 23;
    unsigned b : 30;
    signed long long c : 61;
    unsigned d : 17;
    signed e : 27;
    unsigned long long f : 50;
    signed g : 3;
    unsigned h : 29;
};
struct __attribute__((packed)) tight {
    unsigned long long a : 63;
    signed long long b : 59;
    unsigned c : 31;
    signed d : 13;
    unsigned long long e : 60;
};

static void show(const struct row *r, const struct tight *t)
{
    printf("%d %u %lld %u %d %llu %d %u\n", r->a, r->b, (long long)r->c, r->d, r->e, (unsigned long long)r->f, r->g, r->h);
    printf("%llu %lld %u %d %llu\n", (unsigned long long)t->a, (long long)t->b, t->c, t->d, (unsigned long long)t->e);
}

int main(void)
{
    struct row r = {-5, 77, -1234567890123ll, 99, -3, 0x2aaaaaaaaaaaaull, -1, 12345}, copy;
    struct tight t = {~0ull >> 2, -9, 0x7eadbeef, -4000, 0x0123456789abcdefull & (1ull << 60) - 1};
    show(&r, &t);
    for (int i = 0; i < 5; i++) {
        r.a -= r.g * 7, r.b ^= 0x15555, r.c = r.c * 3 + i, r.d++, r.e <<= 1, r.f >>= 3, r.g = -r.g, r.h += r.d;
        t.a = t.a / 3 + (unsigned)t.d, t.b = -t.b + i, t.c ^= t.c >> 5, t.d += 777, t.e = t.e << 4 ^ t.a;
    }
    memcpy(&copy, &r, sizeof copy);
    show(&copy, &t);
    printf("%zu %zu %d\n", sizeof r, sizeof t, copy.c < r.e);
    return 0;
}
