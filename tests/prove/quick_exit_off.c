/* expect: fails */
/* What runs at quick_exit may fail. */
#include <sheaf.h>
#include <stdlib.h>

static int n;

static void handler(void)
{
    if (n == 7)
        abort();
}

int main(void)
{
    sheaf_symbolic(&n, sizeof n, "n");
    at_quick_exit(handler);
    quick_exit(0);
}
