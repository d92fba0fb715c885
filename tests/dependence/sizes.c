/* Three inputs choose a, b and c; a - b is a size, a - c a divisor. Eight paths, two faults. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    signed char x, y, z;
    int a = 2, b = 2, c = 4;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
    if (x > 0)
        a = 4;
    if (y > 0)
        b = 0;
    if (z > 0)
        c = 7;
    char *p = malloc((size_t)(a - b));
    p[0] = 1;
    int r = 1 / (a - c);
    free(p);
    return r;
}
