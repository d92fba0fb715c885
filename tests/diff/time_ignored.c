/* the clock is not asked any more
 * VERDICT different */
#include <time.h>
int phase(int n)
{
#ifdef NEW
    return n & 1;
#else
    return (n + time(NULL)) & 1;
#endif
}

#ifdef BRUTE
#include <stdio.h>
time_t time(time_t *t)
{
    (void)t;
    return 1700000001;
}
int main(void)
{
    printf("%d\n", phase(3));
    return 0;
}
#endif
