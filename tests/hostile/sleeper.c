// run: 0
// test: 3 unsupported
// Waits for what never comes.
#include <sheaf.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 1)
        return pause();
    return (int)sleep(1000000000);
}
