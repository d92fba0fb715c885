/* fuzz_ktest - any bytes as a .ktest. What is accepted must come out of every writer, and what was written
 * must be read back to the same bytes.
 *
 *     fuzz_ktest CORPUS tests/suite        (CORPUS: a directory for new inputs) */
#include "suite/suite.h"
#include "suite/suite_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_all(const SuiteTest *t)
{
    Str out = {0};
    SuiteTest *tests[] = {(SuiteTest *)t};
    SuiteProgram program = {.entry = "main", .producer = "fuzz"};
    suite_test_print(t, &out);
    suite_xml_write(t, &out);
    suite_c_write(&program, tests, NULL, 1, "", &out);
    suite_json_write(t, &out);
    Arena *a = arena_new();
    const char *error;
    SuiteTest *json = suite_json_read(a, out.v, out.n, &error);
    if (!json)
        bug("its JSON is refused: %s", error);
    suite_test_free(json);
    arena_free(a);
    str_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *error;
    SuiteTest *t = suite_ktest_read(data, size, &error);
    if (!t != (error != NULL))
        bug("neither a test nor an error");
    if (!t)
        return 0;
    Str once = {0}, twice = {0};
    write_all(t);
    suite_ktest_write(t, &once);
    SuiteTest *again = suite_ktest_read(once.v, once.n, &error);
    if (!again)
        bug("what was written is refused: %s", error);
    suite_ktest_write(again, &twice);
    if (once.n != twice.n || memcmp(once.v, twice.v, once.n) != 0)
        bug("written, read and written again it differs");
    str_free(&once);
    str_free(&twice);
    suite_test_free(t);
    suite_test_free(again);
    return 0;
}
