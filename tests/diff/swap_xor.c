/* a swap without a third variable
 * VERDICT same */
/* The larger one minus the smaller one. */
int spread(unsigned char a, unsigned char b)
{
    if (a < b) {
#ifdef NEW
        a ^= b;
        b ^= a;
        a ^= b;
#else
        unsigned char t = a;
        a = b;
        b = t;
#endif
    }
    return a - b;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 256; a += 3)
        for (int b = 0; b < 256; b += 3)
            printf("%d\n", spread((unsigned char)a, (unsigned char)b));
    return 0;
}
#endif
