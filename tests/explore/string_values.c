// tests: 26
// Comparisons by the library are one value, whatever the bytes: they agree with a walk along the strings. The forks are those of the walk.
#include <assert.h>
#include <sheaf.h>
#include <string.h>
#include <strings.h>

static int walked(const char *a, const char *b, size_t n, int nul, int folded)
{
    for (size_t i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (folded)
            x += 32 * ((x >= 'A') & (x <= 'Z')), y += 32 * ((y >= 'A') & (y <= 'Z'));
        if (x != y || (nul && !x))
            return x - y;
    }
    return 0;
}

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char s[3], t[3], l[39], m[39];
    unsigned char which;
    sheaf_symbolic(s, 2, "s");
    sheaf_symbolic(t, 2, "t");
    sheaf_symbolic(&which, 1, "which");
    s[2] = t[2] = 0;
    switch (which) {
    case 0: assert(sign(strcmp(s, t)) == sign(walked(s, t, 3, 1, 0))); break;
    case 1: assert(sign(strcmp("a", t)) == sign(walked("a", t, 3, 1, 0))); break;
    case 2: assert(sign(strncmp(s, t, 2)) == sign(walked(s, t, 2, 1, 0))); break;
    case 3: assert(sign(strcasecmp(s, "Az")) == sign(walked(s, "Az", 3, 1, 1))); break;
    case 4: assert(sign(strncasecmp(s, t, 1)) == sign(walked(s, t, 1, 1, 1))); break;
    case 5: assert(sign(memcmp(s, t, 2)) == sign(walked(s, t, 2, 0, 0))); break;
    case 6: /* more than one expression holds */
        memset(l, 'a', 38);
        memset(m, 'a', 38);
        l[1] = s[0], l[33] = s[1], l[38] = m[38] = 0;
        assert(sign(strcmp(l, m)) == sign(walked(l, m, 39, 1, 0)));
        break;
    default: break;
    }
    return 0;
}
