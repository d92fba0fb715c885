// tests: 3
// options: --check uninit
// The default of the switch forgets a variable that is then branched on.
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    int value;
    sheaf_symbolic(&x, sizeof x, "x");
    switch (x) {
    case 1: value = 5; break;
    case 2: value = 6; break;
    default: break;
    }
    if (value == 5) //! uninit
        return 1;
    return 0;
}
