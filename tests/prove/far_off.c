/* expect: fails */
/* Far behind one array there is no other: addresses are numbers only to us. */
#include <sheaf.h>

static int one[10], two[10];

int main(void)
{
    int n;
    sheaf_symbolic(&n, sizeof n, "n");
    one[0] = two[0] = n;
    int *p = one;
    p += 1 << 30;
    return *p;
}
