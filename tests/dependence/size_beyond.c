/* Of a size only some values are tried, and runs that a task leads to others make decisions that no task negates: they are no repetitions. */
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>

static char from[2048], to[2048];

int main(void)
{
    unsigned short n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n < 2048);
    memcpy(to, from, n);
    if (n == 1077)
        abort();
    for (unsigned k = 1000; k < 1010; k++)
        if (n == k)
            to[0] = 1;
    return 0;
}
