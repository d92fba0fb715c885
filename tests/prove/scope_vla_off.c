/* expect: fails */
/* An array of variable length is gone at the end of its scope. */
#include <sheaf.h>

int main(void)
{
    int n, *p;
    sheaf_symbolic(&n, sizeof n, "n");
    if (n < 1 || n > 10)
        return 0;
    {
        int a[n];
        a[0] = 1;
        p = a;
    }
    return *p;
}
