/* while becomes for
 * VERDICT same */
/* Bits that are set. */
int bits(unsigned char x)
{
    int n = 0;
#ifdef NEW
    for (; x; x >>= 1)
        n += x & 1;
#else
    while (x != 0) {
        if (x & 1)
            n = n + 1;
        x = (unsigned char)(x / 2);
    }
#endif
    return n;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 256; a++)
        printf("%d\n", bits((unsigned char)a));
    return 0;
}
#endif
