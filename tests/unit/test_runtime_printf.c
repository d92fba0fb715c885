/* test_runtime_printf.c - runtime/stdio/printf.c and the machine's rendering of items, both against the
 * host's printf: random conversions with random values, into memory and to a descriptor. */
#include "runtime_host.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <wchar.h>

#include "../../runtime/stdio/stream.h"

/* What printf.c needs of its surroundings. */
long __sheaf_put(int fd, const void *data, size_t size)
{
    return HOST_CALL(prim_put, WORD(fd), ADDRESS(data), size);
}
long __sheaf_sent(int fd) { return HOST_CALL(prim_sent, WORD(fd)); }

long __sheaf_emit(int fd, const char *spec, long width, long precision, const void *value, size_t size)
{
    return HOST_CALL(prim_emit, WORD(fd), ADDRESS(spec), WORD(width), WORD(precision), ADDRESS(value), size);
}

long __sheaf_format_float(char *out, size_t cap, const char *spec, long width, long precision,
                          const void *value, size_t size)
{
    return HOST_CALL(prim_format_float, ADDRESS(out), cap, ADDRESS(spec), WORD(width), WORD(precision),
                     ADDRESS(value), size);
}

bool __sheaf_stream_to_write(Stream *s) { return s; }
size_t __sheaf_stream_write(Stream *s, const void *data, size_t size)
{
    str_add_n((Str *)s->cookie, data, size);
    return 0;
}
void __sheaf_broken_pipe(long result) { (void)result; }
void *__sheaf_alloc(size_t size, size_t align, int zeroed)
{
    (void)align;
    return zeroed ? calloc(1, size) : malloc(size);
}
void __sheaf_free(void *p) { free(p); }

enum { ROOM = 8192 };
static char expected[ROOM], got[ROOM];

/* One format through all ways out. */
static void check(const char *format, ...)
{
    va_list args;
    errno = ENOENT;
    va_start(args, format);
    int want = vsnprintf(expected, sizeof expected, format, args);
    va_end(args);

    errno = ENOENT;
    va_start(args, format);
    int have = __sheaf_print_memory(got, sizeof got, format, args);
    va_end(args);
    if (have != want || strcmp(expected, got) != 0)
        fail_msg("\"%s\" into memory: %d \"%s\", not %d \"%s\"", format, have, got, want, expected);

    size_t small = want > 0 ? (size_t)want / 2 + 1 : 1;
    char *exact = malloc(small); /* a byte too many is the sanitizer's to find */
    errno = ENOENT;
    va_start(args, format);
    have = __sheaf_print_memory(exact, small, format, args);
    va_end(args);
    assert_int_equal(have, want);
    if (want >= 0 && memcmp(exact, expected, small - 1) != 0)
        fail_msg("\"%s\" cut to %zu", format, small);
    free(exact);

    vm_stream_clear((VmStream *)vm_files_output(host_vm.files, 1));
    errno = ENOENT;
    va_start(args, format);
    have = __sheaf_print_fd(1, format, args);
    va_end(args);
    const char *text = str_text(&vm_files_output(host_vm.files, 1)->text);
    if (have != want || (want >= 0 && memcmp(expected, text, (size_t)want) != 0))
        fail_msg("\"%s\" to a descriptor: %d \"%s\", not %d \"%s\"", format, have, text, want, expected);

    Str out = {0};
    Stream stream = {.kind = STREAM_FIXED, .cookie = &out};
    errno = ENOENT;
    va_start(args, format);
    have = __sheaf_print_stream(&stream, format, args);
    va_end(args);
    if (have != want || (want >= 0 && memcmp(expected, str_text(&out), (size_t)want) != 0))
        fail_msg("\"%s\" to a stream: %d \"%s\", not %d \"%s\"", format, have, str_text(&out), want,
                 expected);
    str_free(&out);
}

static Rng rng;
static uint64_t below(uint64_t n) { return rng_below(&rng, n); }

/* "%", flags, width, precision, length, letter. */
static void random_spec(char *out, const char *letters, const char *length, bool stars)
{
    *out++ = '%';
    for (uint64_t n = below(4); n; n--)
        *out++ = "-+ #0'"[below(6)];
    if (stars)
        *out++ = '*';
    else if (below(2))
        out += sprintf(out, "%d", (int)below(24));
    if (stars)
        out += sprintf(out, ".*");
    else if (below(2))
        out += sprintf(out, below(6) ? ".%d" : ".", (int)below(20));
    out += sprintf(out, "%s", length);
    *out++ = letters[below(strlen(letters))];
    *out = 0;
}

static uint64_t random_integer(void)
{
    uint64_t value = rng_next(&rng) >> below(64);
    return below(8) == 0 ? below(3) - 1 : below(2) ? value : -value;
}

static double random_double(void)
{
    static const double special[] = {0.0,  -0.0, 1.0, 0.5,      1e300, 1e-300, 4.9e-324,
                                     1e15, 1e16, 0.1, 123456.0, 9.5,   99.5};
    union {
        uint64_t word;
        double number;
    } any = {rng_next(&rng)};
    switch (below(6)) {
    case 0: return special[below(COUNT_OF(special))];
    case 1: return below(2) ? INFINITY : -INFINITY;
    case 2: return below(2) ? NAN : -NAN;
    case 3: return any.number;
    case 4: return (double)(int64_t)random_integer() / 8;
    default: return (double)below(2000000) / 1000 - 1000;
    }
}

