/* code that nothing reaches is removed
 * VERDICT same */
/* The remainder of a byte. */
int rest(unsigned char x)
{
    int r = x % 10;
#ifndef NEW
    if (r > 9)
        return -1;
    if (x > 255)
        return -2;
#endif
    return r;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 256; a++)
        printf("%d\n", rest((unsigned char)a));
    return 0;
}
#endif
