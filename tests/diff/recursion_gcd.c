/* the greatest common divisor does not divide where it need not
 * VERDICT same */
#ifdef NEW
unsigned gcd(unsigned a, unsigned b)
{
    if (b != 0)
        return a < b ? gcd(b, a) : gcd(b, a % b);
    return a;
}
#else
unsigned gcd(unsigned a, unsigned b)
{
    if (!b)
        return a;
    unsigned r = a % b;
    return gcd(b, r);
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned b = 0; b < 60; b++)
            printf("%u\n", gcd(a, b));
    return 0;
}
#endif
