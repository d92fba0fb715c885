/* Rounds by longjmp, in each of which it is decided anew where the next jump goes: no two have their labels in common, and what
 * follows from a run takes the square of its decisions. */
#include <sheaf.h>
#include <setjmp.h>

static jmp_buf on, out, *next = &on;

int main(void)
{
    unsigned char stop, more;
    sheaf_symbolic(&stop, sizeof stop, "stop");
    sheaf_symbolic(&more, sizeof more, "more");
    if (setjmp(out))
        return 1;
    if (setjmp(on) && stop % 2)
        next = &out;
    if (more == 5)
        longjmp(*next, 1);
    return 0;
}
