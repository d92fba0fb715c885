/* Classes of wide characters. */
#define _GNU_SOURCE
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
    for (unsigned c = 0; c < 300; c++) {
        printf("%u: %d%d%d%d%d%d%d%d%d%d%d%d %u %u |", c, !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c),
               !!iswdigit(c), !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c),
               !!iswxdigit(c), towlower(c), towupper(c));
        for (int i = 0; i < 12; i++)
            printf("%d", iswctype(c, wctype(names[i])) != 0);
        printf(" %u\n", towctrans(c, wctrans("toupper")));
    }
    printf("%d %d %d %d %d\n", iswalpha(WEOF), iswprint(0x20ac), iswdigit(0x660), wctype("nothing") == 0,
           wctrans("nothing") == 0);
    return 0;
}
