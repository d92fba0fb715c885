// tests: 6
// options: --sym-stdin 5
// A line is read into 4 bytes without a look at their end: it ends after 0, 1, 2 or 3 characters (4 tests), or a fourth is there
// and leaves no room for the NUL (a newline), or for the fifth.
#include <stdio.h>

int main(void)
{
    char line[4];
    int c, n = 0;
    while ((c = getchar()) != '\n' && c != EOF)
        line[n++] = (char)c; //! oob-write
    line[n] = 0; //! oob-write
    return n;
}
