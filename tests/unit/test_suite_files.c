/* test_suite_files.c - suite: Test-Comp XML, SHA-256, generated C that is compiled and run, directories of
 * tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite/suite.h"
#include "suite/suite_int.h"

/* ---- a directory for each test --------------------------------------------------------------- */

static char scratch[64];

static int make_scratch(void **state)
{
    (void)state;
    strcpy(scratch, "/tmp/sheaf-unit-XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *where)
{
    (void)st, (void)what, (void)where;
    return remove(path);
}

static int drop_scratch(void **state)
{
    (void)state;
    return nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *in_scratch(const char *name)
{
    Str path = {0};
    str_printf(&path, "%s/%s", scratch, name);
    return str_take(&path);
}

static void put(const char *name, const char *text)
{
    char *path = in_scratch(name);
    assert_true(file_write_atomic(path, text, strlen(text)));
    mem_free(path);
}

static Str get(const char *name)
{
    Str text = {0};
    char *path = in_scratch(name);
    if (!file_read(path, 1 << 20, &text))
        fail_msg("%s: %s", path, strerror(errno));
    mem_free(path);
    return text;
}

static bool exists(const char *name)
{
    char *path = in_scratch(name);
    bool found = file_exists(path);
    mem_free(path);
    return found;
}

static void assert_file(const char *name, const char *text)
{
    Str got = get(name);
    assert_string_equal(str_text(&got), text);
    str_free(&got);
}

/* ---- SHA-256 --------------------------------------------------------------------------------- */

static void sha256(void **state)
{
    (void)state;
    char hex[65], million[1000];
    suite_sha256("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    suite_sha256("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    suite_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(million, 'a', sizeof million);
    suite_sha256(million, sizeof million, hex);
    assert_string_equal(hex, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

/* ---- XML ------------------------------------------------------------------------------------- */

static void xml_test(void **state)
{
    (void)state;
    SuiteTest *t = suite_test_new();
    Str out = {0};
    suite_test_add(t, SUITE_FROM_STDIN, "stdin", "no", 2);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_int", "\xfe\xff\xff\xff", 4);
    suite_test_add(t, SUITE_FROM_CALL, "a<b&\"c\"", "\x80\1", 2)->type = (SuiteType){SUITE_UINT, 2};
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_char", "a", 1);
    suite_test_add(t, SUITE_FROM_CALL, "__VERIFIER_nondet_memory", "\0\xff", 2);
    t->ending = SUITE_END_FAULT;
    t->fault = "reported";
    suite_xml_write(t, &out);
    assert_string_equal(
        str_text(&out),
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
        "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n"
        "<testcase coversError=\"true\">\n"
        "  <input variable=\"__VERIFIER_nondet_int\" type=\"int\">-2</input>\n"
        "  <input variable=\"a&lt;b&amp;&quot;c&quot;\" type=\"unsigned short\">384</input>\n"
        "  <input variable=\"__VERIFIER_nondet_char\" type=\"char\">97</input>\n"
        "  <input variable=\"__VERIFIER_nondet_memory[0]\" type=\"unsigned char\">0</input>\n"
        "  <input variable=\"__VERIFIER_nondet_memory[1]\" type=\"unsigned char\">255</input>\n"
        "</testcase>\n");
    suite_test_free(t);
    str_free(&out);
}

static void xml_metadata(void **state)
{
    (void)state;
    Str out = {0}, want = {0};
    const char *error = NULL;
    char *path = in_scratch("abc.c");
    SuiteProgram p = {.entry = "main", .producer = "sheaf <1>", .cover_error = true};
    put("abc.c", "abc");
    vec_push(&p.inputs, path);
    assert_true(suite_xml_metadata(&p, 1000000000, &out, &error));
    str_printf(
        &want,
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" "
        "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n"
        "<test-metadata>\n"
        "  <sourcecodelang>C</sourcecodelang>\n"
        "  <producer>sheaf &lt;1&gt;</producer>\n"
        "  <specification>COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )</specification>\n"
        "  <programfile>%s</programfile>\n"
        "  <programhash>ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad</programhash>\n"
        "  <entryfunction>main</entryfunction>\n"
        "  <architecture>64bit</architecture>\n"
        "  <creationtime>2001-09-09T01:46:40Z</creationtime>\n"
        "</test-metadata>\n",
        path);
    assert_string_equal(str_text(&out), str_text(&want));
    p.inputs.v[0] = "/no/such/file";
    assert_false(suite_xml_metadata(&p, 0, &out, &error));
    assert_non_null(error);
    vec_free(&p.inputs);
    str_free(&out);
    str_free(&want);
    mem_free(path);
}

/* ---- a hash of all files --------------------------------------------------------------------- */

static void dir_hash(void **state)
{
    (void)state;
    char none[65], some[65], other[65], again[65];
    Str tests = {0};
    str_printf(&tests, "%s/tests", scratch);
    assert_true(suite_dir_hash(scratch, none));
    assert_true(directory_make(str_text(&tests)));
    put("tests/0001.json", "one");
    put("result.json", "two");
    assert_true(suite_dir_hash(scratch, some));
    assert_string_not_equal(none, some);
    put("tests/0001.json", "ono");
    assert_true(suite_dir_hash(scratch, other));
    assert_string_not_equal(some, other);
    put("tests/0001.json", "one");
    put("letter", "what is not ours does not count, nor does the store");
    put("store.db", "");
    assert_true(suite_dir_hash(scratch, again));
    assert_string_equal(some, again);
    put("tests/0002.json", "");
    assert_true(suite_dir_hash(scratch, again));
    assert_string_not_equal(some, again);
    str_free(&tests);
}

/* ---- generated C ----------------------------------------------------------------------------- */

static Str library_text(void)
{
    Str text = {0};
    if (!file_read(NATIVE_LIBRARY, 1 << 20, &text))
        fail_msg("%s: %s", NATIVE_LIBRARY, strerror(errno));
    return text;
}

/* Compiles tests.c (and prog.c) in the scratch directory and runs it; its output is left in `output`. */
static int run_generated(const SuiteProgram *p, SuiteTest *const *tests, uint32_t n, const char *further)
{
    Str text = {0}, library = library_text(), command = {0};
    suite_c_write(p, tests, NULL, n, str_text(&library), &text);
    put("tests.c", str_text(&text));
    str_printf(&command, "cd %s && cc -w tests.c %s -ldl -o tests && ./tests > output 2>&1", scratch,
               further);
    int status = system(str_text(&command));
    str_free(&text);
    str_free(&library);
    str_free(&command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static SuiteTest *program_test(int x, SuiteEnding ending, int status)
{
    SuiteTest *t = suite_test_new();
    vec_push(&t->argv, "prog");
    suite_test_add(t, SUITE_FROM_CALL, "x", &x, sizeof x)->type = (SuiteType){SUITE_INT, 4};
    t->ending = ending;
    t->status = status;
    return t;
}

static const char generated_program[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "void sheaf_symbolic(void *, size_t, const char *);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int x, c;\n"
    "    sheaf_symbolic(&x, sizeof x, \"x\");\n"
    "    if (x == 1) return 41;\n"
    "    if (x == 2) abort();\n"
    "    FILE *f = fopen(\"data?\", \"r\");\n"
    "    c = f ? fgetc(f) : 0;\n"
    "    exit(c == '\"' && getchar() == '\\\\' && argc == 3 && !strcmp(argv[2], \"w\\n\") ? 5 : 6);\n"
    "}\n";

static void generated_main(void **state)
{
    (void)state;
    SuiteTest *tests[] = {program_test(1, SUITE_END_RETURN, 41), program_test(2, SUITE_END_FAULT, 0),
                          program_test(-3, SUITE_END_EXIT, 5), program_test(3, SUITE_END_FAULT, 0)};
    SuiteProgram p = {.entry = "main", .producer = "sheaf"};
    put("prog.c", generated_program);
    tests[1]->fault = "abort";
    tests[3]->fault = "oob-read"; /* seen only with a sanitizer */
    vec_push(&tests[2]->argv, "second");
    suite_test_add(tests[2], SUITE_FROM_ARGUMENT, "argv[2]", "w\n\0?", 4);
    suite_test_add(tests[2], SUITE_FROM_STDIN, "stdin", "\\", 1);
    suite_test_add(tests[2], SUITE_FROM_FILE, "f", "\"", 1)->of = "data?";
    assert_int_equal(run_generated(&p, tests, 4, "prog.c"), 0);
    Str output = get("output");
    assert_string_equal(
        str_text(&output),
        "3 passed, 0 failed, 1 not run: compile with -fsanitize=address,undefined to see their faults\n");
    tests[0]->status = 40;
    assert_int_equal(run_generated(&p, tests, 1, "prog.c"), 1);
    str_free(&output);
    output = get("output");
    assert_string_equal(str_text(&output),
                        "FAILED 0001: expected status 40, got status 41\n0 passed, 1 failed\n");
    str_free(&output);
    for (size_t i = 0; i < COUNT_OF(tests); i++)
        suite_test_free(tests[i]);
}

/* An entry function with a structure, a pointer to one, and a parameter that the run never looked at. */
static void generated_entry(void **state)
{
    (void)state;
    SuiteTest *t = suite_test_new();
    SuiteTest *tests[] = {t};
    SuiteProgram p = {.entry = "f", .producer = "sheaf"};
    char *source = in_scratch("prog.c");
    put("prog.c", "#include <stdlib.h>\n"
                  "struct s { int v; struct s *next; };\n"
                  "static void f(struct s *p, struct s by_value, float unused, char c)\n"
                  "{\n"
                  "    exit(p->v == 1 && p->next->v == 2 && p->next->next == p && by_value.v == 3 && unused "
                  "== 0 && c == 4 ? 10 : 11);\n"
                  "}\n"
                  "int main(void) { f(0, (struct s){0}, 0, 0); }\n");
    p.source = source;
    vec_push(&p.types, "struct s *");
    vec_push(&p.types, "struct s");
    vec_push(&p.types, "float");
    vec_push(&p.types, "char");
    vec_push(&p.names, "p");
    vec_push(&p.names, "by_value");
    vec_push(&p.names, "unused");
    vec_push(&p.names, "c");
    suite_test_add(t, SUITE_FROM_PARAMETER, "p", "\0\0\0\0\0\0\0\0", 8);
    suite_test_add(t, SUITE_FROM_POINTEE, "*p", "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    suite_test_add(t, SUITE_FROM_POINTEE, "*p->next", "\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    suite_test_add(t, SUITE_FROM_PARAMETER, "by_value", "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    suite_test_add(t, SUITE_FROM_PARAMETER, "c", "\4", 1);
    vec_push(&t->links, (SuiteLink){0, 0, 1, 0});
    vec_push(&t->links, (SuiteLink){1, 8, 2, 0});
    vec_push(&t->links, (SuiteLink){2, 8, 1, 0});
    t->ending = SUITE_END_EXIT;
    t->status = 10;
    int status = run_generated(&p, tests, 1, "");
    Str output = get("output");
    assert_string_equal(str_text(&output), "1 passed, 0 failed\n");
    assert_int_equal(status, 0);
    str_free(&output);
    suite_test_free(t);
    vec_free(&p.types);
    vec_free(&p.names);
    mem_free(source);
}

/* ---- directories ----------------------------------------------------------------------------- */

static void directory_of_results(void **state)
{
    (void)state;
    char *path = in_scratch("a/out"), *source = in_scratch("prog.c");
    char *result = in_scratch("a/out/result.json"), *generated = in_scratch("a/out/tests.c");
    Str error = {0}, library = library_text(), text = {0};
    SuiteProgram p = {.entry = "main", .producer = "sheaf"};
    SuiteTestVec tests = {0};
    put("prog.c", generated_program);
    vec_push(&p.inputs, source);
    SuiteDir *d = suite_dir_open(path, &p, SUITE_EMIT_TESTCOMP | SUITE_EMIT_C, false,
                                 "{\"finished\": false}\n", &error);
    assert_non_null(d);
    assert_file("a/out/result.json", "{\"finished\": false}\n");
    assert_null(suite_dir_open(path, &p, 0, true, NULL, &error)); /* one at a time */
    assert_non_null(strstr(str_text(&error), "another run is writing there"));
    vec_clear(&error);
    for (int i = 1; i <= 2; i++) {
        SuiteTest *t = program_test(i, SUITE_END_RETURN, i);
        assert_true(suite_dir_add(d, t, &error));
        assert_true(text_ends_with(t->path, i == 1 ? "/tests/0001.ktest" : "/tests/0002.ktest"));
        suite_test_free(t);
    }
    str_add(&text, "{\"tests\": 2}\n");
    assert_file("a/out/result.json", "{\"finished\": false}\n");
    assert_true(suite_dir_finish(d, str_text(&library), NULL, &text, &error));
    suite_dir_free(d);
    assert_file("a/out/result.json", "{\"tests\": 2}\n");
    assert_true(exists("a/out/tests/0001.json") && exists("a/out/tests/0002.ktest") &&
                !exists("a/out/tests/0003.ktest"));
    assert_true(exists("a/out/testcomp/metadata.xml") && exists("a/out/testcomp/0002.xml") &&
                exists("a/out/tests.c"));

    assert_true(suite_read(path, &tests, &error));
    assert_int_equal(tests.n, 2);
    assert_int_equal(tests.v[1]->status, 2); /* from the JSON beside the .ktest */
    suite_tests_free(&tests);

    assert_null(suite_dir_open(path, &p, 0, false, NULL, &error));
    assert_non_null(strstr(str_text(&error), "result.json exists"));
    assert_int_equal(unlink(result), 0);
    assert_int_equal(unlink(generated), 0);
    vec_clear(&error);
    assert_null(suite_dir_open(path, &p, 0, false, NULL, &error));
    assert_non_null(strstr(str_text(&error), "holds tests already"));
    d = suite_dir_open(path, &p, 0, true, NULL, &error);
    assert_non_null(d);
    assert_false(exists("a/out/tests/0001.json") || exists("a/out/testcomp/0001.xml") ||
                 exists("a/out/testcomp/metadata.xml"));
    suite_dir_free(d);
    put("a/out/tests/.1.unfinished", "of a run that was killed"); /* no test, and not in the way */
    d = suite_dir_open(path, &p, 0, false, NULL, &error);
    assert_non_null(d);
    suite_dir_free(d);
    suite_dir_free(suite_dir_open(path, &p, 0, true, NULL, &error));
    assert_false(exists("a/out/tests/.1.unfinished"));
    vec_free(&p.inputs);
    str_free(&error);
    str_free(&library);
    str_free(&text);
    mem_free(path);
    mem_free(source);
    mem_free(result);
    mem_free(generated);
}

/* A JSON that is no longer of the same input does not count; one without a .ktest is a test by itself. */
static void directory_mixed(void **state)
{
    (void)state;
    Str error = {0}, text = {0};
    SuiteTestVec tests = {0};
    SuiteTest *one = program_test(1, SUITE_END_RETURN, 1), *two = program_test(2, SUITE_END_RETURN, 2);
    char *ktest = in_scratch("a.ktest");
    suite_json_write(one, &text);
    put("a.json", str_text(&text));
    put("b.json", str_text(&text));
    put("result.json", "{}");
    suite_ktest_write(two, &text);
    assert_true(file_write_atomic(ktest, text.v, text.n));
    assert_true(suite_read(scratch, &tests, &error));
    assert_int_equal(tests.n, 2);
    assert_int_equal(tests.v[0]->ending, SUITE_END_UNKNOWN);
    assert_int_equal(tests.v[0]->objects.v[0].data[0], 2);
    assert_int_equal(tests.v[1]->status, 1);
    suite_tests_free(&tests);
    put("c.ktest", "KTEST");
    assert_false(suite_read(scratch, &tests, &error));
    assert_true(text_ends_with(str_text(&error), "c.ktest: cut off"));
    suite_tests_free(&tests);
    suite_test_free(one);
    suite_test_free(two);
    str_free(&error);
    str_free(&text);
    mem_free(ktest);
}

static void directory_corpus(void **state)
{
    (void)state;
    Str error = {0};
    SuiteTestVec tests = {0};
    put("2f1a", "raw");
    put("empty", "");
    assert_true(suite_read(scratch, &tests, &error));
    assert_int_equal(tests.n, 2);
    assert_int_equal(tests.v[0]->objects.v[0].origin, SUITE_FROM_FUZZ);
    assert_int_equal(tests.v[0]->objects.v[0].size, 3);
    assert_int_equal(tests.v[1]->objects.v[0].size, 0);
    suite_tests_free(&tests);
    assert_false(suite_read("/no/such/directory", &tests, &error));
    assert_int_equal(tests.n, 0);
    str_free(&error);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make_scratch, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256),         cmocka_unit_test(xml_test),
        IN_SCRATCH(xml_metadata),         IN_SCRATCH(dir_hash),
        IN_SCRATCH(generated_main),       IN_SCRATCH(generated_entry),
        IN_SCRATCH(directory_of_results), IN_SCRATCH(directory_mixed),
        IN_SCRATCH(directory_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
