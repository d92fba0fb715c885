/* strptime.c - text to dates in the C locale. */
#include <string.h>
#include <strings.h>
#include <time.h>

#include "internal.h"

typedef struct Scan {
    const char *s;
    bool ok;
    struct tm *tm;
    int century, year_in_century, pm; /* -1: not seen */
    bool hour12, have_wday, have_mon, have_mday, have_yday, have_year;
} Scan;

static const char *const weekdays[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
static const char *const months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};

static void skip_space(Scan *scan)
{
    while (ascii_space((unsigned char)*scan->s))
        scan->s++;
}

/* A number of at most `digits` digits between low and high; a digit that can only lead beyond it is left. */
static int number(Scan *scan, int low, int high, int digits)
{
    while (*scan->s == ' ')
        scan->s++;
    int value = 0, n = 0;
    for (; n < digits && value * 10 <= high && byte_between(*scan->s, '0', '9'); n++)
        value = value * 10 + (*scan->s++ - '0');
    scan->ok &= n > 0 && value >= low && value <= high;
    return value;
}

static bool begins_with(const char *s, const char *word, size_t n)
{
    bool differ = false;
    for (size_t i = 0; i < n && !differ; i++)
        differ = ascii_lower(s[i]) != ascii_lower(word[i]);
    return !differ;
}

/* The index of the name, whole or its first three letters, that stands here. */
static int name(Scan *scan, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        size_t whole = strlen(names[i]);
        size_t n = begins_with(scan->s, names[i], whole) ? whole : begins_with(scan->s, names[i], 3) ? 3 : 0;
        scan->s += n;
        if (n)
            return i;
    }
    scan->ok = false;
    return 0;
}

static void scan_text(Scan *scan, const char *text);

static void zone_offset(Scan *scan)
{
    skip_space(scan);
    if (*scan->s == 'Z') {
        scan->s++;
        scan->tm->tm_gmtoff = 0;
        return;
    }
    if (*scan->s != '+' && *scan->s != '-') {
        scan->ok = false;
        return;
    }
    int sign = *scan->s++ == '-' ? -1 : 1, value = 0, n = 0;
    while (n < 4 && byte_between(*scan->s, '0', '9')) {
        value = value * 10 + (*scan->s++ - '0');
        if (++n == 2 && *scan->s == ':' && byte_between(scan->s[1], '0', '9'))
            scan->s++;
    }
    value = n == 2 ? value * 100 : value;
    scan->ok &= (n == 2 || n == 4) && value % 100 < 60;
    scan->tm->tm_gmtoff = sign * (value / 100 * 3600 + value % 100 * 60);
}

static void conversion(Scan *scan, char c)
{
    struct tm *tm = scan->tm;
    switch (c) {
    case '%':
        scan->ok &= *scan->s == '%';
        scan->s += scan->ok;
        break;
    case 'a':
    case 'A':
        tm->tm_wday = name(scan, weekdays, 7);
        scan->have_wday = true;
        break;
    case 'b':
    case 'B':
    case 'h':
        tm->tm_mon = name(scan, months, 12);
        scan->have_mon = true;
        break;
    case 'c': scan_text(scan, "%a %b %e %H:%M:%S %Y"); break;
    case 'C': scan->century = number(scan, 0, 99, 2); break;
    case 'd':
    case 'e':
        tm->tm_mday = number(scan, 1, 31, 2);
        scan->have_mday = true;
        break;
    case 'x':
    case 'D': scan_text(scan, "%m/%d/%y"); break;
    case 'F': scan_text(scan, "%Y-%m-%d"); break;
    case 'k':
    case 'H':
        tm->tm_hour = number(scan, 0, 23, 2);
        scan->hour12 = false;
        break;
    case 'l':
    case 'I':
        tm->tm_hour = number(scan, 1, 12, 2) % 12;
        scan->hour12 = true;
        break;
    case 'j':
        tm->tm_yday = number(scan, 1, 366, 3) - 1;
        scan->have_yday = true;
        break;
    case 'm':
        tm->tm_mon = number(scan, 1, 12, 2) - 1;
        scan->have_mon = true;
        break;
    case 'M': tm->tm_min = number(scan, 0, 59, 2); break;
    case 'n':
    case 't': skip_space(scan); break;
    case 'p':
    case 'P':
        scan->pm = begins_with(scan->s, "PM", 2);
        scan->ok &= scan->pm || begins_with(scan->s, "AM", 2);
        scan->s += scan->ok ? 2 : 0;
        break;
    case 'r': scan_text(scan, "%I:%M:%S %p"); break;
    case 'R': scan_text(scan, "%H:%M"); break;
    case 'S': tm->tm_sec = number(scan, 0, 61, 2); break;
    case 'X':
    case 'T': scan_text(scan, "%H:%M:%S"); break;
    case 'u':
        tm->tm_wday = number(scan, 1, 7, 1) % 7;
        scan->have_wday = true;
        break;
    case 'w':
        tm->tm_wday = number(scan, 0, 6, 1);
        scan->have_wday = true;
        break;
    case 'U':
    case 'V':
    case 'W': number(scan, 0, 53, 2); break;
    case 'g': number(scan, 0, 99, 2); break;
    case 'G': number(scan, 0, 9999, 4); break;
    case 'y': scan->year_in_century = number(scan, 0, 99, 2); break;
    case 'Y':
        tm->tm_year = number(scan, 0, 9999, 4) - 1900;
        scan->have_year = true;
        scan->century = scan->year_in_century = -1;
        break;
    case 'z': zone_offset(scan); break;
    case 'Z': break;
    case 's': {
        long when = 0;
        scan->ok &= byte_between(*scan->s, '0', '9');
        while (byte_between(*scan->s, '0', '9'))
            when = when * 10 + (*scan->s++ - '0');
        scan->ok &= localtime_r(&when, tm) != NULL;
        break;
    }
    default: scan->ok = false;
    }
}

