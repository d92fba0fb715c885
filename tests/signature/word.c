// What a byte is, printed: conditions are ranges of characters, outputs text with values in it.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    char s[3];
    sheaf_symbolic(s, sizeof s, "s");
    if (s[0] >= '0' && s[0] <= '9') {
        printf("digit %d\n", s[0] - '0');
        return 0;
    }
    if (s[0] >= 'a' && s[0] <= 'z') {
        printf("letter %c of %.3s\n", s[0], s);
        return 0;
    }
    fprintf(stderr, "nothing\n");
    return 1;
}
