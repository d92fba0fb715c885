/* bits are counted all at once
 * VERDICT same */
int count(unsigned char x)
{
#ifdef NEW
    x = x - ((x >> 1) & 0x55);
    x = (x & 0x33) + ((x >> 2) & 0x33);
    return (x + (x >> 4)) & 0x0f;
#else
    int n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (int i = 0; i < 256; i++) printf("%d\n", count(i)); }
#endif
