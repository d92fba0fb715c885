// tests: 2
// options: --explore dependence
// A condition that was decided before is no new way through the loop, also with labels: 300 rounds are not cut at 256.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char b;
    int n = 0;
    sheaf_symbolic(&b, sizeof b, "b");
    for (int i = 0; i < 300; i++)
        if (b > 5)
            n++;
    assert(n != 300);                         //! assert
    return 0;
}
