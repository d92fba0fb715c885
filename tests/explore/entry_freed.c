// options: --entry target --shape bytes
// tests: 7
// incomplete: alias
// Giving back null is no fault: what else the pointer may lead to must be asked all the same, and whether that is what the other leads to.
#include <stdlib.h>

int target(char *p, char *q, int n)
{
    if (q)
        free(q);
    if (n == 7)
        free(p); //! double-free
    return n;
}
