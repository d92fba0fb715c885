/* memmove becomes a loop that goes the right way
 * VERDICT same */
#include <string.h>
/* Removes the first byte of n + 1. */
void unshift(char *b, int n)
{
    if (!b || n < 0 || n > 6)
        return;
#ifdef NEW
    for (int i = 0; i < n; i++)
        b[i] = b[i + 1];
#else
    memmove(b, b + 1, (size_t)n);
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < 8; n++) {
        char b[] = "abcdefgh";
        unshift(b, n);
        puts(b);
    }
    return 0;
}
#endif
