/* memmove becomes a loop that overwrites what it still has to copy
 * VERDICT different */
#include <string.h>
/* Makes room for one byte at the front of n. */
void shift(char *b, int n)
{
    if (!b || n < 0 || n > 6)
        return;
#ifdef NEW
    for (int i = 0; i < n; i++)
        b[i + 1] = b[i];
#else
    memmove(b + 1, b, (size_t)n);
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < 8; n++) {
        char b[] = "abcdefgh";
        shift(b, n);
        puts(b);
    }
    return 0;
}
#endif
