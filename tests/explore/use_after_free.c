// tests: 4
// Freed under one condition, used under another, both on one byte: both hold where it is above 200 and odd.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, sizeof x, "x");
    int *p = malloc(sizeof *p), result = 0;
    *p = 3;
    if (x > 200)
        free(p);
    if (x & 1)
        result = *p; //! use-after-free
    return result;
}
