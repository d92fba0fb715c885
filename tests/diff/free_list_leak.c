/* some nodes of a list are not freed any more
 * VERDICT different */
#include <stdlib.h>
struct node { struct node *next; int v; };
void drop(struct node *n)
{
    while (n) {
        struct node *next = n->next;
#ifdef NEW
        if (n->v >= 0)
#endif
        free(n);
        n = next;
    }
}
#ifdef BRUTE
#include <stdio.h>
extern int __asan_address_is_poisoned(void const volatile *);
int main(void) { struct node *a = calloc(1, sizeof *a); a->v = -1; drop(a); printf("%d\n", __asan_address_is_poisoned(a)); }
#endif
