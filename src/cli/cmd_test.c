/* cmd_test.c - `sheaf test`: every fault with an input that was replayed natively, and tests that cover what
 * was reached. */
#include "cli/asking.h"
#include "cli/callers.h"
#include "cli/changing.h"
#include "cli/checkpoint.h"
#include "cli/compare.h"
#include "cli/covering.h"
#include "cli/drive.h"
#include "cli/exploring.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "cli/sinks.h"
#include "cli/reaching.h"
#include "cli/serving.h"
#include "cli/testcase.h"
#include "report/report.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct TestSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    unsigned explorer;           /* position in explore_names */
    unsigned tests;              /* which are written */
    bool resume, no_reuse;
    uint64_t max_tests, max_store;
    uint64_t jobs;     /* 0: as many as there are processors */
    const char *store; /* of a fleet; NULL: none */
    bool stop_at_first_fault;
    uint64_t emit;
    bool no_replay;
    bool callers;
    const char *to; /* "uncovered", or NULL */
    StrVec sinks;   /* none: as the explorer likes */
    uint64_t outcome_runs;
    unsigned faults;
    bool explain_pruning;
    ChangeSettings change;
    unsigned compared;   /* position in explore_names, if --compare was given: */
    const char *compare; /* that explorer; NULL: none */
    const char *compare_csv, *compare_plot;
} TestSettings;

enum { REPLAYS_OF_A_FAULT = 5 }; /* tests tried until one confirms it */

enum { TESTS_COVERING, TESTS_ALL, TESTS_NONE };
static const char *const tests_words[] = {"covering", "all", "none", NULL};
enum { FAULTS_ISOLATE, FAULTS_TIE };
static const char *const fault_words[] = {"isolate", "tie", NULL};
static const char *const emit_words[] = {"testcomp", "c", NULL};

