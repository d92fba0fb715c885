/* a macro changed
 * VERDICT different */
#ifdef NEW
#define SCALE(x) ((x) * 3 / 2)
#else
#define SCALE(x) ((x) * 2)
#endif
/* Three sizes scaled, the last one twice. */
int sizes(int a, int b)
{
    int one = SCALE(a & 15);
    int two = SCALE(b & 15);
    return one + two;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", sizes(a, b));
    return 0;
}
#endif
