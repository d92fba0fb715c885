/* a table of bit counts becomes arithmetic
 * VERDICT same */
static const unsigned char bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
int ones(unsigned char x)
{
#ifdef NEW
    x = x - ((x >> 1) & 0x55);
    x = (x & 0x33) + ((x >> 2) & 0x33);
    return (x + (x >> 4)) & 15;
#else
    return bits[x & 15] + bits[x >> 4];
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 256; i++)
        printf("%d", ones(i));
    return 0;
}
#endif
