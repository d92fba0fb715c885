/* a comparison by subtraction
 * VERDICT different */
int cmp(int a, int b)
{
#ifdef NEW
    return (int)((unsigned)a - (unsigned)b);
#else
    return a < b ? -1 : a > b;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int a = -2; a < 3; a++)
        for (int b = -2; b < 3; b++)
            printf("%d ", cmp(a, b) < 0);
    printf("%d", cmp(-2147483647 - 1, 1) < 0);
    return 0;
}
#endif
