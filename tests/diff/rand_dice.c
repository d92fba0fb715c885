/* one throw taken twice
 * VERDICT different */
#include <stdlib.h>
int throw(void)
{
    int a = rand() % 6, b = rand() % 6;
#ifdef NEW
    return a == b ? 2 * b : a + a;
#else
    return a + b;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 20; i++)
        printf("%d\n", throw());
    return 0;
}
#endif
