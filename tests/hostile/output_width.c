// run: 3 stopped
// test: 3 output
// One conversion that is 2 GB wide.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    printf("%2147483646d", 1);
    return 0;
}
