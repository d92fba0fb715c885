/* a condition turned over
 * VERDICT same */
/* May it start? */
int may_start(int fuel, int door, int key)
{
#ifdef NEW
    if (fuel <= 0 || door != 0 || !key)
        return 0;
    return 1;
#else
    if (fuel > 0 && door == 0 && key)
        return 1;
    return 0;
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -4; a <= 4; a++)
        for (int b = -4; b <= 4; b++)
            for (int c = -4; c <= 4; c++)
                printf("%d\n", may_start(a, b, c));
    return 0;
}
#endif
