/* Which buffer the second setjmp sets is decided: the first holds what it held, or where the jump lands depends on the decision. */
#include <setjmp.h>
#include <sheaf.h>

static jmp_buf first, second;

static int landed(int c)
{
    jmp_buf *at = &first;
    if (c <= 5)
        at = &second;
    if (setjmp(first))
        return 7;
    if (setjmp(*at))
        return 8;
    longjmp(first, 1);
}

int main(void)
{
    int c, out;
    sheaf_symbolic(&c, sizeof c, "c");
    out = landed(c);
    sheaf_output(&out, sizeof out, "out");
    return 0;
}
