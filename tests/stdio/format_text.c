// Strings, characters, pointers, percent signs, odd formats.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    char open[3] = {'a', 'b', 'c'};
    const char *volatile none = NULL;
    printf("%s|%10s|%-10s|%.2s|%10.2s|%-10.2s|\n", "text", "text", "text", "text", "text", "text");
    printf("%.3s|%.*s\n", open, 2, open);
    printf("%s|%10s|%.3s|%.6s\n", none, none, none, none);
    printf("%c%c%c|%5c|%-5c|\n", 'a', 'b', 'c', 'd', 'e');
    printf("%c|%d\n", 0, printf("%c", 0));
    printf("%p %10p %-10p|\n", (void *)0, (void *)0, (void *)0);
    printf("%p %20p %-20p|\n", (void *)0x1234, (void *)0xabcdef, (void *)0x10);
    printf("100%% %5% %d\n", 1);
    printf("%ls|%5ls|%.2ls|%lc|%S\n", L"wide", L"ab", L"abcd", L'x', L"big");
    errno = ENOENT;
    printf("%m|%.2m\n");
    printf("%2$s %1$s %2$s\n", "one", "two");
    printf("%d %s\n", printf("%"), "after");
    printf("%s", "");
    puts("");
    fputs("no newline", stdout);
    putchar('\n');
    fwrite("a\0b\n", 1, 4, stdout);
    for (int i = 0; i < 300; i++)
        putchar('a' + i % 26);
    putchar('\n');
    printf("%300s|\n", "far");
    printf("%-300s|\n", "left");
    printf("%0300d|\n", 7);
    return 0;
}
