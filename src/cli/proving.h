/* proving.h - can a run of this program fail? The portfolio behind `sheaf prove`. */
#ifndef SHEAF_CLI_PROVING_H
#define SHEAF_CLI_PROVING_H

#include "cli/reaching.h"

typedef enum ProveStatus { PROVE_OPEN, PROVE_PROVED, PROVE_REFUTED } ProveStatus;

/* What a call gave to a failing run. */
typedef struct ProveInput {
    uint32_t site;
    const char *value; /* as C writes it; NULL: not one number */
} ProveInput;

typedef struct Proving {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    ReachPhase phase;
    bool no_replay;
    StrVec check_words; /* of --check */
    TestMaker *maker;
    Arena *arena;
    /* its own */
    ProveStatus status;
    const char *by;                      /* "backward", "forward" */
    BackwardChecks checks;               /* of the last backward search */
    ReachReasons reasons;                /* OPEN */
    Report report;                       /* REFUTED: the fault */
    Vec(ProveInput) inputs;              /* REFUTED: in the order of the run */
    const BackwardInvariant *invariants; /* PROVED backwards: of loops; in the arena */
    uint32_t ninvariants;
    Ledger *ledger; /* what answers assume of the environment */
    Explore *machine;
    uint64_t runs;
    double begun;
} Proving;

/* Requires: what stands before `its own` is set. Time is that of the options; 0: a minute. */
void prove_all(Proving *p);
void proving_free(Proving *p);

#endif
