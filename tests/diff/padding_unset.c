/* calloc sets what lies between members, and malloc does not
 * VERDICT same */
#include <stdlib.h>
struct e { char kind; long value; };
struct e *make(char k)
{
#ifdef NEW
    struct e *e = calloc(1, sizeof *e);
    if (!e) return NULL;
#else
    struct e *e = malloc(sizeof *e);
    if (!e) return NULL;
    e->value = 0;
#endif
    e->kind = k;
    return e;
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct e *e = make(4); printf("%d %ld\n", e->kind, e->value); free(e); }
#endif
