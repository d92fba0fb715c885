// run: 0
// test: 0
// flags: --max-steps 20000000
// 100 MB of output, which an exploration throws away.
#include <sheaf.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char block[1 << 16];
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    memset(block, '!', sizeof block);
    for (int i = 0; i < 1600; i++)
        fwrite(block, 1, sizeof block, stdout);
    return 0;
}
