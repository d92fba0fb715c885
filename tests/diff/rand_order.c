/* the generator is seeded after the first number, not before: no native run from a fresh generator need show it
 * VERDICT different */
#include <stdlib.h>
int draw(unsigned seed)
{
#ifdef NEW
    int number = rand();
    srand(seed);
    return number;
#else
    srand(seed);
    return rand();
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned i = 0; i < 5; i++)
        printf("%d\n", draw(i));
    return 0;
}
#endif
