/* a parameter becomes wider: callers in other files that were not compiled anew pass half of it
 * VERDICT different */
#ifdef NEW
long half(long n)
#else
int half(int n)
#endif
{
    return n / 2;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    printf("%zu %d\n", sizeof half(0), (int)half(6));
    return 0;
}
#endif
