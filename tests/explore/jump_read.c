// tests: 4
// Which buffer the jump goes through was decided first, then x, then what is in one of the buffers: only who has come to
// that buffer depends on x, and the two must be asked for together.
#include <assert.h>
#include <setjmp.h>
#include <sheaf.h>
#include <string.h>

static jmp_buf first, second;

int main(void)
{
    unsigned char in[2];
    jmp_buf *to = &first;
    int x = 0;
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
    if (x == 2)
        memcpy(&second, &first, sizeof second);
    longjmp(*to, 1);
}
