/* test_runtime_scanf.c - runtime/stdio/scanf.c against the host's sscanf: random formats on random texts. */
#include "runtime_host.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#include "../../runtime/stdio/stream.h"

long __sheaf_parse_float(const char *text, void *out, size_t size)
{
    return HOST_CALL(prim_parse_float, ADDRESS(text), ADDRESS(out), size);
}

int __sheaf_stream_fill(Stream *s)
{
    (void)s;
    return EOF;
}

enum { TARGETS = 4, ROOM = 128 };

static unsigned char want[TARGETS][ROOM], have[TARGETS][ROOM];

static int ours(const char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __sheaf_scan_text(text, format, args);
    va_end(args);
    return n;
}

/* The same format on the same text, into targets that are all of one size, so that any conversion fits. */
static void check(const char *text, const char *format)
{
    memset(want, 0xa5, sizeof want);
    memset(have, 0xa5, sizeof have);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int expected = sscanf(text, format, want[0], want[1], want[2], want[3]);
#pragma GCC diagnostic pop
    int n = ours(text, format, have[0], have[1], have[2], have[3]);
    if (n != expected)
        fail_msg("sscanf(\"%s\", \"%s\"): %d, not %d", text, format, n, expected);
    for (unsigned i = 0; i < TARGETS; i++)
        if (memcmp(want[i], have[i], ROOM) != 0)
            fail_msg("sscanf(\"%s\", \"%s\"): argument %u differs: %02x%02x not %02x%02x", text, format,
                     i + 1, have[i][0], have[i][1], want[i][0], want[i][1]);
}

static Rng rng;
static uint64_t below(uint64_t n) { return rng_below(&rng, n); }

static void random_text(char *out, const char *alphabet, size_t longest)
{
    size_t letters = strlen(alphabet);
    for (uint64_t n = below(longest); n; n--)
        *out++ = alphabet[below(letters)];
    *out = 0;
}

static void random_format(char *out, const char *const *conversions, unsigned n)
{
    for (uint64_t left = 1 + below(TARGETS - 1); left; left--) {
        static const char *const between[] = {"", "", "", " ", ",", "%%", "x"};
        out += sprintf(out, "%s%%%s", between[below(COUNT_OF(between))], below(8) ? "" : "*");
        if (below(3) == 0)
            out += sprintf(out, "%d", 1 + (int)below(8));
        out += sprintf(out, "%s", conversions[below(n)]);
    }
    sprintf(out, below(2) ? "" : "%%n");
}

static void integers(void **state)
{
    (void)state;
    static const char *const conversions[] = {"d",   "i",  "u",   "o",  "x",  "X",  "hd",
                                              "hhu", "ld", "lli", "jx", "zu", "td", "p"};
    char text[64], format[128];
    for (int i = 0; i < 60000; i++) {
        random_text(text, below(2) ? "0123456789 +-" : "0123789abfxX +-,\n(nil)", 30);
        random_format(format, conversions, COUNT_OF(conversions));
        check(text, format);
    }
    check("99999999999999999999 -99999999999999999999", "%d%d");
    check("99999999999999999999 -99999999999999999999", "%ld%ld");
    check("99999999999999999999 -99999999999999999999", "%lu%lu");
    check("9223372036854775808 -9223372036854775809", "%ld%ld");
    check("4294967295 -1", "%u%u");
    check("0x 0xg", "%i%i");
}

static void floats(void **state)
{
    (void)state;
    static const char *const conversions[] = {"f", "lf", "e", "lg", "a", "la", "lF", "E"};
    char text[64], format[128];
    for (int i = 0; i < 60000; i++) {
        random_text(text, below(2) ? "0123456789.eE+- " : "01239.xXpPaAnNiIfFtTyY+- ,", 24);
        random_format(format, conversions, COUNT_OF(conversions));
        check(text, format);
    }
    check("inf -infinity nan infinite", "%f%lf%f%f");
    check("0x1.8p3 0x.8 1e400 1e-400", "%f%lf%lf%lf");
    check("123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890.5",
          "%lf");
    long double x = 0, y = 0;
    assert_int_equal(ours("1.5 2.25", "%Lf%Lf", &x, &y), 2);
    assert_true(x == 1.5L && y == 2.25L);
}

static void texts(void **state)
{
    (void)state;
    static const char *const conversions[] = {"s",    "c",      "[a-c]",    "[^,]", "[]x]",
                                              "[^]]", "[abc-]", "[a-c0-9]", "d",    "[-a]"};
    char text[64], format[128];
    for (int i = 0; i < 60000; i++) {
        random_text(text, "abcx, 12]-\n\t%", 24);
        random_format(format, conversions, COUNT_OF(conversions));
        check(text, format);
    }
    check("", "%s");
    check("   ", "%s");
    check("   ", "%c%c%c%c");
    check("ab", "%3c");
    check("50%", "%d%%");
    check("50 %", "%d%%");
    check("a", "a%n");
    check("", "a");
    check("", "");
    check("wide", "%ls");
    check("one two", "%2$s%1$s");
    check("12 34", "%2$d%1$d");
    check("abc", "%");
    check("abc", "%y");
    check("abc", "%[abc");
}

static void allocates(void **state)
{
    (void)state;
    char *a = NULL, *b = NULL, *c = NULL;
    assert_int_equal(ours("word rest of it,xyz", "%ms %m[^,],%3mc", &a, &b, &c), 3);
    assert_string_equal(a, "word");
    assert_string_equal(b, "rest of it");
    assert_memory_equal(c, "xyz", 3);
    free(a);
    free(b);
    free(c);
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(ours(longer, "%ms", &a), 1);
    assert_string_equal(a, longer);
    free(a);
}

int main(void)
{
    rng_seed(&rng, 11);
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(floats),
                                       cmocka_unit_test(texts), cmocka_unit_test(allocates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
