/* a member of the structure that is returned is narrowed
 * VERDICT different */
struct r {
    int ok;
    long v;
};
struct r get(long x)
{
    struct r r = {0, 0};
    if (x > 10) {
        r.ok = 1;
#ifdef NEW
        r.v = (int)x;
#else
        r.v = x;
#endif
    }
    return r;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    struct r r = get(1L << 33);
    printf("%d %ld\n", r.ok, r.v);
    return 0;
}
#endif
