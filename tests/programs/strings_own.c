// Text by hand: word count, palindromes, caesar, run-length coding, number formatting.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int words(const char *s)
{
    int n = 0, inside = 0;
    for (; *s; s++)
        if (isspace((unsigned char)*s))
            inside = 0;
        else if (!inside)
            n++, inside = 1;
    return n;
}

static int palindrome(const char *s)
{
    size_t i = 0, j = strlen(s);
    while (i < j) {
        if (!isalpha((unsigned char)s[i])) { i++; continue; }
        if (!isalpha((unsigned char)s[j - 1])) { j--; continue; }
        if (tolower((unsigned char)s[i]) != tolower((unsigned char)s[j - 1]))
            return 0;
        i++, j--;
    }
    return 1;
}

static void caesar(char *s, int by)
{
    for (; *s; s++)
        if (isupper((unsigned char)*s))
            *s = (char)('A' + (*s - 'A' + by + 26) % 26);
        else if (islower((unsigned char)*s))
            *s = (char)('a' + (*s - 'a' + by + 26) % 26);
}

static void squeeze(const char *s, char *out)
{
    while (*s) {
        int n = 1;
        while (s[n] == *s)
            n++;
        out += n > 1 ? sprintf(out, "%d%c", n, *s) : sprintf(out, "%c", *s);
        s += n;
    }
    *out = 0;
}

int main(void)
{
    char text[] = "The quick Brown fox, Zigzag!", out[64];
    printf("%d %d %d\n", words("  one two\tthree\n"), palindrome("A man, a plan, a canal: Panama"), palindrome("sheaf"));
    caesar(text, 3);
    puts(text);
    caesar(text, -3);
    puts(text);
    squeeze("aaabccddddde", out);
    puts(out);
    return words(text);
}
