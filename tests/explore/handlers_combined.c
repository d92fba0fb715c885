// tests: 8
// Whether the last handler fails depends on which others were registered: three decisions that meet only after main.
#include <sheaf.h>
#include <stdlib.h>

static int sum;

static void last(void)
{
    sum += 2;
    if (sum == 7)
        abort(); //! abort
}

static void second(void) { sum += 4; }
static void first(void) { sum += 1; }

int main(void)
{
    unsigned char in[3];
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] > 10)
        atexit(last);
    if (in[1] > 10)
        atexit(second);
    if (in[2] > 10)
        atexit(first);
    return 0;
}
