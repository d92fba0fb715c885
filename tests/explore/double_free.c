// tests: 4
// Two conditions, each of which frees.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, sizeof x, "x");
    char *p = malloc(4);
    if (x & 1)
        free(p);
    if (x & 2)
        free(p); //! double-free
    return 0;
}
