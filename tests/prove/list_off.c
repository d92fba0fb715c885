/* expect: fails */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

struct Node { struct Node *next; int value; };

int main(void)
{
    struct Node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct Node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->next = head;
        n->value = __VERIFIER_nondet_int();
        head = n;
    }
    for (struct Node *n = head; n; n = n->next)
        __VERIFIER_assert(n->value != 77);
    return 0;
}
