/* one value of a recursion differs, and with it all that come back through it
 * VERDICT different */
int is_odd(unsigned n);
int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
int is_odd(unsigned n)
{
#ifdef NEW
    if (n == 77)
        return 0;
#endif
    return n == 0 ? 0 : is_even(n - 1);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 70; n < 90; n++)
        printf("%d\n", is_even(n));
    return 0;
}
#endif