static const Option test_options[] = {
    {OPT_GROUP("Tests")},
    {OPT_ENUM(TestSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help =
         "which paths to run: all (full), one for each output (output), one for each combination on "
         "which a fault can depend (dependence), those that a change affects (change), one for each state "
         "that paths have in common (states)"},
    {OPT_ENUM(TestSettings, tests), "tests", .preset = "covering", .words = tests_words,
     .help = "which tests become files, besides one for each fault: a few that cover every line and branch "
             "outcome that was reached (with --explore output, all rows), all, or none; the others are in "
             "DIR/store.db ('sheaf export')"},
    {OPT_FLAG(TestSettings, resume), "resume",
     .help = "go on with the run in DIR that was interrupted, killed or ended by a limit"},
    {OPT_FLAG(TestSettings, no_reuse), "no-reuse",
     .help = "explore even if DIR holds the answer of this very command, and nothing has changed since"},
    {OPT_SIZE(TestSettings, max_store), "max-store", .argument = "SIZE", .preset = "1G",
     .help = "tests in DIR/store.db beyond which only those are added that cover something new; 0: no limit"},
    {OPT_UINT(TestSettings, max_tests), "max-tests", .argument = "N",
     .help = "stop after N tests that cover something new (with --tests all: after N tests); 0: no limit"},
    {OPT_UINT(TestSettings, jobs), "jobs", 'j', "N", "0",
     .help =
         "processes that explore, once an exploration has taken about a second; 0: one for each processor. "
         "The answer is the same. So far with --explore full and output; dependence uses two, others one"},
    {OPT_STRING(TestSettings, store), "store", .argument = "URL",
     .help = "explore together with every 'sheaf worker' on this database: postgresql://HOST/DATABASE; for "
             "--explore full, which it implies"},
    {OPT_FLAG(TestSettings, stop_at_first_fault), "stop-at-first-fault",
     .help = "stop when a fault is found"},
    {OPT_SET(TestSettings, emit), "emit", .words = emit_words,
     .help = "also write the tests as Test-Comp XML or as one C file"},
    {OPT_FLAG(TestSettings, no_replay), "no-replay", .help = "do not run faults on the native program"},
    {OPT_FLAG(TestSettings, callers), "callers",
     .help = "with --entry F: does each call of F in the program pass what F needs? Each caller is explored, "
             "for up to --max-time or 10 s"},
    {OPT_STRING(TestSettings, to), "to", .argument = "uncovered",
     .help = "afterwards find an input for each branch outcome that no test takes, or prove that there is "
             "none ('sheaf reach')"},
    {OPT_ENUM(TestSettings, compared), "compare", .words = explore_names,
     .help = "explore a second time with this explorer, and compare the costs"},
    {OPT_STRING(TestSettings, compare_csv), "compare-csv", .argument = "FILE",
     .help = "with --compare: write distinct behaviours over time, for --search dfs, bfs and random"},
    {OPT_STRING(TestSettings, compare_plot), "compare-plot", .argument = "FILE",
     .help = "with --compare: the same as a diagram (SVG)"},
    {OPT_GROUP("With --explore dependence")},
    {OPT_LIST(TestSettings, sinks), "sinks", .argument = "WHAT,...",
     .help = "decisions are combined if one of these depends on them: faults (always), outputs, all, "
             "FILE:LINE; may be repeated"},
    {OPT_ENUM(TestSettings, faults), "faults", .preset = "isolate", .words = fault_words,
     .help = "does what follows a fault check depend on it? isolate: no; tie: yes, with more runs"},
    {OPT_UINT(TestSettings, outcome_runs), "outcome-runs", .argument = "N", .preset = "1024",
     .help = "after the last fault: N runs, plus two for each run so far, for branch outcomes that no run "
             "took; 0: no limit"},
    {OPT_FLAG(TestSettings, explain_pruning), "explain-pruning",
     .help =
         "for each alternative that got no run of its own: which run covers it; with states, for each path "
         "that was not continued: which run was in the same state"},
    {OPT_GROUP("With --explore change")},
    {OPT_LIST(TestSettings, change.old), "old", .argument = "FILE",
     .help = "the program before the change; may be repeated"},
    {OPT_ENUM(TestSettings, change.impact), "impact", .preset = "all", .words = change_impact_words,
     .help =
         "what counts as affected: all, through memory and calls, or local, within the changed functions"},
    {OPT_ENUM(TestSettings, change.prune), "prune", .preset = "complete", .words = change_prune_words,
     .help = "what is left out: complete keeps every sequence of affected blocks, published is DiSE's rule, "
             "none leaves out nothing"},
    {OPT_ENUM(TestSettings, change.order), "order", .preset = "default", .words = change_order_words,
     .help = "which branch outcome is tried first"},
    {OPT_END},
};
static const Option *const test_tables[] = {
    test_options, exploring_options, exploring_handle_options, exploring_output_options, program_options,
    NULL};

/* Everything that a run's observer needs. */
typedef struct Testing {
    const TestSettings *settings;
    const OptionArgs *args;
    Arena *arena;
    const VmEnvironment *environment;
    const IrProgram *program;
    Report report;
    TestMaker maker;
    Reaching reaching;      /* with --to uncovered */
    uint64_t inputs;        /* input objects that runs used, in all */
    StrVec files_used;      /* symbolic files among them */
    Comparison comparison;  /* with --compare */
    Callers callers;        /* with --callers */
    Asking asking;          /* with --store */
    FrontendOptions native; /* with --emit c and --entry */
    RunTests run_tests;     /* with --explain-pruning */
    Progress progress;
    Covering covering;
    StoreJob job;
    ReuseAnswer answer; /* for the same command again */
    Checkpoint checkpoint;
    Str state;      /* of an exploration that goes on; none: it begins */
    bool is_shown;  /* progress */
    bool unsettled; /* another run may do what this one did not: a native run, a warning */
} Testing;

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
    t->report.tests++;
    if (t->settings->explain_pruning) {
        map_put(&t->run_tests.index, run->number, t->run_tests.paths.n);
        vec_push(&t->run_tests.paths, arena_strdup(t->arena, test->path));
    }
    if (t->report.tests == t->settings->max_tests)
        explore_end(run->explore, LEDGER_TESTS, ", %llu", (unsigned long long)t->settings->max_tests);
}

/* Of a fault that several runs show, one confirmed test is enough; natively not every one need show it. */
static bool needs_replay(const Testing *t, const ReportFault *f)
{
    return !t->settings->no_replay && f->verdict != REPORT_CONFIRMED && f->replays < REPLAYS_OF_A_FAULT;
}

static void confirm(Testing *t, const ExploreRun *run, SuiteTest *test, ReportFault *f)
{
    SuiteOutcome outcome;
    suite_replay_test(testcase_replay(&t->maker), test, &outcome);
    t->unsettled |= outcome.verdict == SUITE_NOT_RUN || outcome.verdict == SUITE_TIMED_OUT;
    f->replays++;
    if (f->replays > 1 && outcome.verdict != SUITE_CONFIRMED)
        return;
    keep(t, run, test, true);
    testcase_name(&t->maker, test, f);
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
}

static bool makes_a_test(VmEnding ending)
{
    return ending != VM_END_ASSUMPTION && ending != VM_END_INTERRUPTED;
}

static bool was_read(const Testing *t, const char *file)
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
        if (use->origin == VM_INPUT_FILE && use->of && !was_read(t, use->of))
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
    bool replayed = f && needs_replay(t, f), noted = !kept && results_take_paths(t->maker.results);
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

