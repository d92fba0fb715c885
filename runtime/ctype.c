/* ctype.c - character classes by arithmetic; the tables behind glibc's macros, which are part of its ABI. */
#include <ctype.h>

#include "internal.h"

#undef tolower_l
#undef __tolower_l
#undef toupper_l
#undef __toupper_l
#undef _tolower
#undef _toupper

/* The classes of the C locale. Arguments are bytes or EOF, so that each function takes any int. */
#define UPPER(c)  byte_between(c, 'A', 'Z')
#define LOWER(c)  byte_between(c, 'a', 'z')
#define ALPHA(c)  byte_between((c) | 32, 'a', 'z')
#define DIGIT(c)  byte_between(c, '0', '9')
#define XDIGIT(c) (DIGIT(c) | byte_between((c) | 32, 'a', 'f'))
#define SPACE(c)  ascii_space(c)
#define PRINT(c)  byte_between(c, 32, 126)
#define GRAPH(c)  byte_between(c, 33, 126)
#define BLANK(c)  (((c) == ' ') | ((c) == '\t'))
#define CNTRL(c)  (byte_between(c, 0, 31) | ((c) == 127))
#define ALNUM(c)  (ALPHA(c) | DIGIT(c))
#define PUNCT(c)  (GRAPH(c) & !ALNUM(c))

/* glibc's functions return the bit of the class, not 1. */
#define CLASS(name, NAME, bit)                          \
    int is##name(int c) { return NAME(c) ? (bit) : 0; } \
    int is##name##_l(int c, locale_t locale)            \
    {                                                   \
        (void)locale;                                   \
        return NAME(c) ? (bit) : 0;                     \
    }                                                   \
    int __is##name##_l(int c, locale_t locale)          \
    {                                                   \
        (void)locale;                                   \
        return NAME(c) ? (bit) : 0;                     \
    }

CLASS(upper, UPPER, _ISupper)
CLASS(lower, LOWER, _ISlower)
CLASS(alpha, ALPHA, _ISalpha)
CLASS(digit, DIGIT, _ISdigit)
CLASS(xdigit, XDIGIT, _ISxdigit)
CLASS(space, SPACE, _ISspace)
CLASS(print, PRINT, _ISprint)
CLASS(graph, GRAPH, _ISgraph)
CLASS(blank, BLANK, _ISblank)
CLASS(cntrl, CNTRL, _IScntrl)
CLASS(punct, PUNCT, _ISpunct)
CLASS(alnum, ALNUM, _ISalnum)

int isascii(int c) { return (c & ~127) == 0; }

int toascii(int c) { return c & 127; }

int tolower(int c) { return ascii_lower(c); }

int toupper(int c) { return ascii_upper(c); }

int _tolower(int c) { return ascii_lower(c); }

int _toupper(int c) { return ascii_upper(c); }

int tolower_l(int c, locale_t locale)
{
    (void)locale;
    return ascii_lower(c);
}

int __tolower_l(int c, locale_t locale)
{
    (void)locale;
    return ascii_lower(c);
}

int toupper_l(int c, locale_t locale)
{
    (void)locale;
    return ascii_upper(c);
}

int __toupper_l(int c, locale_t locale)
{
    (void)locale;
    return ascii_upper(c);
}

/* The tables go from -128 to 255, so that a negative char indexes them too: what lies below EOF repeats the
 * upper half. */
#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define T_UPPER(c)       IN(c, 'A', 'Z')
#define T_LOWER(c)       IN(c, 'a', 'z')
#define T_ALPHA(c)       (T_UPPER(c) || T_LOWER(c))
#define T_DIGIT(c)       IN(c, '0', '9')
#define T_GRAPH(c)       IN(c, 33, 126)
#define T_BITS(c)                                                                                    \
    (unsigned short)((T_UPPER(c) ? _ISupper : 0) | (T_LOWER(c) ? _ISlower : 0) |                     \
                     (T_ALPHA(c) ? _ISalpha : 0) | (T_DIGIT(c) ? _ISdigit : 0) |                     \
                     (T_ALPHA(c) || T_DIGIT(c) ? _ISalnum : 0) |                                     \
                     (T_DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f') ? _ISxdigit : 0) |            \
                     ((c) == ' ' || IN(c, 9, 13) ? _ISspace : 0) | (IN(c, 32, 126) ? _ISprint : 0) | \
                     (T_GRAPH(c) ? _ISgraph : 0) | ((c) == ' ' || (c) == 9 ? _ISblank : 0) |         \
                     (IN(c, 0, 31) || (c) == 127 ? _IScntrl : 0) |                                   \
                     (T_GRAPH(c) && !T_ALPHA(c) && !T_DIGIT(c) ? _ISpunct : 0))
/* tolower's and toupper's tables give -128 to -2 as bytes and EOF as itself. */
#define T_BYTE(c)     ((c) < -1 ? (c) + 256 : (c))
#define T_TO_LOWER(c) (T_UPPER(c) ? (c) + 32 : T_BYTE(c))
#define T_TO_UPPER(c) (T_LOWER(c) ? (c)-32 : T_BYTE(c))

#define ROW4(f, c)   f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define ROW16(f, c)  ROW4(f, c), ROW4(f, (c) + 4), ROW4(f, (c) + 8), ROW4(f, (c) + 12)
#define ROW64(f, c)  ROW16(f, c), ROW16(f, (c) + 16), ROW16(f, (c) + 32), ROW16(f, (c) + 48)
#define ROW128(f, c) ROW64(f, c), ROW64(f, (c) + 64)

static const unsigned short class_table[384] = {ROW128(T_BITS, -128), ROW128(T_BITS, 0), ROW128(T_BITS, 128)};
static const int lower_table[384] = {ROW128(T_TO_LOWER, -128), ROW128(T_TO_LOWER, 0),
                                     ROW128(T_TO_LOWER, 128)};
static const int upper_table[384] = {ROW128(T_TO_UPPER, -128), ROW128(T_TO_UPPER, 0),
                                     ROW128(T_TO_UPPER, 128)};

static const unsigned short *const classes = class_table + 128;
static const int *const lowers = lower_table + 128;
static const int *const uppers = upper_table + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&classes; }

const int **__ctype_tolower_loc(void) { return (const int **)&lowers; }

const int **__ctype_toupper_loc(void) { return (const int **)&uppers; }

size_t __ctype_get_mb_cur_max(void) { return 1; }
