// Big numbers in base 10^9: factorials, powers, comparison, decimal output.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { uint32_t d[64]; int n; } Big;

static void times(Big *b, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->d[i] * by;
        b->d[i] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
    }
    if (carry)
        b->d[b->n++] = (uint32_t)carry;
}

static Big multiply(const Big *a, const Big *b)
{
    Big r = {{0}, a->n + b->n};
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n || carry; j++) {
            carry += r.d[i + j] + (uint64_t)a->d[i] * (j < b->n ? b->d[j] : 0);
            r.d[i + j] = (uint32_t)(carry % 1000000000u);
            carry /= 1000000000u;
        }
    }
    while (r.n > 1 && !r.d[r.n - 1])
        r.n--;
    return r;
}

static void print(const Big *b)
{
    printf("%u", b->d[b->n - 1]);
    for (int i = b->n - 2; i >= 0; i--)
        printf("%09u", b->d[i]);
    putchar('\n');
}

int main(void)
{
    Big f = {{1}, 1}, p = {{7}, 1};
    for (uint32_t i = 2; i <= 50; i++)
        times(&f, i);
    print(&f);
    for (int i = 0; i < 6; i++)
        p = multiply(&p, &p);
    print(&p);
    return f.n;
}
