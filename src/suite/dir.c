/* dir.c - a directory of results: tests/NNNN.ktest with NNNN.json, testcomp/, tests.c.
 *
 * Every file appears whole or not at all. The JSON comes first: where there is a .ktest, its JSON is there too. */
#include "suite/suite_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

struct SuiteDir {
    char *path;
    const SuiteProgram *program;
    unsigned emit;
    uint32_t count;
    int tests, testcomp;                      /* DIR/tests, DIR/testcomp; -1: none */
    char scratch[32];                         /* where a test's file is written before it gets its name */
    SuiteTestVec kept;                        /* for tests.c */
};

static bool complain(Str *error, const char *path)
{
    str_printf(error, "%s: %s", path, strerror(errno));
    return false;
}

#define SCRATCH_ENDING ".unfinished"

/* NNNN.ending, four digits or more */
static bool is_test_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits >= 4 &&
           (!strcmp(name + digits, ".ktest") || !strcmp(name + digits, ".json") || !strcmp(name + digits, ".xml"));
}

/* Removes, or only looks for, the tests in a directory. True if there were any. What a run that was killed did not
 * finish goes with them, but is none. */
static bool old_tests(const char *path, bool remove)
{
    bool any = false;
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir));) {
        bool test = is_test_name(e->d_name);
        if (!test && !(e->d_name[0] == '.' && text_ends_with(e->d_name, SCRATCH_ENDING)))
            continue;
        any |= test;
        if (remove)
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    closedir(dir);
    return any;
}

static bool write_file(const char *path, const Str *text, Str *error)
{
    return file_write_atomic(path, str_text(text), text->n) || complain(error, path);
}

static bool write_metadata(SuiteDir *d, Str *error)
{
    Str path = {0}, text = {0};
    const char *why = "";
    str_printf(&path, "%s/testcomp/metadata.xml", d->path);
    bool ok = suite_xml_metadata(d->program, (int64_t)time(NULL), &text, &why);
    if (!ok)
        str_printf(error, "%s: %s", d->program->inputs.n ? d->program->inputs.v[0] : "program", why);
    ok = ok && write_file(str_text(&path), &text, error);
    str_free(&path);
    str_free(&text);
    return ok;
}

/* Files that stand in the directory itself: another's are not overwritten either. */
static bool is_free(const char *dir, bool force, Str *error)
{
    static const char *const names[] = {"result.json", "stats.json", "tests.c"};
    bool taken = false;
    for (size_t i = 0; i < COUNT_OF(names) && !force && !taken; i++) {
        Str path = {0};
        str_printf(&path, "%s/%s", dir, names[i]);
        taken = file_exists(str_text(&path));
        if (taken)
            str_printf(error, "%s exists: name another directory with -o, or overwrite it with --force", str_text(&path));
        str_free(&path);
    }
    return !taken;
}

/* Makes and opens DIR/name and sees to it that no tests are in it. */
static bool prepare(const char *dir, const char *name, bool force, int *fd, Str *error)
{
    Str path = {0};
    str_printf(&path, "%s/%s", dir, name);
    bool ok = directory_make(str_text(&path));
    *fd = ok ? open(str_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    ok = *fd >= 0 || complain(error, str_text(&path));
    if (ok && old_tests(str_text(&path), force) && !force) {
        str_printf(error, "%s holds tests already: name another directory with -o, or replace them with --force",
                   str_text(&path));
        ok = false;
    }
    str_free(&path);
    return ok;
}

SuiteDir *suite_dir_open(const char *path, const SuiteProgram *program, unsigned emit, bool force, Str *error)
{
    SuiteDir *d = mem_zalloc(sizeof *d);
    d->path = mem_strdup(path);
    d->program = program;
    d->emit = emit;
    d->tests = d->testcomp = -1;
    snprintf(d->scratch, sizeof d->scratch, ".%ld" SCRATCH_ENDING, (long)getpid());
    bool ok = directory_make(path) || complain(error, path);
    ok = ok && is_free(path, force, error) && prepare(path, "tests", force, &d->tests, error);
    if (ok && emit & SUITE_EMIT_TESTCOMP)
        ok = prepare(path, "testcomp", force, &d->testcomp, error) && write_metadata(d, error);
    if (ok)
        return d;
    suite_dir_free(d);
    return NULL;
}

static bool write_test(const SuiteDir *d, const SuiteTest *t, int directory, const char *ending,
                       void (*form)(const SuiteTest *, Str *), Str *error)
{
    char name[32];
    Str text = {0};
    snprintf(name, sizeof name, "%04u.%s", d->count, ending);
    form(t, &text);
    bool ok = file_write_at(directory, name, d->scratch, str_text(&text), text.n);
    if (!ok)
        str_printf(error, "%s/%s/%s: %s", d->path, directory == d->tests ? "tests" : "testcomp", name,
                   strerror(errno));
    str_free(&text);
    return ok;
}

/* A copy for tests.c: the caller may free its own. */
static SuiteTest *copy_test(const SuiteTest *t)
{
    Str text = {0};
    Arena *arena = arena_new();
    const char *why;
    suite_json_write(t, &text);
    SuiteTest *copy = suite_json_read(arena, str_text(&text), text.n, &why);
    if (!copy)
        bug("a test that was written cannot be read: %s", why);
    str_free(&text);
    arena_free(arena);
    return copy;
}

bool suite_dir_add(SuiteDir *d, SuiteTest *t, Str *error)
{
    d->count++;
    bool ok = write_test(d, t, d->tests, "json", suite_json_write, error) &&
              write_test(d, t, d->tests, "ktest", suite_ktest_write, error);
    if (ok && d->emit & SUITE_EMIT_TESTCOMP)
        ok = write_test(d, t, d->testcomp, "xml", suite_xml_write, error);
    if (ok && d->emit & SUITE_EMIT_C)
        vec_push(&d->kept, copy_test(t));
    if (ok)
        t->path = arena_printf(t->arena, "%s/tests/%04u.ktest", d->path, d->count);
    return ok;
}

bool suite_dir_file(SuiteDir *d, const char *name, const Str *text, Str *error)
{
    Str path = {0};
    str_printf(&path, "%s/%s", d->path, name);
    bool ok = write_file(str_text(&path), text, error);
    str_free(&path);
    return ok;
}

bool suite_dir_finish(SuiteDir *d, const char *library, Str *error)
{
    if (!(d->emit & SUITE_EMIT_C))
        return true;
    Str text = {0};
    suite_c_write(d->program, d->kept.v, d->kept.n, library, &text);
    bool ok = suite_dir_file(d, "tests.c", &text, error);
    str_free(&text);
    return ok;
}

void suite_dir_free(SuiteDir *d)
{
    if (!d)
        return;
    suite_tests_free(&d->kept);
    if (d->tests >= 0)
        close(d->tests);
    if (d->testcomp >= 0)
        close(d->testcomp);
    mem_free(d->path);
    mem_free(d);
}
