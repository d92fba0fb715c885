/* string.c - the str* half of string.h: length, copy, comparison, search. What needs more is in
 * string_more.c. */
#include <string.h>
#include <strings.h>

#include "window.h"

size_t strlen(const char *s)
{
    const char *end = s;
    while (*end)
        end++;
    return (size_t)(end - s);
}

static size_t length_up_to(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most) { return length_up_to(s, most); }

/* Copies the string and returns where its NUL went. */
static char *copy(char *restrict to, const char *restrict from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from) { return copy(to, from); }

char *__stpcpy(char *restrict to, const char *restrict from) { return copy(to, from); }

char *strcpy(char *restrict to, const char *restrict from)
{
    copy(to, from);
    return to;
}

/* Copies at most n bytes, fills the rest of n with NULs and returns where the first of them is. */
static char *copy_padded(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = length_up_to(from, n);
    __builtin_memcpy(to, from, length);
    __builtin_memset(to + length, 0, n - length);
    return to + length;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_padded(to, from, n); }

char *__stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_padded(to, from, n); }

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    copy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    char *end = to + strlen(to);
    size_t length = length_up_to(from, n);
    __builtin_memcpy(end, from, length);
    end[length] = '\0';
    return to;
}

int strcmp(const char *a, const char *b)
{
    size_t n = SIZE_MAX;
    int difference = 0;
    if (string_compared(&a, &b, &n, false, &difference))
        return difference;
    while ((*a == *b) & (*a != '\0')) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
    int difference = 0;
    if (string_compared(&a, &b, &n, false, &difference))
        return difference;
    if (n == 0)
        return 0;
    size_t i = 0;
    while (i < n - 1 && (a[i] == b[i]) & (a[i] != '\0'))
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcasecmp(const char *a, const char *b) { return string_compare_folded(a, b, SIZE_MAX); }

int strncasecmp(const char *a, const char *b, size_t n) { return string_compare_folded(a, b, n); }

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = strlen(from);
    if (n)
        __builtin_memcpy(to, from, length + 1 < n ? length + 1 : n);
    return length;
}

static char *find_or_end(const char *s, char c)
{
    while ((*s != c) & (*s != '\0'))
        s++;
    return (char *)s;
}

char *strchrnul(const char *s, int c) { return find_or_end(s, (char)c); }

char *__strchrnul(const char *s, int c) { return find_or_end(s, (char)c); }

char *strchr(const char *s, int c)
{
    const unsigned char *at = (const unsigned char *)s, *found = NULL;
    size_t most = SIZE_MAX;
    if (byte_found(&at, &most, 0, (unsigned char)c, &found))
        return (char *)found;
    s = (const char *)at;
    s = find_or_end(s, (char)c);
    if (*s == (char)c)
        return (char *)s;
    decided();
    return NULL;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c)
{
    for (size_t i = strlen(s) + 1; i-- > 0;)
        if (s[i] == (char)c)
            return (char *)(s + i);
    return NULL;
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

/* Is c, which is not NUL, in the set? One value, whatever the length of the set. */
static bool member(char c, const char *set)
{
    bool found = false;
    for (; *set; set++)
        found |= c == *set;
    return found;
}

size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;
    while ((s[n] != '\0') & member(s[n], accept))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *reject)
{
    size_t n = 0;
    while ((s[n] != '\0') & !member(s[n], reject))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accept)
{
    s += strcspn(s, accept);
    if (*s)
        return (char *)s;
    decided();
    return NULL;
}

char *strstr(const char *hay, const char *needle)
{
    return __sheaf_find(hay, strlen(hay), needle, strlen(needle));
}

char *strcasestr(const char *hay, const char *needle)
{
    size_t nhay = strlen(hay), nneedle = strlen(needle);
    for (size_t i = 0; i + nneedle <= nhay; i++) {
        bool differ = false;
        for (size_t j = 0; j < nneedle; j++)
            differ |= ascii_lower((unsigned char)hay[i + j]) != ascii_lower((unsigned char)needle[j]);
        if (!differ) {
            decided();
            return (char *)(hay + i);
        }
    }
    return NULL;
}

static char *token(char *restrict s, const char *restrict separators, char **restrict rest)
{
    if (!s)
        s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, separators);
    *rest = end;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return s;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest)
{
    return token(s, separators, rest);
}

char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest)
{
    return token(s, separators, rest);
}

char *strtok(char *restrict s, const char *restrict separators)
{
    static char *rest;
    return token(s, separators, &rest);
}

static char *field(char **restrict rest, const char *restrict separators)
{
    char *s = *rest;
    if (!s)
        return NULL;
    char *end = s + strcspn(s, separators);
    *rest = NULL;
    if (*end) {
        *end = '\0';
        *rest = end + 1;
    }
    return s;
}

char *strsep(char **restrict rest, const char *restrict separators) { return field(rest, separators); }

char *__strsep_g(char **restrict rest, const char *restrict separators) { return field(rest, separators); }
