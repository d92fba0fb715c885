/* sums and products with their operands the other way round
 * VERDICT same */
double weigh(double a, double b, double c)
{
#ifdef NEW
    return b * a + c > 1.0 ? c + b : b + a;
#else
    return c + a * b > 1.0 ? b + c : a + b;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int a = -5; a < 5; a++)
        for (int b = -5; b < 5; b++)
            printf("%a\n", weigh(a / 3.0, b / 7.0, a * b));
    return 0;
}
#endif
