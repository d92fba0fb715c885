/* another error code
 * VERDICT different */
enum { OK = 0, BAD = -1, TOO_LARGE = -2 };
/* Checks a length. */
int check(int length, int most)
{
    if (length < 0)
        return BAD;
    if (length > most)
#ifdef NEW
        return TOO_LARGE;
#else
        return BAD;
#endif
    return OK;
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", check(a, b));
    return 0;
}
#endif
