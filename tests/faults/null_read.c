// fault: null
#include <stdio.h>

struct item { int kind; struct item *next; };

static int last(struct item *i)
{
    while (i->kind != 9)
        i = i->next;
    return i->kind;
}

int main(void)
{
    struct item b = {2, 0}, a = {1, &b};
    printf("%d\n", last(&a));
    return 0;
}
