/* what is written to the caller's stream, in two ways
 * VERDICT same */
#include <stdio.h>
#include <string.h>
int put(FILE *out, const char *s)
{
    int n = 0;
#ifdef NEW
    n = (int)strlen(s);
    for (int i = 0; i < n; i++)
        putc(s[i], out);
#else
    for (; *s; s++, n++)
        fputc(*s, out);
#endif
    return n;
}

#ifdef BRUTE
int main(void)
{
    for (int i = 0; i < 27; i++) {
        char s[4] = {"xy\0"[i % 3], "xy\0"[i / 3 % 3], "xy\0"[i / 9], 0};
        printf("%d\n", put(stdout, s));
    }
    return 0;
}
#endif
