/* an element is read through a pointer into the middle of the array: both versions must see one array, however much of it each uses
 * VERDICT same */
#ifdef NEW
static int at(const char *from, unsigned n) { return from[n]; }
#endif
int weigh(const char *b, unsigned n)
{
    if (!b || n < 1 || n > 3)
        return 0;
#ifdef NEW
    return b[0] + at(b + 1, n - 1) + b[n];
#else
    return b[n] * 2 + b[0];
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    const char b[] = "sheaf";
    for (unsigned n = 0; n < 5; n++)
        printf("%d\n", weigh(b, n));
    return 0;
}
#endif
