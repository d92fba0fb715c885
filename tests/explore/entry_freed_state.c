// options: --entry target
// tests: 12
// Whether what p leads to was given back depends on two decisions, and is asked for under a third. No code that reads p names the first two.
#include <stdlib.h>

int target(int *p, int m, int n, int k)
{
    int t = 0;
    if (p)
        *p = 2;
    if (m == 2) {
        if (n == 1)
            free(p);
    }
    if (k == 1 && p)
        t += *p; //! use-after-free
    return t;
}
