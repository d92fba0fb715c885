// tests: 4
// What is assumed at the end holds of no input that fails before: no such run gets there to break it.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char in[2];
    int x = 0;
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] > 5)
        x = 1;
    assert(x == 0); //! assert
    if (in[1] > 5)
        x = 1;
    if (in[1] > 7)
        x += 1;
    sheaf_assume(in[0] <= 5);
    assert(x != 2); //! assert
    return 0;
}
