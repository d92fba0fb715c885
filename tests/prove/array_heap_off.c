/* expect: fails */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 50 + 1;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = 0;
    unsigned k = __VERIFIER_nondet_uint();
    if (k <= n)
        a[k] = 3;
    free(a);
    return 0;
}
