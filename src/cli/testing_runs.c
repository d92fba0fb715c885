/* testing_runs.c - what becomes of a run of 'sheaf test': see testing.h. */
#include "cli/testing.h"

/* ---- a fault is replayed before it is reported ----------------------------------------------- */

/* The test becomes a file, now or perhaps later. */
static void keep(Testing *t, const ExploreRun *run, SuiteTest *test, bool now)
{
    BitSet covers = {0};
    bool fresh = !test->number;
    if (test->path[0])
        return;
    bool known = !now && !explore_row_is_new(run) && covering_measure(&t->covering, run, &covers);
    bool ok = (now ? results_add : results_keep)(testcase_results(&t->maker), test, known ? &covers : NULL);
    bitset_free(&covers);
    if (!ok || !fresh)
        return;
    explore_keep(run);
    if (t->settings->explain_pruning) {
        map_put(&t->run_tests.index, run->number, t->run_tests.paths.n);
        vec_push(&t->run_tests.paths, arena_strdup(t->arena, test->path));
    }
    testing_count(t, run);
}

void testing_count(Testing *t, const ExploreRun *run)
{
    if (++t->report.tests == t->settings->max_tests)
        explore_end(run->explore, LEDGER_TESTS, ", %llu", (unsigned long long)t->settings->max_tests);
}

bool testing_needs_replay(const Testing *t, const ReportFault *f)
{
    return !t->settings->no_replay && f->verdict != REPORT_CONFIRMED && f->replays < RANKING_TRIES;
}

bool testing_replay(Testing *t, SuiteTest *test, ReportFault *f)
{
    SuiteOutcome outcome;
    suite_replay_test(testcase_replay(&t->maker), test, &outcome);
    t->unsettled |= outcome.verdict == SUITE_NOT_RUN || outcome.verdict == SUITE_TIMED_OUT;
    testing_note_replay(t, f, test, outcome.verdict);
    f->replays++;
    if (f->replays > 1 && outcome.verdict != SUITE_CONFIRMED)
        return false;
    if (outcome.verdict == SUITE_NOT_RUN)
        f->verdict = REPORT_NOT_REPLAYED;
    else
        f->verdict = outcome.verdict == SUITE_CONFIRMED ? REPORT_CONFIRMED : REPORT_NOT_CONFIRMED;
    const char *why = suite_replay_diagnostics(t->maker.replay);
    why += strspn(why, "\n");
    if (outcome.verdict == SUITE_NOT_RUN && *exploring_interrupt())
        f->witness = "interrupted";
    else if (outcome.verdict == SUITE_NOT_RUN && why[0])
        f->witness = arena_printf(t->arena, "%s: %.*s", outcome.message, (int)strcspn(why, "\n"), why);
    else if (outcome.message[0])
        f->witness = arena_strdup(t->arena, outcome.message);
    return true;
}

static void confirm(Testing *t, const ExploreRun *run, SuiteTest *test, ReportFault *f)
{
    if (!testing_replay(t, test, f))
        return;
    keep(t, run, test, true);
    testcase_name(&t->maker, test, f);
}

static bool makes_a_test(VmEnding ending)
{
    return ending != VM_END_ASSUMPTION && ending != VM_END_INTERRUPTED;
}

bool testing_was_read(const Testing *t, const char *file)
{
    for (uint32_t i = 0; i < t->files_used.n; i++)
        if (!strcmp(t->files_used.v[i], file))
            return true;
    return false;
}

static void meet_inputs(Testing *t, const VmTrace *trace)
{
    t->inputs += trace->inputs.n;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        if (use->origin == VM_INPUT_FILE && use->of && !testing_was_read(t, use->of))
            vec_push(&t->files_used, arena_strdup(t->arena, use->of));
    }
}

/* A path of its own: a test if it shows something that the tests so far do not. */
static void add_path(Testing *t, const ExploreRun *run)
{
    const VmResult *r = &run->trace->result;
    bool fresh = false;
    if (r->ending == VM_END_FAULT && r->need[0]) { /* a need of callers, not a fault: no test */
        report_need(&t->report, r);
        return;
    }
    ReportFault *f = r->ending == VM_END_FAULT ? report_fault(&t->report, r, &fresh) : NULL;
    fresh = f && f->count == 1; /* one that a store had is found again */
    bool kept =
        t->settings->tests == TESTS_ALL || fresh || explore_covers_new(run) || explore_row_is_new(run);
    bool replayed = f && testing_needs_replay(t, f), noted = !kept && results_take_paths(t->maker.results);
    if (!kept && !replayed && !noted)
        return;
    SuiteTest *test = testcase_make(&t->maker, explore_pool(run->explore), run->trace, run->input);
    if (kept)
        keep(t, run, test, fresh || t->settings->tests == TESTS_ALL || t->settings->explain_pruning);
    if (fresh)
        testcase_name(&t->maker, test, f);
    if (replayed)
        confirm(t, run, test, f);
    if (noted && !test->number)
        results_note(t->maker.results, test);
    if (fresh)
        checkpoint_commit(&t->checkpoint);
    if (fresh && t->settings->stop_at_first_fault)
        explore_end(run->explore, LEDGER_FIRST_FAULT, "%s", "");
    suite_test_free(test);
}

void testing_on_run(void *context, const ExploreRun *run)
{
    Testing *t = context;
    const VmResult *r = &run->trace->result;
    meet_inputs(t, run->trace);
    covering_seen(&t->covering, run);
    if (run->repeated || !makes_a_test(r->ending))
        return;
    (run->rank ? testing_add_ranked : add_path)(t, run);
}

bool testing_wants(void *context, const ExploreRun *run)
{
    Testing *t = context;
    const VmResult *r = &run->trace->result;
    uint32_t files = t->files_used.n;
    meet_inputs(t, run->trace);
    bool tested = makes_a_test(r->ending) && testing_wants_ranked(t, run);
    return tested || t->files_used.n > files;
}

void testing_note(void *context, const ExploreRun *run, Str *out)
{
    Testing *t = context;
    Str packed = {0};
    if (!makes_a_test(run->trace->result.ending) || !results_take_paths(t->maker.results))
        return;
    SuiteTest *test = testcase_make(&t->maker, explore_pool(run->explore), run->trace, run->input);
    if (results_note_pack(t->maker.results, test, &packed))
        wire_bytes(out, packed.v, packed.n);
    suite_test_free(test);
    str_free(&packed);
}

bool testing_noted(void *context, const void *bytes, size_t n)
{
    Testing *t = context;
    Wire in = wire_of(bytes, n);
    bool ok = true;
    while (ok && in.left && !in.bad && results_take_paths(t->maker.results)) {
        uint32_t size;
        const void *packed = wire_get_bytes(&in, &size);
        ok = !in.bad && results_note_packed(t->maker.results, packed, size);
    }
    return ok && !in.bad;
}

/* A run that takes one may fail. */
void testing_on_reached(void *context, const VmResult *r, SuiteTest *test)
{
    Testing *t = context;
    bool fresh = false;
    t->report.tests++;
    ReportFault *f = r->ending == VM_END_FAULT ? report_fault(&t->report, r, &fresh) : NULL;
    if (fresh)
        f->test = arena_strdup(t->arena, test->path);
    if (f && testing_needs_replay(t, f))
        confirm(t, NULL, test, f);
}
