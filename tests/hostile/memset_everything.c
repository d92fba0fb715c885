// run: 1 [oob-write]
// test: 1 oob-write
#include <sheaf.h>
#include <string.h>

int main(void)
{
    static char v[16];
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    size_t n = x == 42 ? sizeof v : (size_t)-1;
    memset(v, 1, n);
    return 0;
}
