/* two writes change places that may meet
 * VERDICT different */
/* Sets both, the second one last. */
int both(int same, int x)
{
    int a = 0, b = 0;
    int *p = &a, *q = same ? &a : &b;
#ifdef NEW
    *q = 1;
    *p = x;
#else
    *p = x;
    *q = 1;
#endif
    return a * 2 + b;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 2; a++)
        for (int b = -5; b < 5; b++)
            printf("%d\n", both(a, b));
    return 0;
}
#endif
