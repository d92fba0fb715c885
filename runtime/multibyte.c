/* multibyte.c - bytes to wide characters and back. In the C locale of glibc a character is one byte below
 * 128, and every other byte is an error; no conversion has a state. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

#include "internal.h"

static const size_t ILLEGAL = (size_t)-1, INCOMPLETE = (size_t)-2;

static size_t illegal(void)
{
    errno = EILSEQ;
    return ILLEGAL;
}

static size_t to_wide(wchar_t *out, const char *s, size_t n)
{
    if (n == 0)
        return INCOMPLETE;
    unsigned char c = (unsigned char)*s;
    if (c > 127)
        return illegal();
    if (out)
        *out = c;
    return c != 0;
}

wint_t btowc(int c) { return byte_between(c, 0, 127) ? (wint_t)c : WEOF; }

int wctob(wint_t c) { return byte_between((int)c, 0, 127) ? (int)c : EOF; }

int mbsinit(const mbstate_t *state) { return !state || state->__count == 0; }

size_t mbrtowc(wchar_t *restrict out, const char *restrict s, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return s ? to_wide(out, s, n) : 0;
}

size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return s ? to_wide(NULL, s, n) : 0;
}

size_t __mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) { return mbrlen(s, n, state); }

int mbtowc(wchar_t *restrict out, const char *restrict s, size_t n)
{
    if (!s)
        return 0;
    size_t used = to_wide(out, s, n);
    return used == INCOMPLETE ? -1 : (int)used;
}

int mblen(const char *s, size_t n) { return mbtowc(NULL, s, n); }

size_t wcrtomb(char *restrict out, wchar_t c, mbstate_t *restrict state)
{
    (void)state;
    if (!out)
        return 1;
    if (!byte_between(c, 0, 127))
        return illegal();
    *out = (char)c;
    return 1;
}

int wctomb(char *out, wchar_t c) { return out ? (int)wcrtomb(out, c, NULL) : 0; }

/* At most `bytes` bytes of *from to at most n characters; *from ends behind the last one taken, or NULL after
 * the string's end. Without `to` only counts, and *from stays. */
static size_t bytes_to_wides(wchar_t *to, const char **from, size_t bytes, size_t n)
{
    const char *s = *from;
    size_t i = 0;
    for (; i < bytes && (!to || i < n); i++) {
        if ((unsigned char)s[i] > 127) {
            if (to)
                *from = s + i;
            return illegal();
        }
        if (to)
            to[i] = s[i];
        if (!s[i]) {
            if (to)
                *from = NULL;
            return i;
        }
    }
    if (to)
        *from = s + i;
    return i;
}

static size_t wides_to_bytes(char *to, const wchar_t **from, size_t wides, size_t n)
{
    const wchar_t *s = *from;
    size_t i = 0;
    for (; i < wides && (!to || i < n); i++) {
        if (!byte_between(s[i], 0, 127)) {
            if (to)
                *from = s + i;
            return illegal();
        }
        if (to)
            to[i] = (char)s[i];
        if (!s[i]) {
            if (to)
                *from = NULL;
            return i;
        }
    }
    if (to)
        *from = s + i;
    return i;
}

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t n,
                  mbstate_t *restrict state)
{
    (void)state;
    return bytes_to_wides(to, from, bytes, n);
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return bytes_to_wides(to, from, SIZE_MAX, n);
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n)
{
    const char *rest = from;
    return bytes_to_wides(to, &rest, SIZE_MAX, n);
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t wides, size_t n,
                  mbstate_t *restrict state)
{
    (void)state;
    return wides_to_bytes(to, from, wides, n);
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return wides_to_bytes(to, from, SIZE_MAX, n);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n)
{
    const wchar_t *rest = from;
    return wides_to_bytes(to, &rest, SIZE_MAX, n);
}

/* uchar.h: in the C locale every character is one unit of any width. */
size_t mbrtoc16(char16_t *restrict out, const char *restrict s, size_t n, mbstate_t *restrict state)
{
    wchar_t wide = 0;
    size_t used = mbrtowc(&wide, s, n, state);
    if (out && used <= 1 && s)
        *out = (char16_t)wide;
    return used;
}

size_t mbrtoc32(char32_t *restrict out, const char *restrict s, size_t n, mbstate_t *restrict state)
{
    return mbrtowc((wchar_t *)out, s, n, state);
}

size_t c16rtomb(char *restrict out, char16_t c, mbstate_t *restrict state) { return wcrtomb(out, c, state); }

size_t c32rtomb(char *restrict out, char32_t c, mbstate_t *restrict state)
{
    return wcrtomb(out, (wchar_t)c, state);
}

/* Numbers */
#define CHAR wchar_t
#include "strto.inc"

#define INTEGER(type, name, is_signed, binary)                             \
    type name(const wchar_t *restrict s, wchar_t **restrict end, int base) \
    {                                                                      \
        return (type)parse_integer(s, end, base, is_signed, binary);       \
    }
INTEGER(long, wcstol, true, false)
INTEGER(long long, wcstoll, true, false)
INTEGER(unsigned long, wcstoul, false, false)
INTEGER(unsigned long long, wcstoull, false, false)
INTEGER(intmax_t, wcstoimax, true, false)
INTEGER(uintmax_t, wcstoumax, false, false)
INTEGER(long, __isoc23_wcstol, true, true)
INTEGER(long long, __isoc23_wcstoll, true, true)
INTEGER(unsigned long, __isoc23_wcstoul, false, true)
INTEGER(unsigned long long, __isoc23_wcstoull, false, true)
INTEGER(intmax_t, __isoc23_wcstoimax, true, true)
INTEGER(uintmax_t, __isoc23_wcstoumax, false, true)

/* A number is ASCII: what stands before the first other character is parsed as bytes. */
static void parse_float(const wchar_t *s, wchar_t **end, void *out, size_t size)
{
    size_t length = 0;
    while (byte_between(s[length], 1, 127))
        length++;
    char *bytes = __sheaf_alloc(length + 1, 1, 0);
    if (!bytes)
        __sheaf_unsupported("wcstod: no memory");
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)s[i];
    bytes[length] = '\0';
    long used = __sheaf_parse_float(bytes, out, size);
    __sheaf_free(bytes);
    if (used < 0) {
        errno = ERANGE;
        used = -1 - used;
    }
    if (end)
        *end = (wchar_t *)s + used;
}

#define FLOAT(type, name)                                        \
    type name(const wchar_t *restrict s, wchar_t **restrict end) \
    {                                                            \
        type value;                                              \
        parse_float(s, end, &value, sizeof value);               \
        return value;                                            \
    }
FLOAT(float, wcstof)
FLOAT(double, wcstod)
FLOAT(long double, wcstold)
