/* a comparison is turned round, which NaN tells
 * VERDICT different */
#include <math.h>
int below(double a, double b)
{
#ifdef NEW
    return !(a >= b);
#else
    return a < b;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    double v[] = {0, 1, -1, NAN, INFINITY, -0.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            printf("%d\n", below(v[i], v[k]));
    return 0;
}
#endif
