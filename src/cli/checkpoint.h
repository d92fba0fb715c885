/* checkpoint.h - an exploration in its store, so that it can go on after whatever ended it.
 *
 * A fault is durable as soon as it is found. All that was found, what the command counts and what the
 * explorer has pending are written together now and then, in one transaction: a run that goes on repeats what
 * came behind the last of them, finds the same tests again, and has the answer of a run that was not
 * disturbed. */
#ifndef SHEAF_CLI_CHECKPOINT_H
#define SHEAF_CLI_CHECKPOINT_H

#include "cli/covering.h"
#include "cli/ranking.h"
#include "cli/results.h"
#include "report/report.h"

/* What the command counts beside its exploration; the command owns all of it. */
typedef struct Checkpoint {
    Results *results;
    Report *report;
    Covering *covering;
    Ranking *ranking;
    uint64_t *inputs;
    StrVec *files_used; /* texts in the report's arena */
    bool whole;         /* the explorer's own state goes with it: one exploration is all there is */
    double committed;   /* when something was last made durable */
    double pause;       /* seconds from then to the next time, at least */
} Checkpoint;

/* What was found so far is durable. */
void checkpoint_commit(Checkpoint *c);
/* Between runs: the same, and the exploration with it, if it is time. */
void checkpoint_save(Checkpoint *c, Explore *x);
void checkpoint_end(Checkpoint *c, Explore *x); /* whatever the time, behind the last run */

typedef struct CheckpointKept {
    uint64_t runs, tests, faults;
    bool begins; /* the exploration itself begins anew: what it had pending is not there */
} CheckpointKept;
/* What a store has kept: restores what the command counts; *state: the bytes for explore_load, none if it
 * begins anew. Dies if the store says what cannot be. */
CheckpointKept checkpoint_load(Checkpoint *c, const char *directory, Str *state);

#endif
