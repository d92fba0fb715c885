/* a value is computed once
 * VERDICT same */
static int cost(int x)
{
    return (x & 31) * 3 + 1;
}
/* Twice the cost, and more if it is high. */
int charge(int x)
{
#ifdef NEW
    int c = cost(x);
    return c > 50 ? c * 2 + 5 : c * 2;
#else
    if (cost(x) > 50)
        return cost(x) + cost(x) + 5;
    return cost(x) + cost(x);
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", charge(a));
    return 0;
}
#endif
