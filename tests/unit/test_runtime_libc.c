/* test_runtime_libc.c - the models of runtime/ against the host's libc on random input. The models are linked
 * under names of their own (rt_strlen…), over primitives on the real system (tests/libc/hosted/host.c). */
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wstringop-truncation" /* truncating is what is tested */

enum { ROUNDS = 20000, LONGEST = 24 };

int rt_main(int argc, char **argv, char **envp);
int rt_main(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
    return 0;
}

double complex __muldc3(double, double, double, double), __divdc3(double, double, double, double);
float complex __divsc3(float, float, float, float);
long double complex __divxc3(long double, long double, long double, long double);

/* clang-format off */
#define OURS(name) extern __typeof__(name) rt_##name;
OURS(strlen) OURS(strnlen) OURS(strcmp) OURS(strncmp) OURS(strcasecmp) OURS(strncasecmp) OURS(strchr)
OURS(strrchr) OURS(strchrnul) OURS(strspn) OURS(strcspn) OURS(strpbrk) OURS(strstr) OURS(strcasestr)
OURS(strcpy) OURS(stpcpy) OURS(strncpy) OURS(stpncpy) OURS(strncat) OURS(strtok_r) OURS(strsep)
OURS(strverscmp) OURS(memcmp) OURS(memchr) OURS(memrchr) OURS(memmem) OURS(memccpy) OURS(memmove) OURS(memset)
OURS(strtol) OURS(strtoul) OURS(strtod) OURS(strtof) OURS(strtold) OURS(atoi) OURS(qsort) OURS(bsearch)
OURS(srand) OURS(rand) OURS(rand_r) OURS(gmtime_r) OURS(timegm) OURS(strftime) OURS(strptime) OURS(getopt)
OURS(optind) OURS(optopt) OURS(opterr) OURS(optarg) OURS(frexp) OURS(frexpf) OURS(frexpl) OURS(modf)
OURS(remquo) OURS(wcstol) OURS(ffsll) OURS(__muldc3) OURS(__divdc3) OURS(__divsc3) OURS(__divxc3)
OURS(regcomp) OURS(regexec) OURS(regfree)
    /* clang-format on */
    int *rt___errno_location(void);

static uint64_t state;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static unsigned below(unsigned n) { return (unsigned)(next() >> 20) % n; }

/* A string over few letters, so that two of them have much in common. */
static const char *text(char *to, const char *letters)
{
    size_t n = below(LONGEST);
    for (size_t i = 0; i < n; i++)
        to[i] = letters[below((unsigned)strlen(letters))];
    to[n] = '\0';
    return to;
}

static int sign(int x) { return (x > 0) - (x < 0); }

static int start(void **unused)
{
    (void)unused;
    state = 88172645463325252ull;
    return 0;
}

#define SAME(call, ...)      assert_true(call(__VA_ARGS__) == rt_##call(__VA_ARGS__))
/* Sanitizers replace the host's functions by their own, which promise no more than the standard. */
#define SAME_SIGN(call, ...) assert_int_equal(sign(call(__VA_ARGS__)), sign(rt_##call(__VA_ARGS__)))

static void searches(void **unused)
{
    (void)unused;
    char a[LONGEST], b[LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        text(a, "aAbB\xff "), text(b, i % 3 ? "aAbB\xff " : "ab");
        size_t na = strlen(a), nb = strlen(b), n = below(LONGEST);
        int c = "abAB\xff\x20\x01"[below(8)];
        SAME(strlen, a);
        SAME(strnlen, a, n);
        SAME_SIGN(strcmp, a, b);
        SAME_SIGN(strncmp, a, b, n);
        SAME_SIGN(strcasecmp, a, b);
        SAME_SIGN(strncasecmp, a, b, n);
        SAME(strchr, a, c);
        SAME(strrchr, a, c);
        SAME(strchrnul, a, c);
        SAME(strspn, a, b);
        SAME(strcspn, a, b);
        SAME(strpbrk, a, b);
        SAME(strstr, a, b);
        SAME(strcasestr, a, b);
        SAME(memchr, a, c, na);
        SAME(memrchr, a, c, na);
        SAME(memmem, a, na, b, nb);
        SAME_SIGN(memcmp, a, b, na < nb ? na : nb);
        long long word = (long long)(next() << below(64));
        SAME(ffsll, word);
    }
}

static void versions(void **unused)
{
    (void)unused;
    char a[LONGEST], b[LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        text(a, "00129a."), text(b, "00129a.");
        if (below(2))
            memcpy(b, a, below((unsigned)strlen(a) + 1));
        SAME_SIGN(strverscmp, a, b);
    }
}

