// run: 0
// test: 1 oob-read runs
// flags: --max-runs 60
// A format that is input.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    char format[4];
    sheaf_symbolic(format, 3, "format");
    format[3] = 0;
    printf(format);
    return 0;
}
