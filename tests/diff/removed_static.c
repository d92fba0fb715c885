/* a function of the file alone is gone, and nothing called it
 * VERDICT same */
int once(int n)
{
    return n + 1;
}
#ifndef NEW
static int twice(int n)
{
    return n + 2;
}
int (*const unused)(int) = 0;
#else
int (*const unused)(int) = 0;
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    printf("%d\n", once(3));
    return 0;
}
#endif
