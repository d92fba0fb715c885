/* another error code, which the caller does not tell apart
 * VERDICT same */
static int read_level(int x)
{
    if (x < 0)
#ifdef NEW
        return -2;
#else
        return -1;
#endif
    return x & 7;
}
/* The level, or 0. */
int level(int x)
{
    int got = read_level(x);
    if (got < 0)
        return 0;
    return got;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", level(a));
    return 0;
}
#endif
