/* a multiplication becomes a shift
 * VERDICT same */
/* An offset into rows of eight. */
int offset(unsigned row, unsigned column)
{
    row &= 63;
#ifdef NEW
    return (int)((row << 3) | (column & 7));
#else
    return (int)(row * 8 + column % 8);
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 80; a++)
        for (unsigned b = 0; b < 20; b++)
            printf("%d\n", offset(a, b));
    return 0;
}
#endif
