// run: 1 [bad-jump]
// test: 1 bad-jump
// unconfirmed: bad-jump because a native jump into a dead frame goes anywhere
#include <setjmp.h>
#include <sheaf.h>

static jmp_buf here;

static void __attribute__((noinline)) remember(void) { setjmp(here); }

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    remember();
    if (x != 42)
        longjmp(here, 1);
    return 0;
}
