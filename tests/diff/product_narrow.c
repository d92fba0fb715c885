/* a product is computed in the narrow type
 * VERDICT different */
unsigned long area(unsigned w, unsigned h)
{
#ifdef NEW
    return w * h;
#else
    return (unsigned long)w * h;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { printf("%lu\n", area(100000, 100000)); }
#endif
