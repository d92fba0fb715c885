/* an unchanged hash over a length without a bound gets its arguments in another order
 * VERDICT different */
static unsigned hash(unsigned seed, unsigned n)
{
    unsigned h = seed;
    for (unsigned i = 0; i < n; i++)
        h = h * 31 + (h >> 7) + i;
    return h;
}

unsigned key(unsigned a, unsigned n)
{
#ifdef NEW
    return hash(n, a) ^ hash(a, n);
#else
    return hash(a, n) ^ hash(a, n + 1);
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 50; a++)
        for (unsigned n = 0; n < 50; n++)
            printf("%u\n", key(a, n));
    return 0;
}
#endif
