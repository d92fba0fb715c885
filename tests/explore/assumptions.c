// tests: 3
// What is assumed away is neither a test nor a fault: of the four sides two remain below 10, and the assertion cannot fail.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    int x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    if (x > 20) {
        sheaf_assume(x < 15);
        assert(0);
    }
    if (y > 5) {
        sheaf_assume(y == 7);
        assert(y == 7);
        return 1;
    }
    sheaf_assume(y >= 0);
    if (y * y == 9)
        return 3;
    return 2;
}
