/* Strings of wide characters. */
#define _GNU_SOURCE
#include <stdio.h>
#include <wchar.h>

static const wchar_t *const words[] = {L"",    L"a",      L"b",      L"ab",          L"abc",
                                       L"ABC", L"abcabc", L"\x20ac", L"a\x7fffffff", L"x y  z"};
enum { WORDS = sizeof words / sizeof *words };

static void show(const wchar_t *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("%x ", (unsigned)s[i]);
    printf("\n");
}

static long at(const wchar_t *found, const wchar_t *base)
{
    return found ? found - base : -1;
}

int main(void)
{
    for (int i = 0; i < WORDS; i++) {
        const wchar_t *w = words[i];
        printf("%zu %zu %ld %ld %ld %ld\n", wcslen(w), wcsnlen(w, 2), at(wcschr(w, L'b'), w), at(wcsrchr(w, L'b'), w),
               at(wcschrnul(w, L'z'), w), at(wmemchr(w, L'c', wcslen(w)), w));
        for (int k = 0; k < WORDS; k++)
            printf("%d %d %d %d %d %ld %ld %zu %zu | ", wcscmp(w, words[k]), wcsncmp(w, words[k], 1),
                   wcscoll(w, words[k]), wcscasecmp(w, words[k]), wmemcmp(w, words[k], 1), at(wcsstr(w, words[k]), w),
                   at(wcspbrk(w, words[k]), w), wcsspn(w, words[k]), wcscspn(w, words[k]));
        wchar_t buffer[20];
        wmemset(buffer, L'#', 20);
        printf("\n%td %td\n", wcscpy(buffer, w) - buffer, wcpcpy(buffer, w) - buffer);
        show(buffer, 20);
        wmemset(buffer, L'#', 20);
        wcsncpy(buffer, w, 5);
        printf("%td ", wcpncpy(buffer + 8, w, 5) - buffer);
        show(buffer, 20);
        wcscpy(buffer, L"12");
        wcscat(buffer, w);
        wcsncat(buffer, w, 2);
        show(buffer, wcslen(buffer));
        wmemmove(buffer + 1, buffer, 5);
        wmemcpy(buffer + 10, buffer, 5);
        show(buffer, 8);
        printf("%d %d\n", wcswidth(w, 5), wcwidth(w[0]));
    }
    wchar_t line[] = L" one,two,,three ", *rest;
    for (wchar_t *t = wcstok(line, L" ,", &rest); t; t = wcstok(NULL, L" ,", &rest))
        printf("[%ls]", t);
    wchar_t *copy = wcsdup(L"copied");
    printf(" %ls %zu\n", copy, wcsxfrm(line, copy, 10));
    return 0;
}
