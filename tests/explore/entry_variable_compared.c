// tests: 3
// options: --entry set --shape bytes
// incomplete: alias
// As the pointer is compared with the variable's address, it is that; or NULL, or another object. In a test the address is a number that
// means nothing natively.
// replay: no because the address of a variable is another one natively
// unconfirmed: abort because the address of a variable is another one natively
#include <stdlib.h>

static int state;

int set(int *p)
{
    if (p == &state) {
        *p = 3;
        if (state == 3)
            abort(); //! abort
    }
    *p = 2; //! null
    return state;
}
