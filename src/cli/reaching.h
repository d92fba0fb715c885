/* reaching.h - can a run come to these targets? A portfolio: conditions composed backwards for each of them,
 * and forward exploration for all that are left, alternating, until each is reached by a run, proved
 * unreachable, or time is up. */
#ifndef SHEAF_CLI_REACHING_H
#define SHEAF_CLI_REACHING_H

#include "cli/targets.h"
#include "cli/testcase.h"
#include "report/report.h"

typedef enum ReachStatus { REACH_OPEN, REACH_REACHED, REACH_UNREACHABLE } ReachStatus;
typedef enum ReachPhase { PHASE_BACKWARD, PHASE_FORWARD, PHASE_BOTH } ReachPhase;
extern const char *const reach_phases[]; /* words of --phase */

/* Rounds of the portfolio: short ones first, since most of what can be answered is answered soon, by one or
 * the other. */
typedef struct ReachTurn {
    ReachPhase phase;
    double until;    /* share of the time that is over then */
    uint32_t unroll; /* backwards: instructions for one loop of constant length; 0: as is usual */
} ReachTurn;
enum { REACH_TURNS = 5 };
extern const ReachTurn reach_turns[REACH_TURNS];

typedef struct ReachReason {
    const char *text;
    uint32_t site; /* IR_NONE: of none */
    bool forward;  /* a limit of the last exploration */
} ReachReason;
typedef Vec(ReachReason) ReachReasons;
/* Adds it unless it is there; a bounded number. Texts are copied into the arena. */
void reach_reason_add(ReachReasons *reasons, Arena *arena, const char *text, uint32_t site);
/* The limits of this exploration in place of those of the last. */
void reach_reasons_explored(ReachReasons *reasons, Arena *arena, const Ledger *ledger,
                            const IrProgram *program);

typedef struct Reached {
    ReachStatus status;
    const char *by;   /* "backward", "search", "forward" */
    const char *test; /* REACHED: its path */
    uint32_t which;   /* of the tests that were written */
    ReportVerdict native;
    const char *witness;  /* more about that; may be NULL */
    ReachReasons reasons; /* OPEN: what is in the way. UNREACHABLE: conditions that contradict each other */
    uint64_t steps, queries, runs;
    double seconds;
    bool sought;          /* by runs on real values: */
    BackwardNear nearest; /* what came nearest */
    uint32_t held, lost;  /* where a model lost its condition, as in BackwardNear */
} Reached;

typedef struct Reaching {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options; /* for runs and for forward exploration */
    ReachPhase phase;
    bool no_replay;
    Targets targets;
    TestMaker *maker;
    Arena *arena;
    /* Called for each test that is written; may be NULL. */
    void (*on_test)(void *context, const VmResult *result, SuiteTest *test);
    void *context;
    /* its own */
    Vec(Reached) reached;      /* by target */
    SuiteTestVec tests;        /* that were written */
    Explore *machine, *seeker; /* for single runs; for those of the search */
    Ledger *ledger;            /* what answers assume of the environment */
    double deadline, begun;
    uint64_t runs;
} Reaching;

/* Requires: program, environment, options, targets, maker and arena are set. Time is that of the options; 0:
 * a minute. */
void reach_all(Reaching *r);
void reaching_free(Reaching *r); /* not the targets */

/* ---- what came out (reaching_text.c) --------------------------------------------------------- */
extern const char *const reach_status_words[]; /* by ReachStatus */
uint32_t reach_count(const Reaching *r, ReachStatus status);
void reach_target_text(const Reaching *r, uint32_t i, Str *out);
void reach_summary_text(const Reaching *r, Str *out);
void reach_targets_json(const Reaching *r, JsonOut *json); /* a list "targets" */

/* A run that is over: one test is for all targets that it reached. Returns how many of them were open. */
uint32_t reach_take_run(Reaching *r, Vm *vm, const ExprPool *pool, const VmTrace *trace,
                        const ExprInput *input, const char *by);

/* The machine for single runs, of which none is kept; made when first asked for. */
Explore *reach_machine(Reaching *r);

/* Of 'sheaf test --to uncovered': how many branch outcomes each answer has, then each of them. */
void reach_uncovered_text(const Reaching *r, Str *out);

#endif