static void on_run(void *context, const ExploreRun *run)
{
    Testing *t = context;
    const VmResult *r = &run->trace->result;
    meet_inputs(t, run->trace);
    covering_seen(&t->covering, run);
    if (run->repeated || !makes_a_test(r->ending))
        return;
    add_path(t, run);
}

/* Of a run in another process: what on_run would do nothing with but count is not sent. */
static bool wants(void *context, const ExploreRun *run)
{
    Testing *t = context;
    const VmResult *r = &run->trace->result;
    uint32_t files = t->files_used.n;
    meet_inputs(t, run->trace);
    bool tested = makes_a_test(r->ending) && (r->ending == VM_END_FAULT || t->settings->tests == TESTS_ALL ||
                                              explore_covers_new(run) || explore_row_is_new(run));
    return tested || t->files_used.n > files;
}

static void use_processes(Testing *t, ExploreOptions *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = t->settings->jobs ? t->settings->jobs : processors > 0 ? (uint64_t)processors : 1;
    options->jobs = jobs < UINT32_MAX ? (uint32_t)jobs : UINT32_MAX;
    const char *after = getenv("SHEAF_FORK_AFTER"); /* for tests: runs of small explorations */
    options->fork_after = after ? strtoull(after, NULL, 10) : 0;
    options->wants = wants;
}

/* -v: why they are not used though they were asked for. */
static void say_alone(const Testing *t, const Explore *x)
{
    const char *why = explore_alone(x);
    if (t->settings->exploring.verbose && t->settings->jobs > 1 && why)
        warn("--jobs: one process explored: %s", why);
}

static void show_progress(Testing *t, const Explore *x)
{
    VmCoverage c = vm_coverage(explore_vm(x));
    double seconds = explore_seconds(x);
    progress_show(&t->progress,
                  "%llu runs, %llu tests, %u faults, branches %u/%u, %llu pending, solver %.0f %%, %.0f s",
                  (unsigned long long)explore_count(x, EXPLORE_RUNS), (unsigned long long)t->report.tests,
                  t->report.faults.n, c.branches_covered, c.branches, (unsigned long long)explore_pending(x),
                  seconds > 0 ? 100 * explore_solver_seconds(x) / seconds : 0, seconds);
}

static void on_progress(void *context, const Explore *x)
{
    Testing *t = context;
    if (t->is_shown)
        show_progress(t, x);
    checkpoint_save(&t->checkpoint, (Explore *)x);
}

/* ---- branch outcomes that no test takes ------------------------------------------------------ */

/* A run that takes one may fail. */
static void on_reached(void *context, const VmResult *r, SuiteTest *test)
{
    Testing *t = context;
    bool fresh = false;
    t->report.tests++;
    ReportFault *f = r->ending == VM_END_FAULT ? report_fault(&t->report, r, &fresh) : NULL;
    if (fresh)
        f->test = arena_strdup(t->arena, test->path);
    if (f && needs_replay(t, f))
        confirm(t, NULL, test, f);
}

/* Exploration has had its turn: what is left is asked for backwards, in as much time. */
static void reach_uncovered(Testing *t, Explore *x, const ExploreOptions *options)
{
    Reaching *r = &t->reaching;
    *r = (Reaching){.program = t->program,
                    .environment = t->environment,
                    .options = *options,
                    .phase = PHASE_BACKWARD,
                    .no_replay = t->settings->no_replay,
                    .maker = &t->maker,
                    .arena = t->arena,
                    .on_test = on_reached,
                    .context = t};
    r->options.symbolic.inputs.shape = VM_SHAPE_BYTES; /* whether there is any call that gets there */
    r->options.max_time = t->settings->exploring.max_time;
    targets_uncovered(t->program, explore_vm(x), t->arena, &r->targets);
    reach_all(r);
    bool all = !ledger_count(explore_ledger(x)) && !ledger_shape_count(explore_ledger(x));
    for (uint32_t i = 0; i < r->reached.n && all; i++)
        if (r->reached.v[i].status == REACH_OPEN) { /* every path was explored */
            r->reached.v[i].status = REACH_UNREACHABLE;
            r->reached.v[i].by = "forward";
        }
}

/* ---- results --------------------------------------------------------------------------------- */

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

static ReuseForm form_of(const ExploringSettings *s)
{
    switch ((ExploringFormat)s->format) {
    case FORMAT_TEXT: break;
    case FORMAT_SARIF: return REUSE_SARIF;
    case FORMAT_JSON: return REUSE_JSON;
    }
    return s->verbose ? REUSE_VERBOSE : REUSE_TEXT;
}

