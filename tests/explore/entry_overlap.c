// tests: 5
// options: --entry shift --shape bytes --object-size 4
// incomplete: alias
// Arrays: the target may be in the middle of the source, which is not tried. NULL each (2; an empty copy looks at neither), apart, the same.
#include <stddef.h>

int shift(int *to, const int *from, _Bool any)
{
    if (!any)
        return 0;
    for (size_t i = 0; i < 2; i++)
        to[i] = from[i] + 1; //! null
    return 1;
}
