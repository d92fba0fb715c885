// run: 3 step limit
// test: 0
#include <setjmp.h>
#include <sheaf.h>

int main(void)
{
    jmp_buf here;
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    setjmp(here);
    if (x != 42)
        longjmp(here, 1);
    return 0;
}
