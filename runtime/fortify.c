/* fortify.c - what _FORTIFY_SOURCE makes of the functions that write memory: the size of the destination, as
 * the compiler knew it, is checked first. The checks of stdio are with stdio. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "internal.h"

static void need(size_t needed, size_t size)
{
    if (needed > size)
        __chk_fail();
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t size)
{
    need(n, size);
    return __builtin_memcpy(to, from, n);
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t size)
{
    need(n, size);
    return (char *)__builtin_memcpy(to, from, n) + n;
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size)
{
    need(n, size);
    return __builtin_memmove(to, from, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t size)
{
    need(n, size);
    return __builtin_memset(to, c, n);
}

void __explicit_bzero_chk(void *to, size_t n, size_t size)
{
    need(n, size);
    __builtin_memset(to, 0, n);
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strlen(from);
    need(length + 1, size);
    return (char *)__builtin_memcpy(to, from, length + 1) + length;
}

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strlen(from);
    need(length + 1, size);
    return __builtin_memcpy(to, from, length + 1);
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t size)
{
    need(n, size);
    return strncpy(to, from, n);
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t size)
{
    need(n, size);
    strncpy(to, from, n);
    char *end = memchr(to, 0, n);
    return end ? end : to + n;
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t size)
{
    need(strlen(to) + strlen(from) + 1, size);
    return strcat(to, from);
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t size)
{
    const char *end = memchr(from, 0, n);
    need(strlen(to) + (end ? (size_t)(end - from) : n) + 1, size);
    return strncat(to, from, n);
}

wchar_t *__wmemcpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t size)
{
    need(n, size);
    return wmemcpy(to, from, n);
}

wchar_t *__wmempcpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t size)
{
    need(n, size);
    return wmemcpy(to, from, n) + n;
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size)
{
    need(n, size);
    return wmemmove(to, from, n);
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t size)
{
    need(n, size);
    return wmemset(to, c, n);
}

wchar_t *__wcscpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
    need(wcslen(from) + 1, size);
    return wcscpy(to, from);
}

wchar_t *__wcpcpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
    size_t length = wcslen(from);
    need(length + 1, size);
    return wmemcpy(to, from, length + 1) + length;
}

wchar_t *__wcsncpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t size)
{
    need(n, size);
    return wcsncpy(to, from, n);
}

wchar_t *__wcscat_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
    need(wcslen(to) + wcslen(from) + 1, size);
    return wcscat(to, from);
}

wchar_t *__wcsncat_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t size)
{
    const wchar_t *end = wmemchr(from, 0, n);
    need(wcslen(to) + (end ? (size_t)(end - from) : n) + 1, size);
    return wcsncat(to, from, n);
}

size_t __mbstowcs_chk(wchar_t *restrict to, const char *restrict from, size_t n, size_t size)
{
    need(n, size);
    return mbstowcs(to, from, n);
}

size_t __wcstombs_chk(char *restrict to, const wchar_t *restrict from, size_t n, size_t size)
{
    need(n, size);
    return wcstombs(to, from, n);
}

size_t __mbsrtowcs_chk(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state,
                       size_t size)
{
    need(n, size);
    return mbsrtowcs(to, from, n, state);
}

size_t __wcsrtombs_chk(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state,
                       size_t size)
{
    need(n, size);
    return wcsrtombs(to, from, n, state);
}

size_t __wcrtomb_chk(char *restrict to, wchar_t c, mbstate_t *restrict state, size_t size)
{
    need(1, size);
    return wcrtomb(to, c, state);
}

int __wctomb_chk(char *to, wchar_t c, size_t size)
{
    need(1, size);
    return wctomb(to, c);
}

size_t __confstr_chk(int name, char *buffer, size_t n, size_t size)
{
    need(n, size);
    return confstr(name, buffer, n);
}

int __gethostname_chk(char *name, size_t n, size_t size)
{
    need(n, size);
    return gethostname(name, n);
}

int __getgroups_chk(int n, gid_t *groups, size_t size)
{
    need((size_t)n * sizeof *groups, size);
    return getgroups(n, groups);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
    (void)priority, (void)flag, (void)format;
}
