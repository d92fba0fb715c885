// tests: 3 to 10
// Lengths 0 to 8 into four bytes: those above 4 are the fault. A length may be a path, or all that fit may be one.
#include <sheaf.h>
#include <string.h>

int main(void)
{
    char from[8] = "abcdefg", to[4] = "123";
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n <= 8);
    memcpy(to, from, n); //! oob-write
    if (to[3] == 'd')
        return 1;
    return 0;
}