static void integers(void **state)
{
    (void)state;
    static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t", "q", "L"};
    char spec[64], format[80];
    for (int i = 0; i < 20000; i++) {
        unsigned length = (unsigned)below(COUNT_OF(lengths));
        bool stars = below(4) == 0, is_long = length > 2;
        random_spec(spec, "diuoxX", lengths[length], stars);
        snprintf(format, sizeof format, below(2) ? "%s" : "a%%%%<%s>\n", spec);
        uint64_t value = random_integer();
        int width = (int)below(40) - 10, precision = (int)below(30) - 5;
        if (stars)
            is_long ? check(format, width, precision, value) : check(format, width, precision, (int)value);
        else
            is_long ? check(format, value) : check(format, (int)value);
    }
}

static void floats(void **state)
{
    (void)state;
    char spec[64];
    for (int i = 0; i < 20000; i++) {
        bool stars = below(4) == 0, wide = below(4) == 0;
        random_spec(spec, "eEfFgGaA", wide ? "L" : below(4) ? "" : "l", stars);
        long double value = random_double();
        int width = (int)below(60) - 20, precision = (int)below(40) - 5;
        if (stars)
            wide ? check(spec, width, precision, value) : check(spec, width, precision, (double)value);
        else
            wide ? check(spec, value) : check(spec, (double)value);
    }
    check("%.1000f|%.700e", 1e-320, DBL_MIN);
    check("%f %Lf", DBL_MAX, LDBL_MAX);
}

static void texts(void **state)
{
    (void)state;
    static const char *const words[] = {"", "a", "word", "two words\n",
                                        "a longer text that exceeds most fields"};
    char spec[64];
    for (int i = 0; i < 4000; i++) {
        bool stars = below(4) == 0;
        int width = (int)below(60) - 20, precision = (int)below(40) - 5;
        random_spec(spec, "s", "", stars);
        const char *word = below(10) ? words[below(COUNT_OF(words))] : NULL;
        stars ? check(spec, width, precision, word) : check(spec, word);
        random_spec(spec, "c", "", stars);
        stars ? check(spec, width, precision, 'x') : check(spec, (int)('!' + below(90)));
        random_spec(spec, "p", "", stars);
        void *pointer = (void *)(uintptr_t)(below(5) ? random_integer() : 0);
        stars ? check(spec, width, precision, pointer) : check(spec, pointer);
    }
    char open[3] = {'a', 'b', 'c'}; /* no NUL: the precision bounds it */
    check("%.3s|%.*s", open, 2, open);
    check("%ls|%5lc|%-4ls|%.2ls|%S|%C", L"wide", L'w', L"ab", L"abc", L"s", L'c');
    check("%lc", 0x20ac);
    check("%m|%5d%m", 3);
}

static void odd_formats(void **state)
{
    (void)state;
    check("");
    check("plain");
    check("%");
    check("abc%");
    check("%5");
    check("%l");
    check("%%%5%%-5%|");
    check("%y|%5y|%-05y|%+ #y|%.3y|%k%d", 4);
    check("%99999999999d", 1);
    check("%2147483648d", 1);
    check("%.99999999999d", 1);
    check("%2$s %1$s", "a", "b");
    check("%2$*1$d|%1$d", 7, 42);
    check("%3$.*2$f|%1$s", "x", 2, 3.14159);
    check("%1$s %1$s %2$Lf %3$d", "twice", 2.5L, 5);
    check("%d %s %c %f %ld %Lf %p %x %% %o", 1, "two", '3', 4.0, 5l, 6.0l, (void *)7, 8u, 9u);
    check("%d%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    check("%f%f%f%f%f%f%f%f%f%f%d", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11);
}

static void call_memory(char *out, size_t size, int *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *result = __sheaf_print_memory(out, size, format, args);
    va_end(args);
}

static void counts(void **state)
{
    (void)state;
    signed char c = 0;
    short h = 0;
    int i = 0, n;
    long l = 0;
    call_memory(got, sizeof got, &n, "1%hhn23%hn456%n789%ln", &c, &h, &i, &l);
    assert_int_equal(c, 1);
    assert_int_equal(h, 3);
    assert_int_equal(i, 6);
    assert_int_equal(l, 9);
    call_memory(NULL, 0, &n, "%d %s", 12345, "x");
    assert_int_equal(n, 7);
    call_memory(NULL, 0, &n, "%*d", 1000000000, 1);
    assert_int_equal(n, 1000000000);
    errno = 0;
    call_memory(NULL, 0, &n, "%*d%*d%*d", 1000000000, 1, 1000000000, 1, 1000000000, 1);
    assert_int_equal(n, -1);
    assert_int_equal(errno, EOVERFLOW);
}

static int set_up(void **state)
{
    (void)state;
    rng_seed(&rng, 7);
    host_vm.files = vm_files_new();
    vm_files_reset(host_vm.files, &(VmEnvironment){.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vm_files_free(host_vm.files);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(floats),
                                       cmocka_unit_test(texts), cmocka_unit_test(odd_formats),
                                       cmocka_unit_test(counts)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
