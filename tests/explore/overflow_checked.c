// tests: 5
// options: --check overflow
// Negative numbers are negated, which overflows for the least; the sum with a positive one may overflow or not.
#include <sheaf.h>

int main(void)
{
    int x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    if (x < 0) {
        x = -x; //! overflow
        return x & 1;
    }
    if (y <= 0)
        return 2;
    return (x + y) & 1; //! overflow
}
