/* test_suite_replay.c - suite: reports of sanitizers, coverage data, and replay of real programs with its
 * verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "suite/suite_int.h"

/* ---- reports --------------------------------------------------------------------------------- */

static void kinds(void **state)
{
    (void)state;
    assert_string_equal(
        sanitizer_kinds("==1==ERROR: AddressSanitizer: heap-buffer-overflow on address\nREAD of size 1 at"),
        "oob-read");
    assert_string_equal(
        sanitizer_kinds(
            "==1==ERROR: AddressSanitizer: global-buffer-overflow on address\nWRITE of size 1 at"),
        "oob-write");
    assert_string_equal(
        sanitizer_kinds("==1==ERROR: AddressSanitizer: heap-use-after-free on address\nWRITE of size 1"),
        "use-after-free");
    assert_string_equal(sanitizer_kinds("==1==ERROR: AddressSanitizer: ABRT on unknown address\n #1 0x1 in "
                                        "abort a\n #2 0x2 in __assert_fail b"),
                        "assert");
    assert_string_equal(
        sanitizer_kinds("==1==ERROR: AddressSanitizer: ABRT on unknown address\n #1 0x1 in abort a"),
        "abort");
    assert_string_equal(sanitizer_kinds("a.c:1:2: runtime error: signed integer overflow: 1 + 2"),
                        "overflow");
    assert_string_equal(sanitizer_kinds("a.c:1:2: runtime error: load of null pointer of type 'int'"),
                        "null bad-call");
    assert_null(sanitizer_kinds(""));
    assert_null(sanitizer_kinds("==1==WARNING: AddressSanitizer failed to allocate 0x1 bytes"));
    assert_true(words_have("a bc d", "bc") && words_have("a bc d", "d") && !words_have("a bc d", "b") &&
                !words_have("a", ""));
}

static void sites(void **state)
{
    (void)state;
    char site[100], function[50];
    Str report = {0};
    str_printf(&report,
               "==1==ERROR: AddressSanitizer: ABRT\n    #0 0x1 in raise nptl/no-such-file.c:44:1\n"
               "    #1 0x2 in helper /tmp/skip/here.c:3:1\n    #2 0x3 in main %s:7:3\n",
               __FILE__);
    bool found = sanitizer_site(str_text(&report), "/tmp/skip", site, sizeof site, function, sizeof function);
    if (file_exists(__FILE__)) { /* the compiler's name for this file may be relative to its own directory */
        assert_true(found);
        assert_string_equal(function, "main");
        assert_true(text_ends_with(site, ".c:7:3"));
    }
    assert_true(sanitizer_site("a.c:1:2: runtime error: division by zero", NULL, site, sizeof site, function,
                               sizeof function));
    assert_string_equal(site, "a.c:1:2");
    assert_false(
        sanitizer_site("    #0 in (\n #1 0x1 in f\n", NULL, site, sizeof site, function, sizeof function));
    assert_string_equal(site, "");
    str_free(&report);
}

static void split(void **state)
{
    (void)state;
    size_t file;
    uint32_t line;
    assert_true(suite_site_split("a.c:12:5", &file, &line) && file == 3 && line == 12);
    assert_true(suite_site_split("a.c:12", &file, &line) && file == 3 && line == 12);
    assert_true(suite_site_split("1:2:3:4", &file, &line) && file == 3 && line == 3);
    assert_true(suite_site_split("a:99999999999999", &file, &line) && line == UINT32_MAX);
    assert_false(suite_site_split("", &file, &line));
    assert_false(suite_site_split("a.c", &file, &line));
    assert_false(suite_site_split(":3", &file, &line));
    assert_false(suite_site_split("a:b", &file, &line));
}

static void lcov(void **state)
{
    (void)state;
    SuiteCoverage c;
    coverage_read(
        "SF:/x/a.c\nFN:1,f\nDA:1,3\nDA:2,0\nDA:3,0\nBRDA:1,0,0,4\nBRDA:1,0,1,0\nBRDA:2,0,0,-\nend_of_record\n"
        "SF:/skip/driver.c\nDA:1,1\nend_of_record\nSF:/x/b.c\nDA:9,1\nend_of_record",
        "/skip", &c);
    assert_int_equal(c.files.n, 2);
    assert_string_equal(c.files.v[0].path, "/x/a.c");
    assert_int_equal(c.files.v[0].missed.n, 2);
    assert_int_equal(c.files.v[0].missed.v[1], 3);
    assert_int_equal(c.lines, 4);
    assert_int_equal(c.lines_covered, 2);
    assert_int_equal(c.branches, 3);
    assert_int_equal(c.branches_covered, 1);
    suite_coverage_free(&c);
}

