// options: --entry target --elements 8
// tests: 4
// Neither call fails if the pointer is null, and nothing else depends on it.
#include <stdlib.h>

int target(char *p, int n)
{
    free(p);
    if (n == 7)
        free(p); //! double-free
    return n;
}
