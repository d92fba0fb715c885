/* two functions that call each other, with their guards and sums written in another way
 * VERDICT same */
unsigned odd(unsigned n, unsigned a);
#ifdef NEW
unsigned even(unsigned n, unsigned a)
{
    if (!n)
        return a;
    return odd(n - 1, (a & 1 ? 3 * a : a) + 1);
}

unsigned odd(unsigned n, unsigned a)
{
    if (n < 1)
        return 1 + a;
    return even(n - 1, (a & 2 ? a ^ 5 : a) + 2);
}
#else
unsigned even(unsigned n, unsigned a)
{
    if (n == 0)
        return a;
    if (a & 1)
        a = a * 3;
    return odd(n - 1, a + 1);
}

unsigned odd(unsigned n, unsigned a)
{
    if (n == 0)
        return a + 1;
    if (a & 2)
        a ^= 5;
    return even(n - 1, a + 2);
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 60; n++)
        for (unsigned a = 0; a < 60; a++)
            printf("%u %u\n", even(n, a), odd(n, a));
    return 0;
}
#endif
