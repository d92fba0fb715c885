// run: 1 [stack-overflow]
// test: 3 loop
#include <alloca.h>
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    while (x != 42) {
        volatile char *p = alloca(1000);
        p[0] = 1;
    }
    return 0;
}
