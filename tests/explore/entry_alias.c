// tests: 4
// options: --entry mix
// Two pointers to structures of one size: NULL each (2), apart, or the same, which is where the fault is.
#include <stdlib.h>

struct pair {
    int a, b;
};

int mix(struct pair *p, struct pair *q)
{
    p->a = 1; //! null
    q->b = 5; //! null
    q->a = 2;
    if (p->a == 2)
        abort(); //! abort
    return 0;
}
