/* a header with a NUL in it: what is printed behind the NUL counts
 * VERDICT different */
#include <stdio.h>

void header(unsigned char kind)
{
    putchar(kind);
    putchar(0);
#ifdef NEW
    putchar(2);
#else
    putchar(1);
#endif
}

#ifdef BRUTE
int main(void)
{
    header(7);
    return 0;
}
#endif
