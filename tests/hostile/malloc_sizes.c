// run: 0
// test: 0
// Sizes that no machine has: NULL, and no harm.
#include <sheaf.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    void *p = malloc(SIZE_MAX - 8), *q = calloc(SIZE_MAX / 2, 16), *r = realloc(NULL, (size_t)1 << 62);
    return p || q || r;
}
