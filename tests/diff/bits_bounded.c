/* a check that can never fail goes: an unchanged loop must be entered to know
 * VERDICT same */
static unsigned bits(unsigned x)
{
    unsigned n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}

int parity(unsigned x)
{
    unsigned n = bits(x);
#ifndef NEW
    if (n > 32)
        return -1;
#endif
    return n & 1;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned x = 0; x < 100000; x++)
        printf("%d\n", parity(x * 40503u));
    return 0;
}
#endif
