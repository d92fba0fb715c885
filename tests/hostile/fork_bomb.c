// run: 3 fork
// test: 3 unsupported
#include <sheaf.h>
#include <unistd.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    while (x != 42)
        fork();
    return 0;
}
