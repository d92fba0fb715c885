/* testcase.h - a run becomes a test of a suite, which is written to the directory of results and replayed natively. */
#ifndef SHEAF_CLI_TESTCASE_H
#define SHEAF_CLI_TESTCASE_H

#include "cli/exploring.h"

enum { TESTCASE_FILE_MOST = 64 << 10 };       /* bytes: larger concrete files are not copied into every test */

typedef struct TestMaker {
    const ExploringSettings *settings;
    const OptionArgs *args;
    Arena *arena;
    const VmEnvironment *environment;
    const IrProgram *program;
    SuiteProgram suite_program;
    unsigned emit;                            /* SUITE_EMIT_... */
    bool coverage;                            /* native runs count lines */
    SuiteDir *dir;                            /* NULL: not made yet */
    SuiteReplay *replay;                      /* the same */
} TestMaker;

/* What it is given must outlive it. */
void testcase_init(TestMaker *m, const ExploringSettings *settings, const OptionArgs *args, Arena *arena,
                   const VmEnvironment *environment, const IrProgram *program);
void testcase_end_replay(TestMaker *m);       /* removes the directory of native runs */
void testcase_free(TestMaker *m);

/* The test of a run: its input and how it ended. The caller frees it. */
SuiteTest *testcase_make(const TestMaker *m, const ExprPool *pool, const VmTrace *trace, const ExprInput *input);

/* The directory of results, made when it is first asked for. These die if something cannot be written. */
SuiteDir *testcase_dir(TestMaker *m);
void testcase_write(TestMaker *m, SuiteTest *test);            /* sets its path */
void testcase_file(TestMaker *m, const char *name, const Str *text);
void testcase_finish(TestMaker *m);           /* after the last test */

SuiteReplay *testcase_replay(TestMaker *m);   /* for native runs; made when first asked for */

#endif
