// tests: 4
// The divisor is zero where two decisions meet, and libc divides: a check of runtime/ that no address decides.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char in[2];
    int by = 5;
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] == 'x')
        by -= 2;
    if (in[1] == 'y')
        by -= 3;
    return div(10, by).quot; //! div-zero
}
