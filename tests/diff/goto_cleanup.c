/* cleanup by goto becomes nested ifs
 * VERDICT same */
int run(int a, int b)
{
    int r = -1;
#ifdef NEW
    if (a > 0) {
        r = -2;
        if (b > a) {
            r = b - a;
        }
        if (r == -2)
            r--;
    }
    return r;
#else
    if (a <= 0)
        goto out;
    r = -2;
    if (b <= a)
        goto fail;
    r = b - a;
    goto out;
fail:
    r--;
out:
    return r;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int k = -6; k < 6; k++)
        for (int n = -6; n < 6; n++)
            printf("%d\n", run(k, n));
    return 0;
}
#endif
