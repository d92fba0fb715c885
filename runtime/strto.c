/* strto.c - text to numbers: strtol and strtod with all their names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define CHAR char
#include "strto.inc"

/* long and long long are the same here, and so are their texts. */
#define INTEGER(type, name, is_signed, binary)                                  \
    type name(const char *restrict s, char **restrict end, int base)            \
    {                                                                           \
        return (type)parse_integer(s, end, base, is_signed, binary);            \
    }
#define INTEGER_L(type, name, is_signed)                                                                \
    type name##_l(const char *restrict s, char **restrict end, int base, locale_t locale)               \
    {                                                                                                   \
        (void)locale;                                                                                   \
        return (type)parse_integer(s, end, base, is_signed, false);                                     \
    }                                                                                                   \
    type __##name##_internal(const char *restrict s, char **restrict end, int base, int group)          \
    {                                                                                                   \
        (void)group;                                                                                    \
        return (type)parse_integer(s, end, base, is_signed, false);                                     \
    }

INTEGER(long, strtol, true, false)
INTEGER(long long, strtoll, true, false)
INTEGER(unsigned long, strtoul, false, false)
INTEGER(unsigned long long, strtoull, false, false)
INTEGER(long long, strtoq, true, false)
INTEGER(unsigned long long, strtouq, false, false)
INTEGER(intmax_t, strtoimax, true, false)
INTEGER(uintmax_t, strtoumax, false, false)
INTEGER(long, __isoc23_strtol, true, true)
INTEGER(long long, __isoc23_strtoll, true, true)
INTEGER(unsigned long, __isoc23_strtoul, false, true)
INTEGER(unsigned long long, __isoc23_strtoull, false, true)
INTEGER(intmax_t, __isoc23_strtoimax, true, true)
INTEGER(uintmax_t, __isoc23_strtoumax, false, true)
INTEGER_L(long, strtol, true)
INTEGER_L(long long, strtoll, true)
INTEGER_L(unsigned long, strtoul, false)
INTEGER_L(unsigned long long, strtoull, false)

int atoi(const char *s)
{
    return (int)parse_integer(s, NULL, 10, true, false);
}

long atol(const char *s)
{
    return (long)parse_integer(s, NULL, 10, true, false);
}

long long atoll(const char *s)
{
    return (long long)parse_integer(s, NULL, 10, true, false);
}

/* Rounding needs exact arithmetic of any length: the machine does it. */
static void parse_float(const char *s, char **end, void *out, size_t size)
{
    long used = __sheaf_parse_float(s, out, size);
    if (used < 0) {
        errno = ERANGE;
        used = -1 - used;
    }
    if (end)
        *end = (char *)s + used;
}

#define FLOAT(type, name)                                                                       \
    type name(const char *restrict s, char **restrict end)                                      \
    {                                                                                           \
        type value;                                                                             \
        parse_float(s, end, &value, sizeof value);                                              \
        return value;                                                                           \
    }                                                                                           \
    type name##_l(const char *restrict s, char **restrict end, locale_t locale)                 \
    {                                                                                           \
        (void)locale;                                                                           \
        return name(s, end);                                                                    \
    }                                                                                           \
    type __##name##_internal(const char *restrict s, char **restrict end, int group)            \
    {                                                                                           \
        (void)group;                                                                            \
        return name(s, end);                                                                    \
    }

FLOAT(float, strtof)
FLOAT(double, strtod)
FLOAT(long double, strtold)

double atof(const char *s)
{
    return strtod(s, NULL);
}

/* Six bits for each character, least significant first. */
long a64l(const char *s)
{
    unsigned value = 0;
    for (int i = 0; i < 6 && s[i]; i++) {
        int c = (unsigned char)s[i];
        int digit = byte_between(c, '.', '9') ? c - '.' : byte_between(c, 'A', 'Z') ? c - 'A' + 12
                  : byte_between(c, 'a', 'z') ? c - 'a' + 38 : -1;
        if (digit < 0)
            break;
        value |= (unsigned)digit << (6 * i);
    }
    return (long)value;
}

char *l64a(long number)
{
    static char text[7];
    unsigned rest = (unsigned)number;
    int n = 0;
    for (; rest; rest >>= 6) {
        int digit = rest & 63;
        text[n++] = (char)(digit < 12 ? '.' + digit : digit < 38 ? 'A' + digit - 12 : 'a' + digit - 38);
    }
    text[n] = '\0';
    return text;
}
