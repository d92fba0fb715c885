// fault: oob-write
#include <stdlib.h>

static void fill(short *v, int n)
{
    while (n >= 0)
        v[--n] = 7;
}

int main(void)
{
    short *v = malloc(10 * sizeof *v);
    fill(v, 10);
    free(v);
    return 0;
}
