// tests: 6
// options: --sym-stdin 3
// Three bytes without a NUL: comparing them with more runs over their end if all of them are equal, and the place is the call's. "no", what
// begins with x, what begins with h and differs, others that differ; "hel", and "hel" in other letters, fail.
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char s[3];
    fread(s, 1, 3, stdin);
    if (strcmp(s, "no") == 0)
        return 1;
    if (s[0] == 'x')
        return memcmp(s, "xyz", 3) == 0;
    if (s[0] == 'h')
        return strcmp("help", s) > 0; //! oob-read
    return strcasecmp(s, "held") == 0; //! oob-read
}
