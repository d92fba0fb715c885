// tests: 3
// options: --entry value --shape bytes
// A pointer whose lowest bits are a mark: NULL whatever the mark is, or the value is 5, or not.
#include <stddef.h>
#include <stdint.h>

struct node {
    long value;
};

int value(uintptr_t marked)
{
    const struct node *n = (const struct node *)(marked & ~(uintptr_t)3);
    if (!n)
        return 0;
    if (n->value == 5)
        return 1;
    return 2;
}
