/* %d becomes %u: negative numbers
 * VERDICT different */
#include <stdio.h>
void show(int n)
{
#ifdef NEW
    printf("%u\n", (unsigned)n);
#else
    printf("%d\n", n);
#endif
}

#ifdef BRUTE
int main(void)
{
    show(4);
    show(-4);
    return 0;
}
#endif
