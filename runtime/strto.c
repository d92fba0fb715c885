/* strto.c - text to numbers: strtol and strtod with all their names. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

#define CHAR char
#include "strto.inc"

/* Text with symbolic bytes to an integer in a radix without a prefix, as one value: which bytes are blanks, a
 * sign and digits is no decision. At most as many as fit without overflow. False: it goes on behind that, or
 * there is no window. */
static bool integer_read(const char *s, char **end, unsigned radix, unsigned long *out)
{
    enum { MOST = 13 }; /* SAFE_DIGITS of strto.inc, and what ends them */
    enum { BLANKS, DIGITS, DONE } at = BLANKS;
    size_t n = __sheaf_window(s, MOST, 0, -1), used = 0;
    unsigned long value = 0;
    bool negative = false;
    for (size_t i = 0; i < n; i++) {
        int c = __sheaf_peek(s + i);
        unsigned digit = digit_in(radix, c);
        bool blank = (at == BLANKS) & ascii_space(c), sign = (at == BLANKS) & ((c == '-') | (c == '+')),
             more = (at != DONE) & (digit < radix);
        value = more ? value * radix + digit : value;
        used = more ? i + 1 : used;
        negative |= sign & (c == '-');
        at = blank ? BLANKS : (sign | more) ? DIGITS : DONE;
    }
    if (at != DONE)
        return false;
    if (end)
        *end = (char *)s + used;
    *out = negative ? -value : value;
    return true;
}

static unsigned long integer(const char *s, char **end, int base, bool is_signed, bool binary)
{
    unsigned long value = 0;
    bool plain = base > 2 && base < 37 && base != 16;
    if (plain && integer_read(s, end, (unsigned)base, &value))
        return value;
    return parse_integer(s, end, base, is_signed, binary);
}

/* long and long long are the same here, and so are their texts. */
#define INTEGER(type, name, is_signed, binary)                       \
    type name(const char *restrict s, char **restrict end, int base) \
    {                                                                \
        return (type)integer(s, end, base, is_signed, binary);       \
    }
