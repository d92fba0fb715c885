/* Conversions that are a letter alone, or `l` and a letter; and what looks like one. */
#include <stdio.h>

int main(void)
{
    const char *volatile none = NULL;
    const char *formats[] = {"%d|", "%u|", "%x|", "%c|"};
    int n = printf("%s|%d|%u|%x|%c|%ld|%lu|%lx|%%|%s\n", none, -5, 4000000000u, 0xbeefu, 'q', -7000000000L, 7000000000UL,
                   0xabcdef012UL, "end");
    printf("%d\n", n);
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        n += printf(formats[i], 65 + (int)i);
    n += printf("%s%s%d%s\n", "", "a", 0, "");
    n += printf("%5d|%-4u|%04x|%3c|%.2s|%hd|%hhu|%lld|%zu\n", 7, 8u, 9u, 'z', "cut", (short)-3, (unsigned char)200, -1LL, sizeof n);
    n += fprintf(stderr, "%d to %s\n", 1, "stderr");
    n += printf("%c%c%c\n", 'a', 0, 'b');
    printf("%d\n", n);
    return 0;
}
