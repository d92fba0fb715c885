/* The large frame does not fit on top of another one; whether it is made there depends on two decisions together. Four paths, one fault. */
#include <sheaf.h>

static int large(void)
{
    volatile char v[5000000];
    v[5] = 1;
    return v[5];
}

static void helper(int t)
{
    if (t == 3)
        large();
}

static int below(int t)
{
    volatile char v[5000000];
    v[5] = 1;
    helper(t);
    return v[5];
}

int main(void)
{
    unsigned char a, b;
    int t = 0;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    helper(3);
    if (a == 5)
        t = 1;
    if (b == 7)
        t += 2;
    below(t);
    return 0;
}
