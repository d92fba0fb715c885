/* the guard of a recursion is off by one
 * VERDICT different */
unsigned fib(unsigned n)
{
#ifdef NEW
    if (n <= 2)
        return n;
#else
    if (n < 2)
        return n;
#endif
    return fib(n - 1) + fib(n - 2);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 20; n++)
        printf("%u\n", fib(n));
    return 0;
}
#endif
