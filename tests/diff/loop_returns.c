/* a loop that returns from its middle stays, the check before it is rewritten
 * VERDICT same */
#ifdef NEW
int find(unsigned v, unsigned step)
{
    if (!step)
        return -2;
    for (int i = 0; i < 1000; i++) {
        if (v % 7 == 3)
            return i;
        v = v * 5 + step;
    }
    return -1;
}
#else
int find(unsigned v, unsigned step)
{
    if (step == 0)
        return -2;
    for (int i = 0; i < 1000; i++) {
        if (v % 7 == 3)
            return i;
        v = v * 5 + step;
    }
    return -1;
}
#endif

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 60; a++)
        for (unsigned n = 0; n < 60; n++)
            printf("%d\n", find(a, n));
    return 0;
}
#endif
