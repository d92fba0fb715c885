/* a swap without a third variable, of an object with itself. Open: the versions follow the pointers in another order
 * VERDICT different */
void swap(int *a, int *b)
{
#ifdef NEW
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
#else
    int t = *a;
    *a = *b;
    *b = t;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { int x = 5; swap(&x, &x); printf("%d\n", x); }
#endif
