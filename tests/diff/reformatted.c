/* pure reformatting
 * VERDICT same */
#ifdef NEW
int sign(int x)
{
    if (x > 0) { return 1; }

    /* negative, or nothing */
    if (x < 0) { return -1; }
    return 0;
}
#else
int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    return 0;
}
#endif

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", sign(a));
    return 0;
}
#endif
