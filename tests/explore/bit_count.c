// tests: 9
// Kernighan's count loops once for each bit set: 0 to 8 bits. The other ways to count agree.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, sizeof x, "x");
    int loops = 0;
    for (unsigned v = x; v; v &= v - 1)
        loops++;
    unsigned v = x - ((x >> 1) & 0x55u);
    v = (v & 0x33) + ((v >> 2) & 0x33);
    v = (v + (v >> 4)) & 0x0f;
    assert((int)v == loops);
    return loops;
}
