/* recursion that multiplies becomes a loop. Open beyond the bound on loops
 * VERDICT same */
#ifdef NEW
unsigned power(unsigned b, unsigned n)
{
    unsigned r = 1;
    while (n > 0) {
        r *= b;
        n--;
    }
    return r;
}
#else
unsigned power(unsigned b, unsigned n) { if (n == 0) return 1; return b * power(b, n - 1); }
#endif
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (unsigned i = 0; i < 20; i++) for (unsigned k = 0; k < 20; k++) printf("%u\n", power(i, k)); }
#endif
