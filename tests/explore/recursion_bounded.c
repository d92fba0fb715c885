// tests: 5
// options: --loop-bound 4
// incomplete: loop
// A recursion as deep as the input says is stopped at four calls within each other; a concrete one is not.
#include <sheaf.h>

static unsigned down(unsigned n) { return n ? 1 + down(n - 1) : 0; }

int main(void)
{
    unsigned n;
    unsigned deep = down(100);
    sheaf_symbolic(&n, sizeof n, "n");
    return down(n) == n && deep == 100 ? 0 : 1;
}
