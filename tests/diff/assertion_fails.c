/* an assertion that some input breaks
 * VERDICT different */
#include <assert.h>
/* The larger one, of two that differ. */
int larger(int a, int b)
{
#ifdef NEW
    assert(a != b);
#endif
    if (a > b)
        return a;
    return b;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            printf("%d\n", larger(a, b));
    return 0;
}
#endif
