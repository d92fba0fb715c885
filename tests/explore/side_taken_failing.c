// tests: 5
// The first run fails, and asks for the other side of the first branch, which nothing depends on so far. The run that takes
// it does so for another reason, and fails before the last division: that side is still to be tried for the division's sake.
#include <sheaf.h>

int main(void)
{
    int x, y, w, a;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&w, sizeof w, "w");
    if (x)
        a = 1;
    else
        a = 2;
    int r = 5 / w; //! div-zero
    if (x & y)
        r += *(volatile int *)0; //! null
    return r + 10 / (a - 1); //! div-zero
}
