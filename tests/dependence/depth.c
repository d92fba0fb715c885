/* How deep the recursion goes depends on two decisions together; nothing in it can fail but the next call. Four paths, one fault. */
#include <sheaf.h>

static int down(int n)
{
    return n ? down(n - 1) + 1 : 0;
}

int main(void)
{
    unsigned char a, b;
    int n = 1;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    down(5);
    if (a == 5)
        n += 200000;
    if (b == 7)
        n += 200000;
    return down(n) > 3;
}
