/* strftime: every conversion, flags, widths, and the edges of weeks and years. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

int main(void)
{
    static const time_t times[] = {0,          951782400,     1078012800,    1230767999, 1230768000,
                                   1262304000, 1293839999,    1325376000,    1609459199, 1609459200,
                                   1700000000, 253402300799l, -62135596800l, 41400,      45000,
                                   1104537600, 1136073600};
    static const char letters[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%";
    char text[256];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm tm = *gmtime(&times[i]);
        for (const char *c = letters; *c; c++) {
            char format[] = {'%', *c, 0};
            size_t n = strftime(text, sizeof text, format, &tm);
            printf("%c:%zu[%s] ", *c, n, n ? text : "");
        }
        printf("\n");
    }
    struct tm tm = *gmtime(&times[10]);
    tm.tm_mday = 5, tm.tm_hour = 3, tm.tm_mon = 0;
    static const char flags[] = "_-0^#";
    for (const char *f = flags; *f; f++) {
        for (const char *c = letters; *c; c++) {
            if (*c == 's' || *c == 'n' || *c == 't')
                continue;
            char format[] = {'%', *f, *c, 0}, wide[] = {'%', *f, '1', '2', *c, 0};
            printf("%s[", format);
            if (strftime(text, sizeof text, format, &tm))
                printf("%s", text);
            printf("] ");
            if (!strchr("DFcrRTxX%zy", *c) && strftime(text, sizeof text, wide, &tm))
                printf("%s[%s] ", wide, text);
        }
        printf("\n");
    }
    static const char *const others[] = {
        "",      "plain", "%Ey %Od %EY", "%",   "%q",     "100%%", "%Y-%m-%dT%H:%M:%SZ", "%5%", "%^a %^B %#Z %#p %#a",
        "%010Y", "%_5d",  "%-5d",        "%3H", "%-m/%-d"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        memset(text, '#', 8);
        size_t n = strftime(text, sizeof text, others[i], &tm);
        printf("%zu[%s]\n", n, n ? text : "");
    }
    for (size_t room = 0; room < 14; room++) {
        size_t n = strftime(text, room, "%Y-%m-%d", &tm);
        printf("%zu:%zu ", room, n);
    }
    wchar_t wide[64];
    size_t n = wcsftime(wide, 64, L"%A %d %B %Y", &tm);
    printf("%zu %ls\n", n, wide);
    return 0;
}
