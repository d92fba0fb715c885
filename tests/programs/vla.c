// Variable-length arrays: in loops, two-dimensional, as parameters, sizeof at run time, alloca.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int m[n][n])
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

static char *repeat(char *out, const char *s, int n)
{
    char *at = alloca(strlen(s) * n + 1);
    at[0] = 0;
    for (int i = 0; i < n; i++)
        strcat(at, s);
    return strcpy(out, at);
}

int main(void)
{
    long total = 0;
    for (int n = 1; n <= 20; n++) {
        int m[n][n];
        for (int i = 0; i < n * n; i++)
            m[0][i] = i;
        total += trace(n, m) + (long)sizeof m;
    }
    printf("%ld\n", total);
    char out[64];
    puts(repeat(out, "ab", 5));
    int deep = 0;
    for (int i = 1; i < 2000; i++) {
        char block[i];
        block[i - 1] = (char)i;
        deep += block[i - 1];
    }
    printf("%d\n", deep);
    return 0;
}
