// Whether something leaks depends on all of memory, not on what the program ends with.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    int x;
    char *p = malloc(3);
    sheaf_symbolic(&x, sizeof x, "x");
    if (x > 3)
        free(p);
    p = NULL;
    return 0;
}
