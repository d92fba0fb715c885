/* an unchanged hash over a length without a bound is called in another place
 * VERDICT same */
static unsigned hash(unsigned seed, unsigned n)
{
    unsigned h = seed;
    for (unsigned i = 0; i < n; i++)
        h = h * 31 + (h >> 7) + i;
    return h;
}

#ifdef NEW
unsigned key(unsigned a, unsigned n, int marked)
{
    unsigned k = hash(a + a, n);
    if (!marked)
        return k;
    return k ^ 1;
}
#else
unsigned key(unsigned a, unsigned n, int marked)
{
    if (marked)
        return hash(a * 2, n) ^ 1;
    return hash(2 * a, n);
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 50; a++)
        for (unsigned n = 0; n < 50; n++)
            for (int marked = 0; marked < 2; marked++)
                printf("%u\n", key(a * 77777777u, n, marked));
    return 0;
}
#endif
