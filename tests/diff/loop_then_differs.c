/* a loop of any length stays, and a case is added behind it
 * VERDICT different */
#ifdef NEW
unsigned walk(unsigned x, unsigned n)
{
    while (n) {
        x = x & 1 ? x / 2 + n : x * 3 + 1;
        n--;
    }
    if (x == 7)
        return 1;
    return x;
}
#else
unsigned walk(unsigned x, unsigned n)
{
    while (n) {
        x = x & 1 ? x / 2 + n : x * 3 + 1;
        n--;
    }
    return x;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%u\n", walk(a, n));
    return 0;
}
#endif