static void scan_text(Scan *scan, const char *text)
{
    for (; *text && scan->ok; text++) {
        if (ascii_space((unsigned char)*text)) {
            skip_space(scan);
        } else if (*text != '%') {
            scan->ok = *scan->s == *text;
            scan->s += scan->ok;
        } else {
            do
                text++;
            while (*text && strchr("_-0^#EO", *text));
            conversion(scan, *text);
            if (!*text)
                return;
        }
    }
}

static int day_of_year(const struct tm *tm)
{
    static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int year = tm->tm_year + 1900;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return before[tm->tm_mon] + tm->tm_mday - 1 + (leap && tm->tm_mon > 1);
}

/* What follows from the fields that were seen: year from its parts, weekday and day of the year from the
 * date. */
static void complete(Scan *scan)
{
    struct tm *tm = scan->tm;
    if (scan->hour12 && scan->pm > 0)
        tm->tm_hour += 12;
    if (scan->year_in_century >= 0) {
        int century = scan->century >= 0 ? scan->century : scan->year_in_century < 69 ? 20 : 19;
        tm->tm_year = century * 100 + scan->year_in_century - 1900;
    } else if (scan->century >= 0) {
        tm->tm_year = scan->century * 100 - 1900;
    }
    bool have_date = scan->have_mon && scan->have_mday;
    bool have_year = scan->have_year || scan->century >= 0 || scan->year_in_century >= 0;
    if (!have_year && !scan->have_mon && !scan->have_mday)
        return;
    struct tm date = {.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday};
    if (scan->have_yday && !have_date)
        date.tm_mon = 0, date.tm_mday = tm->tm_yday + 1;
    timegm(&date);
    if (scan->have_yday && !scan->have_wday) {
        tm->tm_mon = scan->have_mon ? tm->tm_mon : date.tm_mon;
        tm->tm_mday = scan->have_mday ? tm->tm_mday : date.tm_mday;
    }
    tm->tm_wday = scan->have_wday ? tm->tm_wday : date.tm_wday;
    tm->tm_yday = scan->have_yday ? tm->tm_yday : day_of_year(tm);
}

char *strptime(const char *restrict s, const char *restrict text, struct tm *restrict tm)
{
    Scan scan = {.s = s, .ok = true, .tm = tm, .century = -1, .year_in_century = -1, .pm = -1};
    scan_text(&scan, text);
    if (!scan.ok)
        return NULL;
    complete(&scan);
    return (char *)scan.s;
}

char *strptime_l(const char *restrict s, const char *restrict text, struct tm *restrict tm, locale_t locale)
{
    (void)locale;
    return strptime(s, text, tm);
}
