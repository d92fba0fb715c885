/* time.c - time.h and sys/time.h over the machine's clock, which is deterministic. The local time is UTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { REAL = 0, MONOTONIC = 1, PROCESS = 2 };
enum { SECONDS_A_DAY = 86400, DAYS_IN_400_YEARS = 146097 };
static const long NANO = 1000000000;

char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;
char *__tzname[2] = {"UTC", "UTC"};
long __timezone;
int __daylight;

/* With --env time what a clock shows is an input: any moment up to the year 9999 that is not before the last
 * one. */
static struct timespec shown[2]; /* by REAL, MONOTONIC */

static void not_before(int which, long second, long nano)
{
    static const long most = 253402300799;
    struct timespec last = shown[which];
    __sheaf_assume((second >= 0) & (second <= most) & (nano >= 0) & (nano < NANO) &
                   ((second > last.tv_sec) | ((second == last.tv_sec) & (nano >= last.tv_nsec))));
    shown[which] = (struct timespec){second, nano};
}

time_t time(time_t *out)
{
    time_t now;
    if (__sheaf_environment(ENV_TIME, &now, sizeof now, "env.time"))
        not_before(REAL, now, now == shown[REAL].tv_sec ? shown[REAL].tv_nsec : 0);
    else
        now = __sheaf_clock(REAL) / NANO;
    if (out)
        *out = now;
    return now;
}

clock_t clock(void)
{
    static clock_t last;
    clock_t now;
    if (__sheaf_environment(ENV_TIME, &now, sizeof now, "env.clock")) {
        __sheaf_assume(now >= last);
        return last = now;
    }
    return __sheaf_clock(PROCESS) / (NANO / CLOCKS_PER_SEC);
}

static long nanoseconds(clockid_t which)
{
    switch (which) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
    case CLOCK_REALTIME_ALARM: return __sheaf_clock(REAL);
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return __sheaf_clock(PROCESS);
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: return __sheaf_clock(MONOTONIC);
    default: return -1;
    }
}

int clock_gettime(clockid_t which, struct timespec *out)
{
    long now = nanoseconds(which);
    if (now < 0) {
        errno = EINVAL;
        return -1;
    }
    struct timespec given;
    if (__sheaf_environment(ENV_TIME, &given, sizeof given, "env.clock_gettime")) {
        bool real = (which == CLOCK_REALTIME) | (which == CLOCK_REALTIME_COARSE);
        not_before(real ? REAL : MONOTONIC, given.tv_sec, given.tv_nsec);
        *out = given;
        return 0;
    }
    *out = (struct timespec){.tv_sec = now / NANO, .tv_nsec = now % NANO};
    return 0;
}

int clock_getres(clockid_t which, struct timespec *out)
{
    if (nanoseconds(which) < 0) {
        errno = EINVAL;
        return -1;
    }
    if (out)
        *out = (struct timespec){.tv_nsec = 1};
    return 0;
}

int clock_settime(clockid_t which, const struct timespec *value)
{
    (void)which, (void)value;
    errno = EPERM;
    return -1;
}

int timespec_get(struct timespec *out, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, out) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timeval given;
    long now = __sheaf_clock(REAL);
    *out = (struct timeval){.tv_sec = now / NANO, .tv_usec = now % NANO / 1000};
    if (__sheaf_environment(ENV_TIME, &given, sizeof given, "env.gettimeofday")) {
        __sheaf_assume((given.tv_usec >= 0) & (given.tv_usec < 1000000));
        not_before(REAL, given.tv_sec, given.tv_usec * 1000);
        *out = given;
    }
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

int settimeofday(const struct timeval *value, const struct timezone *zone)
{
    (void)value, (void)zone;
    errno = EPERM;
    return -1;
}

clock_t times(struct tms *out)
{
    clock_t ticks = __sheaf_clock(PROCESS) / (NANO / 100);
    *out = (struct tms){.tms_utime = ticks};
    return __sheaf_clock(MONOTONIC) / (NANO / 100);
}

