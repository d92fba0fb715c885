/* a loop stays, and the helper that it calls changes for large values
 * VERDICT different */
#ifdef NEW
static unsigned mix(unsigned h, unsigned i) { return i == 40 ? h : h * 5 + i; }
unsigned digest(unsigned h, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        h = mix(h, i);
    return h;
}
#else
static unsigned mix(unsigned h, unsigned i) { return h * 5 + i; }
unsigned digest(unsigned h, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        h = mix(h, i);
    return h;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%u\n", digest(a, n));
    return 0;
}
#endif
