/* a mask of n bits, guarded where n bits are all of them: natively the unguarded shift gives another value
 * than the machine's
 * VERDICT different */
unsigned long mask(unsigned n)
{
#ifdef NEW
    if (n >= 64)
        return ~0ul;
#endif
    return (1ul << n) - 1;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 70; n++)
        printf("%lx\n", mask(n));
    return 0;
}
#endif
