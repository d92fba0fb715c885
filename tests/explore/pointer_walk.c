// tests: 4
// A pointer moved by a symbolic distance, compared with others into the same array. Before the middle, at it, behind it; the end
// itself is a valid address that must not be read.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    int v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n <= 8);
    int *p = v + n;
    assert(p - v == n);
    if (p < v + 4)
        return *p < 4;
    if (p == v + 4)
        return 2;
    return *p; //! oob-read
}
