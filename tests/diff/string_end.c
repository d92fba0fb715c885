/* a copy that forgets the end of the string
 * VERDICT different */
static char name[8];
/* Copies up to seven letters. */
int copy(int letters, int letter)
{
    int i = 0;
    for (int k = 0; k < 8; k++)
        name[k] = 'x';
    for (; i < (letters & 7); i++)
        name[i] = (char)letter;
#ifndef NEW
    name[i] = 0;
#endif
    return name[letters & 7];
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 8; a++)
        for (int b = 60; b < 70; b++)
            printf("%d\n", copy(a, b));
    return 0;
}
#endif
