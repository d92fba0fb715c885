/* errno is cleared first: callers that look at it later find another one
 * VERDICT different */
#include <errno.h>
int half(int n)
{
#ifdef NEW
    errno = 0;
#endif
    if (n & 1) {
        errno = EINVAL;
        return -1;
    }
    return n / 2;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    errno = ERANGE;
    printf("%d ", half(4));
    printf("%d\n", errno);
    return 0;
}
#endif
