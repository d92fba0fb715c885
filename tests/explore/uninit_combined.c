// tests: 8
// options: --check uninit
// unconfirmed: uninit because natively any value is a status to exit with
// A value is left without a value where two decisions meet: the branch on it that guards nothing is a check, and so is what
// the program exits with.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char in[3];
    int value, seen = 0;
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] != 'x')
        value = 0;
    if (in[1] != 'y')
        value = 1;
    if (in[2] == 'z')
        exit(value); //! uninit
    if (value) //! uninit
        seen++;
    return 0;
}
