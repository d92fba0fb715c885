/* a macro with parentheses, which its uses did not need
 * VERDICT same */
#ifdef NEW
#define SQUARE(x) ((x) * (x))
#else
#define SQUARE(x) x * x
#endif
/* The distance of a point, squared. */
int distance(int a, int b)
{
    int x = a & 255, y = b & 255;
    int sum = SQUARE(x);
    sum += SQUARE(y);
    return sum;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", distance(a, b));
    return 0;
}
#endif
