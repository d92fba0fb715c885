#include "sheaf.h"
/* Two inputs that must be balanced; the price is a table that a loop fills. */
static unsigned price(unsigned a, unsigned b)
{
    unsigned p = 7;
    for (unsigned i = 0; i < (a & 1023); i++)
        p = p * 3 % 10007 + i;
    return p + b * b;
}
int main(void)
{
    unsigned a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    if (a < 900 || a > 1000 || b > 60000)
        return 0;
    unsigned p = price(a, b);
    if (p > 1000000000 && p < 1000100000)
        return 1;
    return 0;
}
