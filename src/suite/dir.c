/* dir.c - a directory of results: tests/NNNN.ktest with NNNN.json, testcomp/, tests.c, result.json.
 *
 * Every file appears whole or not at all. The JSON of a test comes first: where there is a .ktest, its JSON
 * is there too. result.json says from the start that the run is unfinished, and is replaced at the very end:
 * whenever we are killed, it is not older than the tests beside it, and says "finished" only if everything is
 * there. One process at a time writes: it holds a lock on the directory itself, which the kernel releases
 * with the process. */
#include "suite/suite_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct SuiteDir {
    char *path;
    const SuiteProgram *program;
    unsigned emit;
    uint32_t count;      /* the greatest number of a test */
    int lock;            /* DIR itself */
    int tests, testcomp; /* DIR/tests, DIR/testcomp; -1: none */
    char scratch[32];    /* where a test's file is written before it gets its name */
    char *old;           /* DIR/.old: files of tests that --force replaces, */
    int old_fd;          /* to be written over: -1: none */
    uint32_t spare;      /* 0 ... spare-1 are there */
    SuiteTestVec kept;   /* for tests.c */
};

static bool complain(Str *error, const char *path)
{
    str_printf(error, "%s: %s", path, strerror(errno));
    return false;
}

#define SCRATCH_ENDING ".unfinished"

bool suite_is_test_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits >= 4 && (!strcmp(name + digits, ".ktest") || !strcmp(name + digits, ".json") ||
                           !strcmp(name + digits, ".xml"));
}

/* Old tests are not removed before new ones are written: ext4 looks at each inode that was freed in the last
 * minutes before it gives out another, so that a thousand new files behind a thousand deletions take five
 * times as long. They are moved aside, and new tests are written into their files. A file with another name
 * elsewhere is not ours to write into. */
static void set_aside(SuiteDir *d, int directory, const char *name)
{
    struct stat st;
    char aside[16];
    snprintf(aside, sizeof aside, "%u", d->spare);
    bool usable = d->old_fd >= 0 && !fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) &&
                  S_ISREG(st.st_mode) && st.st_nlink == 1;
    if (usable && !renameat(directory, name, d->old_fd, aside))
        d->spare++;
    else
        unlinkat(directory, name, 0);
}

/* Sets aside, or only looks for, the tests in a directory. True if there were any. What a run that was killed
 * did not finish goes with them, but is none. */
