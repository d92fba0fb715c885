/* an initial value was lost
 * VERDICT different */
/* The largest of three, none below zero. */
int largest(int a, int b, int c)
{
#ifdef NEW
    int most = a;
#else
    int most = 0;
#endif
    if (a > most)
        most = a;
    if (b > most)
        most = b;
    if (c > most)
        most = c;
    return most;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -4; a <= 4; a++)
        for (int b = -4; b <= 4; b++)
            for (int c = -4; c <= 4; c++)
                printf("%d\n", largest(a, b, c));
    return 0;
}
#endif
