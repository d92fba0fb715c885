/* a rotation by 1 to 31, masked in another way: neither version shifts out of range, nor does one alone
 * VERDICT same */
unsigned rotate(unsigned x, unsigned n)
{
#ifdef NEW
    return x << (n & 31) | x >> (-n & 31);
#else
    n &= 31;
    if (!n)
        return x;
    return x << n | x >> (32 - n);
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 70; n++)
        printf("%x %x\n", rotate(0x12345678, n), rotate(n, n));
    return 0;
}
#endif
