// tests: 37
// Numbers that the library reads are one value, whatever the bytes: they agree with a walk along the text, and so does where they end. The
// forks are those of the walk; the comparison of both ends, and of a number with another one behind it.
#include <assert.h>
#include <errno.h>
#include <sheaf.h>
#include <stdlib.h>

static long walked(const char *s, int base, const char **end)
{
    const char *p = s;
    long value = 0;
    int negative = 0, any = 0;
    while ((*p == ' ') | ((*p >= 9) & (*p <= 13)))
        p++;
    if ((*p == '-') | (*p == '+'))
        negative = *p++ == '-';
    for (; (*p >= '0') & (*p < '0' + base); p++, any = 1)
        value = value * base + (*p - '0');
    *end = any ? p : s;
    return negative ? -value : value;
}

int main(void)
{
    char s[3], *end;
    const char *there;
    unsigned char which;
    sheaf_symbolic(s, 2, "s");
    sheaf_symbolic(&which, 1, "which");
    s[2] = 0;
    errno = 0;
    if (which == 0)
        assert(atoi(s) == (int)walked(s, 10, &there));
    else if (which == 1)
        assert(strtol(s, &end, 10) == walked(s, 10, &there)), assert(end == there);
    else if (which == 2)
        assert(strtoul(s, &end, 8) == (unsigned long)walked(s, 8, &there)), assert(end == there);
    assert(errno == 0);
    return 0;
}
