/* wchar.c - strings of wide characters: wchar.h without streams and conversions. */
#include <stdlib.h>
#include <wchar.h>

#include "internal.h"

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return __builtin_memcpy(to, from, n * sizeof *to);
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return (wchar_t *)__builtin_memcpy(to, from, n * sizeof *to) + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    return __builtin_memmove(to, from, n * sizeof *to);
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

/* Without a decision for each character: see compare in memory.c. */
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        int here = (a[i] > b[i]) - (a[i] < b[i]);
        order = order ? order : here;
    }
    return order;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)(s + i);
    return NULL;
}

static wchar_t *copy(wchar_t *restrict to, const wchar_t *restrict from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy(to, from);
    return to;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) { return copy(to, from); }

static wchar_t *copy_padded(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t length = 0;
    while (length < n && from[length])
        length++;
    __builtin_memcpy(to, from, length * sizeof *to);
    __builtin_memset(to + length, 0, (n - length) * sizeof *to);
    return to + length;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return copy_padded(to, from, n);
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    wchar_t *end = to + wcslen(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    while ((*a == *b) & (*a != 0)) {
        a++;
        b++;
    }
    return (*a > *b) - (*a < *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    if (n == 0)
        return 0;
    size_t i = 0;
    while (i < n - 1 && (a[i] == b[i]) & (a[i] != 0))
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    size_t length = wcslen(from);
    if (n)
        __builtin_memcpy(to, from, (length + 1 < n ? length + 1 : n) * sizeof *to);
    return length;
}

static int compare_folded(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = ascii_lower(a[i]), y = ascii_lower(b[i]);
        if ((x != y) | (x == 0))
            return x - y;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return compare_folded(a, b, SIZE_MAX); }

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare_folded(a, b, n); }

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
    while ((*s != c) & (*s != 0))
        s++;
    return (wchar_t *)s;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    while ((*s != c) & (*s != 0))
        s++;
    if (*s == c)
        return (wchar_t *)s;
    decided();
    return NULL;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    for (size_t i = wcslen(s) + 1; i-- > 0;)
        if (s[i] == c)
            return (wchar_t *)(s + i);
    return NULL;
}

static bool member(wchar_t c, const wchar_t *set)
{
    bool found = false;
    for (; *set; set++)
        found |= c == *set;
    return found;
}

size_t wcsspn(const wchar_t *s, const wchar_t *accept)
{
    size_t n = 0;
    while ((s[n] != 0) & member(s[n], accept))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *reject)
{
    size_t n = 0;
    while ((s[n] != 0) & !member(s[n], reject))
        n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept)
{
    s += wcscspn(s, accept);
    if (*s)
        return (wchar_t *)s;
    decided();
    return NULL;
}

wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle)
{
    size_t nhay = wcslen(hay), nneedle = wcslen(needle);
    for (size_t i = 0; i + nneedle <= nhay; i++)
        if (wmemcmp(hay + i, needle, nneedle) == 0)
            return (wchar_t *)(hay + i);
    return NULL;
}

wchar_t *wcswcs(const wchar_t *hay, const wchar_t *needle) { return wcsstr(hay, needle); }

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict rest)
{
    if (!s)
        s = *rest;
    if (!s)
        return NULL;
    s += wcsspn(s, separators);
    if (!*s) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + wcscspn(s, separators);
    *rest = NULL;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    }
    return s;
}

wchar_t *wcsdup(const wchar_t *s)
{
    size_t size = (wcslen(s) + 1) * sizeof *s;
    wchar_t *copied = malloc(size);
    return copied ? __builtin_memcpy(copied, s, size) : NULL;
}

int wcwidth(wchar_t c) { return c == 0 ? 0 : byte_between(c, 32, 126) ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n && s[i]; i++) {
        if (!byte_between(s[i], 32, 126))
            return -1;
        width++;
    }
    return width;
}

int wcscoll_l(const wchar_t *a, const wchar_t *b, locale_t locale)
{
    (void)locale;
    return wcscmp(a, b);
}

int wcscasecmp_l(const wchar_t *a, const wchar_t *b, locale_t locale)
{
    (void)locale;
    return compare_folded(a, b, SIZE_MAX);
}

int wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, locale_t locale)
{
    (void)locale;
    return compare_folded(a, b, n);
}
