/* one byte too few on the stack
 * VERDICT different */
#include <alloca.h>
#include <string.h>
int fill(int n)
{
    if (n < 0 || n > 8)
        return -1;
#ifdef NEW
    char *b = alloca(n);
#else
    char *b = alloca(n + 1);
#endif
    memset(b, 'x', n);
    b[n] = 0;
    return strlen(b);
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < 10; n++)
        printf("%d\n", fill(n));
    return 0;
}
#endif
