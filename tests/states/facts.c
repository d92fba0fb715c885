/* Where a pointer of the input leads is decided when it is first followed, and holds later. Here nothing in memory says
 * whether q leads to what p or what r leads to: the path alone knows. */
#include <stdlib.h>

int target(int *p, int *r, int *q, int n)
{
    *p = 0;
    *r = 0;
    *q = 0;
    if (n == 7)
        n = 8;
    *q = 1;
    if (*p == 1 && n == 8)
        abort();
    if (*r == 1 && n == 8)
        abort();
    return 0;
}
