/* a function that reads standard input is not the same because both find it empty
 * VERDICT different */
#include <stdio.h>

int is_letter(void)
{
    int c = getchar();
#ifdef NEW
    return c >= 'a' && c <= 'y';
#else
    return c >= 'a' && c <= 'z';
#endif
}

#ifdef BRUTE
int main(void)
{
    for (int c = 'a'; c <= 'z'; c++) {
        ungetc(c, stdin);
        printf("%d\n", is_letter());
    }
    return 0;
}
#endif
