/* %d becomes %ld, and %u %d where nothing is negative
 * VERDICT same */
#include <stdio.h>
void show(int n, unsigned char c)
{
#ifdef NEW
    printf("%ld %d\n", (long)n, c);
#else
    printf("%d %u\n", n, c);
#endif
}

#ifdef BRUTE
int main(void)
{
    show(4, 200);
    show(-4, 3);
    return 0;
}
#endif
