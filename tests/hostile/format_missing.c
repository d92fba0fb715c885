// run: 1 oob-read
// test: 1 oob-read
// unconfirmed: oob-read because natively the missing argument is whatever a register holds
// Conversions without arguments: whatever is there is taken, as on a real machine; it must end.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    unsigned char x;
    const char *format = "%s%s%s%s%n%n%n%n%lf%Lf%ls\n";
    sheaf_symbolic(&x, 1, "x");
    if (x != 42)
        printf(format);
    return 0;
}
