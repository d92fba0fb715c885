/* failing.h - an input for each way in which code fails: a model of its condition, run on the machine and
 * natively. */
#ifndef SHEAF_CLI_FAILING_H
#define SHEAF_CLI_FAILING_H

#include "backward/backward.h"
#include "cli/testcase.h"
#include "report/report.h"

typedef struct Failing {
    const IrProgram *program;
    const VmEnvironment *environment;
    const ExploringSettings *settings;
    ExploreOptions options; /* for runs */
    Backward *backward;
    const BackwardRequirement *result;
    TestMaker *maker;
    bool no_replay;
    bool write;     /* tests, to the directory of results */
    double seconds; /* for all of it */
    Arena *arena;
    /* its own */
    RequireInput *inputs; /* by failure */
    double deadline;
} Failing;

/* Requires: all but its own is set. The inputs live in the arena. */
void failing_find(Failing *f);

#endif
