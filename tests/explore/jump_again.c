// tests: 2
// What is read after a jump back is a second input, not the first one again: they are equal, or they are not.
#include <setjmp.h>
#include <sheaf.h>
#include <stdlib.h>

static jmp_buf start;

int main(void)
{
    volatile int rounds = 0, first = 0;
    setjmp(start);
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (rounds++ == 0) {
        first = x;
        longjmp(start, 1);
    }
    if (x != first)
        abort(); //! abort
    return 0;
}
