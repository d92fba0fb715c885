// String handling by hand: words split, reversed, searched and joined, byte by byte.
#include <stdio.h>

static int length(const char *s)
{
    int n = 0;
    while (s[n])
        n++;
    return n;
}

static void reverse(char *s, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        char t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
}

static int find(const char *text, const char *word)
{
    for (int i = 0; text[i]; i++) {
        int j = 0;
        while (word[j] && text[i + j] == word[j])
            j++;
        if (!word[j])
            return i;
    }
    return -1;
}

int main(void)
{
    static char text[4096];
    const char *words[] = {"stalk", "sheaf", "grain", "field", "harvest", "winnow", "thresh", "mill"};
    long sum = 0;
    for (int round = 0; round < 7500; round++) {
        int at = 0;
        for (int w = 0; w < 400; w++) {
            const char *word = words[(w * 7 + round) % 8];
            for (int i = 0; word[i]; i++)
                text[at++] = word[i];
            text[at++] = w % 10 == 9 ? '\n' : ' ';
        }
        text[at] = 0;
        sum += length(text);
        for (int i = 0, start = 0; i <= at; i++)
            if (text[i] == ' ' || text[i] == '\n' || !text[i]) {
                reverse(text + start, i - start);
                start = i + 1;
            }
        sum += find(text, "llim\nfaehs") + find(text, "absent");
    }
    printf("%ld\n", sum);
    return 0;
}
