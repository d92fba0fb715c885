// run: 1 [stack-overflow]
// test: 1 stack-overflow
#include <sheaf.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int copy[2] = {*(const int *)a, *(const int *)b};
    qsort(copy, 2, sizeof *copy, compare);
    return copy[0] - copy[1];
}

int main(void)
{
    int v[2] = {2, 1};
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x != 42)
        qsort(v, 2, sizeof *v, compare);
    return 0;
}
