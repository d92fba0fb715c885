/* string_more.c - string.h beyond the plain walks: duplicates, messages, versions, names of files. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

/* With --env malloc it fails as malloc does. */
static char *duplicate(const char *s, size_t length, const char *name)
{
    unsigned char failed = 0;
    if (__sheaf_environment(ENV_MALLOC, &failed, sizeof failed, name))
        __sheaf_assume(failed <= 1);
    char *copy = failed ? NULL : malloc(length + 1);
    if (!copy) {
        errno = ENOMEM;
        return NULL;
    }
    __builtin_memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

char *strdup(const char *s) { return duplicate(s, strlen(s), "env.strdup"); }

char *__strdup(const char *s) { return duplicate(s, strlen(s), "env.__strdup"); }

static size_t length_up_to(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

char *strndup(const char *s, size_t most) { return duplicate(s, length_up_to(s, most), "env.strndup"); }

char *__strndup(const char *s, size_t most) { return duplicate(s, length_up_to(s, most), "env.__strndup"); }

static const char *const error_texts[] = {
#define ERRNO(number, text) [number] = text,
#include "errno.def"
#undef ERRNO
};

static const char *const error_names[] = {
#define ERRNO(number, text) [number] = #number,
#include "errno.def"
#undef ERRNO
};

static const char *error_text(int number)
{
    return number >= 0 && number < (int)(sizeof error_texts / sizeof *error_texts) ? error_texts[number]
                                                                                   : NULL;
}

/* Writes a word and a number that may be negative; returns the buffer. */
static char *numbered(char *buffer, const char *word, int number)
{
    char digits[12];
    size_t n = 0, length = strlen(word);
    unsigned rest = number < 0 ? -(unsigned)number : (unsigned)number;
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        digits[n++] = '-';
    __builtin_memcpy(buffer, word, length);
    while (n)
        buffer[length++] = digits[--n];
    buffer[length] = '\0';
    return buffer;
}

char *strerror(int number)
{
    static char unknown[32];
    const char *text = error_text(number);
    return text ? (char *)text : numbered(unknown, "Unknown error ", number);
}

char *strerror_l(int number, locale_t locale)
{
    (void)locale;
    return strerror(number);
}

/* GNU's variant: the buffer is used only where the text is not constant. */
char *strerror_r(int number, char *buffer, size_t n)
{
    const char *text = error_text(number);
    if (text)
        return (char *)text;
    char unknown[32];
    size_t length = strlen(numbered(unknown, "Unknown error ", number));
    if (n == 0)
        return buffer;
    size_t kept = length < n ? length : n - 1;
    __builtin_memcpy(buffer, unknown, kept);
    buffer[kept] = '\0';
    return buffer;
}

/* POSIX's variant. */
int __xpg_strerror_r(int number, char *buffer, size_t n)
{
    char unknown[32];
    const char *known = error_text(number);
    const char *text = known ? known : numbered(unknown, "Unknown error ", number);
    size_t length = strlen(text);
    if (n) {
        size_t kept = length < n ? length : n - 1;
        __builtin_memcpy(buffer, text, kept);
        buffer[kept] = '\0';
    }
    if (!known)
        return EINVAL;
    return length < n ? 0 : ERANGE;
}

const char *strerrordesc_np(int number) { return error_text(number); }

const char *strerrorname_np(int number) { return error_text(number) ? error_names[number] : NULL; }

static const char *const signal_texts[] = {
#define SIGNAL(name, text) [SIG##name] = text,
#include "signal.def"
#undef SIGNAL
};

static const char *const signal_names[] = {
#define SIGNAL(name, text) [SIG##name] = #name,
#include "signal.def"
#undef SIGNAL
};

const char *sigdescr_np(int number)
{
    return number >= 0 && number < (int)(sizeof signal_texts / sizeof *signal_texts) ? signal_texts[number]
                                                                                     : NULL;
}

const char *sigabbrev_np(int number)
{
    return number >= 0 && number < (int)(sizeof signal_names / sizeof *signal_names) ? signal_names[number]
                                                                                     : NULL;
}

char *strsignal(int number)
{
    enum { REAL_TIME_FIRST = 34, REAL_TIME_LAST = 64 };
    static char buffer[32];
    const char *text = sigdescr_np(number);
    if (text)
        return (char *)text;
    if (number >= REAL_TIME_FIRST && number <= REAL_TIME_LAST)
        return numbered(buffer, "Real-time signal ", number - REAL_TIME_FIRST);
    return numbered(buffer, "Unknown signal ", number);
}

void psignal(int number, const char *prefix)
{
    if (prefix && *prefix)
        fprintf(stderr, "%s: %s\n", prefix, strsignal(number));
    else
        fprintf(stderr, "%s\n", strsignal(number));
}

static bool is_digit(char c) { return byte_between((unsigned char)c, '0', '9'); }

/* Two numbers whose first digits differ, or one that ends before the other. */
static int compare_numbers(const char *a, const char *b)
{
    size_t na = 0, nb = 0;
    while (is_digit(a[na]))
        na++;
    while (is_digit(b[nb]))
        nb++;
    return na != nb ? (na < nb ? -1 : 1) : (unsigned char)*a - (unsigned char)*b;
}

/* Versions compare like strings, but runs of digits as numbers, and runs that begin with 0 as fractions: of
 * two of those that are zeros so far, the one that goes on is the lesser. */
int strverscmp(const char *a, const char *b)
{
    size_t i = 0, run = 0;  /* run: where the digits before i begin */
    bool only_zeros = true; /* are they? */
    for (; a[i] == b[i]; i++) {
        if (!a[i])
            return 0;
        only_zeros &= a[i] == '0';
        if (!is_digit(a[i])) {
            decided();
            run = i + 1;
            only_zeros = true;
        }
    }
    int plain = (unsigned char)a[i] - (unsigned char)b[i];
    bool a_digit = is_digit(a[i]), b_digit = is_digit(b[i]);
    if (run == i)
        return a_digit && b_digit && a[i] != '0' && b[i] != '0' ? compare_numbers(a + i, b + i) : plain;
    if (a[run] != '0')
        return compare_numbers(a + i, b + i);
    return only_zeros && a_digit != b_digit ? (a_digit ? -1 : 1) : plain;
}

/* GNU's basename never changes its argument; libgen.h's is __xpg_basename (libgen.c). */
char *basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (char *)(slash ? slash + 1 : path);
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = strlen(from);
    if (n) {
        size_t kept = length < n ? length : n - 1;
        __builtin_memcpy(to, from, kept);
        to[kept] = '\0';
    }
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t n)
{
    size_t before = length_up_to(to, n), length = strlen(from);
    if (before < n) {
        size_t space = n - before - 1, kept = length < space ? length : space;
        __builtin_memcpy(to + before, from, kept);
        to[before + kept] = '\0';
    }
    return before + length;
}

int strcoll_l(const char *a, const char *b, locale_t locale)
{
    (void)locale;
    return strcmp(a, b);
}

size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t locale)
{
    (void)locale;
    return strxfrm(to, from, n);
}

int strcasecmp_l(const char *a, const char *b, locale_t locale)
{
    (void)locale;
    return string_compare_folded(a, b, SIZE_MAX);
}

int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale)
{
    (void)locale;
    return string_compare_folded(a, b, n);
}
