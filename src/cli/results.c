/* results.c - the tests and results of an exploration in a directory: see results.h. */
#include "cli/results.h"

#include "cli/command.h"
#include "cli/covering.h"

struct Results {
    SuiteDir *dir;
    Store *store;              /* NULL: none */
    SuiteReplay *observer;     /* NULL: none */
    const ReuseAnswer *answer; /* for the same command again; NULL: none */
    const char *directory;
    uint64_t store_most;
    bool full;
    double until; /* tests become files; 0: no limit */
    uint64_t unwritten;
    uint32_t last, files; /* the greatest number of a test; how many are files: */
    BitSet written;       /* by number */
    Str failure;
};

/* ---- writing --------------------------------------------------------------------------------- */

/* Keeps the first failure. */
static bool wrote(Results *r, bool ok, Str *error)
{
    if (!ok && !r->failure.n) {
        str_add(&r->failure, error->n ? str_text(error) : store_failure(r->store));
        warn("%s: no more files are written; faults are still reported", str_text(&r->failure));
    }
    str_free(error);
    return ok;
}

static bool stored(Results *r, bool ok)
{
    Str none = {0};
    return wrote(r, ok, &none);
}

/* A number for a test that has none, if the store does not know it. */
static bool store_test(Results *r, SuiteTest *test, StoreRole *role, const BitSet *covers)
{
    bool fresh = !test->number;
    if (fresh)
        test->number = r->last + 1;
    bool ok = !r->store || stored(r, store_test_add(r->store, test, role, covers));
    if (ok)
        r->last = test->number > r->last ? test->number : r->last;
    else if (fresh)
        test->number = 0;
    return ok;
}

static bool write_file(Results *r, SuiteTest *test)
{
    Str error = {0};
    bool ok = wrote(r, suite_dir_add(r->dir, test, &error), &error);
    r->files += ok && bitset_add(&r->written, test->number);
    return ok;
}

/* At the end. A store has the test all the same; a fault's is reported, and must be there. */
static void write_in_time(Results *r, SuiteTest *test)
{
    if (r->until > 0 && !test->fault[0] && clock_seconds() > r->until)
        r->unwritten++;
    else
        write_file(r, test);
}

bool results_add(Results *r, SuiteTest *test, const BitSet *covers)
{
    StoreRole role = STORE_FILE;
    return !r->failure.n && store_test(r, test, &role, covers) && write_file(r, test);
}

bool results_keep(Results *r, SuiteTest *test, const BitSet *covers)
{
    StoreRole role = STORE_COVERS;
    return r->store ? !r->failure.n && store_test(r, test, &role, covers) : results_add(r, test, covers);
}

bool results_take_paths(Results *r)
{
    bool stores = r->store && !r->failure.n;
    bool room = stores && (!r->store_most || store_test_bytes(r->store) < r->store_most);
    r->full |= stores && !room;
    return room;
}

void results_note(Results *r, SuiteTest *test)
{
    StoreRole role = STORE_PATH;
    stored(r, store_test_add(r->store, test, &role, NULL));
}

bool results_note_pack(const Results *r, const SuiteTest *test, Str *out)
{
    return r->store && store_test_pack(r->store, test, out);
}

bool results_note_packed(Results *r, const void *packed, size_t n)
{
    bool ok = store_packed_add(r->store, packed, n);
    return store_failure(r->store) ? (stored(r, ok), true) : ok;
}

bool results_rank(Results *r, SuiteTest *test, uint64_t rank, bool file, const BitSet *covers)
{
    return !r->failure.n &&
           stored(r, store_ranked_add(r->store, test, rank, file ? STORE_FILE : STORE_COVERS, covers));
}

bool results_ranked(Results *r, StoreRankedVec *out)
{
    if (!r->store || r->failure.n || !stored(r, store_ranked(r->store, out)))
        return false;
    r->last = store_settled_last(r->store);
    return true;
}

SuiteTest *results_ranked_test(Results *r, const StoreRanked *of)
{
    SuiteTest *test = r->failure.n ? NULL : store_ranked_test(r->store, of);
    stored(r, test != NULL);
    return test;
}

void results_settle(Results *r, const StoreRanked *of, SuiteTest *test, StoreRole role)
{
    test->number = r->last + (role != STORE_PATH);
    if (!r->failure.n && stored(r, store_ranked_settle(r->store, of, test, role)))
        r->last = test->number;
    if (!r->failure.n && role == STORE_FILE)
        write_in_time(r, test);
}

bool results_file(Results *r, const char *name, const Str *text)
{
    Str error = {0};
    return !r->failure.n && wrote(r, suite_dir_file(r->dir, name, text, &error), &error);
}

bool results_commit(Results *r) { return !r->store || (!r->failure.n && stored(r, store_commit(r->store))); }

/* ---- opening --------------------------------------------------------------------------------- */

