/* a sum over an array of variable length becomes a formula
 * VERDICT same */
int total(int n, int k)
{
    if (n < 1 || n > 5)
        return -1;
#ifdef NEW
    return n * (n - 1) / 2 + n * k;
#else
    int v[n], s = 0;
    for (int i = 0; i < n; i++)
        v[i] = i + k;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < 7; n++)
        for (int k = -3; k < 3; k++)
            printf("%d ", total(n, k));
    return 0;
}
#endif
