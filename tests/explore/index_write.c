// tests: 2
// A byte is written at i and looked at through j: they are the same place or not.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char i, j, cell[16] = {0};
    sheaf_symbolic(&i, sizeof i, "i");
    sheaf_symbolic(&j, sizeof j, "j");
    cell[i & 15] = 1;
    if (cell[j & 15]) {
        assert((i & 15) == (j & 15));
        return 1;
    }
    assert((i & 15) != (j & 15));
    return 0;
}
