/* testing_results.c - the answer of 'sheaf test', written and printed: see testing.h. */
#include "cli/testing.h"

static void result_json(const Testing *t, const Explore *x, JsonOut *json)
{
    json_object_begin(json, NULL);
    report_json(&t->report, json);
    if (t->settings->to) {
        json_object_begin(json, "uncovered");
        reach_targets_json(&t->reaching, json);
        json_object_end(json);
    }
    if (t->settings->callers)
        callers_json(&t->callers, json);
    if (t->settings->compare)
        compare_json(&t->comparison, t->program, json);
    if (t->settings->explain_pruning)
        sinks_pruned_json(x, &t->run_tests, json);
    json_object_end(json);
}

static void render(Testing *t, const Explore *x, ReuseForm form, Str *out)
{
    JsonOut json = {0};
    t->report.verbose = form == REUSE_VERBOSE;
    switch (form) {
    case REUSE_TEXT:
    case REUSE_VERBOSE:
        report_text(&t->report, out);
        if (t->settings->to)
            reach_uncovered_text(&t->reaching, out);
        if (t->settings->callers)
            callers_text(&t->callers, out);
        if (t->settings->compare)
            compare_text(&t->comparison, t->program, out);
        if (t->settings->explain_pruning)
            sinks_pruned_text(x, &t->run_tests, out);
        break;
    case REUSE_SARIF: report_sarif(&t->report, SHEAF_VERSION, out); break;
    case REUSE_JSON:
        result_json(t, x, &json);
        str_printf(out, "%s\n", str_text(&json.text));
        break;
    case REUSE_FORMS: bug("no form");
    }
    str_free(&json.text);
}

ReuseForm testing_form(const ExploringSettings *s)
{
    switch ((ExploringFormat)s->format) {
    case FORMAT_TEXT: break;
    case FORMAT_SARIF: return REUSE_SARIF;
    case FORMAT_JSON: return REUSE_JSON;
    }
    return s->verbose ? REUSE_VERBOSE : REUSE_TEXT;
}

bool testing_was_cut(const Ledger *l)
{
    static const LedgerKind cuts[] = {LEDGER_TIME,        LEDGER_RUNS,  LEDGER_TESTS, LEDGER_FIRST_FAULT,
                                      LEDGER_INTERRUPTED, LEDGER_TASKS, LEDGER_FLEET};
    for (uint32_t i = 0; i < ledger_count(l); i++)
        for (unsigned k = 0; k < COUNT_OF(cuts); k++)
            if (ledger_entry(l, i)->kind == cuts[k])
                return true;
    return false;
}

/* A fault that a store had, and that this run has not come to again, is there all the same. */
static void count_kept_faults(Testing *t)
{
    for (uint32_t i = 0; i < t->report.faults.n; i++)
        t->report.faults.v[i].count += !t->report.faults.v[i].count;
}

static void note_failure(Testing *t, Explore *x)
{
    const char *failure = results_failure(t->maker.results);
    if (failure)
        ledger_add(explore_ledger(x), LEDGER_FILES, IR_NONE, "%s", failure);
}

int testing_status(const Testing *t)
{
    int status = report_status(&t->report);
    if (status == EXIT_CLEAN && callers_open(&t->callers))
        status = EXIT_INCOMPLETE;
    return callers_violated(&t->callers) ? EXIT_FOUND : status;
}

bool testing_is_repeatable(const TestSettings *s)
{
    return !s->to && !s->callers && !s->compare && !s->store && !s->change.old.n &&
           !s->exploring.log_queries && s->exploring.external != VM_EXTERNAL_ALL &&
           !(s->emit & 2 && s->exploring.entry) && /* tests.c includes the headers that declare the entry */
           (!strcmp(s->exploring.solver, "cadical") || !strcmp(s->exploring.solver, "z3"));
}

bool testing_is_of_reached(const TestSettings *s)
{
    bool of_lines = false;
    for (uint32_t i = 0; i < s->sinks.n; i++)
        of_lines |= strchr(s->sinks.v[i], ':') != NULL;
    return testing_is_repeatable(s) && !of_lines && !s->explain_pruning && !s->emit &&
           !s->exploring.symbolic_globals.n;
}

/* The answer of another run might differ if a limit of time or memory was met, of native runs too (which
 * what a store has kept of them does not tell), or if there was something to warn of, which an answer that
 * is kept does not. */
