/* a static local starts at another number
 * VERDICT different */
int next(int step)
{
#ifdef NEW
    static int at = 1;
#else
    static int at = 0;
#endif
    at += step;
    return at;
}
int twice(int step)
{
    next(step);
    return next(step);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 40; a++)
        printf("%d\n", twice(a));
    return 0;
}
#endif