int getrusage(__rusage_who_t who, struct rusage *out)
{
    long now = who == RUSAGE_CHILDREN ? 0 : __sheaf_clock(PROCESS);
    *out = (struct rusage){0};
    out->ru_utime = (struct timeval){.tv_sec = now / NANO, .tv_usec = now % NANO / 1000};
    return 0;
}

/* Sleeping takes no time: nothing else runs that could notice. */
unsigned sleep(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int usleep(useconds_t microseconds)
{
    (void)microseconds;
    return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest)
{
    if (wanted->tv_nsec < 0 || wanted->tv_nsec >= NANO || wanted->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    if (rest)
        *rest = (struct timespec){0};
    return 0;
}

int clock_nanosleep(clockid_t which, int flags, const struct timespec *wanted, struct timespec *rest)
{
    (void)which, (void)flags, (void)wanted;
    if (rest)
        *rest = (struct timespec){0};
    return 0;
}

unsigned alarm(unsigned seconds)
{
    if (seconds)
        __sheaf_differs("alarm: no signal comes when time is up");
    return 0;
}

useconds_t ualarm(useconds_t value, useconds_t interval)
{
    (void)interval;
    if (value)
        __sheaf_differs("ualarm: no signal comes when time is up");
    return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict new, struct itimerval *restrict old)
{
    (void)which;
    if (new->it_value.tv_sec | new->it_value.tv_usec)
        __sheaf_differs("setitimer: no signal comes when time is up");
    if (old)
        *old = (struct itimerval){0};
    return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *out)
{
    (void)which;
    *out = (struct itimerval){0};
    return 0;
}

double difftime(time_t end, time_t start) { return (double)end - (double)start; }

/* The local time is UTC: where a program sets another time zone, the ledger says that it has no effect. */
static void look_at_zone(void)
{
    static const char *const utc[] = {"", "UTC", "UTC0", "GMT", "GMT0", "Etc/UTC", ":UTC", "UCT"};
    const char *zone = __sheaf_variable("TZ");
    if (!zone)
        return;
    for (unsigned i = 0; i < sizeof utc / sizeof *utc; i++)
        if (!strcmp(zone, utc[i]))
            return;
    __sheaf_differs("TZ is not looked at: the local time is UTC");
}

void tzset(void) { look_at_zone(); }

static long floor_div(long a, long b) { return a / b - (a % b < 0); }

/* Days before March of a year that begins in March: the leap day is then the last of its year. */
static long days_before_year(long march_year)
{
    return march_year * 365 + floor_div(march_year, 4) - floor_div(march_year, 100) +
           floor_div(march_year, 400);
}

/* Days from 1970-01-01 to a date; month 0 to 11, day of the month from 1, both of any size for the day. */
static long days_from_date(long year, long month, long day)
{
    enum { EPOCH = 719468 }; /* 1970-01-01 counted from 0000-03-01 */
    long march_month = month >= 2 ? month - 2 : month + 10;
    long march_year = month >= 2 ? year : year - 1;
    return days_before_year(march_year) + (153 * march_month + 2) / 5 + day - 1 - EPOCH;
}

static bool is_leap(long year) { return ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0); }

/* Fills all of tm but the zone; NULL and EOVERFLOW where the year does not fit. */
static struct tm *break_down(time_t when, struct tm *tm)
{
    enum { EPOCH = 719468 };
    long days = floor_div(when, SECONDS_A_DAY), second = when - days * SECONDS_A_DAY;
    long from = days + EPOCH, era = floor_div(from, DAYS_IN_400_YEARS), day = from - era * DAYS_IN_400_YEARS;
    long year_in_era = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    long march_day = day - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
    long march_month = (5 * march_day + 2) / 153;
    long month = march_month < 10 ? march_month + 2 : march_month - 10;
    long year = year_in_era + era * 400 + (month < 2);
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    long weekday = (days + 4) % 7;
    *tm = (struct tm){
        .tm_sec = (int)(second % 60),
        .tm_min = (int)(second / 60 % 60),
        .tm_hour = (int)(second / 3600),
        .tm_mday = (int)(march_day - (153 * march_month + 2) / 5 + 1),
        .tm_mon = (int)month,
        .tm_year = (int)(year - 1900),
        .tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday),
        .tm_yday = (int)(days - days_from_date(year, 0, 1)),
    };
    return tm;
}

