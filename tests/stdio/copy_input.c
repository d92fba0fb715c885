// Copies standard input in several ways at once, counting.
#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int lines = 0, words = 0, bytes = 0, in_word = 0, c;
    while ((c = getchar_unlocked()) != EOF && bytes < 3000) {
        putchar_unlocked(toupper(c));
        bytes++;
        lines += c == '\n';
        if (isspace(c))
            in_word = 0;
        else if (!in_word)
            in_word = 1, words++;
    }
    ungetc(c, stdin);
    printf("\n%d %d %d\n", lines, words, bytes);
    char block[1000];
    size_t n, total = 0;
    while ((n = fread(block, 1, sizeof block, stdin)) > 0) {
        fwrite(block, 1, n, stdout);
        total += n;
    }
    printf("%zu %d\n", total, feof(stdin) != 0);
    printf("%zd\n", read(0, block, sizeof block));
    return 0;
}
