/* what surely was written to standard output before both abort
 * VERDICT different */
#include <stdio.h>
#include <stdlib.h>
void check(int n, int verbose)
{
    printf("n is %d\n", n);
#ifdef NEW
    if (verbose > 1)
#else
    if (verbose)
#endif
        fflush(stdout);
    if (n > 3)
        abort();
}

#ifdef BRUTE
int main(void)
{
    check(2, 0);
    check(5, 1);
    return 0;
}
#endif
