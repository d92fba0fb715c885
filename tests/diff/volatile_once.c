/* a port is read once, not twice: a write in between makes the difference
 * VERDICT same */
volatile int port;
int twice(void)
{
#ifdef NEW
    int a = port;
    return a + a;
#else
    return port + port;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    port = 3;
    printf("%d\n", twice());
    return 0;
}
#endif
