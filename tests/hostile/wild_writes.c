// run: 1 [wild]
// test: 1 wild
#include <sheaf.h>
#include <stdint.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    uintptr_t at = 0x123456789abcu;
    for (int i = 0; i < 1000; i++, at = at * 6364136223846793005u + 1)
        *(volatile char *)at = (char)x;
    return 0;
}
