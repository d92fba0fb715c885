// tests: 4
// A signed char that is above 127 as int never is; an unsigned one is. Comparison of signed with unsigned is unsigned.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    signed char s;
    unsigned char u;
    sheaf_symbolic(&s, sizeof s, "s");
    sheaf_symbolic(&u, sizeof u, "u");
    int kind = 0;
    if (s > 127)
        kind += 100;
    if (u > 127)
        kind += 1;
    if ((unsigned)s > 1000u) {
        assert(s < 0);
        kind += 2;
    }
    return kind;
}
