// tests: 3
// Zero, a power of two, or neither. Identities that hold for every word are no behaviours.
#include <assert.h>
#include <sheaf.h>
#include <stdint.h>

static uint32_t swapped(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

int main(void)
{
    uint32_t x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    assert((x ^ y ^ y) == x);
    assert(swapped(swapped(x)) == x);
    assert((x & y) + (x | y) == x + y);
    assert((x & -x & (x - 1)) == 0);
    assert((x << 5 | x >> 27) == ~(~x << 5 | ~x >> 27));
    if (x != 0 && (x & (x - 1)) == 0)
        return 1;
    return 0;
}
