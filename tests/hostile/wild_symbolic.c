// run: 1 [null]
// test: 1 null wild
// flags: --max-runs 40
// may: pointer runs oob-write use-after-free use-after-return use-after-scope read-only
// An address that is the input itself: null, wild, or by chance an object.
#include <sheaf.h>

int main(void)
{
    char *p;
    sheaf_symbolic(&p, sizeof p, "p");
    *p = 1;
    return 0;
}
