// tests: 6 to 13
// The library's qsort with a callback: at least the 3! orders; an implementation may tell equal values apart (weak orders: 13).
#include <assert.h>
#include <sheaf.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    unsigned char x = *(const unsigned char *)a, y = *(const unsigned char *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    unsigned char v[3];
    sheaf_symbolic(v, sizeof v, "v");
    qsort(v, 3, 1, ascending);
    assert(v[0] <= v[1] && v[1] <= v[2]);
    return 0;
}
