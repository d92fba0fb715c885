/* testing.h - private to cli: the parts of 'sheaf test'.
 *
 *     cmd_test.c          options, checks, one exploration after the other
 *     testing_runs.c      what becomes of a run: a test, a fault, nothing
 *     testing_ranked.c    the same of runs of several processes, which come in no certain order
 *     testing_results.c   the answer, written and printed
 *     testing_again.c     the findings of before, for a program of which other code has changed
 *     testing_store.c     where results go; what is resumed, or asked of a fleet
 *     fleet_serve.c           the other side of a fleet: regions of such an exploration are explored */
#ifndef SHEAF_CLI_TESTING_H
#define SHEAF_CLI_TESTING_H

#include "cli/fleet_ask.h"
#include "cli/callers.h"
#include "cli/changing.h"
#include "cli/checkpoint.h"
#include "cli/compare.h"
#include "cli/covering.h"
#include "cli/estimate.h"
#include "cli/exploring.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "cli/ranking.h"
#include "cli/reaching.h"
#include "cli/reuse.h"
#include "cli/sinks.h"
#include "cli/testcase.h"
#include "report/report.h"

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

enum { TESTS_COVERING, TESTS_ALL, TESTS_NONE };
enum { FAULTS_ISOLATE, FAULTS_TIE };

extern const Option *const test_tables[]; /* of TestSettings */

/* A test of a fault that was run natively. */
typedef struct TestingReplay {
    VmFaultKind kind; /* of the fault, as in the report */
    uint32_t site;
    const char *fn;
    SuiteVerdict verdict;
    SuiteTest *test; /* ours */
} TestingReplay;

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
    FleetAsk asking;        /* with --store */
    FrontendOptions native; /* with --emit c and --entry */
    RunTests run_tests;     /* with --explain-pruning */
    Progress progress;
    Estimate estimate;
    uint32_t bound; /* of shapes, if one after the other is explored; else 0 */
    double until;   /* when --max-time is over; 0: it is not given */
    Covering covering;
    Ranking ranking; /* of runs that other processes made */
    StoreJob job;
    ReuseAnswer answer; /* for the same command again */
    Str findings;       /* what that holds of them */
    Vec(TestingReplay) replays;
    Str statistics; /* of an exploration of before; none: of this one */
    Checkpoint checkpoint;
    Str state;      /* of an exploration that goes on; none: it begins */
    bool is_shown;  /* progress */
    bool unsettled; /* another run may do what this one did not: a native run, a warning */
} Testing;

/* ---- runs ------------------------------------------------------------------------------------ */

void testing_on_run(void *context, const ExploreRun *run); /* of a Testing */
/* Of a run in another process: what testing_on_run would do nothing with but count is not sent. */
bool testing_wants(void *context, const ExploreRun *run);
/* Of the others: the test, for the store. */
void testing_note(void *context, const ExploreRun *run, Str *out);
bool testing_noted(void *context, const void *bytes, size_t n);
void testing_on_reached(void *context, const VmResult *r, SuiteTest *test); /* a run of --to uncovered */
/* Of a fault that several runs show, one confirmed test is enough; natively not every one need show it. */
bool testing_needs_replay(const Testing *t, const ReportFault *f);
/* Runs the test natively, for the fault: is it the test that shows it from now on? */
bool testing_replay(Testing *t, SuiteTest *test, ReportFault *f);
/* One more test, of the run; that may be enough. */
void testing_count(Testing *t, const ExploreRun *run);
bool testing_was_read(const Testing *t, const char *file); /* of --sym-file */

/* ---- of several processes -------------------------------------------------------------------- */

/* A path that was run elsewhere. */
void testing_add_ranked(Testing *t, const ExploreRun *run);
bool testing_wants_ranked(Testing *t, const ExploreRun *run);
/* The exploration is over: what was found gets its numbers, and each fault its test. */
void testing_settle(Testing *t, Explore *x);

/* ---- results --------------------------------------------------------------------------------- */

/* Was the exploration ended before its time? What else is in a ledger does not go away with time. */
bool testing_was_cut(const Ledger *l);
void testing_limit_files(Testing *t); /* --max-time: before the store's tests become files */
void testing_write(Testing *t, Explore *x);
void testing_print(Testing *t, const Explore *x);
int testing_status(const Testing *t); /* of exit */
/* Can the answer depend on nothing but what the key of reuse.h has? These options look at more, or do more
 * than answer. */
bool testing_is_repeatable(const TestSettings *s);
/* And does what it is about follow from code that can be reached? Else the program stays as it was loaded. */
bool testing_is_of_reached(const TestSettings *s);
ReuseForm testing_form(const ExploringSettings *s); /* that is printed */

/* ---- the store ------------------------------------------------------------------------------- */

/* Explored again and again, within larger and larger shapes? Each path is once a test, if all are. */
bool testing_deepens(const Testing *t);
/* The answer of this very command, if DIR holds it and nothing has changed since. Else *before: what DIR
 * holds of the same reached code; without a key there is none. */
bool testing_give_again(Testing *t, const Command *command, ReuseAnswer *before, int *status);
/* What an exploration of the same reached code has found: kept, for the next run; and taken over from before,
 * as one that has ended, its tests in DIR and its faults replayed. NULL: it cannot be, and nothing was
 * touched. Native runs of faults are noted meanwhile. */
void testing_note_replay(Testing *t, const ReportFault *f, const SuiteTest *test, SuiteVerdict verdict);
void testing_replays_free(Testing *t);
void testing_keep_findings(Testing *t, Explore *x);
Explore *testing_take_findings(Testing *t, const ReuseAnswer *before, const ExploreOptions *options);
/* Where results go. Old tests can be many: they go before the clock of --max-time starts. */
void testing_open(Testing *t, const ExploreOptions *options);
/* The name of the explorer that machines share: `full`, unless another was given. */
const char *testing_shared_explorer(const TestSettings *s, const OptionArgs *args);
/* With --store: dies of what cannot be given to workers; asks for it. */
void testing_refuse_store(const Testing *t, const ExploreOptions *options);
void testing_use_fleet(Testing *t, ExploreOptions *options);

#endif