#define INTEGER_L(type, name, is_signed)                                                       \
    type name##_l(const char *restrict s, char **restrict end, int base, locale_t locale)      \
    {                                                                                          \
        (void)locale;                                                                          \
        return (type)integer(s, end, base, is_signed, false);                                  \
    }                                                                                          \
    type __##name##_internal(const char *restrict s, char **restrict end, int base, int group) \
    {                                                                                          \
        (void)group;                                                                           \
        return (type)integer(s, end, base, is_signed, false);                                  \
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

int atoi(const char *s) { return (int)integer(s, NULL, 10, true, false); }

long atol(const char *s) { return (long)integer(s, NULL, 10, true, false); }

long long atoll(const char *s) { return (long long)integer(s, NULL, 10, true, false); }

typedef enum Number { NUMBER_NONE, NUMBER_DECIMAL, NUMBER_INFINITE, NUMBER_NAN, NUMBER_OTHER } Number;

/* A decimal number as it stands: value = (negative ? -1 : 1) * digits * 10^exponent. */
typedef struct Decimal {
    bool negative;
    unsigned long digits;
    int ndigits, exponent;
    const char *end;
} Decimal;

/* The exponent at p ("e+12"), with *end behind it; 0 if there is none. Far ones are enough to be out of every
 * range. */
static int scan_exponent(const char *p, const char **end)
{
    enum { FAR = 10000 };
    *end = p;
    if ((*p | 32) != 'e')
        return 0;
    p++;
    bool negative = false;
    if ((*p == '-') | (*p == '+')) {
        decided();
        negative = *p++ == '-';
    }
    if (!byte_between(*p, '0', '9'))
        return 0;
    int value = 0;
    for (; byte_between(*p, '0', '9'); p++)
        value = value < FAR ? value * 10 + (*p - '0') : value;
    *end = p;
    return negative ? -value : value;
}

/* The length of a word if it stands at p, in any case; 0 if not. */
static size_t word_at(const char *p, const char *word)
{
    size_t n = 0;
    while (word[n] && ascii_lower((unsigned char)p[n]) == word[n])
        n++;
    return word[n] ? 0 : n;
}

/* What stands behind "nan": "(…)" with letters, digits and underscores belongs to it. */
static const char *behind_nan(const char *p)
{
    const char *q = p;
    if (*q != '(')
        return p;
    do
        q++;
    while (byte_between(*q | 32, 'a', 'z') | byte_between(*q, '0', '9') | (*q == '_'));
    return *q == ')' ? q + 1 : p;
}

static void scan_digits(const char *s, Decimal *out)
{
    bool point = false;
    for (;; s++) {
        if (byte_between(*s, '0', '9')) {
            decided();
            out->digits = out->digits * 10 + (unsigned long)(*s - '0');
            out->ndigits++;
            out->exponent -= point;
        } else if (*s == '.' && !point) {
            decided();
            point = true;
        } else {
            break;
        }
    }
    out->end = s;
}

static Number scan_number(const char *s, Decimal *out)
{
    enum { MOST_DIGITS = 19 };
    *out = (Decimal){.end = s};
    const char *p = s;
    while (ascii_space((unsigned char)*p))
        p++;
    if ((*p == '-') | (*p == '+')) {
        decided();
        out->negative = *p++ == '-';
    }
    size_t word;
    if ((word = word_at(p, "infinity")) || (word = word_at(p, "inf"))) {
        out->end = p + word;
        return NUMBER_INFINITE;
    }
    if ((word = word_at(p, "nan"))) {
        out->end = behind_nan(p + word);
        return NUMBER_NAN;
    }
    if (p[0] == '0' && (p[1] | 32) == 'x')
        return NUMBER_OTHER;
    scan_digits(p, out);
    if (out->ndigits == 0) {
        out->end = s;
        return NUMBER_NONE;
    }
    if (out->ndigits > MOST_DIGITS)
        return NUMBER_OTHER;
    out->exponent += scan_exponent(out->end, &out->end);
    return NUMBER_DECIMAL;
}

/* A product or quotient of two numbers that are exact is rounded once, as it should be: so numbers with few
 * digits and a small power of ten need no more. `digits`: how many fit the type; `power`: the largest exact
 * power of ten. */
#define EXACT(type, name, digits_of, power)                                                         \
    static bool name(Number kind, const Decimal *d, type *out)                                      \
    {                                                                                               \
        type value = kind == NUMBER_INFINITE ? (type)INFINITY : kind == NUMBER_NAN ? (type)NAN : 0; \
        if (kind == NUMBER_DECIMAL) {                                                               \
            if (d->ndigits > (digits_of) || d->exponent > (power) || d->exponent < -(power))        \
                return false;                                                                       \
            type ten = 1;                                                                           \
            for (int i = d->exponent; i != 0; i += i < 0 ? 1 : -1)                                  \
                ten *= 10;                                                                          \
            value = d->exponent < 0 ? (type)d->digits / ten : (type)d->digits * ten;                \
        }                                                                                           \
        *out = d->negative && kind != NUMBER_NONE ? -value : value;                                 \
        return true;                                                                                \
    }
EXACT(float, exact_float, 7, 10)
EXACT(double, exact_double, 15, 22)
EXACT(long double, exact_long_double, 19, 27)

static bool exact(Number kind, const Decimal *d, void *out, size_t size)
{
    return size == sizeof(float)    ? exact_float(kind, d, out)
           : size == sizeof(double) ? exact_double(kind, d, out)
                                    : exact_long_double(kind, d, out);
}

/* All others are the machine's: rounding them needs arithmetic of any length. */
static void parse_float(const char *s, char **end, void *out, size_t size)
{
    Decimal decimal;
    Number kind = scan_number(s, &decimal);
    if (kind == NUMBER_OTHER || !exact(kind, &decimal, out, size)) {
        long used = __sheaf_parse_float(s, out, size);
        if (used < 0) {
            errno = ERANGE;
            used = -1 - used;
        }
        decimal.end = s + used;
    }
    if (end)
        *end = (char *)decimal.end;
}

#define FLOAT(type, name)                                                            \
    type name(const char *restrict s, char **restrict end)                           \
    {                                                                                \
        type value;                                                                  \
        parse_float(s, end, &value, sizeof value);                                   \
        return value;                                                                \
    }                                                                                \
    type name##_l(const char *restrict s, char **restrict end, locale_t locale)      \
    {                                                                                \
        (void)locale;                                                                \
        return name(s, end);                                                         \
    }                                                                                \
    type __##name##_internal(const char *restrict s, char **restrict end, int group) \
    {                                                                                \
        (void)group;                                                                 \
        return name(s, end);                                                         \
    }

FLOAT(float, strtof)
FLOAT(double, strtod)
FLOAT(long double, strtold)

double atof(const char *s) { return strtod(s, NULL); }

/* Six bits for each character, least significant first. */
long a64l(const char *s)
{
    unsigned value = 0;
    for (int i = 0; i < 6 && s[i]; i++) {
        int c = (unsigned char)s[i];
        int digit = byte_between(c, '.', '9')   ? c - '.'
                    : byte_between(c, 'A', 'Z') ? c - 'A' + 12
                    : byte_between(c, 'a', 'z') ? c - 'a' + 38
                                                : -1;
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
