// tests: 3
// options: --check uninit --optimise -O1
// unconfirmed: uninit because natively any value may be in the register
// Optimised, a variable without a value is a constant that nothing has set. A function gives one back that may also be left by a jump,
// so that what it gives back depends on a decision: it is as unset as before.
#include <setjmp.h>
#include <sheaf.h>
#include <stdio.h>

static jmp_buf out;

static int checked(int code)
{
    int value;
    if (code == 3)
        longjmp(out, 1);
    return value;
}

static int (*volatile check)(int) = checked;

int main(void)
{
    unsigned char in[2];
    sheaf_symbolic(in, sizeof in, "in");
    if (setjmp(out))
        return 1;
    if (in[1] == 'x' && check(in[0])) //! uninit
        puts("set");
    return 0;
}
