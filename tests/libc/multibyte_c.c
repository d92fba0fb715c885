/* Bytes to wide characters and back in the C locale. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    for (int c = 0; c < 256; c++) {
        char byte = (char)c;
        wchar_t wide = 7;
        mbstate_t state;
        memset(&state, 0, sizeof state);
        errno = 0;
        size_t r = mbrtowc(&wide, &byte, 1, &state);
        printf("%d: %zd %d %d %d | %d %d %d %zd\n", c, r, (int)wide, errno, mbsinit(&state) != 0, (int)btowc(c),
               mbtowc(&wide, &byte, 1), mblen(&byte, 1), mbrlen(&byte, 1, NULL));
    }
    static const int wides[] = {0, 65, 127, 128, 255, 256, 0x20ac, 0x10ffff, -1};
    for (size_t i = 0; i < sizeof wides / sizeof *wides; i++) {
        char out[16] = "?";
        errno = 0;
        size_t r = wcrtomb(out, wides[i], NULL);
        printf("%x: %zd %d %d %d %d\n", wides[i], r, out[0], errno, wctob((wint_t)wides[i]), wctomb(out, wides[i]));
    }
    printf("%d %d %d %d\n", mbtowc(NULL, NULL, 0), wctomb(NULL, L'x'), mblen(NULL, 0), (int)btowc(EOF));
    wchar_t wide[8];
    char narrow[8];
    for (size_t n = 0; n < 7; n++) {
        wmemset(wide, L'#', 8);
        memset(narrow, '#', 8);
        printf("%zd %zd", mbstowcs(wide, "abcd", n), wcstombs(narrow, L"wxyz", n));
        for (int i = 0; i < 6; i++)
            printf(" %x/%x", (unsigned)wide[i], (unsigned char)narrow[i]);
        const char *s = "hello";
        const wchar_t *w = L"world";
        printf(" %zd %d %zd %d\n", mbsrtowcs(wide, &s, n, NULL), s ? *s : -1, wcsrtombs(narrow, &w, n, NULL),
               w ? (int)*w : -1);
    }
    errno = 0;
    printf("%zd %d ", mbstowcs(wide, "ab\xe9", 8), errno);
    errno = 0;
    printf("%zd %d ", wcstombs(narrow, L"ab\x20ac", 8), errno);
    printf("%zd %zd\n", mbstowcs(NULL, "counted", 0), wcstombs(NULL, L"counted too", 0));
    return 0;
}
