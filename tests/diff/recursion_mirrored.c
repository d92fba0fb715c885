/* two recursive calls in another order, and a base case split
 * VERDICT same */
#ifdef NEW
unsigned ways(unsigned n, unsigned step)
{
    if (n == 0)
        return 1;
    if (n < step)
        return 0;
    return ways(n - step, step) + ways(n - step, step + 1);
}
#else
unsigned ways(unsigned n, unsigned step)
{
    if (n < step)
        return n ? 0 : 1;
    if (!n)
        return 1;
    unsigned rest = n - step;
    return ways(rest, 1 + step) + ways(rest, step);
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 20; n++)
        for (unsigned s = 1; s < 20; s++)
            printf("%u\n", ways(n, s));
    return 0;
}
#endif
