/* stored_tests.c - see stored_tests.h. */
#include "cli/stored_tests.h"

#include "cli/covering.h"

static bool is_among(const SuiteTestVec *tests, const char *path)
{
    for (uint32_t i = 0; i < tests->n; i++)
        if (!strcmp(tests->v[i]->path, path))
            return true;
    return false;
}

static bool add_stored(const char *directory, SuiteTestVec *out, Str *error)
{
    SuiteTestVec stored = {0};
    Store *s = store_read(directory, error);
    bool ok = s && covering_tests(s, true, &stored);
    if (s && !ok)
        str_add(error, store_failure(s));
    for (uint32_t i = 0; i < stored.n; i++) {
        SuiteTest *t = stored.v[i];
        if (is_among(out, arena_printf(t->arena, "%s/tests/%04u.ktest", directory, t->number))) {
            suite_test_free(t);
            continue;
        }
        t->path = arena_printf(t->arena, "%s/" SUITE_STORE ":%04u", directory, t->number);
        vec_push(out, t);
    }
    vec_free(&stored);
    store_close(s);
    return ok;
}

bool stored_tests_read(const char *path, SuiteTestVec *out, Str *error)
{
    SuiteTestVec tests = {0};
    bool ok = suite_read(path, &tests, error) && (!store_exists(path) || add_stored(path, &tests, error));
    for (uint32_t i = 0; i < tests.n; i++)
        vec_push(out, tests.v[i]);
    vec_free(&tests);
    return ok;
}
