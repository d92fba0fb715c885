// run: 1 [invalid-free]
// test: 1 invalid-free
#include <sheaf.h>
#include <stdlib.h>

static int global;

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    switch (x) {
    case 42: return 0;
    case 1: free((void *)1); break;
    case 2: free(&global); break;
    default: free((void *)main); break;
    }
    return 0;
}
