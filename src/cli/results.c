/* results.c - the tests and results of an exploration in a directory: see results.h. */
#include "cli/results.h"

#include "cli/command.h"

struct Results {
    SuiteDir *dir;
    SuiteReplay *observer; /* NULL: none */
    Str failure;
};

Results *results_open(const char *directory, const SuiteProgram *program, unsigned emit, bool force,
                      const char *command)
{
    Results *r = mem_zalloc(sizeof *r);
    JsonOut json = {0};
    Str error = {0};
    json_object_begin(&json, NULL);
    json_string(&json, "command", command);
    json_bool(&json, "finished", false);
    json_bool(&json, "complete", false);
    json_object_end(&json);
    r->dir = suite_dir_open(directory, program, emit, force, str_text(&json.text), &error);
    if (!r->dir)
        die("%s", str_text(&error));
    str_free(&json.text);
    str_free(&error);
    return r;
}

/* Keeps the first failure. */
static bool wrote(Results *r, bool ok, Str *error)
{
    if (!ok && !r->failure.n) {
        str_add(&r->failure, str_text(error));
        warn("%s: no more files are written; faults are still reported", str_text(error));
    }
    str_free(error);
    return ok;
}

bool results_add(Results *r, SuiteTest *test)
{
    Str error = {0};
    return !r->failure.n && wrote(r, suite_dir_add(r->dir, test, &error), &error);
}

bool results_file(Results *r, const char *name, const Str *text)
{
    Str error = {0};
    return !r->failure.n && wrote(r, suite_dir_file(r->dir, name, text, &error), &error);
}

void results_observe(Results *r, SuiteReplay *observer) { r->observer = observer; }

void results_finish(Results *r, const Str *answer, const Str *stats)
{
    Str error = {0}, library = {0};
    char *path = program_own_file("native/replay.c");
    if (path)
        file_read(path, 1 << 20, &library);
    bool ok = (!stats || suite_dir_file(r->dir, "stats.json", stats, &error)) &&
              suite_dir_finish(r->dir, str_text(&library), r->observer, answer, &error);
    wrote(r, ok, &error);
    mem_free(path);
    str_free(&library);
}

const char *results_failure(const Results *r) { return r->failure.n ? str_text(&r->failure) : NULL; }

void results_free(Results *r)
{
    if (!r)
        return;
    suite_dir_free(r->dir);
    str_free(&r->failure);
    mem_free(r);
}
