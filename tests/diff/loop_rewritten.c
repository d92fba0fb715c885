/* a loop that counts down instead of up
 * VERDICT same */
/* The sum of up to six numbers from a on. */
int total(int a, int n)
{
    int sum = 0;
    if (n > 6)
        n = 6;
#ifdef NEW
    for (int i = n; i > 0; i--)
        sum += (a & 1023) + i - 1;
#else
    for (int i = 0; i < n; i++)
        sum += (a & 1023) + i;
#endif
    return sum;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", total(a, b));
    return 0;
}
#endif
