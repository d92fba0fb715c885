/* two out parameters that may be the same
 * VERDICT different */
void split(int x, int *q, int *r)
{
#ifdef NEW
    *r = x % 10;
    *q = x / 10;
#else
    *q = x / 10;
    *r = x % 10;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 50; i++) {
        int a;
        split(i, &a, &a);
        printf("%d\n", a);
    }
    return 0;
}
#endif
