/* The C locale. */
#define _GNU_SOURCE
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%s %s %s %d\n", setlocale(LC_ALL, NULL), setlocale(LC_ALL, "C"), setlocale(LC_NUMERIC, "POSIX"),
           setlocale(LC_ALL, "xx_YY") == NULL);
    struct lconv *l = localeconv();
    printf("[%s][%s][%s][%s][%s] %d %d\n", l->decimal_point, l->thousands_sep, l->grouping, l->currency_symbol,
           l->negative_sign, l->frac_digits, l->p_sign_posn);
    static const nl_item items[] = {CODESET, RADIXCHAR, THOUSEP,    YESEXPR,  NOEXPR, CRNCYSTR, D_T_FMT,
                                    D_FMT,   T_FMT,     T_FMT_AMPM, AM_STR,   PM_STR, ABDAY_1,  ABDAY_7,
                                    DAY_1,   DAY_7,     ABMON_1,    ABMON_12, MON_1,  MON_12,   ERA};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        printf("[%s]", nl_langinfo(items[i]));
    printf("\n%zu %d\n", MB_CUR_MAX, MB_LEN_MAX);
    printf("%s %s %s %s\n", gettext("text"), ngettext("one", "many", 1), ngettext("one", "many", 2), textdomain(NULL));
    locale_t c = newlocale(LC_ALL_MASK, "C", 0), before = uselocale(c);
    printf("%d %d\n", before == LC_GLOBAL_LOCALE, uselocale(0) == c);
    return 0;
}
