/* a swap without a third variable asks first whether there is anything to do, and then takes two null pointers
 * VERDICT different */
void swap(int *a, int *b)
{
#ifdef NEW
    if (a != b) {
        *a ^= *b;
        *b ^= *a;
        *a ^= *b;
    }
#else
    int t = *a;
    *a = *b;
    *b = t;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { int x = 5, y = 7; swap(&x, &y); printf("%d %d\n", x, y); fflush(stdout); swap(0, 0); puts("end"); }
#endif
