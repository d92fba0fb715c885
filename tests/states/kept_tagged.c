/* A pointer with a tag in its high bits is kept beyond the life of what it leads to, as in kept.c. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static const uint64_t tag = UINT64_C(0xfffc) << 48;
static uint64_t weak;
int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        char *made = malloc(4);
        if (!made)
            return 1;
        *made = 0;
        if (c == 'w' && !weak)
            weak = (uintptr_t)made | tag;
        else if (c == 'r' && weak && *(char *)(uintptr_t)(weak & ~tag)) /* of an earlier iteration */
            puts("x");
        free(made);
    }
    return 0;
}