/* Was the exploration ended before its time? What else is in a ledger does not go away with time. */
static bool was_cut(const Ledger *l)
{
    static const LedgerKind cuts[] = {LEDGER_TIME,        LEDGER_RUNS,        LEDGER_TESTS,
                                      LEDGER_FIRST_FAULT, LEDGER_INTERRUPTED, LEDGER_TASKS};
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

static int test_status(const Testing *t)
{
    int status = report_status(&t->report);
    if (status == EXIT_CLEAN && callers_open(&t->callers))
        status = EXIT_INCOMPLETE;
    return callers_violated(&t->callers) ? EXIT_FOUND : status;
}

/* Can the answer depend on nothing but what the key of reuse.h has? These options look at more, or do more
 * than answer. */
static bool is_repeatable(const TestSettings *s)
{
    return !s->to && !s->callers && !s->compare && !s->store && !s->change.old.n &&
           !s->exploring.log_queries && s->exploring.external != VM_EXTERNAL_ALL &&
           (!strcmp(s->exploring.solver, "cadical") || !strcmp(s->exploring.solver, "z3"));
}

/* The answer of another run might differ if a limit of time or memory was met, of native runs too (which
 * what a store has kept of them does not tell), or if there was something to warn of, which an answer that
 * is kept does not. */
static bool is_settled(const Testing *t, const Explore *x)
{
    static const LedgerKind loads[] = {LEDGER_MEMORY,      LEDGER_SOLVER,        LEDGER_SOLVER_MEMORY,
                                       LEDGER_SOLVER_OPEN, LEDGER_SOLVER_FAILED, LEDGER_FILES};
    const Ledger *l = explore_ledger(x);
    bool settled =
        is_repeatable(t->settings) && !t->unsettled && !t->report.no_input && !results_full(t->maker.results);
    for (uint32_t i = 0; i < ledger_count(l); i++)
        for (unsigned k = 0; k < COUNT_OF(loads); k++)
            settled = settled && ledger_entry(l, i)->kind != loads[k];
    for (uint32_t i = 0; i < t->report.faults.n; i++)
        settled = settled && (!t->settings->resume || t->report.faults.v[i].verdict == REPORT_CONFIRMED);
    return settled;
}

/* In every form, so that the same command can give it again. */
static void keep_answer(Testing *t, const Explore *x)
{
    Str out = {0};
    if (!is_settled(t, x))
        return;
    t->answer.status = test_status(t);
    for (unsigned i = 0; i < REUSE_FORMS; i++) {
        vec_clear(&out);
        render(t, x, (ReuseForm)i, &out);
        t->answer.form[i] = arena_strdup(t->arena, str_text(&out));
    }
    results_settled(t->maker.results, &t->answer);
    str_free(&out);
}

static void write_results(Testing *t, Explore *x)
{
    JsonOut json = {0}, stats = {0};
    Results *results = testcase_results(&t->maker);
    count_kept_faults(t);
    t->report.tests = results_cover(results, t->settings->tests != TESTS_COVERING);
    if (results_full(results))
        warn("%s/" SUITE_STORE ": not every path is there: --max-store", t->settings->exploring.directory);
    note_failure(t, x);
    bool failed = results_failure(results);
    if (t->settings->emit & 2 && t->settings->exploring.entry && !t->settings->no_replay)
        results_observe(results, testcase_replay(&t->maker));
    result_json(t, x, &json);
    keep_answer(t, x);
    json_object_begin(&stats, NULL);
    explore_stats(x, &stats);
    json_object_end(&stats);
    results_finish(results, &json.text, &stats.text, !was_cut(explore_ledger(x)) && !t->report.unfinished);
    if (!failed)
        note_failure(t, x);
    str_free(&json.text);
    str_free(&stats.text);
}

static void print_results(Testing *t, const Explore *x)
{
    Str out = {0};
    render(t, x, form_of(&t->settings->exploring), &out);
    fputs(str_text(&out), stdout);
    if (t->settings->exploring.verbose)
        fprintf(stderr,
                "%llu runs (%llu resumed), %llu infeasible, %.2f s: solver %.2f s, machine %.2f s, %.0f runs "
                "a second\n",
                (unsigned long long)explore_count(x, EXPLORE_RUNS),
                (unsigned long long)explore_count(x, EXPLORE_RESUMED),
                (unsigned long long)explore_count(x, EXPLORE_INFEASIBLE), explore_seconds(x),
                explore_solver_seconds(x), explore_machine_seconds(x),
                (double)explore_count(x, EXPLORE_RUNS) / (explore_seconds(x) + 1e-9));
    str_free(&out);
}

/* The program looked at no input at all: an answer about one run. Was an input given that it does not
 * want? */
static void no_input(const VmInputs *inputs)
{
    if (inputs->stdin_symbolic)
        warn("--sym-stdin: the program did not read its standard input");
    if (!inputs->stdin_symbolic && !inputs->files.n)
        warn("the program names no input: sheaf_symbolic(&x, sizeof x, \"x\") from <sheaf.h> does, and so do "
             "--sym-stdin N, "
             "--sym-args MIN MAX LEN, --sym-file NAME:N and --entry F");
}

/* A symbolic file that no run opened, so that the answer is not about it; a concrete one that is not in the
 * tests. */
static void check_files(Testing *t, const VmInputs *inputs)
{
    for (uint32_t i = 0; i < t->environment->files.n; i++)
        if (t->environment->files.v[i].size > EXPLORE_TEST_FILE_MOST) {
            t->unsettled = true;
            warn("--file %s: too large to be copied into every test; 'sheaf replay' needs it with --file",
                 t->environment->files.v[i].name);
        }
    for (uint32_t i = 0; i < inputs->files.n; i++)
        if (!was_read(t, inputs->files.v[i].name)) {
            t->unsettled = true;
            warn("--sym-file %s: no run opened that file", inputs->files.v[i].name);
        }
}

/* C that calls the entry needs to know its parameters. */
static void describe_entry(Testing *t)
{
    if (!t->settings->exploring.entry || !(t->settings->emit & 2))
        return;
    SuiteProgram *p = &t->maker.suite_program;
    t->native = program_frontend(&t->settings->exploring.program, t->args, t->arena);
    p->declares = true;
    p->ir = t->program;
    p->frontend = &t->native;
    if (!suite_program_entry(p, &t->native, t->arena))
        die("--emit c: no C source declares '%s'", p->entry);
    drive_describe(p, t->program, &t->native, t->arena);
}

static void check_directory(const Testing *t)
{
    static const char *const names[] = {"result.json", "stats.json", "tests.c", SUITE_STORE};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        exploring_check_file(&t->settings->exploring, t->args, t->program, "--output",
                             arena_printf(t->arena, "%s/%s", t->settings->exploring.directory, names[i]));
}

static void check_compare(const Testing *t)
{
    const TestSettings *s = t->settings;
    if (s->compare && !strcmp(s->compare, explore_names[s->explorer]))
        die("--compare %s: that is what --explore says already", s->compare);
    if (s->compare && !strcmp(s->compare, "change"))
        die("--compare change: explore it by --explore change --old FILE, and compare with another");
    curves_check(&s->exploring, t->args, t->program, s->compare, s->compare_csv, s->compare_plot);
}

/* Options that would mean nothing are refused. */
static void guide(const TestSettings *s, const OptionArgs *args, const IrProgram *program, Arena *arena,
                  ExploreOptions *options)
{
    bool guided = !strcmp(options->explorer, "dependence");
    bool compared = s->compare && !strcmp(s->compare, "dependence");
    if (!guided && !compared && (s->sinks.n || s->faults != FAULTS_ISOLATE))
        die("--%s is for --explore dependence", s->sinks.n ? "sinks" : "faults");
    if (!guided && !compared && options_given(args, "outcome-runs"))
        die("--outcome-runs is for --explore dependence");
    if (!guided && strcmp(options->explorer, "states") && s->explain_pruning)
        die("--explain-pruning is for --explore dependence and --explore states");
    options->criteria.tie_faults = s->faults == FAULTS_TIE;
    options->explain = s->explain_pruning;
    options->outcome_runs = s->outcome_runs;
    sinks_read(&s->sinks, program, arena, options);
}

/* Does the program itself pass what the entry needs? */
static void check_callers(Testing *t, const ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    t->callers = (Callers){.program = t->program,
                           .environment = t->environment,
                           .settings = &s->exploring,
                           .args = t->args,
                           .options = *options,
                           .report = &t->report,
                           .maker = &t->maker,
                           .arena = t->arena,
                           .no_replay = s->no_replay,
                           .fn = ir_fn_find(t->program, s->exploring.entry),
                           .until = t->callers.until};
    callers_check(&t->callers);
    t->report.tests += t->callers.tests;
}

/* Options that would mean nothing, or that other tests than those of the entry would break. */
static void refuse_callers(const TestSettings *s)
{
    if (s->callers && (!s->exploring.entry || !strcmp(s->exploring.entry, "main")))
        die("--callers: of which function? Name it with --entry");
    if (s->callers && s->emit)
        die("--callers: the tests of callers are of other functions, and not for --emit");
    if (s->callers && s->exploring.shape != VM_SHAPE_TYPES)
        die("--callers: needs are what --shape types finds");
}

/* Explored again and again, within larger and larger shapes? Each path is once a test, if all are. */
static bool deepens(const Testing *t)
{
    return exploring_deepens(&t->settings->exploring, t->program) && t->settings->tests != TESTS_ALL;
}

static void add_count(Str *out, uint64_t n, const char *what)
{
    str_printf(out, "%s%llu %s%s", out->n ? ", " : "", (unsigned long long)n, what, n == 1 ? "" : "s");
}

static void resume(Testing *t)
{
    CheckpointKept kept = checkpoint_load(&t->checkpoint, &t->state);
    Str counts = {0};
    if (!kept.begins)
        add_count(&counts, kept.runs, "run");
    add_count(&counts, kept.tests, "test");
    add_count(&counts, kept.faults, "fault");
    if (t->settings->exploring.format == FORMAT_TEXT)
        printf("resumed: %s kept%s\n", str_text(&counts), kept.begins ? "; the exploration begins anew" : "");
    fflush(stdout);
    str_free(&counts);
}

/* The answer of this very command, if DIR holds it and nothing has changed since. */
static bool give_again(Testing *t, const Command *command, int *status)
{
    const TestSettings *s = t->settings;
    ReuseAnswer found;
    FrontendOptions native = program_frontend(&s->exploring.program, t->args, t->arena);
    t->answer.key = reuse_key(command, t->args, &t->job, t->maker.program_hash, &native, t->arena);
    vec_free(&native.inputs);
    vec_free(&native.cflags);
    if (s->no_reuse || s->resume || !is_repeatable(s) ||
        !reuse_find(s->exploring.directory, t->answer.key, t->arena, &found))
        return false;
    if (s->exploring.format == FORMAT_TEXT)
        printf("unchanged since %s: nothing was explored (--no-reuse explores)\n", found.since);
    fputs(found.form[form_of(&s->exploring)], stdout);
    *status = found.status;
    return true;
}

/* Where results go. Old tests can be many: they go before the clock of --max-time starts. */
static void open_results(Testing *t, const ExploreOptions *options)
{
    t->maker.job = &t->job;
    t->maker.resume = t->settings->resume;
    t->maker.store_most = t->settings->max_store;
    t->covering = (Covering){.program = t->program, .environment = t->environment, .options = options};
    if (t->settings->resume && t->settings->exploring.force)
        die("--resume goes on with what is there, and --force removes it: name one of them");
    t->is_shown = progress_is_seen() && !t->settings->exploring.quiet;
    t->checkpoint = (Checkpoint){.results = testcase_results(&t->maker),
                                 .report = &t->report,
                                 .covering = &t->covering,
                                 .inputs = &t->inputs,
                                 .files_used = &t->files_used,
                                 .whole = !deepens(t),
                                 .committed = clock_seconds(),
                                 .pause = 1};
    if (t->settings->resume)
        resume(t);
}

/* With --store: what cannot be given to workers. */
static void refuse_store(const Testing *t, const ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    if (strcmp(options->explorer, "full"))
        die("--store: machines share --explore full so far, not %s", options->explorer);
    if (s->exploring.entry || t->environment->files.n)
        die("--store: %s is not sent to other machines yet", s->exploring.entry ? "--entry" : "--file");
    if (s->resume)
        die("--resume is for results in a directory: with --store the same command goes on with its job");
}

static void use_fleet(Testing *t, ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    asking_begin(&t->asking, s->store, s->jobs, &t->job, t->program, t->environment, t->arena);
    options->board = asking_board(&t->asking);
    options->jobs = 1;
}

static void testing_free(Testing *t)
{
    covering_free(&t->covering);
    str_free(&t->state);
    callers_free(&t->callers);
    if (t->settings->to) {
        reaching_free(&t->reaching);
        targets_free(&t->reaching.targets);
    }
    testcase_free(&t->maker);
    vec_free(&t->native.inputs);
    vec_free(&t->native.cflags);
    vec_free(&t->files_used);
    map_free(&t->run_tests.index);
    vec_free(&t->run_tests.paths);
    compare_free(&t->comparison);
    report_free(&t->report);
}

/* ---- deeper and deeper ----------------------------------------------------------------------- */

/* Why the answer is about a smaller bound. */
static void note_unfinished(Testing *t, const Explore *x, uint32_t bound)
{
    Str why = {0};
    const Ledger *l = explore_ledger(x);
    ledger_entry_text(ledger_entry(l, 0), t->program, &why);
    t->report.unfinished = arena_printf(t->arena, "bound %u was not finished: %s%s", bound, str_text(&why),
                                        ledger_count(l) > 1 ? ", and more" : "");
    str_free(&why);
}

/* What is left of the limits after the explorations so far; false: nothing. */
static bool limits_left(const Testing *t, ExploreOptions *options, double end, uint64_t runs)
{
    const ExploringSettings *s = &t->settings->exploring;
    options->max_time = end > 0 ? end - clock_seconds() : 0;
    options->max_runs = s->max_runs > runs ? s->max_runs - runs : 0;
    return (end <= 0 || options->max_time > 0) && (!s->max_runs || options->max_runs);
}

/* The program within the shapes of one bound after the other, up to the last that is complete; without
 * shapes, once. Coverage and tests are those of all. */
static Explore *explore_deepening(Testing *t, ExploreOptions *options)
{
    const ExploringSettings *s = &t->settings->exploring;
    bool again = deepens(t);
    double share = t->settings->callers ? 0.5 : 1; /* its callers need time, too */
    double end = s->max_time > 0 ? clock_seconds() + share * s->max_time : 0;
    Explore *best = NULL;
    options->max_time = share * s->max_time;
    t->callers.until = end > 0 ? end + (1 - share) * s->max_time : 0;
    exploring_aliases(s, t->program, &options->symbolic.inputs);
    for (uint32_t bound = again ? 1 : EXPLORING_BOUND;; bound++) {
        exploring_bounds(s, bound, &options->symbolic.inputs);
        if (best && !limits_left(t, options, end, t->report.runs)) {
            t->report.unfinished = arena_printf(t->arena, "bound %u was not begun: %s", bound,
                                                end > 0 ? "--max-time" : "--max-runs");
            return best;
        }
        map_clear(&t->run_tests.index); /* runs are counted anew */
        Explore *x = explore_new(t->program, t->environment, options);
        covering_begin(&t->covering);
        uint64_t paths = t->report.paths;
        t->report.ledger = explore_ledger(x);
        ReportNeedVec needs = {0};
        if (best) {
            needs = report_needs_begin(&t->report);
            vm_coverage_add(explore_vm(x), explore_vm(best));
        }
        if (t->state.n && !explore_load(x, str_text(&t->state), t->state.n))
            die("--resume: what was pending cannot be read: --force begins anew");
        explore_all(x);
        checkpoint_end(&t->checkpoint, x);
        t->report.paths = explore_count(x, EXPLORE_PATHS);
        t->report.runs += explore_count(x, EXPLORE_RUNS);
        t->report.seconds += explore_seconds(x);
        bool complete = !ledger_count(explore_ledger(x)), cut = was_cut(explore_ledger(x));
        if (best)
            report_needs_end(&t->report, &needs, complete);
        if (best && !complete && !ledger_count(explore_ledger(best))) {
            note_unfinished(t, x, bound);
            vm_coverage_add(explore_vm(best), explore_vm(x));
            explore_free(x);
            map_clear(&t->run_tests.index);
            t->report.paths = paths;
            return best;
        }
        if (best)
            explore_free(best);
        best = x;
        if (!again || cut || !ledger_shape_bounded(explore_ledger(x)) || bound == EXPLORING_BOUND_MOST)
            return best;
    }
}

/* What the answer says beyond its faults and tests. */
static void settle_report(Testing *t, const Explore *x, const ExploreOptions *options)
{
    const char *explorer = options->explorer;
    report_needs_settle(&t->report);
    if (t->settings->callers)
        check_callers(t, options);
    t->report.no_input = !t->inputs && explore_count(x, EXPLORE_RUNS) == 1;
    const char *entry = t->settings->exploring.entry;
    if (t->report.no_input && (!entry || !strcmp(entry, "main"))) /* a function may have no parameters */
        no_input(&options->symbolic.inputs);
    check_files(t, &options->symbolic.inputs);
    t->report.coverage = vm_coverage(explore_vm(x));
    t->report.faults_sought =
        !strcmp(explorer, "full") || !strcmp(explorer, "dependence") || !strcmp(explorer, "states");
    t->report.faults_skipped = !t->report.faults_sought;
    if (!strcmp(explorer, "change"))
        t->report.scope =
            options->prune == EXPLORE_PRUNE_PUBLISHED ? "the rule as published" : "what the change affects";
    t->report.faults_done = explore_faults_done(x);
}

static int explore_and_report(Testing *t, ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    open_results(t, options);
    use_processes(t, options);
    if (s->store)
        use_fleet(t, options);
    Explore *x = explore_deepening(t, options);
    options->board = NULL; /* what follows has other observers */
    options->jobs = 1;
    options->wants = NULL;
    say_alone(t, x);
    t->report.ledger = explore_ledger(x);
    progress_clear(&t->progress);
    if (s->to)
        reach_uncovered(t, x, options);
    settle_report(t, x, options);
    if (s->compare)
        compare_explorers(t->program, t->environment, options, s->compare, &t->comparison);
    write_results(t, x);
    bool served = !s->store || asking_end(&t->asking);
    testcase_end_replay(&t->maker); /* first: a closed pipe ends us while we print */
    bool written =
        curves_write(t->program, t->environment, options, s->compare, s->compare_csv, s->compare_plot);
    print_results(t, x);
    int status = written && served ? test_status(t) : EXIT_USAGE;
    explore_free(x);
    return status;
}

static int test_run(const Command *command, void *settings, const OptionArgs *args)
{
    TestSettings *s = settings;
    s->compare = options_given(args, "compare") ? explore_names[s->compared] : NULL;
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.explorer = s->store && !options_given(args, "explore") ? "full" : explore_names[s->explorer];
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    if (s->store)
        program = asking_program(program);
    exploring_check(&s->exploring, program);
    drive_prepare(&s->exploring, args, program, arena, &options.symbolic.inputs);
    Testing t = {
        .settings = s, .args = args, .arena = arena, .environment = &environment, .program = program};
    testcase_init(&t.maker, "test", &s->exploring, args, arena, &environment, program);
    t.maker.emit = (s->emit & 1 ? SUITE_EMIT_TESTCOMP : 0) | (s->emit & 2 ? SUITE_EMIT_C : 0);
    if (s->to && strcmp(s->to, "uncovered"))
        die("--to %s: of 'sheaf test' it takes only 'uncovered'; 'sheaf reach' gets to lines", s->to);
    describe_entry(&t);
    check_compare(&t);
    check_directory(&t);
    guide(s, args, program, arena, &options);
    changing_prepare(&s->change, &s->exploring, args, program, arena, &options);
    options.context = &t;
    options.on_run = on_run;
    options.selects = true;
    options.on_progress = on_progress;
    report_init(&t.report, "test", program, NULL);
    refuse_callers(s);
    if (s->store)
        refuse_store(&t, &options);
    int status;
    t.job = job_of(command, args, program, &environment, arena);
    if (!give_again(&t, command, &status))
        status = explore_and_report(&t, &options);
    testing_free(&t);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    arena_free(arena);
    return status;
}
/* ---- for others ------------------------------------------------------------------------------ */

void test_serve(const FleetJob *job, const char *file, const ExploreBoard *board)
{
    Arena *arena = arena_new();
    OptionArgs args = {0};
    TestSettings s = {0};
    Str error = {0};
    Served words = served_words(job, file, arena);
    options_preset(test_tables, &s);
    if (!options_parse(test_tables, &s, words.argc, words.argv, &args, &error))
        die("job %llu: %s", (unsigned long long)job->id, str_text(&error));
    VmEnvironment environment;
    ExploreOptions options;
    exploring_environment(&s.exploring, &args, arena, &environment);
    const char **argv = program_arguments(&args, &s.exploring.program, arena);
    argv[0] = words.name;
    environment.argv = argv;
    exploring_prepare(&s.exploring, &args, arena, &options);
    options.explorer = "full";
    IrProgram *program = program_load(&s.exploring.program, &args, NULL, false);
    Testing t = {
        .settings = &s, .args = &args, .arena = arena, .environment = &environment, .program = program};
    exploring_bounds(&s.exploring, EXPLORING_BOUND, &options.symbolic.inputs);
    options.context = &t;
    options.wants = wants;
    for (bool ours = false; !ours;) {
        Explore *x = explore_new(program, &environment, &options);
        ours = explore_serve(x, board) || explore_is_stopped(x);
        explore_free(x);
    }
    vec_free(&t.files_used);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    options_free(test_tables, &s);
    options_args_free(&args);
    arena_free(arena);
}

const Command command_test = {
    .name = "test",
    .group = "Find faults and write tests",
    .synopsis = "PROGRAM... [OPTIONS] [-- ARGUMENTS]",
    .summary = "find inputs that fail, and write tests for the rest",
    .description =
        "Finds inputs that make the program fail, and writes tests that cover the rest of it. Each\n"
        "fault comes with an input, which is run on the natively compiled program before it is\n"
        "reported.\n\n"
        "Inputs are what the options under 'Inputs' make symbolic, the data of\n"
        "LLVMFuzzerTestOneInput, and what the program marks with sheaf_symbolic (or with KLEE's or\n"
        "Test-Comp's functions).\n\n"
        "Not every path is run: --explore dependence, the default, runs each combination of decisions\n"
        "on which a fault can depend. The tests of all paths are in DIR/store.db; those become files\n"
        "that show a fault, and as many more as cover every line and branch outcome that was reached.\n"
        "Whatever ends a run, --resume goes on with it. The same command again gives the same answer\n"
        "at once, if nothing has changed.\n\n"
        "The answer ends with 'complete' (nothing else fails on such inputs), or with the reasons why\n"
        "it is incomplete and the options that lift them.",
    .example = "  $ sheaf test parser.c --sym-stdin 8\n"
               "  $ sheaf test list.c --entry list_insert\n",
    .options = test_tables,
    .settings_size = sizeof(TestSettings),
    .run = test_run,
};
