/* The checked variants that headers call, where nothing is wrong. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <wchar.h>

void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t),
    *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t),
    *__strcat_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t), *__strncat_chk(char *, const char *, size_t, size_t),
    *__stpncpy_chk(char *, const char *, size_t, size_t);
wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t), *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t),
    *__wcscat_chk(wchar_t *, const wchar_t *, size_t);

int main(void)
{
    char b[16];
    puts(__strcpy_chk(b, "hello", sizeof b));
    puts(__strcat_chk(b, ", you", sizeof b));
    printf("%td\n", __stpcpy_chk(b, "fifteen letters", sizeof b) - b);
    puts(__memset_chk(b, 'x', 5, sizeof b));
    puts(__memcpy_chk(b, "12", 2, sizeof b));
    puts(__memmove_chk(b + 1, b, 8, sizeof b - 1));
    printf("%td\n", (char *)__mempcpy_chk(b, "abc", 3, sizeof b) - b);
    puts(__strncpy_chk(b, "four", 10, sizeof b));
    puts(__strncat_chk(b, "and more", 3, sizeof b));
    printf("%td %td %s\n", __stpncpy_chk(b, "xyz", 2, sizeof b) - b, __stpncpy_chk(b, "xyz", 8, sizeof b) - b, b);
    wchar_t w[8];
    __wcscpy_chk(w, L"wide", 8);
    __wcscat_chk(w, L"st", 8);
    printf("%ls\n", w);
    __wmemset_chk(w, L'q', 3, 8);
    printf("%ls\n", w);
    return 0;
}
