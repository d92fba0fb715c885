// fault: use-after-free
#include <stdlib.h>

int main(void)
{
    int *v = malloc(4 * sizeof *v), *old = v;
    v = realloc(v, 100000 * sizeof *v);
    old[0] = 1;
    free(v);
    return 0;
}
