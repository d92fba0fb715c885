/* A pointer is kept beyond the life of what it leads to. Where it was, the next iteration makes another object: a use of the old one stays a
 * fault, of the heap object and of the local. */
#include <stdio.h>
#include <stdlib.h>

static int *kept_local;

static void call(int c)
{
    int local = 0;
    if (c == 'u' && kept_local)
        *kept_local = 1; /* of an earlier call */
    if (c == 'l')
        kept_local = &local;
    local++;
}

int main(void)
{
    char *kept = NULL;
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        char *made = malloc(4);
        if (!made)
            return 1;
        if (c == 'w' && kept)
            kept[0] = 1; /* of an earlier iteration */
        if (c == 'k')
            kept = made;
        call(c);
        free(made);
    }
    return 0;
}
