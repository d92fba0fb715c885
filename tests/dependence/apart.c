/* Two parts that share nothing, and a branch that no check depends on. */
#include <assert.h>
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    signed char x, y, z;
    int a = 0, b = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
    if (x > 0)
        a = x;
    if (y > 0)
        b = y;
    assert(a != 7);
    assert(b != 7);
    if (z > 0)
        puts("z");
    return 0;
}
