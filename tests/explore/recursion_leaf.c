// tests: 4
// unconfirmed: stack-overflow because the native stack may be larger
// The recursion comes to its end, but nothing larger fits on top of it: how deep it goes and what is called there are two decisions.
#include <sheaf.h>

static void leaf(void) //! stack-overflow
{
    volatile char v[500000];
    v[5] = 1;
}

static void down(int n, int wanted)
{
    volatile char v[60000];
    v[3] = 1;
    if (n)
        down(n - 1, wanted);
    else if (wanted == 3)
        leaf();
}

int main(void)
{
    unsigned char a, b;
    int n = 3, wanted = 0;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    down(2, 3);
    if (a > 1)
        n = 136;
    if (b > 1)
        wanted = 3;
    down(n, wanted);
    return 0;
}
