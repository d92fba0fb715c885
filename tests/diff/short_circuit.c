/* && becomes &: the second check is always made, and counts
 * VERDICT different */
static int calls;
static int check(int x)
{
    calls++;
    return x > 0;
}
int both(int a, int b)
{
#ifdef NEW
    int r = check(a) & check(b);
#else
    int r = check(a) && check(b);
#endif
    return r * 10 + calls;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int a = -1; a < 2; a++)
        for (int b = -1; b < 2; b++)
            printf("%d ", both(a, b));
    return 0;
}
#endif
