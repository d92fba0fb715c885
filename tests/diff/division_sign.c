/* a division becomes a shift, which rounds otherwise below zero
 * VERDICT different */
/* Half of it. */
int halve(int x)
{
    if (x > 1000 || x < -1000)
        return 0;
#ifdef NEW
    return x >> 1;
#else
    return x / 2;
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", halve(a));
    return 0;
}
#endif
