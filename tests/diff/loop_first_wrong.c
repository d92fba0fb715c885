/* the first element is treated otherwise, in a loop with two outcomes for each element
 * VERDICT different */
unsigned mix(unsigned x, unsigned char n)
{
    unsigned left = n % 6;
    while (left) {
#ifdef NEW
        if (left == 1 && x == 77)
            x = 5;
#endif
        if (x & 1)
            x = x / 2 + left;
        else
            x = x * 3 + 1;
        left--;
    }
    return x;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned x = 0; x < 256; x++)
        for (unsigned n = 0; n < 256; n++)
            printf("%u\n", mix(x, (unsigned char)n));
    return 0;
}
#endif
