// tests: 5
// uncovered: 1 because a loop's condition is one branch in the IR, whichever operand of && ends it, and two for clang
// A byte is below '0', above '9' or a digit, which goes on. Two bytes, then a NUL that is constant: 2 + 1 * (2 + 1).
#include <sheaf.h>

int main(void)
{
    char s[3];
    int value = 0;
    sheaf_symbolic(s, 2, "s");
    s[2] = 0;
    for (const char *p = s; *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (*p - '0');
    return value;
}
