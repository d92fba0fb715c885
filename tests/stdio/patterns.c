// fnmatch over a table of patterns, names and flags.
#include <fnmatch.h>
#include <stdio.h>

int main(void)
{
    static const char *const patterns[] = {"*", "*.c", "a*b", "?", "??", "[abc]", "[!a]*", "[a-c]x", "\\*", "a\\?b", "*/*.c",
                                           ".*", "[[:digit:]]*", "a**b", "", "[]]", "[a", "dir/*", "*[.]c", "x?y", "[^a-z]"};
    static const char *const names[] = {"", "a", "main.c", "ab", "axxb", "b", "bx", "*", "a?b", "src/main.c", ".hidden",
                                        "9lives", "]", "[a", "dir/file", "dir/.file", "x.y", "x/y", "A", "A.C"};
    static const int flags[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_PATHNAME | FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR};
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            printf("%d %s:", flags[f], patterns[p]);
            for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
                putchar(fnmatch(patterns[p], names[n], flags[f]) == 0 ? 'y' : '.');
            putchar('\n');
        }
    return 0;
}
