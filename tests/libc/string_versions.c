/* Comparison of versions, and the parts of paths. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *dirname(char *);
char *__xpg_basename(char *);

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

int main(void)
{
    static const char *const versions[] = {
        "",      "0",      "00",   "000",     "01",  "001",  "010",   "09",    "1",     "9",   "10",   "99",
        "100",   "a",      "a0",   "a00",     "a01", "a010", "a1",    "a9",    "a10",   "a1b", "a1.2", "a1.10",
        "a1.02", "a1.020", "a1.0", "1.0~rc1", "b1",  "foo2", "foo10", "foo02", "foo.1", "foo."};
    enum { N = sizeof versions / sizeof *versions };
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++)
            printf("%2d ", sign(strverscmp(versions[i], versions[k])));
        printf(" %s\n", versions[i]);
    }
    static const char *const paths[] = {"",    "/",    "//",    "///",       "a", "a/", "a//", "/a",    "//a", "/a/",
                                        "a/b", "a//b", "/a/b/", "a/b//c///", ".", "..", "./x", "//a/b", "///a"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char one[32], two[32];
        strcpy(one, paths[i]);
        strcpy(two, paths[i]);
        printf("[%s] gnu [%s] base [%s]", paths[i], basename(paths[i]), __xpg_basename(one));
        printf(" dir [%s]\n", dirname(two));
    }
    printf("%s %s\n", __xpg_basename(NULL), dirname(NULL));
    return 0;
}
