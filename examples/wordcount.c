/* Counts lines, words and bytes of standard input, as wc does. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    long lines = 0, words = 0, bytes = 0;
    int inside = 0, c;
    while ((c = getchar()) != EOF) {
        bytes++;
        lines += c == '\n';
        if (isspace(c))
            inside = 0;
        else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%ld lines, %ld words, %ld bytes\n", lines, words, bytes);
    return 0;
}