static void copies(void **unused)
{
    (void)unused;
    char a[LONGEST], one[3 * LONGEST], two[3 * LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = below(LONGEST), from = below(LONGEST), to = below(LONGEST);
        text(a, "xyz");
        memset(one, '#', sizeof one), memset(two, '#', sizeof two);
        one[5] = two[5] = '\0';
        assert_ptr_equal(strcpy(one + 10, a), one + 10);
        rt_strcpy(two + 10, a);
        assert_int_equal(stpcpy(one, a) - one, rt_stpcpy(two, a) - two);
        assert_int_equal(stpncpy(one, a, n) - one, rt_stpncpy(two, a, n) - two);
        assert_memory_equal(one, two, sizeof one);
        strncpy(one + 3, a, n), rt_strncpy(two + 3, a, n);
        one[40] = two[40] = '\0';
        strncat(one, a, n), rt_strncat(two, a, n);
        memmove(one + to, one + from, n), rt_memmove(two + to, two + from, n);
        rt_memset(two + from, 'q', n), memset(one + from, 'q', n);
        char *end = memccpy(one, a, 'y', strlen(a)), *our_end = rt_memccpy(two, a, 'y', strlen(a));
        assert_int_equal(end ? end - one : -1, our_end ? our_end - two : -1);
        assert_memory_equal(one, two, sizeof one);
    }
}

static void tokens(void **unused)
{
    (void)unused;
    char a[LONGEST], one[LONGEST], two[LONGEST], separators[LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        text(a, "ab,; "), text(separators, ",; ");
        memcpy(one, a, sizeof one), memcpy(two, a, sizeof two);
        char *rest = NULL, *our_rest = NULL, *x = strtok_r(one, separators, &rest),
             *y = rt_strtok_r(two, separators, &our_rest);
        while (x && y) {
            assert_int_equal(x - one, y - two);
            assert_string_equal(x, y);
            x = strtok_r(NULL, separators, &rest), y = rt_strtok_r(NULL, separators, &our_rest);
        }
        assert_true(!x && !y);
        memcpy(one, a, sizeof one), memcpy(two, a, sizeof two);
        rest = one, our_rest = two;
        do {
            x = strsep(&rest, separators), y = rt_strsep(&our_rest, separators);
            assert_int_equal(x ? x - one : -1, y ? y - two : -1);
        } while (x);
    }
}

static void numbers(void **unused)
{
    (void)unused;
    static const int bases[] = {0, 2, 7, 8, 10, 10, 16, 36};
    char a[LONGEST];
    wchar_t wide[LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        text(a, i % 2 ? "0123456789" : " +-00xX19aFz");
        if (below(3) == 0)
            memmove(a + 1, a, LONGEST - 1), a[0] = "- 0+"[below(4)], a[LONGEST - 1] = '\0';
        char *end = a, *our_end = a;
        int base = bases[below(8)];
        errno = *rt___errno_location() = 0;
        assert_true(strtol(a, &end, base) == rt_strtol(a, &our_end, base));
        assert_ptr_equal(end, our_end);
        assert_int_equal(errno, *rt___errno_location());
        errno = *rt___errno_location() = 0;
        assert_true(strtoul(a, &end, base) == rt_strtoul(a, &our_end, base));
        assert_int_equal(errno, *rt___errno_location());
        SAME(atoi, a);
        for (int k = 0; k < LONGEST; k++)
            wide[k] = a[k];
        wchar_t *wide_end = wide, *our_wide_end = wide;
        assert_true(wcstol(wide, &wide_end, base) == rt_wcstol(wide, &our_wide_end, base));
        assert_ptr_equal(wide_end, our_wide_end);
        text(a, i % 3 ? "01239.eE+-x" : "infINFtyanNA(1) -");
        double x = strtod(a, &end), y = rt_strtod(a, &our_end);
        assert_memory_equal(&x, &y, sizeof x);
        assert_ptr_equal(end, our_end);
        snprintf(a, sizeof a, "%.*g", 1 + (int)below(17),
                 (double)(int64_t)next() / (double)(next() >> below(60)));
        float f = strtof(a, NULL), our_f = rt_strtof(a, NULL);
        assert_memory_equal(&f, &our_f, sizeof f);
        x = strtod(a, &end), y = rt_strtod(a, &our_end);
        assert_memory_equal(&x, &y, sizeof x);
        long double l = strtold(a, NULL), our_l = rt_strtold(a, NULL);
        assert_memory_equal(&l, &our_l, 10);
    }
}

static int by_high_bits(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;
    return (int)(*x >> 4) - (int)(*y >> 4);
}

