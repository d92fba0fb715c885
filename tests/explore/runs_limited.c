// tests: 10
// options: --max-runs 10
// incomplete: runs
// 2^8 paths, of which ten are asked for.
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    int n = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    for (int i = 0; i < 8; i++)
        if (x >> i & 1)
            n += i;
    return n;
}
