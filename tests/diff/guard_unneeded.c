/* a guard added that nothing can need
 * VERDICT same */
/* The mean of two bytes. */
int mean(unsigned char a, unsigned char b)
{
    int sum = a + b;
#ifdef NEW
    if (sum > 510)
        sum = 510;
    if (sum < 0)
        return 0;
#endif
    return sum / 2;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++)
            printf("%d\n", mean((unsigned char)a, (unsigned char)b));
    return 0;
}
#endif
