/* an overflow guard added
 * VERDICT different */
#include <limits.h>
/* Adds, and says INT_MAX where the sum is too large. */
int add(int a, int b)
{
#ifdef NEW
    if (a > 0 && b > INT_MAX - a)
        return INT_MAX;
    if (a < 0 && b < INT_MIN - a)
        return INT_MIN;
#endif
    return (int)((unsigned)a + (unsigned)b);
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    int few[] = {0, 1, -1, 5, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            printf("%d\n", add(few[i], few[k]));
    return 0;
}
#endif
