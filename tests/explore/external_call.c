// tests: 2
// incomplete: external
// replay: no because the function has no definition to link
// A function that is nowhere defined ends the path that calls it, and only that one.
#include <sheaf.h>

int consult(int question);

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x == 42)
        return consult(x);
    return 0;
}
