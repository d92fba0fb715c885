// tests: 3
// exit runs a handler that looks at what main did; _Exit does not.
#include <sheaf.h>
#include <stdlib.h>

static int done;
static void handler(void)
{
    if (!done)
        _Exit(70);
}

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, sizeof x, "x");
    atexit(handler);
    if (x < 10)
        exit(1);
    if (x < 20)
        _Exit(2);
    done = 1;
    return 3;
}
