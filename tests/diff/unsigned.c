/* a parameter becomes unsigned
 * VERDICT different */
/* Is it within the first ten? */
#ifdef NEW
int within(unsigned x)
#else
int within(int x)
#endif
{
    if (x < 10)
        return 1;
    return 0;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", within(a));
    return 0;
}
#endif
