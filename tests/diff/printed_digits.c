/* two numbers are printed side by side, in one version as text
 * VERDICT same */
#include <stdio.h>

void show(int x)
{
#ifdef NEW
    if (x == 2)
        printf("%d%d\n", x & 15, 3);
#else
    if (x == 2)
        printf("23\n");
#endif
    else
        printf("no\n");
}

#ifdef BRUTE
int main(void)
{
    for (int x = -100; x < 100; x++)
        show(x);
    return 0;
}
#endif
