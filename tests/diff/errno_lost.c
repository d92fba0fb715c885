/* one error path does not set errno any more
 * VERDICT different */
#include <errno.h>
int parse(const char *s, int *out)
{
    if (!s || !out)
        return -1;
    int v = 0;
    if (!*s) {
        errno = EINVAL;
        return -1;
    }
    for (; *s; s++) {
        if (*s < '0' || *s > '9') {
#ifdef NEW
            return -1;
#else
            errno = EINVAL;
            return -1;
#endif
        }
        v = v * 10 + (*s - '0');
        if (v > 9999) {
            errno = ERANGE;
            return -1;
        }
    }
    *out = v;
    return 0;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    const char *t[] = {"", "1", "1x", "99999"};
    for (int i = 0; i < 4; i++) {
        int v = 0;
        errno = 0;
        int r = parse(t[i], &v);
        printf("%d %d %d\n", r, v, errno);
    }
    return 0;
}
#endif
