// An output that is not always reached, and one that an early exit keeps from being reached; two names.
#include <sheaf.h>
#include <stdlib.h>

static void leave(int x)
{
    if (x == 7)
        exit(3);
}

int main(void)
{
    int x, sum = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x > 100) {
        int high = x - 100;
        sheaf_output(&high, sizeof high, "high");
    }
    leave(x);
    for (int i = 0; i < 3; i++)
        sum += i * x;
    sheaf_output(&sum, sizeof sum, "sum");
    return 0;
}
