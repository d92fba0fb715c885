/* Which text is meant says a byte that was compared before: each byte of the text is asked about by a pointer that may be one of two, and
 * none of these questions has two answers. */
#include <sheaf.h>
#include <stdio.h>
#include <string.h>

static char told[64];

static void complain(int line, const char *what) { snprintf(told, sizeof told, "line %d: %s", line, what); }

static void quoted(char quote) { complain(1, quote == '"' ? "a string is not closed" : "a quoted symbol is not closed"); }

int main(void)
{
    char s[3];
    sheaf_symbolic(s, sizeof s, "s");
    for (int i = 0; i < 3; i++)
        if (s[i] == '"' || s[i] == '|')
            quoted(s[i]);
    return strlen(told) > 30;
}
