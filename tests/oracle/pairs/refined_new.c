/* The number of bits of a word is at most 32, which takes more than congruence to know. */
#include <sheaf.h>

static unsigned bits(unsigned x)
{
    unsigned n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}

int main(void)
{
    unsigned x;
    sheaf_symbolic(&x, sizeof x, "x");
    return bits(x) == 33;
}
