// tests: 3
// options: --check shift
// A shift by at most 35 of 32 bits: refused, fine, out of range.
#include <sheaf.h>

int main(void)
{
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    if (n > 35)
        return 1;
    return (int)(1u << n) & 1; //! shift
}
