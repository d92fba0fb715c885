/* what waits in a buffer when both abort is lost: it may differ
 * VERDICT same */
#include <stdio.h>
#include <stdlib.h>
void check(int n)
{
#ifdef NEW
    printf("n is %d\n", n > 3 ? 3 : n);
#else
    printf("n is %d\n", n);
#endif
    if (n > 3)
        abort();
}

#ifdef BRUTE
int main(void)
{
    setvbuf(stdout, 0, _IOFBF, 4096);
    check(2);
    check(5);
    return 0;
}
#endif
