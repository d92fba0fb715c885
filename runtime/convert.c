/* convert.c - numbers to text in the old ways of stdlib.h, and strfrom*. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Digits without a point, as %.*e or %.*f gives them; *point is where the point would be. */
static char *digits_of(double value, int n, int *point, int *sign, bool fixed)
{
    static char text[400];
    char printed[400];
    *sign = __builtin_signbit(value) != 0;
    *point = 0;
    value = __builtin_fabs(value);
    if (!__builtin_isfinite(value)) {
        strcpy(text, value != value ? "nan" : "inf");
        return text;
    }
    n = n > 17 + 290 * fixed ? 17 + 290 * fixed : n;
    if (!fixed && n <= 0) {
        text[0] = '\0';
        return text;
    }
    snprintf(printed, sizeof printed, fixed ? "%.*f" : "%.*e", fixed ? (n < 0 ? 0 : n) : n - 1, value);
    size_t out = 0, at = 0;
    bool point_seen = false, leading = fixed;
    for (; printed[at] && printed[at] != 'e'; at++) {
        if (printed[at] == '.') {
            point_seen = true;
            continue;
        }
        leading &= printed[at] == '0';
        *point += leading ? -(int)point_seen : !point_seen;
        if (!leading)
            text[out++] = printed[at];
    }
    if (printed[at] == 'e')
        *point = value == 0 ? 1 : atoi(printed + at + 1) + 1;
    if (value == 0 && out == 0) { /* the zeros of a zero are kept */
        *point = 1;
        for (at = 0; printed[at]; at++)
            if (printed[at] != '.')
                text[out++] = '0';
    }
    text[out] = '\0';
    return text;
}

char *ecvt(double value, int n, int *point, int *sign) { return digits_of(value, n, point, sign, false); }

char *fcvt(double value, int n, int *point, int *sign) { return digits_of(value, n, point, sign, true); }

char *gcvt(double value, int n, char *out)
{
    sprintf(out, "%.*g", n > 17 ? 17 : n, value);
    return out;
}

int strfromd(char *restrict out, size_t n, const char *restrict format, double value)
{
    return snprintf(out, n, format, value);
}

int strfromf(char *restrict out, size_t n, const char *restrict format, float value)
{
    return snprintf(out, n, format, (double)value);
}

int strfroml(char *restrict out, size_t n, const char *restrict format, long double value)
{
    char wide[32]; /* "%.3f" with the L that the format must not have */
    size_t length = strlen(format);
    if (length == 0 || length > sizeof wide - 2)
        __sheaf_unsupported("strfroml: a long format");
    __builtin_memcpy(wide, format, length - 1);
    wide[length - 1] = 'L';
    wide[length] = format[length - 1];
    wide[length + 1] = '\0';
    return snprintf(out, n, wide, value);
}

int rpmatch(const char *answer)
{
    int c = ascii_lower((unsigned char)*answer);
    return c == 'y' ? 1 : c == 'n' ? 0 : -1;
}