static bool is_settled(const Testing *t, const Explore *x)
{
    static const LedgerKind loads[] = {LEDGER_MEMORY,      LEDGER_SOLVER,        LEDGER_SOLVER_MEMORY,
                                       LEDGER_SOLVER_OPEN, LEDGER_SOLVER_FAILED, LEDGER_FILES};
    const Ledger *l = explore_ledger(x);
    bool settled = testing_is_repeatable(t->settings) && !t->unsettled && !t->report.no_input &&
                   !results_full(t->maker.results);
    for (uint32_t i = 0; i < ledger_count(l); i++)
        for (unsigned k = 0; k < COUNT_OF(loads); k++)
            settled = settled && ledger_entry(l, i)->kind != loads[k];
    for (uint32_t i = 0; i < t->report.faults.n; i++)
        settled = settled && (!t->settings->resume || t->report.faults.v[i].verdict == REPORT_CONFIRMED);
    return settled;
}

/* In every form, so that the same command can give it again. */
static void keep_answer(Testing *t, Explore *x)
{
    Str out = {0};
    if (!is_settled(t, x))
        return;
    t->answer.status = testing_status(t);
    for (unsigned i = 0; i < REUSE_FORMS; i++) {
        vec_clear(&out);
        render(t, x, (ReuseForm)i, &out);
        t->answer.form[i] = arena_strdup(t->arena, str_text(&out));
    }
    testing_keep_findings(t, x);
    results_settled(t->maker.results, &t->answer);
    str_free(&out);
}

/* The exploration is over, and so may be its time: many files take far longer than many runs. */
void testing_limit_files(Testing *t)
{
    enum { SECONDS = 1 }; /* at least */
    double least = clock_seconds() + SECONDS;
    if (t->until > 0)
        results_until(testcase_results(&t->maker), t->until > least ? t->until : least);
}

void testing_write(Testing *t, Explore *x)
{
    JsonOut json = {0}, stats = {0};
    Results *results = testcase_results(&t->maker);
    count_kept_faults(t);
    testing_limit_files(t);
    t->report.tests = results_cover(results, t->settings->tests != TESTS_COVERING);
    if (results_unwritten(results)) {
        t->unsettled = true;
        warn("--max-time: %llu tests are in %s/" SUITE_STORE " and no files: 'sheaf export %s%s' writes all",
             (unsigned long long)results_unwritten(results), t->settings->exploring.directory,
             t->settings->exploring.directory, t->settings->tests == TESTS_ALL ? " --tests all" : "");
    }
    if (results_full(results))
        warn("%s/" SUITE_STORE ": not every path is there: --max-store", t->settings->exploring.directory);
    note_failure(t, x);
    bool failed = results_failure(results);
    if (t->settings->emit & 2 && t->settings->exploring.entry && !t->settings->no_replay)
        results_observe(results, testcase_replay(&t->maker));
    result_json(t, x, &json);
    keep_answer(t, x);
    if (!t->statistics.n) {
        json_object_begin(&stats, NULL);
        explore_stats(x, &stats);
        json_object_end(&stats);
        str_add(&t->statistics, str_text(&stats.text));
    }
    results_finish(results, &json.text, &t->statistics,
                   !testing_was_cut(explore_ledger(x)) && !t->report.unfinished);
    if (!failed)
        note_failure(t, x);
    str_free(&json.text);
    str_free(&stats.text);
}

void testing_print(Testing *t, const Explore *x)
{
    Str out = {0};
    render(t, x, testing_form(&t->settings->exploring), &out);
    fputs(str_text(&out), stdout);
    if (t->settings->exploring.verbose && explore_count(x, EXPLORE_RUNS))
        fprintf(stderr,
                "%u %% explored, %llu runs (%llu resumed), %llu infeasible, %.2f s: solver %.2f s, machine "
                "%.2f s, %.0f runs "
                "a second\n",
                (unsigned)(100 * explore_explored(x)), (unsigned long long)explore_count(x, EXPLORE_RUNS),
                (unsigned long long)explore_count(x, EXPLORE_RESUMED),
                (unsigned long long)explore_count(x, EXPLORE_INFEASIBLE), explore_seconds(x),
                explore_solver_seconds(x), explore_machine_seconds(x),
                (double)explore_count(x, EXPLORE_RUNS) / (explore_seconds(x) + 1e-9));
    str_free(&out);
}
