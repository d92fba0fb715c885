// run: 1 [bad-call]
// test: 1 bad-call
// Data that is run as code.
#include <sheaf.h>

static unsigned char code[] = {0xb8, 0x2a, 0, 0, 0, 0xc3};

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    return ((int (*)(void))(void *)code)();
}
