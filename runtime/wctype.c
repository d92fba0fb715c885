/* wctype.c - classes of wide characters in the C locale: those of ASCII, and nothing beyond. */
#include <ctype.h>
#include <string.h>
#include <wctype.h>

#include "internal.h"

#define ALPHA(c) byte_between((c) | 32, 'a', 'z')
#define DIGIT(c) byte_between(c, '0', '9')
#define ALNUM(c) (ALPHA(c) | DIGIT(c))
#define GRAPH(c) byte_between(c, 33, 126)

/* class, condition, what glibc returns where it holds */
#define CLASSES(X)                                                    \
    X(upper, byte_between(c, 'A', 'Z'), _ISupper)                     \
    X(lower, byte_between(c, 'a', 'z'), _ISlower)                     \
    X(alpha, ALPHA(c), _ISalpha)                                      \
    X(digit, DIGIT(c), _ISdigit)                                      \
    X(xdigit, DIGIT(c) | byte_between((c) | 32, 'a', 'f'), _ISxdigit) \
    X(space, ascii_space(c), _ISspace)                                \
    X(print, byte_between(c, 32, 126), _ISprint)                      \
    X(graph, GRAPH(c), _ISgraph)                                      \
    X(blank, ((c) == ' ') | ((c) == '\t'), _ISblank)                  \
    X(cntrl, byte_between(c, 0, 31) | ((c) == 127), _IScntrl)         \
    X(punct, GRAPH(c) & !ALNUM(c), _ISpunct)                          \
    X(alnum, ALNUM(c), _ISalnum)

#define VALUE_OF(name, bit) (sizeof #name == sizeof "digit" && #name[0] == 'd' ? 1 : (bit))

#define CLASS(name, condition, bit)                                                 \
    static bool is_##name(int c) { return condition; }                              \
    int isw##name(wint_t c) { return is_##name((int)c) ? VALUE_OF(name, bit) : 0; } \
    int isw##name##_l(wint_t c, locale_t locale)                                    \
    {                                                                               \
        (void)locale;                                                               \
        return is_##name((int)c) ? VALUE_OF(name, bit) : 0;                         \
    }
CLASSES(CLASS)

wctype_t wctype(const char *name)
{
#define NAME(class, condition, bit) \
    if (strcmp(name, #class) == 0)  \
        return bit;
    CLASSES(NAME)
    return 0;
}

int iswctype(wint_t c, wctype_t class)
{
    int bits = 0;
#define BIT(name, condition, bit) bits |= is_##name((int)c) ? (int)(bit) : 0;
    CLASSES(BIT)
    return bits & (int)class;
}

wint_t towlower(wint_t c) { return (wint_t)ascii_lower((int)c); }

wint_t towupper(wint_t c) { return (wint_t)ascii_upper((int)c); }

wint_t towlower_l(wint_t c, locale_t locale)
{
    (void)locale;
    return (wint_t)ascii_lower((int)c);
}

wint_t towupper_l(wint_t c, locale_t locale)
{
    (void)locale;
    return (wint_t)ascii_upper((int)c);
}

wctype_t wctype_l(const char *name, locale_t locale)
{
    (void)locale;
    return wctype(name);
}

int iswctype_l(wint_t c, wctype_t class, locale_t locale)
{
    (void)locale;
    return iswctype(c, class);
}

static const int32_t to_lower = 1, to_upper = 2;

wctrans_t wctrans(const char *name)
{
    return strcmp(name, "tolower") == 0 ? &to_lower : strcmp(name, "toupper") == 0 ? &to_upper : NULL;
}

wint_t towctrans(wint_t c, wctrans_t map)
{
    return map == &to_lower ? towlower(c) : map == &to_upper ? towupper(c) : c;
}