/* Is an unfinished run of the same job there? Then it need not be lost. */
static void offer_to_resume(const ResultsPlace *p)
{
    Str ignored = {0};
    Store *s = p->job && store_exists(p->directory) ? store_read(p->directory, &ignored) : NULL;
    if (s && !store_finished(s) && !store_jobs_differ(store_job(s), p->job, &ignored))
        die("%s holds a run of this that is not finished: %s", p->directory,
            p->fleet ? "--force goes on with its job" : "--resume goes on with it, --force begins anew");
    store_close(s);
    str_free(&ignored);
}

static void open_store(Results *r, const ResultsPlace *p)
{
    Str error = {0};
    r->store_most = p->store_most;
    r->store =
        p->resume ? store_resume(p->directory, p->job, &error) : store_create(p->directory, p->job, &error);
    if (!r->store)
        die("%s%s", p->resume ? "--resume: " : "", str_text(&error));
    if (p->resume && store_finished(r->store))
        die("--resume: the run in %s is finished; --force begins anew", p->directory);
    r->last = store_test_last(r->store);
}

/* Before anything is touched: a directory that cannot be resumed stays as it is. */
static void check_resume(const ResultsPlace *p)
{
    Str error = {0};
    if (!store_exists(p->directory))
        die("--resume: there is no store in %s: it was not written by 'sheaf %s', or nothing was",
            p->directory, p->command);
    Store *s = store_read(p->directory, &error);
    if (!s)
        die("--resume: %s", str_text(&error));
    if (store_jobs_differ(store_job(s), p->job, &error))
        die("--resume: %s cannot be continued: %s", p->directory, str_text(&error));
    store_close(s);
}

static void write_again(void *context, StoreTest *t)
{
    Results *r = context;
    if (!r->failure.n && !t->ranked)
        write_file(r, t->test);
}

Results *results_open(const ResultsPlace *p)
{
    Results *r = mem_zalloc(sizeof *r);
    r->directory = p->directory;
    JsonOut json = {0};
    Str error = {0};
    if (p->resume)
        check_resume(p);
    else if (!p->force)
        offer_to_resume(p);
    json_object_begin(&json, NULL);
    json_string(&json, "command", p->command);
    json_bool(&json, "finished", false);
    json_bool(&json, "complete", false);
    json_object_end(&json);
    r->dir = suite_dir_open(p->directory, p->program, p->emit,
                            p->resume  ? SUITE_CONTINUE
                            : p->force ? SUITE_REPLACE
                                       : SUITE_NEW,
                            str_text(&json.text), &error);
    if (!r->dir)
        die("%s", str_text(&error));
    if (p->job)
        open_store(r, p);
    if (p->resume) /* a kill may have left some without a file, or files that nothing knows of */
        stored(r, store_tests(r->store, STORE_FILE, write_again, r));
    str_free(&json.text);
    str_free(&error);
    return r;
}

/* ---- which tests become files ---------------------------------------------------------------- */

uint32_t results_cover(Results *r, bool none)
{
    SuiteTestVec tests = {0};
    if (!r->store || r->failure.n || none || !stored(r, covering_tests(r->store, false, &tests)))
        return r->files;
    for (uint32_t i = 0; i < tests.n && !r->failure.n; i++)
        write_in_time(r, tests.v[i]);
    suite_tests_free(&tests);
    return r->files;
}

/* ---- the end --------------------------------------------------------------------------------- */

void results_until(Results *r, double end) { r->until = end; }
uint64_t results_unwritten(const Results *r) { return r->unwritten; }
void results_observe(Results *r, SuiteReplay *observer) { r->observer = observer; }
void results_settled(Results *r, const ReuseAnswer *answer) { r->answer = answer; }

static void store_answer(Results *r, const Str *answer, const Str *stats, bool all)
{
    bool ok = store_put(r->store, "result", str_text(answer), answer->n) &&
              (!stats || store_put(r->store, "statistics", str_text(stats), stats->n)) &&
              (!r->answer || !all || reuse_put(r->store, r->directory, r->answer)) &&
              (all ? store_finish(r->store) : store_commit(r->store));
    stored(r, ok);
}

void results_finish(Results *r, const Str *answer, const Str *stats, bool all)
{
    Str error = {0}, library = {0};
    char *path = program_own_file("native/replay.c");
    if (path)
        file_read(path, 1 << 20, &library);
    bool ok = (!stats || suite_dir_file(r->dir, "stats.json", stats, &error)) &&
              suite_dir_finish(r->dir, str_text(&library), r->observer, answer, &error);
    wrote(r, ok, &error);
    if (r->store && !r->failure.n) /* last: a run that is finished has all its files */
        store_answer(r, answer, stats, all);
    mem_free(path);
    str_free(&library);
}

const char *results_failure(const Results *r) { return r->failure.n ? str_text(&r->failure) : NULL; }
Store *results_store(Results *r) { return r->failure.n ? NULL : r->store; }
bool results_full(const Results *r) { return r->full; }

void results_free(Results *r)
{
    if (!r)
        return;
    store_close(r->store);
    suite_dir_free(r->dir);
    bitset_free(&r->written);
    str_free(&r->failure);
    mem_free(r);
}
