// tests: 5
// options: --loop-bound 4
// incomplete: loop
// A loop as long as the input says is stopped at four iterations: 0 to 4.
#include <sheaf.h>

int main(void)
{
    unsigned n;
    sheaf_symbolic(&n, sizeof n, "n");
    unsigned i = 0;
    while (i < n)
        i++;
    return i == n ? 0 : 1;
}