static void sorting(void **unused)
{
    (void)unused;
    unsigned one[64], two[64];
    for (int i = 0; i < ROUNDS / 10; i++) {
        size_t n = below(64);
        for (size_t k = 0; k < n; k++)
            one[k] = two[k] = below(256);
        qsort(one, n, sizeof *one, by_high_bits);
        rt_qsort(two, n, sizeof *two, by_high_bits);
        assert_memory_equal(one, two, n * sizeof *one);
        unsigned key = below(256);
        unsigned *x = bsearch(&key, one, n, sizeof *one, by_high_bits),
                 *y = rt_bsearch(&key, one, n, sizeof *one, by_high_bits);
        assert_ptr_equal(x, y);
    }
}

static void random_sequences(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200; i++) {
        unsigned seed = (unsigned)next(), one = seed, two = seed;
        srand(seed), rt_srand(seed);
        for (int k = 0; k < 100; k++) {
            assert_int_equal(rand(), rt_rand());
            assert_int_equal(rand_r(&one), rt_rand_r(&two));
        }
    }
}

static void dates(void **unused)
{
    (void)unused;
    static const char conversions[] = "aAbBcCdDeFgGhHIjklmMpPrRsStTuUVwWxXyYzZ%n";
    for (int i = 0; i < ROUNDS; i++) {
        time_t when = (time_t)(next() >> (8 + below(30))) * (below(2) ? 1 : -1);
        struct tm one, two;
        struct tm *x = gmtime_r(&when, &one), *y = rt_gmtime_r(&when, &two);
        assert_int_equal(x != NULL, y != NULL);
        if (!x)
            continue;
        assert_true(one.tm_year == two.tm_year && one.tm_mon == two.tm_mon && one.tm_mday == two.tm_mday &&
                    one.tm_hour == two.tm_hour && one.tm_min == two.tm_min && one.tm_sec == two.tm_sec &&
                    one.tm_wday == two.tm_wday && one.tm_yday == two.tm_yday);
        char format[32], a[512], b[512];
        int n = 0;
        for (unsigned k = below(4); n < 20 && k < 4; k++) {
            format[n++] = '%';
            if (below(3) == 0)
                format[n++] = "_-0^#"[below(5)];
            format[n++] = conversions[below(sizeof conversions - 1)];
        }
        format[n] = '\0';
        size_t theirs = strftime(a, sizeof a, format, &one), ours = rt_strftime(b, sizeof b, format, &two);
        assert_int_equal(theirs, ours);
        if (theirs)
            assert_string_equal(a, b);
        one.tm_mon += (int)below(100) - 50, one.tm_mday += (int)below(1000) - 500,
            one.tm_sec += (int)below(100000) - 50000;
        two = one;
        assert_true(timegm(&one) == rt_timegm(&two));
        assert_int_equal(one.tm_mday, two.tm_mday);
    }
}

static void dates_from_text(void **unused)
{
    (void)unused;
    static const char *const formats[] = {"%Y-%m-%d", "%d %b %Y", "%H:%M:%S", "%j",    "%y %m",
                                          "%I %p",    "%a %d",    "%D",       "%C %y", "%Y %j"};
    for (int i = 0; i < ROUNDS; i++) {
        time_t when = (time_t)(next() >> 31);
        struct tm tm, one, two;
        char a[128];
        gmtime_r(&when, &tm);
        const char *format = formats[below(10)];
        strftime(a, sizeof a, format, &tm);
        if (below(3) == 0 && *a)
            a[below((unsigned)strlen(a))] = "0 9x"[below(4)];
        memset(&one, 0, sizeof one), memset(&two, 0, sizeof two);
        char *x = strptime(a, format, &one), *y = rt_strptime(a, format, &two);
        assert_ptr_equal(x, y);
        if (x && one.tm_year > -1900) /* the weekdays of a year 0 are not defined */
            assert_true(one.tm_year == two.tm_year && one.tm_mon == two.tm_mon &&
                        one.tm_mday == two.tm_mday && one.tm_hour == two.tm_hour &&
                        one.tm_min == two.tm_min && one.tm_sec == two.tm_sec && one.tm_wday == two.tm_wday &&
                        one.tm_yday == two.tm_yday);
    }
}

static void options(void **unused)
{
    (void)unused;
    static const char *const letters[] = {"ab:c::", "+ab:", "-ab:c", ":ab:c::"};
    char words[8][LONGEST];
    opterr = rt_opterr = 0;
    for (int i = 0; i < ROUNDS; i++) {
        char *one[10] = {"p"}, *two[10] = {"p"};
        int argc = 1 + (int)below(8), x, y;
        for (int k = 1; k < argc; k++) {
            text(words[k - 1], "abc-");
            if (below(2))
                words[k - 1][0] = '-';
            one[k] = two[k] = words[k - 1];
        }
        const char *list = letters[below(4)];
        optind = rt_optind = 0;
        do {
            x = getopt(argc, one, list), y = rt_getopt(argc, two, list);
            assert_int_equal(x, y);
            assert_ptr_equal(optarg, rt_optarg);
            assert_int_equal(optind, rt_optind);
            if (x == '?')
                assert_int_equal(optopt, rt_optopt);
        } while (x != -1);
        assert_memory_equal(one, two, sizeof one);
    }
}

