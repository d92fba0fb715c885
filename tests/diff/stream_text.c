/* another text for the caller's stream
 * VERDICT different */
#include <stdio.h>
int put(FILE *out, int n)
{
    if (n > 3)
#ifdef NEW
        return fprintf(out, "%d\n", n) < 0;
#else
        return fprintf(out, "%d \n", n) < 0;
#endif
    return 0;
}

#ifdef BRUTE
int main(void)
{
    for (int i = 0; i < 9; i++)
        put(stdout, i);
    return 0;
}
#endif
