// run: 1 [read-only]
// test: 1 read-only
// Code that writes itself.
#include <sheaf.h>
#include <string.h>

static int answer(void) { return 41; }

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return answer();
    memset((void *)answer, 0x90, 16);
    return answer();
}
