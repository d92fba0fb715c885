// tests: 3
// The head is dropped (fault), or kept and the second dropped (the same fault), or both are kept.
#include <sheaf.h>
#include <stdlib.h>

typedef struct Node {
    struct Node *next;
    unsigned char value;
} Node;

static int length(const Node *n)
{
    int count = 0;
    for (; n; n = n->next)
        count++;
    return count;
}

int main(void)
{
    unsigned char v[2], key;
    Node *list = NULL, **at = &list;
    sheaf_symbolic(v, sizeof v, "v");
    sheaf_symbolic(&key, sizeof key, "key");
    for (int i = 0; i < 2; i++) {
        Node *n = malloc(sizeof *n);
        *n = (Node){list, v[i]};
        list = n;
    }
    while (*at) {
        Node *n = *at;
        if (n->value == key) {
            free(n);
            *at = n->next; //! use-after-free
        } else {
            at = &n->next;
        }
    }
    return length(list);
}
