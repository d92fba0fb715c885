/* proving.h - can a run of this program fail? The portfolio behind `sheaf prove`. */
#ifndef SHEAF_CLI_PROVING_H
#define SHEAF_CLI_PROVING_H

#include "cli/reaching.h"

typedef enum ProveStatus { PROVE_OPEN, PROVE_PROVED, PROVE_REFUTED } ProveStatus;

typedef struct Proving {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    ReachPhase phase;
    bool no_replay;
    StrVec check_words;                       /* of --check */
    TestMaker *maker;
    Arena *arena;
    /* its own */
    ProveStatus status;
    const char *by;                           /* "backward", "forward" */
    BackwardChecks checks;                    /* of the last backward search */
    Vec(ReachReason) reasons;                 /* OPEN */
    Report report;                            /* REFUTED: the fault */
    Ledger *ledger;                           /* what answers assume of the environment */
    Explore *machine;
    uint64_t runs;
    double begun;
} Proving;

/* Requires: what stands before `its own` is set. Time is that of the options; 0: a minute. */
void prove_all(Proving *p);
void proving_free(Proving *p);

#endif
