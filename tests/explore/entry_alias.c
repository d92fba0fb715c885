// tests: 4
// options: --entry mix --shape bytes
// incomplete: alias
// Two pointers to structures: NULL each (2), apart, or the same, which is where the fault is. Without types the members could be
// elements of one array, which is not tried.
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
