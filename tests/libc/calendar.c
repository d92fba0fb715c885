/* Dates: breaking down, putting together, normalising, printing. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void show(const struct tm *tm)
{
    printf("%d-%d-%d %d:%d:%d w%d y%d dst%d off%ld %s", tm->tm_year, tm->tm_mon, tm->tm_mday, tm->tm_hour, tm->tm_min,
           tm->tm_sec, tm->tm_wday, tm->tm_yday, tm->tm_isdst, tm->tm_gmtoff, tm->tm_zone);
}

int main(void)
{
    static const time_t times[] = {0,
                                   1,
                                   -1,
                                   59,
                                   86399,
                                   86400,
                                   -86400,
                                   -86401,
                                   951782400,
                                   951868800,
                                   1078012800,
                                   1000000000,
                                   1234567890,
                                   1700000000,
                                   2147483647,
                                   2147483648l,
                                   4102444800l,
                                   -2147483648l,
                                   -62135596800l,
                                   -62167219200l,
                                   -62167219201l,
                                   253402300799l,
                                   253402300800l,
                                   67767976233532799l,
                                   67767976233532800l,
                                   -67768040609740800l,
                                   -67768040609740801l};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm tm, *p = gmtime(&times[i]);
        errno = 0;
        printf("%ld: ", times[i]);
        if (!p) {
            printf("none\n");
            continue;
        }
        show(p);
        p = localtime_r(&times[i], &tm);
        printf(" | ");
        show(p);
        printf(" | %ld", timegm(&tm));
        p = localtime(&times[i]);
        printf(" %ld | %s", mktime(p), asctime(gmtime(&times[i])));
        char text[64];
        printf("%s", ctime(&times[i]));
        if (asctime_r(&tm, text))
            printf("%s", text);
        else
            printf("too long %d\n", errno);
    }
    static const int fields[][6] = {{100, 0, 1, 0, 0, 0},
                                    {100, 1, 30, 0, 0, 0},
                                    {99, 12, 1, 0, 0, 0},
                                    {99, -1, 1, 0, 0, 0},
                                    {70, 0, 0, 0, 0, 0},
                                    {70, 0, 1, 0, 0, -1},
                                    {104, 1, 29, 25, 61, 61},
                                    {105, 1, 29, 0, 0, 0},
                                    {70, 0, 1000, 0, 0, 0},
                                    {70, 0, -1000, 0, 0, 0},
                                    {0, 0, 1, 0, 0, 0},
                                    {-1900, 0, 1, 0, 0, 0},
                                    {120, 25, 31, 100, 1000, 100000},
                                    {120, -25, -31, -100, -1000, -100000},
                                    {200, 1, 29, 0, 0, 0}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct tm tm;
        memset(&tm, 0, sizeof tm);
        tm.tm_year = fields[i][0], tm.tm_mon = fields[i][1], tm.tm_mday = fields[i][2];
        tm.tm_hour = fields[i][3], tm.tm_min = fields[i][4], tm.tm_sec = fields[i][5];
        struct tm other = tm;
        printf("%ld ", mktime(&tm));
        show(&tm);
        printf(" %ld ", timegm(&other));
        show(&other);
        printf("\n");
    }
    printf("%.1f %.1f\n", difftime(1000, 1), difftime(-5, 5));
    printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
    struct tm odd = {.tm_wday = 9, .tm_mon = -3, .tm_mday = 5, .tm_year = 100};
    printf("%s", asctime(&odd));
    struct timespec wait = {0, 5}, rest = {7, 7}, bad = {0, 2000000000};
    printf("%d %d %d\n", nanosleep(&wait, NULL), nanosleep(&bad, &rest), errno == EINVAL);
    time_t t1 = time(NULL), t2;
    printf("%d %d %d\n", time(&t2) >= t1, t2 >= t1, clock() >= 0);
    return 0;
}
