/* two branches that do the same are one
 * VERDICT same */
/* The fee of a parcel. */
int fee(int grams, int abroad)
{
    int f = 2;
#ifdef NEW
    if (grams > 1000 || abroad)
        f += 5;
#else
    if (grams > 1000)
        f += 5;
    else if (abroad)
        f += 5;
#endif
    return f;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 990; a < 1010; a++)
        for (int b = -1; b < 2; b++)
            printf("%d\n", fee(a, b));
    return 0;
}
#endif
