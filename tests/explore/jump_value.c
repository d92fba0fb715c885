// tests: 2
// longjmp(buffer, 0) makes setjmp return 1: so it returns 1 for 0 and for 1, and otherwise the number.
#include <setjmp.h>
#include <sheaf.h>
#include <stdlib.h>

static jmp_buf back;

int main(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    int r = setjmp(back);
    if (r == 0)
        longjmp(back, x);
    if (r == 1)
        abort(); //! abort
    return 3;
}
