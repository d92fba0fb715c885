/* fuzz_suite_json - any bytes as a test in JSON. What is accepted must be written and read back to the same
 * text.
 *
 *     fuzz_suite_json CORPUS tests/suite        (CORPUS: a directory for new inputs) */
#include "suite/suite.h"
#include "suite/suite_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *a = arena_new();
    const char *error;
    SuiteTest *t = suite_json_read(a, data, size, &error);
    if (!t != (error != NULL))
        bug("neither a test nor an error");
    if (t) {
        Str once = {0}, twice = {0}, other = {0};
        suite_json_write(t, &once);
        SuiteTest *again = suite_json_read(a, once.v, once.n, &error);
        if (!again)
            bug("what was written is refused: %s", error);
        suite_json_write(again, &twice);
        if (once.n != twice.n || memcmp(once.v, twice.v, once.n) != 0)
            bug("written, read and written again it differs");
        suite_ktest_write(t, &other);
        SuiteTest *ktest = suite_ktest_read(other.v, other.n, &error);
        if (!ktest)
            bug("its .ktest is refused: %s", error);
        suite_test_print(t, &other);
        suite_xml_write(t, &other);
        suite_test_free(ktest);
        suite_test_free(again);
        suite_test_free(t);
        str_free(&once);
        str_free(&twice);
        str_free(&other);
    }
    arena_free(a);
    return 0;
}
