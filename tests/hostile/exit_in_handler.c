// run: 3 --max-steps
// test: 3 steps
// exit inside a handler of exit, again and again: undefined, and must end.
#include <sheaf.h>
#include <stdlib.h>

static void again(void)
{
    atexit(again);
    exit(3);
}

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x != 42)
        atexit(again);
    return 0;
}
