// run: 0
// test: 3 solver-memory
// flags: --solver-timeout 10m
// An expression that doubles with each step, were it not shared.
#include <sheaf.h>

int main(void)
{
    unsigned x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    y = x;
    for (int i = 0; i < 2000; i++)
        y = (y * y + x) ^ (y >> 3) ^ (y << (i & 7));
    if (y == 0xdeadbeef)
        return 1;
    return 0;
}
