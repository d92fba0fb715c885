/* Every class for every byte and EOF, through macros, functions and the tables of a locale. */
#undef __OPTIMIZE__
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <stdio.h>

typedef int Class(int);
static Class *const functions[] = {isalnum, isalpha, isblank, iscntrl,  isdigit, isgraph, islower, isprint,
                                   ispunct, isspace, isupper, isxdigit, isascii, toascii, tolower, toupper};

int main(void)
{
    for (int c = -1; c < 256; c++) {
        printf("%d:", c);
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            printf(" %d", functions[i](c));
        printf(" | %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", isalnum(c), isalpha(c), isblank(c), iscntrl(c),
               isdigit(c), isgraph(c), islower(c), isprint(c), ispunct(c), isspace(c), isupper(c), isxdigit(c),
               tolower(c), toupper(c));
    }
    for (int c = -128; c < 256; c++)
        printf("%d: %x %d %d\n", c, (*__ctype_b_loc())[c], (*__ctype_tolower_loc())[c], (*__ctype_toupper_loc())[c]);
    locale_t locale = newlocale(LC_ALL_MASK, "C", 0);
    for (int c = 0; c < 128; c += 7)
        printf("%d %d %d %d %d ", isalpha_l(c, locale), isspace_l(c, locale), ispunct_l(c, locale),
               tolower_l(c, locale), toupper_l(c, locale));
    freelocale(locale);
    printf("\n");
    return 0;
}
