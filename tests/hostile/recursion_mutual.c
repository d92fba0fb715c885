// run: 1 [stack-overflow]
// test: 1 stack-overflow
// Large frames, through function pointers.
#include <sheaf.h>
#include <string.h>

static int odd(int n, const char *above);
static int even(int n, const char *above)
{
    char frame[4096];
    memset(frame, above[0], sizeof frame);
    int (*next)(int, const char *) = odd;
    return next(n, frame) + frame[7];
}
static int odd(int n, const char *above) { return even(n + 1, above); }

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    return x == 42 ? 0 : odd(x, "x");
}
