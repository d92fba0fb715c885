/* the guard of a recursion is written in another way
 * VERDICT same */
#ifdef NEW
unsigned power(unsigned b, unsigned e)
{
    if (e == 0)
        return 1;
    return power(b, e - 1) * b;
}
#else
unsigned power(unsigned b, unsigned e)
{
    if (e < 1)
        return 1;
    return b * power(b, e - 1);
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned b = 0; b < 50; b++)
        for (unsigned e = 0; e < 50; e++)
            printf("%u\n", power(b, e));
    return 0;
}
#endif