static struct tm *universal(const time_t *when, struct tm *tm, const char *zone)
{
    if (!break_down(*when, tm))
        return NULL;
    tm->tm_zone = zone;
    return tm;
}

static struct tm shared_tm;

struct tm *gmtime(const time_t *when) { return universal(when, &shared_tm, "GMT"); }

struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict tm)
{
    return universal(when, tm, "GMT");
}

struct tm *localtime(const time_t *when)
{
    look_at_zone();
    return universal(when, &shared_tm, "UTC");
}

struct tm *localtime_r(const time_t *restrict when, struct tm *restrict tm)
{
    look_at_zone();
    return universal(when, tm, "UTC");
}

/* Any values in, proper ones out. */
static time_t normalise(struct tm *tm, const char *zone)
{
    long month = tm->tm_mon, year = 1900l + tm->tm_year + floor_div(month, 12);
    month -= floor_div(month, 12) * 12;
    long days = days_from_date(year, month, tm->tm_mday);
    time_t when = days * SECONDS_A_DAY + tm->tm_hour * 3600l + tm->tm_min * 60l + tm->tm_sec;
    struct tm proper;
    if (!break_down(when, &proper))
        return -1;
    proper.tm_zone = zone;
    *tm = proper;
    return when;
}

time_t mktime(struct tm *tm)
{
    look_at_zone();
    return normalise(tm, "UTC");
}

time_t timelocal(struct tm *tm)
{
    look_at_zone();
    return normalise(tm, "UTC");
}

time_t timegm(struct tm *tm) { return normalise(tm, "GMT"); }

int dysize(int year) { return 365 + is_leap(year); }

static const char *const day_names[7] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
static const char *const month_names[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static char *print_time(const struct tm *tm, char *out, size_t n)
{
    if (!tm) {
        errno = EINVAL;
        return NULL;
    }
    if (tm->tm_year > INT_MAX - 1900) {
        errno = EOVERFLOW;
        return NULL;
    }
    int length = snprintf(out, n, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
                          byte_between(tm->tm_wday, 0, 6) ? day_names[tm->tm_wday] : "???",
                          byte_between(tm->tm_mon, 0, 11) ? month_names[tm->tm_mon] : "???", tm->tm_mday,
                          tm->tm_hour, tm->tm_min, tm->tm_sec, 1900 + tm->tm_year);
    if (length < 0 || (size_t)length >= n) {
        errno = EOVERFLOW;
        return NULL;
    }
    return out;
}

enum { R_SIZE = 26 }; /* what the callers of asctime_r must have room for */
static char shared_text[80];

char *asctime(const struct tm *tm) { return print_time(tm, shared_text, sizeof shared_text); }

char *asctime_r(const struct tm *restrict tm, char *restrict out) { return print_time(tm, out, R_SIZE); }

char *ctime(const time_t *when) { return print_time(localtime(when), shared_text, sizeof shared_text); }

char *ctime_r(const time_t *when, char *out)
{
    struct tm tm;
    return print_time(universal(when, &tm, "UTC"), out, R_SIZE);
}

int ftime(struct timeb *out)
{
    long now = __sheaf_clock(REAL);
    *out = (struct timeb){.time = now / NANO, .millitm = (unsigned short)(now % NANO / 1000000)};
    return 0;
}
