// tests: 5
// options: --entry fill --shape bytes --object-size 4
// incomplete: extent
// A number of 8 bytes is no pointer. A size of 0 touches nothing; else the pointer is NULL, or the size too large, or 1, or more: then the
// second byte is what was written, whatever the size.
#include <string.h>

int fill(char *to, size_t n)
{
    memset(to, 'x', n); //! null oob-write
    if (n > 1 && to[1] != 'x')
        return 1;
    return 0;
}
