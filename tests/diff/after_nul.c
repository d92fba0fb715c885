/* what stands after the NUL of a string that is copied
 * VERDICT different */
void copy(char dest[4], const char *src)
{
    int i = 0;
    for (; i < 3 && src[i]; i++)
        dest[i] = src[i];
#ifdef NEW
    dest[i] = 0;
#else
    for (; i < 4; i++)
        dest[i] = 0;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    char d[4] = "xyz";
    copy(d, "a");
    printf("%d %d %d %d\n", d[0], d[1], d[2], d[3]);
    return 0;
}
#endif
