// tests: 5
// No error; the first byte is bad, and the handler divides by 0 or not; the second is bad, and the handler has two sides.
#include <setjmp.h>
#include <sheaf.h>

static jmp_buf handler;

static void check(unsigned char c, int code)
{
    if (c >= 0x80)
        longjmp(handler, code);
}

int main(void)
{
    unsigned char b[3];
    sheaf_symbolic(b, sizeof b, "b");
    switch (setjmp(handler)) {
    case 0:
        check(b[0], 1);
        check(b[1], 2);
        return 0;
    case 1:
        return 100 / b[2]; //! div-zero
    default:
        if (b[2] == 'r')
            return 2;
        return 3;
    }
}