/* ---- replay ---------------------------------------------------------------------------------- */

static char *source_path(const char *name)
{
    Str path = {0};
    str_printf(&path, "%s/%s", getenv("SHEAF_SOURCE") ? getenv("SHEAF_SOURCE") : ".", name);
    return str_take(&path);
}

typedef struct Fixture {
    SuiteReplayOptions options;
    SuiteReplay *replay;
    char *program, *library, *include;
} Fixture;

static Fixture fixture(const char *program, double timeout, bool coverage)
{
    Fixture f = {.program = source_path(program),
                 .library = mem_strdup(NATIVE_LIBRARY),
                 .include = source_path("include")};
    vec_push(&f.options.program.inputs, f.program);
    vec_push(&f.options.program.cflags, "-I");
    vec_push(&f.options.program.cflags, f.include);
    f.options.library = f.library;
    f.options.timeout = timeout;
    f.options.coverage = coverage;
    f.replay = suite_replay_new(&f.options);
    return f;
}

static void fixture_free(Fixture *f)
{
    suite_replay_free(f->replay);
    vec_free(&f->options.program.inputs);
    vec_free(&f->options.program.cflags);
    mem_free(f->program);
    mem_free(f->library);
    mem_free(f->include);
}

static SuiteTest *with_int(const char *name, int x)
{
    SuiteTest *t = suite_test_new();
    vec_push(&t->argv, "prog");
    suite_test_add(t, SUITE_FROM_CALL, name, &x, sizeof x);
    return t;
}

/* Replays and frees the test. */
static SuiteOutcome outcome_of(Fixture *f, SuiteTest *t)
{
    SuiteOutcome o;
    suite_replay_test(f->replay, t, &o);
    if (suite_replay_diagnostics(f->replay)[0])
        fail_msg("%s", suite_replay_diagnostics(f->replay));
    suite_test_free(t);
    return o;
}

static void expect(Fixture *f, SuiteTest *t, SuiteVerdict verdict, const char *message)
{
    SuiteOutcome o = outcome_of(f, t);
    if (o.verdict != verdict || !strstr(o.message, message))
        fail_msg("got '%s' (%s), expected '%s' (%s)", suite_verdict_word(o.verdict), o.message,
                 suite_verdict_word(verdict), message);
}

static SuiteTest *ends(int x, SuiteEnding ending, int status)
{
    SuiteTest *t = with_int("x", x);
    t->ending = ending;
    t->status = status;
    return t;
}

static SuiteTest *faults(int x, const char *kind, const char *site)
{
    SuiteTest *t = ends(x, SUITE_END_FAULT, 0);
    t->fault = kind;
    t->site = site;
    return t;
}

