// tests: 4
// Two decisions with two sides each. Whether the pointer is followed in the second round, when it is null, depends on both; the first
// round has followed it without them.
#include <sheaf.h>

static int one(void) { return 1; }
static int (*volatile f)(void) = one;

int main(void)
{
    unsigned char a, b;
    int t = 3, sum = 0;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    for (int round = 0; round < 2; round++) {
        if (t == 3)
            sum += f(); //! bad-call
        f = 0;
        t = 0;
        if (a == 5)
            t = 1;
        if (b == 7)
            t += 2;
    }
    return sum;
}
