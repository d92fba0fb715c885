/* Three parts are shown, two of them by one call: what one call shows is one sink, whatever each part depends on. A
 * branch in the library on what was printed would tie the third to them. */
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    int x, y, z, a = 0, b = 0, c = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
    if (x > 0)
        a = 100;
    if (y > 0)
        b = 1000;
    if (z > 0)
        c = 10000;
    printf("%d and %d\n", a, b);
    printf("%d\n", c);
    return 0;
}
