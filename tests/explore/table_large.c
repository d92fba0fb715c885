// tests: 4
// options: --entry category
// Two tables, one selects in the other, of more than 64 KiB: no element is tried by itself. Before the table, behind it, the one place
// that holds 7, and all others.
#include <stdlib.h>

static const unsigned short stage[40000] = { [0 ... 39999] = 1, [33000] = 2 };
static const struct property {
    long width;
    int category;
    char name[4];
} properties[5000] = { [1] = { 1, 3, "one" }, [2] = { 2, 7, "two" } };

int category(int c)
{
    if (c < 0)
        return -1;
    if (c >= 40000)
        return -2;
    if (properties[stage[c]].category == 7)
        abort(); //! abort
    return 0;
}
