/* a loop becomes calls of strchr
 * VERDICT same */
#include <string.h>
int fields(const char *s)
{
    char b[5];
    int n = 0;
    if (!s)
        return -1;
    for (n = 0; n < 4 && s[n]; n++)
        b[n] = s[n];
    b[n] = 0;
    n = 0;
#ifdef NEW
    for (char *p = strchr(b, ','); p; p = strchr(p + 1, ','))
        n++;
#else
    for (int i = 0; b[i]; i++)
        n += b[i] == ',';
#endif
    return n + 1;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    const char *t[] = {"", "a", ",", "a,b", ",,,,,"};
    for (int i = 0; i < 5; i++)
        printf("%d\n", fields(t[i]));
    return 0;
}
#endif
