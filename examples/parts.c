#include <assert.h>
#include <sheaf.h>
int main(void)
{
    int x, y, z, a, b;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
    if (x > 3) a = 1; else a = 2;
    if (y > 3) b = 1; else b = 2;
    assert(a + b != 9);
    if (z > 3) a = 5; else a = 6;
    assert(a != 7);
    return 0;
}
