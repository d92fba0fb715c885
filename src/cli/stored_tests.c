/* stored_tests.c - see stored_tests.h. */
#include "cli/stored_tests.h"

#include "cli/covering.h"

#include <dirent.h>

static bool is_among(const SuiteTestVec *tests, const char *path)
{
    for (uint32_t i = 0; i < tests->n; i++)
        if (!strcmp(tests->v[i]->path, path))
            return true;
    return false;
}

static void name_place(SuiteTest *t, const char *directory)
{
    t->path = arena_printf(t->arena, "%s/" SUITE_STORE ":%04u", directory, t->number);
}

static bool has_files(const char *path)
{
    bool any = false;
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        any |= e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return any;
}

Store *stored_tests_open(const char *directory, Str *error)
{
    Str files = {0};
    str_printf(&files, "%s/tests", directory);
    Store *s = store_read(directory, error);
    if (!s && has_files(str_text(&files)))
        str_printf(error, "; the tests that are files are in %s", str_text(&files));
    str_free(&files);
    return s;
}

static bool add_stored(const char *directory, SuiteTestVec *out, Str *error)
{
    SuiteTestVec stored = {0};
    Store *s = stored_tests_open(directory, error);
    bool ok = s && covering_tests(s, true, &stored);
    if (s && !ok)
        str_add(error, store_failure(s));
    for (uint32_t i = 0; i < stored.n; i++) {
        SuiteTest *t = stored.v[i];
        if (is_among(out, arena_printf(t->arena, "%s/tests/%04u.ktest", directory, t->number))) {
            suite_test_free(t);
            continue;
        }
        name_place(t, directory);
        vec_push(out, t);
    }
    vec_free(&stored);
    store_close(s);
    return ok;
}

/* ---- one test of a store --------------------------------------------------------------------- */

static const char in_store[] = SUITE_STORE ":";

/* The digits of DIR/store.db:NNNN; NULL: it is no such name. */
static const char *digits_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *digits = text_starts_with(name, in_store) ? name + strlen(in_store) : "";
    return digits[0] && !digits[strspn(digits, "0123456789")] ? digits : NULL;
}

bool stored_tests_is_name(const char *path) { return digits_of(path) != NULL; }

typedef struct Wanted {
    u128 number;
    SuiteTest *test;
} Wanted;

static void take_wanted(void *context, StoreTest *t)
{
    Wanted *w = context;
    if (w->test || t->test->number != w->number)
        return;
    w->test = t->test;
    t->test = NULL;
}

static bool read_one(const char *path, SuiteTestVec *out, Str *error)
{
    Wanted wanted = {0};
    Str directory = {0};
    const char *digits = digits_of(path), *name = digits - strlen(in_store);
    str_add_n(&directory, path, name > path ? (size_t)(name - path) - 1 : 0);
    const char *where = name > path ? str_text(&directory) : ".";
    Store *s = text_parse_u128(digits, 10, &wanted.number) ? stored_tests_open(where, error) : NULL;
    bool ok = s && store_tests(s, STORE_PATH, take_wanted, &wanted);
    if (s && !ok)
        str_add(error, store_failure(s));
    else if (!error->n && !wanted.test)
        str_printf(error, "%s: there is no such test", path);
    if (wanted.test) {
        name_place(wanted.test, where);
        vec_push(out, wanted.test);
    }
    store_close(s);
    str_free(&directory);
    return ok && wanted.test;
}

bool stored_tests_read(const char *path, SuiteTestVec *out, Str *error)
{
    SuiteTestVec tests = {0};
    if (stored_tests_is_name(path))
        return read_one(path, out, error);
    bool ok = suite_read(path, &tests, error) && (!store_exists(path) || add_stored(path, &tests, error));
    for (uint32_t i = 0; i < tests.n; i++)
        vec_push(out, tests.v[i]);
    vec_free(&tests);
    return ok;
}
