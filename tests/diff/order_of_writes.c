/* two writes that do not touch each other change places
 * VERDICT same */
static int last, count;
/* Takes a number in. */
int take(int x)
{
    last = 0;
    count = 1;
#ifdef NEW
    count += x > 0;
    last = x;
#else
    last = x;
    count += x > 0;
#endif
    return last + count;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", take(a));
    return 0;
}
#endif
