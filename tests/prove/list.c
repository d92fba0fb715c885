/* expect: proved open */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct Node { struct Node *next; int value; };

int main(void)
{
    struct Node *head = 0;
    while (__VERIFIER_nondet_bool()) {
        struct Node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->next = head;
        n->value = 1;
        head = n;
    }
    while (head) {
        struct Node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