/* tests/suite/verdicts.c: what it does is chosen by x. */
static void verdicts(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/verdicts.c", 60, true);
    expect(&f, ends(0, SUITE_END_RETURN, 0), SUITE_PASSED, "");
    expect(&f, ends(1, SUITE_END_RETURN, 7), SUITE_PASSED, "");
    expect(&f, ends(1, SUITE_END_RETURN, 8), SUITE_DIFFERS, "status 7, expected 8");
    expect(&f, ends(2, SUITE_END_EXIT, -1), SUITE_PASSED, "");
    expect(&f, faults(3, "oob-write", "verdicts.c:10:15"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(3, "oob-write", "elsewhere/verdicts.c:10"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(3, "use-after-free", "verdicts.c:10"), SUITE_CONFIRMED, "as oob-write");
    expect(&f, faults(3, "oob-write", "verdicts.c:11:15"), SUITE_NOT_CONFIRMED, "natively oob-write at ");
    expect(&f, faults(3, "oob-write", "other.c:10:15"), SUITE_NOT_CONFIRMED, "natively oob-write at ");
    expect(&f, faults(3, "div-zero", "verdicts.c:10"), SUITE_NOT_CONFIRMED, "natively oob-write at ");
    expect(&f, faults(0, "null", "verdicts.c:10"), SUITE_NOT_CONFIRMED, "status 0");
    expect(&f, ends(3, SUITE_END_RETURN, 0), SUITE_DIFFERS, "natively oob-write at ");
    expect(&f, ends(3, SUITE_END_UNKNOWN, 0), SUITE_CONFIRMED, "natively oob-write at ");
    expect(&f, faults(4, "assert", "verdicts.c:26"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(5, "abort", "verdicts.c:28"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(6, "null", "verdicts.c:30"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(7, "div-zero", "verdicts.c:32"), SUITE_CONFIRMED, "UndefinedBehaviorSanitizer");
    expect(&f, ends(8, SUITE_END_RETURN, 3), SUITE_PASSED, ""); /* wraps: not looked for unless asked */
    expect(&f, faults(8, "overflow", "verdicts.c:35"), SUITE_CONFIRMED, "UndefinedBehaviorSanitizer");
    expect(&f, faults(9, "uninit", "verdicts.c:40"), SUITE_CONFIRMED, "MemorySanitizer");
    expect(&f, faults(10, "leak", "verdicts.c:44"), SUITE_CONFIRMED, "LeakSanitizer");
    expect(&f, ends(10, SUITE_END_RETURN, 4), SUITE_PASSED, "");
    expect(&f, faults(11, "reported", ""), SUITE_CONFIRMED, "");
    expect(&f, faults(12, "use-after-free", "verdicts.c:51"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(13, "double-free", "verdicts.c:55"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, faults(14, "stack-overflow", "verdicts.c:1"), SUITE_CONFIRMED, "AddressSanitizer");
    expect(&f, ends(15, SUITE_END_RETURN, 0), SUITE_DIFFERS, "an assumption does not hold");
    expect(&f, ends(16, SUITE_END_RETURN, 0), SUITE_DIFFERS,
           "asks for \"y\" (4 bytes) behind the last input");
    expect(&f, ends(16, SUITE_END_UNSUPPORTED, 0), SUITE_PASSED, ""); /* how the run goes on is not known */
    expect(&f, ends(15, SUITE_END_EXTERNAL, 0), SUITE_PASSED, "");
    expect(&f, ends(3, SUITE_END_LIMIT, 0), SUITE_CONFIRMED, "natively oob-write at ");
    SuiteTest *other = with_int("z", 0);
    other->ending = SUITE_END_LIMIT;
    expect(&f, other, SUITE_DIFFERS, "asks for \"x\" (4 bytes) where the test has \"z\" (4 bytes)");
    expect(&f, with_int("z", 0), SUITE_DIFFERS,
           "asks for \"x\" (4 bytes) where the test has \"z\" (4 bytes)");
    expect(&f, with_int("x_1", 0), SUITE_PASSED, "");

    SuiteCoverage c;
    Str error = {0};
    assert_true(suite_replay_coverage(f.replay, &c, &error));
    assert_int_equal(c.files.n, 1);
    assert_true(text_ends_with(c.files.v[0].path, "verdicts.c"));
    assert_true(c.lines_covered > 40 && c.lines_covered < c.lines);
    bool missed = false;
    for (uint32_t i = 0; i < c.files.v[0].missed.n; i++)
        missed |= c.files.v[0].missed.v[i] == 65;
    assert_true(missed);
    assert_true(c.branches > 30 && c.branches_covered < c.branches);
    suite_coverage_free(&c);
    str_free(&error);
    fixture_free(&f);
}

/* tests/suite/hostile.c: what it does to us is chosen by x; the run ends, and nothing outside is touched. */
static void hostile(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/hostile.c", 60, false);
    char witness[] = "/tmp/sheaf-witness-XXXXXX";
    int fd = mkstemp(witness);
    assert_true(fd >= 0);
    close(fd);
    expect(&f, ends(2, SUITE_END_RETURN, 0), SUITE_PASSED, "");           /* 100 MB of output */
    expect(&f, ends(3, SUITE_END_RETURN, 0), SUITE_DIFFERS, "signal 25"); /* a file beyond the limit */
    expect(&f, ends(4, SUITE_END_RETURN, 0), SUITE_PASSED, "");           /* children that would outlive it */
    expect(&f, ends(5, SUITE_END_RETURN, 0), SUITE_DIFFERS, "");          /* kill(0, SIGKILL) */
    SuiteTest *t = ends(6, SUITE_END_UNKNOWN, 0);
    vec_push(&t->argv, witness); /* removes the file */
    SuiteOutcome o = outcome_of(&f, t);
    assert_int_equal(o.verdict, SUITE_PASSED);
    if (suite_replay_isolated(f.replay)) {
        assert_int_equal(o.status, 1);
        assert_true(file_exists(witness));
        o = outcome_of(&f, ends(7, SUITE_END_RETURN, 1)); /* no network: not even to itself */
        assert_int_equal(o.verdict, SUITE_PASSED);
    }
    unlink(witness);
    fixture_free(&f);
}

/* The only way to see that an endless run is ended is to wait for it. */
static void endless(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/hostile.c", 1, false);
    expect(&f, ends(1, SUITE_END_RETURN, 0), SUITE_TIMED_OUT, "stopped after 1 s");
    fixture_free(&f);
}

/* Files of a test never leave the directory of the run. */
static void places(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/hostile.c", 60, false);
    static const char *const names[] = {"/tmp/sheaf-never", "../sheaf-never", "a/../../sheaf-never", "a/.."};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        SuiteTest *t = ends(0, SUITE_END_RETURN, 0);
        suite_test_add(t, SUITE_FROM_FILE, "f", "x", 1)->of = names[i];
        expect(&f, t, SUITE_NOT_RUN, "leads out of");
    }
    assert_false(file_exists("/tmp/sheaf-never"));
    SuiteTest *t = ends(8, SUITE_END_RETURN, 'y');
    suite_test_add(t, SUITE_FROM_FILE, "f", "y", 1)->of = "dir/..file";
    expect(&f, t, SUITE_PASSED, "");
    fixture_free(&f);
}

/* An entry function is called with parameters from the test; the program's main stays out of it. */
static void entry(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/entry.c", 60, true);
    for (int round = 0; round < 2; round++) {
        SuiteTest *t = suite_test_new();
        uint8_t node[16] = {(uint8_t)(round ? 77 : 1)};
        t->entry = "sum";
        suite_test_add(t, SUITE_FROM_PARAMETER, "list", "\0\0\0\0\0\0\0\0", 8);
        suite_test_add(t, SUITE_FROM_POINTEE, "*list", node, 16);
        suite_test_add(t, SUITE_FROM_PARAMETER, "limit", "\2\0\0\0", 4);
        vec_push(&t->links, (SuiteLink){0, 0, 1, 0});
        vec_push(&t->links, (SuiteLink){1, 8, 1, 0});
        t->ending = round ? SUITE_END_FAULT : SUITE_END_RETURN;
        t->fault = round ? "div-zero" : "";
        t->site = round ? "entry.c:13:30" : "";
        expect(&f, t, round ? SUITE_CONFIRMED : SUITE_PASSED, "");
    }
    SuiteTest *t = suite_test_new();
    SuiteOutcome o;
    t->entry = "missing";
    suite_replay_test(f.replay, t, &o);
    assert_int_equal(o.verdict, SUITE_NOT_RUN);
    assert_non_null(strstr(suite_replay_diagnostics(f.replay), "missing"));
    suite_test_free(t);
    fixture_free(&f);
}

/* Variables get their values before main; those that only their own file sees, too. */
static void globals(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/globals.c", 60, false);
    static const char *const names[] = {"shared", "hidden", "no_such_variable"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        SuiteTest *t = suite_test_new();
        suite_test_add(t, SUITE_FROM_GLOBAL, names[i], "\x10\0\0\0", 4);
        suite_test_add(t, SUITE_FROM_GLOBAL, "pair", "\0\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0", 16);
        t->ending = SUITE_END_RETURN;
        t->status = i ? 49 : 50;
        expect(&f, t, i < 2 ? SUITE_PASSED : SUITE_DIFFERS,
               i < 2 ? "" : "\"no_such_variable\" cannot be set");
    }
    fixture_free(&f);
}

static void fuzz_target(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/fuzz.c", 60, false);
    static const struct {
        const char *data;
        uint32_t size;
        SuiteVerdict verdict;
    } inputs[] = {{"", 0, SUITE_PASSED}, {"abc", 3, SUITE_PASSED}, {"Fbc", 3, SUITE_CONFIRMED}};
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        SuiteTest *t = suite_test_new();
        suite_test_add(t, SUITE_FROM_FUZZ, "Data", inputs[i].data, inputs[i].size);
        expect(&f, t, inputs[i].verdict, "");
    }
    fixture_free(&f);
}

/* KLEE's and SV-COMP's functions take the objects in the order of the calls. */
static void intrinsics(void **state)
{
    (void)state;
    Fixture f = fixture("tests/suite/intrinsics.c", 60, false);
    SuiteTest *t = suite_test_new();
    static const double half = 0.5;
    suite_test_add(t, SUITE_FROM_CALL, "k", "\1\0\0\0", 4);
    suite_test_add(t, SUITE_FROM_CALL, "buffer", "ab", 2);
    suite_test_add(t, SUITE_FROM_CALL, "r", "\2\0\0\0", 4);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_uchar", "\xff", 1);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_double", &half, 8);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_bool", "\1", 1);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_memory", "xyz", 3);
    t->ending = SUITE_END_RETURN;
    t->status = 42;
    expect(&f, t, SUITE_PASSED, "");
    fixture_free(&f);
}

/* ---- what runs show -------------------------------------------------------------------------- */

/* tests/suite/shown.c, whose two versions are one file: step(p, mode). */
static SuiteTest *steps(int mode)
{
    struct {
        int value, pad;
        void *next;
    } node = {5, 0, NULL};
    void *pointer = NULL;
    SuiteTest *t = suite_test_new();
    vec_push(&t->argv, "prog");
    t->entry = "step";
    suite_test_add(t, SUITE_FROM_PARAMETER, "p", &pointer, sizeof pointer);
    suite_test_add(t, SUITE_FROM_PARAMETER, "mode", &mode, sizeof mode);
    suite_test_add(t, SUITE_FROM_POINTEE, "*p", &node, sizeof node);
    vec_push(&t->links, (SuiteLink){.object = 0, .offset = 0, .target = 2, .delta = 0});
    return t;
}

static void show(Fixture *f, SuiteTest *t, SuiteShown *out)
{
    suite_replay_show(f->replay, t, out);
    if (suite_replay_diagnostics(f->replay)[0])
        fail_msg("%s", suite_replay_diagnostics(f->replay));
    suite_test_free(t);
}

static void shows(void **state)
{
    static const struct {
        int mode;
        const char *difference;
    } cases[] = {
        {0, ""}, /* the same, with heap objects at other addresses */
        {1, "returns 6, and 7"},
        {2, "*p at byte 0: 06 00 00 00 00 00 00 00, and 09 00 00 00 00 00 00 00"},
        {3, "*p+8-> is 1, and 2"},
        {4, "writes \"old\\n\" to standard output, and \"new\\n\""},
        {5, "writes \"old\" to standard error, and \"\""},
        {6, "exit status 3, and exit status 4"},
        {7, "oob-write at "},
        {8, "output x is 1, and 2"},
        {9, ""}, /* an assertion that fails at another line */
        {10, "*p: not freed, and freed"},
        {11, "*p: at byte 8 other pointers"},
    };
    (void)state;
    Fixture f = fixture("tests/suite/shown.c", 60, false), g = fixture("tests/suite/shown.c", 60, false);
    suite_replay_free(g.replay);
    vec_push(&g.options.program.cflags, "-DNEW");
    g.replay = suite_replay_new(&g.options);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SuiteShown old, new;
        Str difference = {0};
        show(&f, steps(cases[i].mode), &old);
        show(&g, steps(cases[i].mode), &new);
        assert_true(old.ran && new.ran);
        bool differ = suite_shown_differ(&old, &new, NULL, NULL, &difference);
        if (differ != (cases[i].difference[0] != 0) ||
            !text_starts_with(str_text(&difference), cases[i].difference))
            fail_msg("mode %d: '%s', expected '%s'", cases[i].mode, str_text(&difference),
                     cases[i].difference);
        str_free(&difference);
        suite_shown_free(&old);
        suite_shown_free(&new);
    }
    fixture_free(&f);
    fixture_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),   cmocka_unit_test(sites),       cmocka_unit_test(split),
        cmocka_unit_test(lcov),    cmocka_unit_test(shows),       cmocka_unit_test(verdicts),
        cmocka_unit_test(hostile), cmocka_unit_test(endless),     cmocka_unit_test(places),
        cmocka_unit_test(entry),   cmocka_unit_test(fuzz_target), cmocka_unit_test(intrinsics),
        cmocka_unit_test(globals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
