/* a sum of floats in another order
 * VERDICT different */
float sum(float a, float b, float c)
{
#ifdef NEW
    return a + (b + c);
#else
    return (a + b) + c;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    float v[] = {0, 1, -1, 1e8f, -1e8f, 0.1f, 3e38f};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
            for (int m = 0; m < 7; m++)
                printf("%a\n", sum(v[i], v[k], v[m]));
    return 0;
}
#endif