static bool old_tests(SuiteDir *d, const char *path, bool aside)
{
    bool any = false;
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir));) {
        bool test = suite_is_test_name(e->d_name);
        if (!test && !(e->d_name[0] == '.' && text_ends_with(e->d_name, SCRATCH_ENDING)))
            continue;
        any |= test;
        if (aside)
            set_aside(d, dirfd(dir), e->d_name);
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
static bool is_result(const char *name)
{
    return text_starts_with(name, SUITE_STORE) || !strcmp(name, "result.json") ||
           !strcmp(name, "stats.json") || !strcmp(name, "tests.c") ||
           (text_starts_with(name, "tests-") && text_ends_with(name, ".c"));
}

/* Tests as C that we wrote: another file of that name is not ours to remove. */
static bool is_our_c(const SuiteDir *d, const char *name)
{
    Str path = {0}, text = {0};
    str_printf(&path, "%s/%s", d->path, name);
    bool ours =
        file_read(str_text(&path), SUITE_FILE_LIMIT, &text) && strstr(str_text(&text), " made by sheaf ");
    str_free(&path);
    str_free(&text);
    return ours;
}

/* A store that we wrote, by the first bytes of its file (src/store/sqlite.c): only then what belongs to it is
 * ours, too. */
static bool is_our_store(const SuiteDir *d)
{
    enum { MARK = 68 };
    char head[MARK + 4] = {0};
    int file = openat(d->lock, SUITE_STORE, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, head, sizeof head) : 0;
    if (file >= 0)
        close(file);
    return n <= 0 || (!memcmp(head, "SQLite format 3", 16) && !memcmp(head + MARK, "Shea", 4));
}

static bool is_ours(const SuiteDir *d, const char *name)
{
    return text_starts_with(name, SUITE_STORE) ? is_our_store(d)
           : text_ends_with(name, ".c")        ? is_our_c(d, name)
                                               : true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Of each result or test in DIR/under: "under/NAME SIZE HASH". False: one cannot be read. */
static bool hash_files(const char *path, const char *under, Arena *a, StrVec *lines)
{
    const char *where = arena_printf(a, "%s/%s", path, under);
    Str text = {0};
    bool ok = true;
    DIR *dir = opendir(where);
    for (struct dirent *e; dir && ok && (e = readdir(dir));) {
        char hex[65];
        bool counts = *under ? suite_is_test_name(e->d_name) || !strcmp(e->d_name, "metadata.xml")
                             : is_result(e->d_name) && !text_starts_with(e->d_name, SUITE_STORE);
        if (!counts)
            continue;
        ok = file_read(arena_printf(a, "%s/%s", where, e->d_name), SUITE_FILE_LIMIT, &text);
        suite_sha256(str_text(&text), text.n, hex);
        vec_push(lines, arena_printf(a, "%s/%s %u %s\n", under, e->d_name, text.n, hex));
    }
    if (dir)
        closedir(dir);
    str_free(&text);
    return ok;
}

bool suite_dir_hash(const char *path, char hex[65])
{
    static const char *const places[] = {"", "tests", "testcomp"};
    Arena *a = arena_new();
    StrVec lines = {0};
    Str all = {0};
    bool ok = true;
    for (size_t i = 0; i < COUNT_OF(places); i++)
        ok = ok && hash_files(path, places[i], a, &lines);
    if (lines.n)
        qsort(lines.v, lines.n, sizeof *lines.v, by_name);
    for (uint32_t i = 0; i < lines.n; i++)
        str_add(&all, lines.v[i]);
    suite_sha256(str_text(&all), all.n, hex);
    str_free(&all);
    vec_free(&lines);
    arena_free(a);
    return ok;
}

/* Without `remove`: is none there? Else what is ours is removed. */
static bool no_results(const SuiteDir *d, bool remove, Str *error)
{
    bool none = true;
    DIR *dir = opendir(d->path);
    for (struct dirent *e; dir && none && (e = readdir(dir));) {
        if (!is_result(e->d_name))
            continue;
        if (!remove) {
            str_printf(error, "%s/%s exists: name another directory with -o, or overwrite it with --force",
                       d->path, e->d_name);
            none = false;
        } else if (is_ours(d, e->d_name)) {
            unlinkat(d->lock, e->d_name, 0);
        }
    }
    if (dir)
        closedir(dir);
    return none;
}

/* Are there tests in DIR/name? With `aside`: no longer. */
static bool had_tests(SuiteDir *d, const char *name, bool aside)
{
    Str path = {0};
    str_printf(&path, "%s/%s", d->path, name);
    bool any = old_tests(d, str_text(&path), aside);
    str_free(&path);
    return any;
}

static bool is_without_tests(SuiteDir *d, const char *name, Str *error)
{
    bool any = had_tests(d, name, false);
    if (any)
        str_printf(error,
                   "%s/%s holds tests already: name another directory with -o, or replace them with --force",
                   d->path, name);
    return !any;
}

static bool open_directory(const SuiteDir *d, const char *name, int *fd, Str *error)
{
    Str path = {0};
    str_printf(&path, "%s/%s", d->path, name);
    bool ok = directory_make(str_text(&path));
    *fd = ok ? open(str_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    ok = *fd >= 0 || complain(error, str_text(&path));
    str_free(&path);
    return ok;
}

/* A file system without locks is no reason to refuse. */
static bool lock(SuiteDir *d, Str *error)
{
    d->lock = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d->lock < 0)
        return complain(error, d->path);
    if (!flock(d->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
        return true;
    str_printf(error, "%s: another run is writing there: wait for its end, or name another directory with -o",
               d->path);
    return false;
}

static void set_aside_tests(SuiteDir *d)
{
    directory_remove(d->old); /* of a run that was killed */
    if (directory_make(d->old))
        d->old_fd = open(d->old, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    had_tests(d, "tests", true);
    if (had_tests(d, "testcomp", true))
        unlinkat(d->lock, "testcomp/metadata.xml", 0);
}

static bool begin(SuiteDir *d, SuiteOpen how, const char *unfinished, Str *error)
{
    bool testcomp = d->emit & SUITE_EMIT_TESTCOMP, force = how == SUITE_REPLACE;
    Str text = {0};
    if (!lock(d, error))
        return false;
    if (how == SUITE_NEW && !(no_results(d, false, error) && is_without_tests(d, "tests", error) &&
                              (!testcomp || is_without_tests(d, "testcomp", error))))
        return false;
    if (force)
        no_results(d, true, error); /* these first: they speak of tests that are about to go */
    str_add(&text, unfinished ? unfinished : "");
    bool ok = !unfinished || suite_dir_file(d, "result.json", &text, error);
    str_free(&text);
    if (ok && how != SUITE_NEW)
        set_aside_tests(d);
    return ok && open_directory(d, "tests", &d->tests, error) &&
           (!testcomp || (open_directory(d, "testcomp", &d->testcomp, error) && write_metadata(d, error)));
}

SuiteDir *suite_dir_open(const char *path, const SuiteProgram *program, unsigned emit, SuiteOpen how,
                         const char *unfinished, Str *error)
{
    SuiteDir *d = mem_zalloc(sizeof *d);
    d->path = mem_strdup(path);
    d->program = program;
    d->emit = emit;
    d->lock = d->tests = d->testcomp = d->old_fd = -1;
    Str old = {0};
    str_printf(&old, "%s/.old", path);
    d->old = str_take(&old);
    snprintf(d->scratch, sizeof d->scratch, ".%ld" SCRATCH_ENDING, (long)getpid());
    bool ok = directory_make(path) || complain(error, path);
    if (ok && begin(d, how, unfinished, error))
        return d;
    suite_dir_free(d);
    return NULL;
}

/* The next test goes into the file of an old one, if there is one left. */
static void reuse_file(SuiteDir *d, int directory)
{
    char aside[16];
    if (!d->spare)
        return;
    snprintf(aside, sizeof aside, "%u", --d->spare);
    renameat(d->old_fd, aside, directory, d->scratch);
}

static bool write_test(SuiteDir *d, const SuiteTest *t, int directory, const char *ending,
                       void (*form)(const SuiteTest *, Str *), Str *error)
{
    char name[32];
    Str text = {0};
    snprintf(name, sizeof name, "%04u.%s", t->number, ending);
    form(t, &text);
    reuse_file(d, directory);
    bool ok = file_write_at(directory, name, d->scratch, str_text(&text), text.n);
    if (!ok)
        str_printf(error, "%s/%s/%s: %s", d->path, directory == d->tests ? "tests" : "testcomp", name,
                   strerror(errno));
    str_free(&text);
    return ok;
}

/* Removes those of its files that exist. */
static void remove_test(SuiteDir *d, const SuiteTest *t)
{
    static const char *const endings[] = {"ktest", "json", "xml"};
    char name[32];
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        snprintf(name, sizeof name, "%04u.%s", t->number, endings[i]);
        unlinkat(d->tests, name, 0);
        if (d->testcomp >= 0)
            unlinkat(d->testcomp, name, 0);
    }
}

const char *suite_dir_path(const SuiteDir *d, const SuiteTest *t, Arena *arena)
{
    return arena_printf(arena, "%s/tests/%04u.ktest", d->path, t->number);
}

bool suite_dir_add(SuiteDir *d, SuiteTest *t, Str *error)
{
    bool fresh = !t->number;
    if (fresh)
        t->number = d->count + 1;
    bool ok = write_test(d, t, d->tests, "json", suite_json_write, error) &&
              write_test(d, t, d->tests, "ktest", suite_ktest_write, error);
    if (ok && d->emit & SUITE_EMIT_TESTCOMP)
        ok = write_test(d, t, d->testcomp, "xml", suite_xml_write, error);
    if (ok && d->emit & SUITE_EMIT_C)
        vec_push(&d->kept, suite_test_copy(t)); /* the caller may free its own */
    if (ok) {
        t->path = suite_dir_path(d, t, t->arena);
        d->count = t->number > d->count ? t->number : d->count;
    } else {
        remove_test(d, t);
        t->number = fresh ? 0 : t->number;
    }
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

static int by_number(const void *a, const void *b)
{
    uint32_t x = (*(SuiteTest *const *)a)->number, y = (*(SuiteTest *const *)b)->number;
    return x < y ? -1 : x > y;
}

static bool write_c(SuiteDir *d, const char *library, SuiteReplay *observer, Str *error)
{
    Str text = {0};
    if (d->kept.n)
        qsort(d->kept.v, d->kept.n, sizeof *d->kept.v, by_number);
    suite_c_tests(d->program, d->kept.v, d->kept.n, library, observer, &text);
    bool ok = suite_dir_file(d, "tests.c", &text, error);
    str_free(&text);
    return ok;
}

bool suite_dir_finish(SuiteDir *d, const char *library, SuiteReplay *observer, const Str *result, Str *error)
{
    bool ok = !(d->emit & SUITE_EMIT_C) || write_c(d, library, observer, error);
    return ok && (!result || suite_dir_file(d, "result.json", result, error));
}

void suite_dir_free(SuiteDir *d)
{
    if (!d)
        return;
    suite_tests_free(&d->kept);
    if (d->lock >= 0)
        close(d->lock);
    if (d->tests >= 0)
        close(d->tests);
    if (d->testcomp >= 0)
        close(d->testcomp);
    if (d->old_fd >= 0) {
        close(d->old_fd);
        directory_remove(d->old);
    }
    mem_free(d->old);
    mem_free(d->path);
    mem_free(d);
}
