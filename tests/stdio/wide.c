// Wide-character streams and formats in the C locale.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    wprintf(L"%d %ls %s %lc %5.2f|%-6d|\n", 42, L"wide", "narrow", L'x', 1.5, 7);
    fputws(L"a wide line\n", stdout);
    putwchar(L'!');
    fputwc(L'\n', stdout);
    wchar_t buffer[32];
    int n = swprintf(buffer, 32, L"%d-%ls", 12, L"ab");
    wprintf(L"%d %ls %d\n", n, buffer, (int)wcslen(buffer));
    n = swprintf(buffer, 4, L"%d", 123456);
    wprintf(L"%d\n", n < 0);
    int a, b;
    wchar_t word[16];
    char plain[16];
    n = swscanf(L"10 20 alpha beta", L"%d %d %ls %s", &a, &b, word, plain);
    wprintf(L"%d %d %d %ls %s\n", n, a, b, word, plain);
    wint_t c = getwchar();
    ungetwc(c, stdin);
    wprintf(L"%lc%lc\n", c, getwchar());
    wprintf(L"%ls", fgetws(buffer, 32, stdin));
    n = wscanf(L"%d", &a);
    wprintf(L"%d %d\n", n, a);
    getwchar();
    wprintf(L"%d\n", getwchar() == WEOF);
    return 0;
}
