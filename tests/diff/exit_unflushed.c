/* _exit in the place of exit: what waits in the buffer of standard output is lost
 * VERDICT different */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void report(int n)
{
    printf("n is %d\n", n);
    if (n > 3) {
#ifdef NEW
        _exit(1);
#else
        exit(1);
#endif
    }
}

#ifdef BRUTE
int main(void)
{
    report(2);
    report(5);
    return 0;
}
#endif
