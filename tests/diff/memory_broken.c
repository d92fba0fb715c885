/* a check of a pointer that is gone
 * VERDICT different */
/* The first byte, 0 without any. */
int first(const unsigned char *p, int n)
{
#ifdef NEW
    if (n <= 0)
        return 0;
#else
    if (!p || n <= 0)
        return 0;
#endif
    return p[0];
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    unsigned char one[1] = {7};
    printf("%d\n", first(one, 1));
    printf("%d\n", first(one, 0));
    printf("%d\n", first(0, 1));
    return 0;
}
#endif
