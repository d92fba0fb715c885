// run: 3 stopped
// test: 3 loop
#include <sheaf.h>
#include <stdlib.h>

struct crumb {
    struct crumb *next;
};

int main(void)
{
    unsigned char x;
    struct crumb *all = NULL;
    sheaf_symbolic(&x, 1, "x");
    while (x != 42) {
        struct crumb *c = malloc(sizeof *c);
        c->next = all;
        all = c;
    }
    return 0;
}
