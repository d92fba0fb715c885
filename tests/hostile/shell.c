// run: 3 unsupported: system
// test: 3 unsupported
// A shell that must not be there: whatever the call says, nothing may happen.
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return popen("touch escaped", "r") != NULL;
    return system("touch escaped");
}
