// tests: 3
// options: --entry first
// The pointer is NULL, or an object whose first element is above its second, or not.
#include <stddef.h>

struct pair {
    int a, b;
};

int first(const struct pair *p)
{
    if (!p)
        return -1;
    if (p->a > p->b)
        return p->a;
    return p->b;
}
