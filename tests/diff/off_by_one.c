/* an off-by-one error in a bound, fixed
 * VERDICT different */
/* How many of the first n levels are paid for. */
int paid(int n, int level)
{
    int count = 0;
    if (n > 8)
        n = 8;
#ifdef NEW
    for (int i = 0; i < n; i++)
#else
    for (int i = 0; i <= n; i++)
#endif
        if (i < level)
            count++;
    return count;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", paid(a, b));
    return 0;
}
#endif
