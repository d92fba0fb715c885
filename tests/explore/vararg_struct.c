// tests: 4
// A structure chosen by the input is passed by value as a variable argument: beyond the table, and each of its three rows.
#include <sheaf.h>
#include <stdarg.h>
#include <stdlib.h>

struct row {
    long cells[4];
};
static struct row table[3] = {{{1}}, {{2}}, {{3}}};

static long first_cell(int n, ...)
{
    va_list list;
    va_start(list, n);
    struct row r = va_arg(list, struct row);
    va_end(list);
    return r.cells[0];
}

int main(void)
{
    unsigned char i;
    sheaf_symbolic(&i, 1, "i");
    if (i > 2)
        return 0;
    if (first_cell(1, table[i]) == 3)
        abort(); //! abort
    return 1;
}
