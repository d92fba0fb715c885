/* interrupted.h - an exploration that is stopped, saved, freed and continued, again and again: its answer
 * must be that of one that nobody disturbs. */
#ifndef SHEAF_ORACLE_INTERRUPTED_H
#define SHEAF_ORACLE_INTERRUPTED_H

#include "explore/explore_test.h"

typedef struct Interrupted {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    ExploreTest test;
    uint64_t after; /* a session has 1 to so many runs; 0: it is not interrupted */
    /* What the caller keeps of earlier runs moves to the new pool. NULL: nothing. */
    void (*move)(void *context, ExprImport *import);
    uint64_t sessions; /* out: so many were made */
} Interrupted;

/* Behind explore_all. */
Explore *interrupted_explore(Interrupted *in);

#endif
