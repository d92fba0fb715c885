// run: 1 [null]
// test: 1 null wild
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        printf("%s\n", (char *)0x123456789abc);
    else
        printf("abc%n\n", (int *)8);
    return 0;
}
