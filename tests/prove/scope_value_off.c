/* expect: fails */
/* A structure that was passed by value is gone with the function. */
#include <sheaf.h>

struct Table { int cells[20]; };

static int *first(struct Table t, int yes)
{
    int *p = t.cells;
    return yes == 5 ? p : 0;
}

int main(void)
{
    struct Table t = { { 1 } };
    int yes;
    sheaf_symbolic(&yes, sizeof yes, "yes");
    int *p = first(t, yes);
    return p ? *p : 0;
}
