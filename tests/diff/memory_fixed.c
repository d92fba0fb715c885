/* a read behind an array, fixed
 * VERDICT different */
static const int limits[4] = {10, 20, 30, 40};
/* The limit of a class. */
int limit(int class)
{
#ifdef NEW
    if (class < 0 || class >= 4)
        return -1;
#else
    if (class < 0 || class > 4)
        return -1;
#endif
    return limits[class];
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -2; a <= 6; a++)
        printf("%d\n", limit(a));
    return 0;
}
#endif
