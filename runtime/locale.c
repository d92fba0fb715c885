/* locale.c - the C locale, and no other. */
#include <ctype.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "internal.h"

#undef gettext
#undef dgettext
#undef ngettext
#undef dngettext

static bool is_c(const char *name) { return !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0; }

char *setlocale(int category, const char *name)
{
    if (category < 0 || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    return !name || is_c(name) ? "C" : NULL;
}

struct lconv *localeconv(void)
{
    static struct lconv c;
    c = (struct lconv){
        .decimal_point = ".",
        .thousands_sep = "",
        .grouping = "",
        .int_curr_symbol = "",
        .currency_symbol = "",
        .mon_decimal_point = "",
        .mon_thousands_sep = "",
        .mon_grouping = "",
        .positive_sign = "",
        .negative_sign = "",
        .int_frac_digits = CHAR_MAX,
        .frac_digits = CHAR_MAX,
        .p_cs_precedes = CHAR_MAX,
        .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX,
        .n_sep_by_space = CHAR_MAX,
        .p_sign_posn = CHAR_MAX,
        .n_sign_posn = CHAR_MAX,
        .int_p_cs_precedes = CHAR_MAX,
        .int_p_sep_by_space = CHAR_MAX,
        .int_n_cs_precedes = CHAR_MAX,
        .int_n_sep_by_space = CHAR_MAX,
        .int_p_sign_posn = CHAR_MAX,
        .int_n_sign_posn = CHAR_MAX,
    };
    return &c;
}

static const struct {
    nl_item item;
    const char *text;
} items[] = {
    {CODESET, "ANSI_X3.4-1968"},
    {RADIXCHAR, "."},
    {THOUSEP, ""},
    {CRNCYSTR, "-"},
    {YESEXPR, "^[yY]"},
    {NOEXPR, "^[nN]"},
    {YESSTR, ""},
    {NOSTR, ""},
    {D_T_FMT, "%a %b %e %H:%M:%S %Y"},
    {D_FMT, "%m/%d/%y"},
    {T_FMT, "%H:%M:%S"},
    {T_FMT_AMPM, "%I:%M:%S %p"},
    {AM_STR, "AM"},
    {PM_STR, "PM"},
    {ERA, ""},
    {ERA_D_FMT, ""},
    {ERA_D_T_FMT, ""},
    {ERA_T_FMT, ""},
    {ALT_DIGITS, ""},
    {ABDAY_1, "Sun"},
    {ABDAY_2, "Mon"},
    {ABDAY_3, "Tue"},
    {ABDAY_4, "Wed"},
    {ABDAY_5, "Thu"},
    {ABDAY_6, "Fri"},
    {ABDAY_7, "Sat"},
    {DAY_1, "Sunday"},
    {DAY_2, "Monday"},
    {DAY_3, "Tuesday"},
    {DAY_4, "Wednesday"},
    {DAY_5, "Thursday"},
    {DAY_6, "Friday"},
    {DAY_7, "Saturday"},
    {ABMON_1, "Jan"},
    {ABMON_2, "Feb"},
    {ABMON_3, "Mar"},
    {ABMON_4, "Apr"},
    {ABMON_5, "May"},
    {ABMON_6, "Jun"},
    {ABMON_7, "Jul"},
    {ABMON_8, "Aug"},
    {ABMON_9, "Sep"},
    {ABMON_10, "Oct"},
    {ABMON_11, "Nov"},
    {ABMON_12, "Dec"},
    {MON_1, "January"},
    {MON_2, "February"},
    {MON_3, "March"},
    {MON_4, "April"},
    {MON_5, "May"},
    {MON_6, "June"},
    {MON_7, "July"},
    {MON_8, "August"},
    {MON_9, "September"},
    {MON_10, "October"},
    {MON_11, "November"},
    {MON_12, "December"},
};

static char *item_text(nl_item item)
{
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (items[i].item == item)
            return (char *)items[i].text;
    return "";
}

char *nl_langinfo(nl_item item) { return item_text(item); }

char *nl_langinfo_l(nl_item item, locale_t locale)
{
    (void)locale;
    return item_text(item);
}

/* ctype.h's macros for a locale read its tables. */
static locale_t c_locale(void)
{
    static struct __locale_struct the_locale;
    the_locale.__ctype_b = *__ctype_b_loc();
    the_locale.__ctype_tolower = *__ctype_tolower_loc();
    the_locale.__ctype_toupper = *__ctype_toupper_loc();
    return &the_locale;
}

locale_t newlocale(int mask, const char *name, locale_t base)
{
    (void)mask, (void)base;
    if (is_c(name))
        return c_locale();
    errno = ENOENT;
    return NULL;
}

locale_t duplocale(locale_t locale)
{
    (void)locale;
    return c_locale();
}

void freelocale(locale_t locale) { (void)locale; }

locale_t uselocale(locale_t locale)
{
    static locale_t current = LC_GLOBAL_LOCALE;
    locale_t before = current;
    if (locale)
        current = locale;
    return before;
}

/* Messages are not translated. */
char *gettext(const char *text) { return (char *)text; }

char *dgettext(const char *domain, const char *text)
{
    (void)domain;
    return (char *)text;
}

char *dcgettext(const char *domain, const char *text, int category)
{
    (void)domain, (void)category;
    return (char *)text;
}

char *ngettext(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long n)
{
    (void)domain;
    return (char *)(n == 1 ? one : many);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n, int category)
{
    (void)domain, (void)category;
    return (char *)(n == 1 ? one : many);
}

char *textdomain(const char *domain) { return (char *)(domain && *domain ? domain : "messages"); }

char *bindtextdomain(const char *domain, const char *directory)
{
    (void)domain;
    return (char *)(directory ? directory : "/usr/share/locale");
}

char *bind_textdomain_codeset(const char *domain, const char *codeset)
{
    (void)domain;
    return (char *)codeset;
}
