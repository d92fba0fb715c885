/* both.h - private to cli: an input run natively on the builds of two versions. */
#ifndef SHEAF_CLI_BOTH_H
#define SHEAF_CLI_BOTH_H

#include "cli/obtain.h"
#include "cli/testcase.h"
#include "versions/versions.h"

typedef struct Both {
    const ExploringSettings *settings;
    const VmEnvironment *environment;
    Arena *arena;
    const Version *version[2];
    TestMaker maker[2];
    SuiteReplay *replay[2];
    bool written;              /* tests go to the directory of results, which is NEW's */
    const SuiteTestVec *suite; /* the user's tests; NULL: none. What one of them shows is not written again */
} Both;

/* What it is given must outlive it. */
void both_init(Both *b, const char *command, const ExploringSettings *settings, const OptionArgs *args,
               Arena *arena, const VmEnvironment *environment, const Obtained *obtained,
               IrProgram *const program[2]);
void both_free(Both *b);
/* For DiffOptions.confirm. The context is a Both. */
bool both_confirm(void *context, Joint *j, const DiffFn *f, const JointRow *row, DiffFinding *finding);

/* For DiffOptions.on_alike. */
void both_alike(void *context, Joint *j, const JointRow *row, DiffFinding *finding);

/* What a test of the user's suite does on both versions (diff_tests.c). */
void both_try_suite(const Both *b, const Versions *v, ReportDiffTests *out);

#endif
