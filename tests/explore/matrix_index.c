// tests: 4
// The row is checked wrongly by one. Refused row, refused column, inside, outside.
#include <sheaf.h>

static int cell[3][4];

int main(void)
{
    unsigned char row, column;
    sheaf_symbolic(&row, sizeof row, "row");
    sheaf_symbolic(&column, sizeof column, "column");
    if (row > 3)
        return 1;
    if (column > 3)
        return 2;
    cell[row][column] = 1; //! oob-write
    return 0;
}
