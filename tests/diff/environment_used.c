/* what is printed if a variable of the environment is set
 * VERDICT different */
#include <stdio.h>
#include <stdlib.h>
void trace(int n)
{
    if (getenv("PAIR_TRACE"))
#ifdef NEW
        printf("n: %d\n", n);
#else
        printf("n=%d\n", n);
#endif
}

#ifdef BRUTE
int main(void)
{
    setenv("PAIR_TRACE", "1", 1);
    trace(3);
    return 0;
}
#endif
