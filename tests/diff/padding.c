/* a structure is filled in place, in the place of being copied: what lies between its members is no value
 * VERDICT same */
#include <stdlib.h>
struct entry {
    char kind;
    int value;
};
struct entry *entry(char kind, int value)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return NULL;
#ifdef NEW
    e->kind = kind;
    e->value = value < 0 ? 0 : value;
#else
    struct entry made;
    made.kind = kind;
    made.value = value;
    if (made.value < 0)
        made.value = 0;
    *e = made;
#endif
    return e;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int k = -2; k <= 2; k++) {
        struct entry *e = entry('a', k);
        printf("%c %d\n", e->kind, e->value);
        free(e);
    }
    return 0;
}
#endif
