/* memcpy becomes memmove where the places overlap
 * VERDICT different */
#include <string.h>
void drop_first(char *b, unsigned n)
{
    if (!b || !n || n > 6)
        return;
#ifdef NEW
    memmove(b, b + 1, n);
#else
    memcpy(b, b + 1, n);
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    char b[] = "abcdefgh";
    drop_first(b, 4);
    puts(b);
    return 0;
}
#endif