/* Random patterns: the error, or the place of the match in random texts. */
static void expressions(void **unused)
{
    (void)unused;
    static const char *const bits[] = {"a",    "b",     "c",   ".",   "*",   "+",          "?",
                                       "(",    ")",     "|",   "^",   "$",   "{",          "[ab]",
                                       "[^a]", "{1,2}", "\\(", "\\)", "\\1", "[[:alpha:]]"};
    static const int flags[] = {0, REG_EXTENDED, REG_EXTENDED | REG_ICASE, REG_NEWLINE};
    for (int i = 0; i < ROUNDS; i++) {
        char pattern[80] = "", a[LONGEST];
        for (unsigned n = below(7); n; n--)
            strcat(pattern, bits[below(20)]);
        regex_t theirs, ours;
        int flag = flags[below(4)], x = regcomp(&theirs, pattern, flag), y = rt_regcomp(&ours, pattern, flag);
        if (x != y)
            fail_msg("%s (%d): %d and %d", pattern, flag, x, y);
        if (x)
            continue;
        for (int k = 0; k < 5; k++) {
            regmatch_t one = {-1, -1}, two = {-1, -1};
            text(a, "abcA");
            x = regexec(&theirs, a, 1, &one, 0), y = rt_regexec(&ours, a, 1, &two, 0);
            if (x != y || one.rm_so != two.rm_so || one.rm_eo != two.rm_eo)
                fail_msg("%s (%d) in %s: %d %d-%d and %d %d-%d", pattern, flag, a, x, one.rm_so, one.rm_eo, y,
                         two.rm_so, two.rm_eo);
        }
        regfree(&theirs), rt_regfree(&ours);
    }
}

static double number(void)
{
    union {
        uint64_t word;
        double value;
    } bits = {.word = next()};
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -2, 1e308, 4.9e-324, 1e-310};
    return below(3) == 0 ? special[below(10)] : below(2) ? (double)(int)below(2000) / 8 - 100 : bits.value;
}

/* Bits, except that all NaNs are alike. */
static bool alike(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void floats(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        double a = number(), b = number(), c = number(), d = number(), whole, our_whole;
        int e = 0, our_e = 0;
        assert_true(alike(frexp(a, &e), rt_frexp(a, &our_e)));
        if (isfinite(a))
            assert_int_equal(e, our_e);
        assert_true(alike((double)frexpl((long double)a * 1e-4000L, &e),
                          (double)rt_frexpl((long double)a * 1e-4000L, &our_e)));
        assert_true(alike((double)frexpf((float)a, &e), (double)rt_frexpf((float)a, &our_e)));
        assert_true(alike(modf(a, &whole), rt_modf(a, &our_whole)) && alike(whole, our_whole));
        assert_true(alike(remquo(a, b, &e), rt_remquo(a, b, &our_e)));
        if (isfinite(a) && !isnan(b) && b != 0)
            assert_int_equal(e & 7, our_e & 7);
        double complex x = __muldc3(a, b, c, d), y = rt___muldc3(a, b, c, d);
        assert_true(alike(creal(x), creal(y)) && alike(cimag(x), cimag(y)));
        x = __divdc3(a, b, c, d), y = rt___divdc3(a, b, c, d);
        assert_true(alike(creal(x), creal(y)) && alike(cimag(x), cimag(y)));
        float complex xf = __divsc3((float)a, (float)b, (float)c, (float)d),
                      yf = rt___divsc3((float)a, (float)b, (float)c, (float)d);
        assert_true(alike(crealf(xf), crealf(yf)) && alike(cimagf(xf), cimagf(yf)));
        long double complex xl = __divxc3(a, b, c, d), yl = rt___divxc3(a, b, c, d);
        assert_true(alike((double)creall(xl), (double)creall(yl)) &&
                    alike((double)cimagl(xl), (double)cimagl(yl)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(searches, start),         cmocka_unit_test_setup(versions, start),
        cmocka_unit_test_setup(copies, start),           cmocka_unit_test_setup(tokens, start),
        cmocka_unit_test_setup(numbers, start),          cmocka_unit_test_setup(sorting, start),
        cmocka_unit_test_setup(random_sequences, start), cmocka_unit_test_setup(dates, start),
        cmocka_unit_test_setup(dates_from_text, start),  cmocka_unit_test_setup(options, start),
        cmocka_unit_test_setup(floats, start),           cmocka_unit_test_setup(expressions, start),
    };
    return cmocka_run_group_tests_name("runtime: libc", tests, NULL, NULL);
}
