/* a function that other files can call is gone
 * VERDICT different */
int once(int n)
{
    return n + 1;
}
#ifndef NEW
int twice(int n)
{
    return n + 2;
}
#endif

#ifdef BRUTE
#include <stdio.h>
extern int twice(int n) __attribute__((weak));
int main(void)
{
    printf("%d %d\n", once(3), twice ? twice(3) : -1);
    return 0;
}
#endif
