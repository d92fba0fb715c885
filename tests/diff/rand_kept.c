/* a number that is drawn at the same place and used in another way
 * VERDICT same */
#include <stdlib.h>
int jitter(int n)
{
#ifdef NEW
    int r = rand() % 8;
    return r + n;
#else
    return n + rand() % 8;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 20; i++)
        printf("%d\n", jitter(i));
    return 0;
}
#endif
