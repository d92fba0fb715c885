// tests: 2
// Doubles add as IEEE says: x + y == x with both at least 1 has a solution (2^53 and 1). It is a fault here.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    double x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_assume(x >= 1);
    sheaf_assume(y >= 1);
    sheaf_assume(x <= 1e17);
    sheaf_assume(y <= 1e17);
    assert(x + y != x); //! assert
    return 0;
}
