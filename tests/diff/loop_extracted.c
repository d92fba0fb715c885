/* a loop without a bound becomes a helper
 * VERDICT same */
#ifdef NEW
static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}
unsigned reduce(unsigned num, unsigned den)
{
    unsigned g = gcd(num, den);
    return g ? num / g : 0;
}
#else
unsigned reduce(unsigned num, unsigned den)
{
    unsigned a = num, b = den;
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    if (a == 0)
        return 0;
    return num / a;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%u\n", reduce(a, n));
    return 0;
}
#endif
