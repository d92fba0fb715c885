/* sheaf: --sym-stdin 7 */
/* Counts words, and fails on a certain one: thousands of paths, a second or more. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int main(void)
{
    char text[8] = "", word[8] = "";
    int words = 0, n = 0;
    size_t got = fread(text, 1, sizeof text - 1, stdin);
    for (size_t i = 0; i <= got; i++) {
        if (letter(text[i])) {
            word[n++] = text[i];
            continue;
        }
        word[n] = 0;
        if (n && !strcmp(word, "no"))
            assert(words != 1);
        words += n > 0;
        n = 0;
    }
    if (words == 3)
        puts("three");
    return words;
}
