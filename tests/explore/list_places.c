// tests: 1
// Every node is written at an index that is the same symbol for all: the object is known from the pointer, so nothing is decided but
// bounds that cannot fail.
#include <sheaf.h>
#include <stddef.h>

struct node {
    struct node *next;
    char data[8];
};

int main(void)
{
    struct node second = { .next = NULL }, first = { .next = &second, .data = { [3] = 5 } };
    unsigned char i;
    int sum = 0;
    sheaf_symbolic(&i, sizeof i, "i");
    i &= 7;
    for (struct node *n = &first; n; n = n->next) {
        char *place = &n->data[i];
        sum += *place;
        *place = 1;
    }
    return sum;
}
