// run: 3 unsupported
// test: 3 unsupported
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x != 42)
        __asm__ volatile("hlt" ::: "memory");
    return 0;
}
