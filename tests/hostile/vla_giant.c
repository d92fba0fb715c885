// run: 1 [stack-overflow]
// test: 1 stack-overflow uninit
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    unsigned long n = x == 42 ? 8 : 1ul << 40;
    volatile char v[n];
    v[0] = 1;
    v[n - 1] = 2;
    return v[n / 2] == 77;
}
