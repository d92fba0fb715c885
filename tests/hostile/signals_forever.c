// run: 3 --max-steps
// test: 3 steps
// flags: --max-steps 200000
// A handler that raises its own signal.
#include <sheaf.h>
#include <signal.h>

static void handler(int n)
{
    signal(n, handler);
    raise(n);
}

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    signal(SIGUSR1, handler);
    if (x != 42)
        raise(SIGUSR1);
    return 0;
}
