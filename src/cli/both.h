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
    bool written;                             /* tests go to the directory of results, which is NEW's */
} Both;

/* What it is given must outlive it. */
void both_init(Both *b, const char *command, const ExploringSettings *settings, const OptionArgs *args, Arena *arena, const VmEnvironment *environment,
               const Obtained *obtained, IrProgram *const program[2]);
void both_free(Both *b);
/* For DiffOptions.confirm. The context is a Both. */
bool both_confirm(void *context, Joint *j, const DiffFn *f, const JointRow *row, DiffFinding *finding);

#endif
