// fault: null
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    int *const *x = a, *const *y = b;
    return **x - **y;
}

int main(void)
{
    int one = 1, two = 2;
    int *v[3] = {&two, NULL, &one};
    qsort(v, 3, sizeof *v, by_value);
    return *v[0];
}
