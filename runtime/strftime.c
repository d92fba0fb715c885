/* strftime.c - dates to text in the C locale, with GNU's flags and widths. */
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "internal.h"

/* Where the text goes; it is counted even when it no longer fits. */
typedef struct Out {
    char *to;
    size_t room, n; /* room without the NUL */
} Out;

/* What stands between % and the conversion. */
typedef struct Spec {
    char pad; /* '_', '-', '0', '+', or 0: the conversion's own */
    bool upper, lower, change_case;
    int width; /* -1: none */
} Spec;

static const char *const weekdays[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
static const char *const months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};

static void put(Out *out, char c)
{
    if (out->n < out->room)
        out->to[out->n] = c;
    out->n++;
}

static void put_text(Out *out, const Spec *spec, const char *text, size_t length)
{
    char pad = spec->pad == '0' || spec->pad == '+' ? '0' : ' ';
    for (long i = (long)length; i < spec->width; i++)
        put(out, pad);
    for (size_t i = 0; i < length; i++)
        put(out, (char)(spec->upper ? ascii_upper(text[i]) : spec->lower ? ascii_lower(text[i]) : text[i]));
}

static void put_name(Out *out, Spec spec, const char *const *names, int index, int count, size_t most)
{
    const char *name = byte_between(index, 0, count - 1) ? names[index] : "?";
    size_t length = strlen(name);
    spec.upper |= spec.change_case;
    put_text(out, &spec, name, length < most ? length : most);
}

/* A number of at least `digits` digits, padded with `pad` unless the flags say otherwise. */
static void put_number(Out *out, const Spec *spec, long value, int digits, char pad)
{
    char text[24];
    int n = 0;
    unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;
    do
        text[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    pad = spec->pad ? spec->pad : pad;
    digits = pad == '-' ? 0 : digits;
    int least = spec->width > digits ? spec->width : digits, taken = n + (value < 0);
    bool spaces = pad == '_' || pad == '-';
    if (spaces)
        for (int i = taken; i < least; i++)
            put(out, ' ');
    if (value < 0)
        put(out, '-');
    if (!spaces)
        for (int i = taken; i < least; i++)
            put(out, '0');
    while (n)
        put(out, text[--n]);
}

static long floor_div(long a, long b) { return a / b - (a % b < 0); }

static int days_in_year(long year) { return 365 + ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0); }

/* ISO 8601: weeks begin on Monday, and a week belongs to the year that holds its Thursday. */
static void iso_week(const struct tm *tm, long *year, int *week)
{
    int weekday = (tm->tm_wday + 6) % 7; /* from Monday */
    int thursday = tm->tm_yday - weekday + 3;
    *year = 1900l + tm->tm_year;
    if (thursday < 0) {
        --*year;
        thursday += days_in_year(*year);
    } else if (thursday >= days_in_year(*year)) {
        thursday -= days_in_year(*year);
        ++*year;
    }
    *week = thursday / 7 + 1;
}

static void format(Out *out, const char *text, const struct tm *tm, bool upper);

/* A conversion that stands for several: formatted apart so that width and case apply to the whole. */
static void put_composed(Out *out, const Spec *spec, const char *text, const struct tm *tm)
{
    char part[128];
    Out inner = {.to = part, .room = sizeof part};
    format(&inner, text, tm, spec->upper);
    put_text(out, spec, part, inner.n < sizeof part ? inner.n : sizeof part);
}

static void put_zone(Out *out, const Spec *spec, const struct tm *tm)
{
    long minutes = tm->tm_gmtoff / 60;
    long value = (minutes < 0 ? -minutes : minutes) / 60 * 100 + (minutes < 0 ? -minutes : minutes) % 60;
    Spec plain = {.pad = spec->pad, .width = spec->width > 0 ? spec->width - 1 : -1};
    put(out, tm->tm_gmtoff < 0 ? '-' : '+');
    put_number(out, &plain, value, 4, '0');
}

