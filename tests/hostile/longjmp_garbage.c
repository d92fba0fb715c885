// run: 1 [bad-jump]
// test: 1 bad-jump
// unconfirmed: bad-jump because a native jump to garbage goes anywhere
#include <setjmp.h>
#include <sheaf.h>
#include <string.h>

int main(void)
{
    jmp_buf here;
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    memset(&here, 0x41, sizeof here);
    if (x != 42)
        longjmp(here, 1);
    return 0;
}
