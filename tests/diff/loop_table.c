/* a loop stays, and the table that it reads changes
 * VERDICT different */
#ifdef NEW
static const unsigned char weight[4] = {1, 2, 4, 9};
unsigned sum(unsigned bits, unsigned seed)
{
    while (bits) {
        seed = seed * 3 + weight[bits & 3];
        bits >>= 2;
    }
    return 2 + seed;
}
#else
static const unsigned char weight[4] = {1, 2, 4, 8};
unsigned sum(unsigned bits, unsigned seed)
{
    while (bits) {
        seed = seed * 3 + weight[bits & 3];
        bits >>= 2;
    }
    return seed + 2;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%u\n", sum(a, n));
    return 0;
}
#endif
