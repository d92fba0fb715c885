// options: --search bfs
// tests: 12
// Sizes 2, 1, 4 and 3. The run that first has size 1 ends in an abort that does not depend on the size; then one with size 4 comes
// through. Size 1 must be asked for once more: it alone is too small for the second byte. Each size has three paths.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n, x, y;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    char *p = malloc(((n & 3) ^ 1) + 1);
    p[0] = 0;
    if (x == 0)
        abort(); //! abort
    if (y == 0)
        abort(); //! abort
    p[1] = 0; //! oob-write
    return 0;
}
