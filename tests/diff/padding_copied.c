/* members are set, or a whole structure is copied with what lies between them
 * VERDICT same */
struct e { char kind; int value; short last; };
#ifdef NEW
void make(struct e *out, char kind, int value)
{
    struct e t = {kind, value, 3};
    *out = t;
}
#else
void make(struct e *out, char kind, int value)
{
    out->kind = kind;
    out->value = value;
    out->last = 3;
}
#endif
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct e e; make(&e, 1, 2); printf("%d %d %d\n", e.kind, e.value, e.last); }
#endif
