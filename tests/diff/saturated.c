/* a sum that saturates, in a wider type or by its carry
 * VERDICT same */
unsigned sat(unsigned a, unsigned b)
{
#ifdef NEW
    unsigned s = a + b;
    return s < a ? ~0u : s;
#else
    unsigned long s = (unsigned long)a + b;
    return s > 0xffffffffu ? 0xffffffffu : (unsigned)s;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (unsigned long i = 0; i < 1ul << 33; i += 123456789) printf("%u\n", sat((unsigned)i, (unsigned)(i * 7))); }
#endif
