// tests: 8
// options: --sym-stdin 6
// A word among others: each comparison decides whether the word is that one, not where it differs; so does a byte among others. Five
// words, a digit, an operator, anything else. The word stands at the end of 64 KiB that are known.
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    static const char *const words[] = {"else", "while", "if", ""};
    static char text[1 << 16];
    char *word = text + (sizeof text - 8);
    memset(text, 'x', sizeof text - 8);
    fread(word, 1, 6, stdin);
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    if (strncasecmp(word, "RETURN", 6) == 0)
        return 4;
    const char *digits = "0123456789", *digit = strchr(digits, word[0]);
    if (digit && word[0])
        return 10 + (digit - digits > 4);
    if (memchr("+-*/", word[0], 4))
        return 12;
    return strcmp(text, text + 1) < 0;
}
