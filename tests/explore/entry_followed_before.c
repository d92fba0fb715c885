// options: --entry target --shape bytes
// tests: 7
// To which object q leads depends on whether p was followed. If p is null, as in the first run, it is not followed.
#include <stdlib.h>

int target(int *p, int *q, int n)
{
    int t = 0;
    if (p)
        t += *p;
    if (p)
        free(p);
    if (n == 3)
        t += *q; //! null use-after-free
    return t;
}
