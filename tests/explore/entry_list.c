// tests: 13
// options: --entry sum --shape bytes --pointer-objects 3 --max-steps 10000
// incomplete: loop objects
// replay: no because lists that are circles are walked for ever
// NULL: 1. Each node met fails (its value is 13), is the last, or goes on: to itself or an earlier node, which is a circle, or to a
// new one, of which there are three: 1 + (1 + 1 + 1) + (1 + 1 + 2) + (1 + 1 + 3).
#include <assert.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

int sum(const struct node *n)
{
    int total = 0;
    for (; n; n = n->next) {
        assert(n->value != 13); //! assert
        total ^= n->value;
    }
    return total;
}
