// run: 3 step limit
// test: 3 loop
#include <sheaf.h>

int main(void)
{
    volatile unsigned char x;
    sheaf_symbolic((void *)&x, 1, "x");
    while (x != 42)
        ;
    return 0;
}
