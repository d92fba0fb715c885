/* a function that is only called through a table changes
 * VERDICT different */
static int inc(int x)
{
#ifdef NEW
    return x > 7 ? x : x + 1;
#else
    return x + 1;
#endif
}
static int dec(int x) { return x - 1; }
static int (*const ops[])(int) = {inc, dec};
int apply(unsigned op, int x)
{
    return ops[op & 1](x);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned op = 0; op < 5; op++)
        for (int x = -9; x < 19; x++)
            printf("%d\n", apply(op, x));
    return 0;
}
#endif
