// run: 1 [stack-overflow]
// test: 1 stack-overflow
#include <sheaf.h>

static int down(int n) { return n == -1 ? 0 : down(n + 1) + 1; }

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    return x == 42 ? 0 : down(x);
}
