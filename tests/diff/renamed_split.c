/* a function renamed and split
 * VERDICT same: a part that is like the old function differs from it, is of the file alone, and no caller shows it */
#ifdef NEW
static int lower(int x)
{
    return x < 0 ? 0 : x;
}
static int upper(int x)
{
    return x > 9 ? 9 : x;
}
static int clamp_digit(int x)
{
    return upper(lower(x));
}
#else
static int clip(int x)
{
    if (x < 0)
        return 0;
    if (x > 9)
        return 9;
    return x;
}
#define clamp_digit clip
#endif
int digit(int x)
{
    return clamp_digit(x) + '0';
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", digit(a));
    return 0;
}
#endif
