/* read.c - tests from files and directories. */
#include "suite/suite_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static SuiteTest *complain(Str *error, const char *path, const char *why)
{
    str_printf(error, "%s: %s", path, why);
    return NULL;
}

static SuiteTest *parse_json(const char *path, const Str *data, Str *error)
{
    Arena *arena = arena_new();
    const char *why;
    SuiteTest *t = suite_json_read(arena, str_text(data), data->n, &why);
    if (!t)
        complain(error, path, why);
    arena_free(arena);
    return t;
}

/* The JSON beside a .ktest knows more, if it still is of the same input. */
static SuiteTest *prefer_json(SuiteTest *ktest, const char *path, const Str *data)
{
    Str beside = {0}, text = {0}, again = {0}, ignored = {0};
    str_add_n(&beside, path, strlen(path) - strlen(".ktest"));
    str_add(&beside, ".json");
    SuiteTest *json = file_read(str_text(&beside), SUITE_FILE_LIMIT, &text)
                          ? parse_json(str_text(&beside), &text, &ignored)
                          : NULL;
    if (json)
        suite_ktest_write(json, &again);
    bool same = json && again.n == data->n && !memcmp(again.v, data->v, data->n);
    suite_test_free(same ? ktest : json);
    str_free(&beside);
    str_free(&text);
    str_free(&again);
    str_free(&ignored);
    return same ? json : ktest;
}

static SuiteTest *raw_test(const Str *data)
{
    SuiteTest *t = suite_test_new();
    suite_test_add(t, SUITE_FROM_FUZZ, "Data", str_text(data), data->n);
    vec_push(&t->argv, arena_strdup(t->arena, "program"));
    return t;
}

static bool is_ktest(const Str *data)
{
    return data->n >= 5 && (!memcmp(data->v, "KTEST", 5) || !memcmp(data->v, "BOUT\n", 5));
}

SuiteTest *suite_test_read(const char *path, bool raw, Str *error)
{
    Str data = {0};
    SuiteTest *t = NULL;
    const char *why = NULL;
    if (!file_read(path, SUITE_FILE_LIMIT, &data)) {
        complain(error, path, errno == EISDIR ? "is a directory" : strerror(errno));
    } else if (is_ktest(&data) || text_ends_with(path, ".ktest")) {
        t = suite_ktest_read(str_text(&data), data.n, &why);
        if (!t)
            complain(error, path, why);
        else if (text_ends_with(path, ".ktest"))
            t = prefer_json(t, path, &data);
    } else if (text_ends_with(path, ".json")) {
        t = parse_json(path, &data, error);
    } else if (raw) {
        t = raw_test(&data);
    } else {
        complain(error, path, "neither a .ktest nor a test in JSON");
    }
    str_free(&data);
    if (t)
        t->path = arena_strdup(t->arena, path);
    return t;
}

/* ---- directories ----------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Names of the regular files of a directory, sorted; each is the caller's. False with errno. */
static bool list_files(const char *path, StrVec *names)
{
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir)) && names->n < SUITE_OBJECT_LIMIT;) {
        Str full = {0};
        struct stat st;
        str_printf(&full, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.' && !stat(str_text(&full), &st) && S_ISREG(st.st_mode))
            vec_push(names, mem_strdup(e->d_name));
        str_free(&full);
    }
    closedir(dir);
    if (names->n)
        qsort(names->v, names->n, sizeof *names->v, by_name);
    return true;
}

static bool have(const StrVec *names, const char *name)
{
    return bsearch(&name, names->v, names->n, sizeof *names->v, by_name);
}

/* A JSON file whose .ktest stands beside it is read through that. */
static bool json_is_extra(const StrVec *names, const char *name)
{
    Str ktest = {0};
    str_add_n(&ktest, name, strlen(name) - strlen(".json"));
    str_add(&ktest, ".ktest");
    bool extra = have(names, str_text(&ktest));
    str_free(&ktest);
    return extra;
}

/* In a directory of tests other JSON (result.json) is passed over. */
static bool other_json(const char *path)
{
    Str data = {0};
    Arena *arena = arena_new();
    const char *why;
    const Json *root =
        file_read(path, SUITE_FILE_LIMIT, &data) ? json_parse(arena, str_text(&data), data.n, &why) : NULL;
    bool other = root && !suite_json_is(root);
    arena_free(arena);
    str_free(&data);
    return other;
}

/* Beside tests that we wrote a file with another name that cannot be read is not ours, and is no test. */
static bool read_named(const char *dir, const StrVec *names, SuiteTestVec *out, Str *error)
{
    bool tests = false, results = false;
    for (uint32_t i = 0; i < names->n; i++) {
        tests |= text_ends_with(names->v[i], ".ktest") || text_ends_with(names->v[i], ".json");
        results |= suite_is_test_name(names->v[i]);
    }
    for (uint32_t i = 0; i < names->n; i++) {
        const char *name = names->v[i];
        bool is_json = text_ends_with(name, ".json");
        if (tests && !is_json && !text_ends_with(name, ".ktest"))
            continue;
        if (is_json && json_is_extra(names, name))
            continue;
        Str full = {0}, why = {0};
        str_printf(&full, "%s/%s", dir, name);
        SuiteTest *t = NULL;
        bool pass = is_json && other_json(str_text(&full)), stray = results && !suite_is_test_name(name);
        if (!pass)
            t = suite_test_read(str_text(&full), !tests, &why);
        if (t)
            vec_push(out, t);
        else if (stray && !pass)
            warn("%s: it is left out", str_text(&why));
        else
            str_add(error, str_text(&why));
        str_free(&full);
        str_free(&why);
        if (!t && !pass && !stray)
            return false;
    }
    return true;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool suite_read(const char *path, SuiteTestVec *out, Str *error)
{
    if (!is_directory(path)) {
        SuiteTest *t = suite_test_read(path, true, error);
        if (t)
            vec_push(out, t);
        return t;
    }
    Str inner = {0};
    StrVec names = {0};
    str_printf(&inner, "%s/tests", path);
    const char *dir = is_directory(str_text(&inner)) ? str_text(&inner) : path;
    bool ok = list_files(dir, &names);
    if (!ok)
        complain(error, dir, strerror(errno));
    ok = ok && read_named(dir, &names, out, error);
    for (uint32_t i = 0; i < names.n; i++)
        mem_free(names.v[i]);
    vec_free(&names);
    str_free(&inner);
    return ok;
}

void suite_tests_free(SuiteTestVec *tests)
{
    for (uint32_t i = 0; i < tests->n; i++)
        suite_test_free(tests->v[i]);
    vec_free(tests);
}
