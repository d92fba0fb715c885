/* another message
 * VERDICT different */
#include <stdio.h>
/* Says what it was given. */
int say(int x)
{
    if (x > 10)
#ifdef NEW
        printf("more than ten\n");
#else
        printf("large\n");
#endif
    else
        printf("%d\n", x);
    return 0;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -5; a < 20; a++)
        say(a);
    return 0;
}
#endif
