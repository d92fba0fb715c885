// run: 3 step limit
// test: 3 steps
// A handler that registers itself: exit never comes to an end.
#include <sheaf.h>
#include <stdlib.h>

static void again(void) { atexit(again); }

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x != 42)
        atexit(again);
    return 0;
}