static void convert_date(Out *out, const Spec *spec, char c, const struct tm *tm)
{
    long year = 1900l + tm->tm_year;
    int week;
    switch (c) {
    case 'a': put_name(out, *spec, weekdays, tm->tm_wday, 7, 3); break;
    case 'A': put_name(out, *spec, weekdays, tm->tm_wday, 7, SIZE_MAX); break;
    case 'b':
    case 'h': put_name(out, *spec, months, tm->tm_mon, 12, 3); break;
    case 'B': put_name(out, *spec, months, tm->tm_mon, 12, SIZE_MAX); break;
    case 'C': put_number(out, spec, floor_div(year, 100), 1, '0'); break;
    case 'd': put_number(out, spec, tm->tm_mday, 2, '0'); break;
    case 'e': put_number(out, spec, tm->tm_mday, 2, '_'); break;
    case 'G':
        iso_week(tm, &year, &week);
        put_number(out, spec, year, 1, '0');
        break;
    case 'g':
        iso_week(tm, &year, &week);
        put_number(out, spec, year - floor_div(year, 100) * 100, 2, '0');
        break;
    case 'j': put_number(out, spec, tm->tm_yday + 1, 3, '0'); break;
    case 'm': put_number(out, spec, tm->tm_mon + 1, 2, '0'); break;
    case 'u': put_number(out, spec, (tm->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'U': put_number(out, spec, (tm->tm_yday - tm->tm_wday + 7) / 7, 2, '0'); break;
    case 'V':
        iso_week(tm, &year, &week);
        put_number(out, spec, week, 2, '0');
        break;
    case 'w': put_number(out, spec, tm->tm_wday, 1, '0'); break;
    case 'W': put_number(out, spec, (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'y': put_number(out, spec, year - floor_div(year, 100) * 100, 2, '0'); break;
    case 'Y': put_number(out, spec, year, 1, '0'); break;
    case 'D':
    case 'x': put_composed(out, spec, "%m/%d/%y", tm); break;
    case 'F': put_composed(out, spec, "%Y-%m-%d", tm); break;
    case 'c': put_composed(out, spec, "%a %b %e %H:%M:%S %Y", tm); break;
    }
}

/* Midday and midnight are both 12. */
static int hour12(const struct tm *tm)
{
    int hour = tm->tm_hour > 12 ? tm->tm_hour - 12 : tm->tm_hour;
    return hour == 0 ? 12 : hour;
}

static void convert_time(Out *out, Spec spec, char c, const struct tm *tm)
{
    struct tm copy = *tm;
    switch (c) {
    case 'H': put_number(out, &spec, tm->tm_hour, 2, '0'); break;
    case 'I': put_number(out, &spec, hour12(tm), 2, '0'); break;
    case 'k': put_number(out, &spec, tm->tm_hour, 2, '_'); break;
    case 'l': put_number(out, &spec, hour12(tm), 2, '_'); break;
    case 'M': put_number(out, &spec, tm->tm_min, 2, '0'); break;
    case 'S': put_number(out, &spec, tm->tm_sec, 2, '0'); break;
    case 's': put_number(out, &spec, mktime(&copy), 1, '0'); break;
    case 'p':
        if (spec.change_case)
            put_text(out, &spec, tm->tm_hour > 11 ? "pm" : "am", 2);
        else
            put_text(out, &spec, tm->tm_hour > 11 ? "PM" : "AM", 2);
        break;
    case 'P': /* lower case whatever the flags say */
        spec.upper = false;
        put_text(out, &spec, tm->tm_hour > 11 ? "pm" : "am", 2);
        break;
    case 'r': put_composed(out, &spec, "%I:%M:%S %p", tm); break;
    case 'R': put_composed(out, &spec, "%H:%M", tm); break;
    case 'T':
    case 'X': put_composed(out, &spec, "%H:%M:%S", tm); break;
    case 'z': put_zone(out, &spec, tm); break;
    case 'Z': {
        const char *zone = tm->tm_zone ? tm->tm_zone : "";
        spec.lower = spec.change_case;
        spec.upper &= !spec.lower;
        put_text(out, &spec, zone, strlen(zone));
        break;
    }
    }
}

static const char *parse_spec(const char *p, Spec *spec)
{
    for (;; p++) {
        if (*p == '_' || *p == '-' || *p == '0' || *p == '+')
            spec->pad = *p;
        else if (*p == '^')
            spec->upper = true;
        else if (*p == '#')
            spec->change_case = true;
        else
            break;
    }
    for (; byte_between(*p, '0', '9'); p++)
        spec->width = (spec->width < 0 ? 0 : spec->width > 100000 ? 100000 : spec->width * 10) + (*p - '0');
    if (*p == 'E' || *p == 'O')
        p++;
    return p;
}

static void format(Out *out, const char *text, const struct tm *tm, bool upper)
{
    for (const char *p = text; *p; p++) {
        if (*p != '%') {
            put(out, *p);
            continue;
        }
        Spec spec = {.upper = upper, .width = -1};
        const char *start = p;
        p = parse_spec(p + 1, &spec);
        if (*p && strchr("aAbBhCdeGgjmuUVwWyYDxFc", *p)) {
            convert_date(out, &spec, *p, tm);
        } else if (*p && strchr("HIklMSspPrRTXzZ", *p)) {
            convert_time(out, spec, *p, tm);
        } else if (*p && strchr("%nt", *p)) {
            char c = *p == 'n' ? '\n' : *p == 't' ? '\t' : '%';
            put_text(out, &spec, &c, 1);
        } else { /* no conversion: as it stands */
            if (!*p)
                p--;
            for (const char *q = start; q <= p; q++)
                put(out, *q);
        }
    }
}

size_t strftime(char *restrict to, size_t n, const char *restrict text, const struct tm *restrict tm)
{
    Out out = {.to = to, .room = n ? n - 1 : 0};
    format(&out, text, tm, false);
    if (out.n >= n) {
        errno = ERANGE;
        return 0;
    }
    to[out.n] = '\0';
    return out.n;
}

size_t strftime_l(char *restrict to, size_t n, const char *restrict text, const struct tm *restrict tm,
                  locale_t locale)
{
    (void)locale;
    return strftime(to, n, text, tm);
}

/* The C locale's text is ASCII: formatted as bytes and widened. */
size_t wcsftime(wchar_t *restrict to, size_t n, const wchar_t *restrict text, const struct tm *restrict tm)
{
    char narrow_text[256], narrow[1024];
    size_t length = 0;
    for (; text[length]; length++) {
        if (length + 1 == sizeof narrow_text || text[length] > 127 || text[length] < 0)
            __sheaf_unsupported("wcsftime: a long format, or one beyond ASCII");
        narrow_text[length] = (char)text[length];
    }
    narrow_text[length] = '\0';
    size_t used = strftime(narrow, n < sizeof narrow ? n : sizeof narrow, narrow_text, tm);
    if (used == 0 && n == 0)
        return 0;
    for (size_t i = 0; i < used; i++)
        to[i] = (unsigned char)narrow[i];
    to[used] = 0;
    return used;
}
