// tests: 3
// The buffer to jump to is chosen by the input: one test beyond the buffers, one for each of them.
#include <setjmp.h>
#include <sheaf.h>
#include <stdlib.h>

static jmp_buf places[2];

int main(void)
{
    unsigned char which;
    sheaf_symbolic(&which, 1, "which");
    if (which > 1)
        return 0;
    if (setjmp(places[0]))
        return 1;
    if (setjmp(places[1]))
        abort(); //! abort
    longjmp(places[which], 1);
}
