/* an unchanged loop of any length between two statements that were rewritten
 * VERDICT same */
#ifdef NEW
unsigned check(unsigned a, unsigned n, int marked)
{
    unsigned h = a << 1;
    for (unsigned i = 0; i < n; i++)
        h = h * 31 + (h >> 7) + i;
    if (!marked)
        return h;
    return h ^ 1;
}
#else
unsigned check(unsigned a, unsigned n, int marked)
{
    unsigned h = 2 * a;
    for (unsigned i = 0; i < n; i++)
        h = h * 31 + (h >> 7) + i;
    return marked ? h ^ 1 : h;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%u\n", check(a * 77777777u, n, a & 1));
    return 0;
}
#endif
