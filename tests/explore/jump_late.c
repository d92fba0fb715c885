// tests: 4
// Which setjmp the jump lands at was decided before x was: landing at the second, the assertion depends on x as well.
#include <assert.h>
#include <setjmp.h>
#include <sheaf.h>

static jmp_buf first, second;

int main(void)
{
    unsigned char in[2];
    int x = 0;
    jmp_buf *to = &first;
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] > 5)
        to = &second;
    if (in[1] > 5)
        x = 1;
    if (setjmp(first))
        return 0;
    if (setjmp(second)) {
        assert(x != 1); //! assert
        return 0;
    }
    longjmp(*to, 1);
}
