// Ways to fail are listed below the rows: where all inputs of a behaviour fail, it has no row.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    int table[4] = {5, 6, 7, 8}, out = 0;
    unsigned char i, j;
    sheaf_symbolic(&i, sizeof i, "i");
    sheaf_symbolic(&j, sizeof j, "j");
    if (j > 9)
        assert(j == 4);
    if (i < 10)
        out = table[i];
    else
        out = 100 / j;
    sheaf_output(&out, sizeof out, "out");
    return 0;
}
