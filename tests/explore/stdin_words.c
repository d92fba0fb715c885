// tests: 27
// options: --sym-stdin 3
// Each byte is a blank, a newline or anything else: 3^3. Whether a word begins is then known.
#include <stdio.h>

int main(void)
{
    int c, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (c == ' ' || c == '\n') {
            inside = 0;
        } else {
            if (!inside)
                words++;
            inside = 1;
        }
    }
    return words;
}
