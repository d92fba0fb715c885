// options: --entry target --elements 8
// tests: 5
// Neither call fails if the pointer is null, and nothing else depends on it; an array of a negative length is a path of its own.
#include <stdlib.h>

int target(char *p, int n)
{
    free(p);
    if (n == 7)
        free(p); //! double-free
    return n;
}
