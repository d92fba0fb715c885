// tests: 6
// options: --entry same
// A string that a caller passes ends at its first NUL, wherever that is: one byte behind the beginning may be behind its end. What the
// function writes into it moves no end.
#include <string.h>

int same(char *s, const char *t)
{
    char first = *s; //? null
    if (strcmp(s + 1, "ab") == 0) //! oob-read
        return 1;
    if (strcmp(s, t) == 0) //? null
        return 2;
    s[0] = 'z';
    return strchr("+-", *t) ? 3 : strcmp(s, "zz") == first;
}
