/* testcase.h - a run becomes a test of a suite, which is written to the directory of results and replayed
 * natively. */
#ifndef SHEAF_CLI_TESTCASE_H
#define SHEAF_CLI_TESTCASE_H

#include "cli/exploring.h"
#include "cli/results.h"
#include "report/report.h"

typedef struct TestMaker {
    const char *command;
    const ExploringSettings *settings;
    const OptionArgs *args;
    Arena *arena;
    const VmEnvironment *environment;
    const IrProgram *program;
    SuiteProgram suite_program;
    char program_hash[65];
    unsigned emit;          /* SUITE_EMIT_... */
    const StoreJob *job;    /* of a store for the tests; NULL: there is none */
    bool resume;            /* what is in it */
    bool fleet;             /* as ResultsPlace */
    uint64_t store_most;    /* bytes, as ResultsPlace */
    bool coverage;          /* native runs count lines */
    Results *results;       /* NULL: not opened yet */
    SuiteReplay *replay;    /* the same */
    FrontendOptions native; /* what it compiles */
} TestMaker;

/* What it is given must outlive it. Dies if the program's files cannot be read. */
void testcase_init(TestMaker *m, const char *command, const ExploringSettings *settings,
                   const OptionArgs *args, Arena *arena, const VmEnvironment *environment,
                   const IrProgram *program);
void testcase_end_replay(TestMaker *m); /* removes the directory of native runs */
void testcase_free(TestMaker *m);

/* The test of a run: its input and how it ended. The caller frees it. */
SuiteTest *testcase_make(const TestMaker *m, const ExprPool *pool, const VmTrace *trace,
                         const ExprInput *input);

/* Where tests and results go, opened when it is first asked for. */
Results *testcase_results(TestMaker *m);

/* The test shows the fault: by its path or, where it could not be written, as text. */
void testcase_name(const TestMaker *m, const SuiteTest *test, ReportFault *fault);

SuiteReplay *testcase_replay(TestMaker *m); /* for native runs; made when first asked for */

#endif
