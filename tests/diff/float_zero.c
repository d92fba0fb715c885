/* the sign of zero
 * VERDICT different */
double flip(double x)
{
#ifdef NEW
    return 0 - x;
#else
    return -x;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    double v[] = {0, 1, -1, -0.0, 2.5};
    for (int i = 0; i < 5; i++)
        printf("%a\n", flip(v[i]));
    return 0;
}
#endif
