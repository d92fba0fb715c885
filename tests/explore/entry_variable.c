// tests: 2
// options: --entry set --shape bytes
// incomplete: alias
// NULL, or an object. That the pointer might lead to the variable is not tried, and told.
#include <stdlib.h>

static int state;

int set(int *p)
{
    state = 1;
    *p = 2; //! null
    if (state == 2)
        abort();
    return state;
}
