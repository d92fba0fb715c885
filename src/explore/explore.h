/* explore.h - the loop that every forward technique shares.
 *
 * A Task asks for one run: find an input that satisfies its path, run it, and let the explorer say which
 * further tasks follow. The frontier owns tasks and hands them out in the order of the search. An explorer
 * sees decisions, never instructions: each is a small file that can be held against its paper.
 *
 * Everything is bounded: time, runs, depth, memory, solver time; what a bound cut off is in the ledger, and a
 * result is complete if and only if the ledger is empty. */
#ifndef SHEAF_EXPLORE_H
#define SHEAF_EXPLORE_H

#include "solver/solver.h"
#include "vm/vm.h"

#include "explore/joint.h"
#include "explore/signature.h"

typedef enum ExploreCounter {
#define COUNTER(NAME, key, text) EXPLORE_##NAME,
#include "explore/counters.def"
#undef COUNTER
    EXPLORE_COUNTER_COUNT
} ExploreCounter;

typedef enum ExploreSearch {
    EXPLORE_MIXED,
    EXPLORE_DFS,
    EXPLORE_BFS,
    EXPLORE_RANDOM,
    EXPLORE_COVERAGE
} ExploreSearch;

typedef struct Explore Explore;

/* A run as its observer sees it. Valid during the call only. */
typedef struct ExploreRun {
    Explore *explore;
    uint64_t number; /* 1 for the first */
    const VmTrace *trace;
    const ExprInput *input;
    bool repeated; /* it decided all as an earlier one did, and is of no use as a test of its own */
    uint64_t rank; /* 0: runs come in an order that is always the same; else they do not (several processes
                      make them), and this is a hash of the path, by which its place among all is known */
} ExploreRun;

/* When `change` leaves a state out. An impacted node is a block with an impacted instruction. */
typedef enum ExplorePrune {
    EXPLORE_PRUNE_COMPLETE,  /* no impacted node can follow, and another run has executed the same ones in the
                                same order */
    EXPLORE_PRUNE_PUBLISHED, /* DiSE's Figure 7: every impacted node that can follow is in Explored */
    EXPLORE_PRUNE_NONE       /* never: every path */
} ExplorePrune;
/* Which successor of a state `change` explores first. */
typedef enum ExploreOrder {
    EXPLORE_ORDER_DEFAULT, /* the one that the run takes */
    EXPLORE_ORDER_GREEDY,  /* the one with the fewest branches to an impacted node that is not in Explored */
    EXPLORE_ORDER_RANDOM
} ExploreOrder;

struct FlowSite;

/* The tree of executions, as the estimate of how much of it is explored counts. */
#define EXPLORE_WHOLE (UINT64_C(1) << 60)

/* Where the regions of an exploration lie that machines share which know nothing of each other. Regions and
 * messages are bytes of explore. A call that gives false has failed, or the exploration is not wanted any
 * more. */
typedef struct ExploreCheckIn {
    const Str *messages;
    uint32_t nmessages;
    const Str *left, *given; /* NULL: nothing is left, is given to others */
    uint64_t runs;           /* that were made since the last one */
    uint64_t explored;       /* the same: a part of EXPLORE_WHOLE */
    bool needs_run;          /* what is left does, and none may be made */
} ExploreCheckIn;
typedef struct ExploreBoard {
    void *context;
    /* Of the process that asks for the exploration. If it is there already, nothing is posted. */
    const char *(*failure)(void *context); /* one line; NULL: nothing has failed */
    bool (*post)(void *context, const Str *region, uint64_t max_runs); /* of all; 0: no limit */
    bool (*read)(void *context, void (*each)(void *to, const void *message, size_t n),
                 void *to);                      /* messages that were not read yet, in their order */
    bool (*is_done)(void *context);              /* nothing is left to do, and all is there to be read */
    bool (*is_out_of_runs)(void *context);       /* what is left needs more than max_runs */
    void (*wait)(void *context, double seconds); /* for news */
    void (*pause)(void *context);                /* workers leave it until it is asked for again */
    /* Of a worker. */
    /* Waits for one. *runs may be made until it is checked in; UINT64_MAX: no limit. */
    bool (*claim)(void *context, Str *region, uint64_t *runs);
    bool (*others_wait)(void *context);             /* for a region */
    void (*refuse)(void *context, const char *why); /* the region that was claimed: nothing can work on it */
    bool (*check_in)(void *context, const ExploreCheckIn *c, uint64_t *runs); /* as of claim, from here on */
} ExploreBoard;

typedef struct ExploreOptions {
    const char *explorer; /* one of explore_names; NULL: "full" */
    ExploreSearch search;
    uint64_t seed;
    double max_time;              /* seconds, 0: none */
    double time_limit;            /* of which these are what is left, for messages; 0: all of it */
    uint64_t max_runs, max_depth; /* 0: none */
    size_t max_memory;            /* bytes for tasks, expressions and snapshots; 0: 2 GiB */
    double solver_time;           /* seconds for one query, 0: none */
    SolverOptions solver;
    VmOptions vm;
    VmSymbolicOptions symbolic; /* labels, and the analysis that they need if there is none, are added here */
    const char
        *labels_of; /* keep labels as this explorer does, whatever the explorer; NULL: as it needs them */
    ExploreCriteria criteria; /* what is observed */
    bool sign;                /* of `states`: make a signature; needs labels_of "output" */
    /* Of `dependence`: what the combinations of decisions must reach to be of use. */
    unsigned sinks;                    /* FLOW_SINK_...; 0: faults */
    const struct FlowSite *sink_sites; /* instructions besides */
    uint32_t nsink_sites;
    /* Of `change`: */
    const struct FlowSite *impact; /* instructions that a change may affect */
    uint32_t nimpact;
    ExplorePrune prune;
    ExploreOrder order;
    uint64_t outcome_runs; /* once no fault is left to find: so many runs, and two for each that was made, for
                           sides of branches that no run has taken; then they are left open. 0: no bound */
    const ExploreJoint
        *joint;        /* two versions: the explorer is `joint`, whatever `explorer` says. NULL: one */
    bool explain;      /* keep what was left out: explore_pruned */
    uint32_t patience; /* alternatives that a run meets before it is set aside for a while; 0: 1,024 */
    const volatile bool *stop; /* ends the exploration soon, results kept; may be NULL */
    uint32_t jobs;             /* processes that explore, if that pays; 0, 1: one */
    uint64_t fork_after; /* runs before they are forked, or a worker of a board checks in; 0: a second's */
    const ExploreBoard
        *board; /* others explore: their regions lie there; NULL: none. For `full` and `output` */
    void (*on_run)(void *context, const ExploreRun *run);
    /* With jobs, asked in the process that made the run, with the context as it was when that was forked:
     * does on_run, in the process of the caller, need to see it? NULL: all. */
    bool (*wants)(void *context, const ExploreRun *run);
    /* Of a run that on_run need not see: adds what the caller will want to know of it. `noted` gets that of
     * some runs, one behind the other, in the process of the caller; false: it is none. NULL: both. */
    void (*note)(void *context, const ExploreRun *run, Str *out);
    bool (*noted)(void *context, const void *bytes, size_t n);
    bool selects; /* it says which runs are kept (explore_keep); else all are */
    void (*on_progress)(void *context, const Explore *x); /* now and then; may be NULL */
    void *context;
} ExploreOptions;

/* For on_run, of the run that it gets: does it execute a block, or take a branch outcome, that none of
 * the runs did that were kept; is its row new (of `output`)? And: it is kept. */
bool explore_covers_new(const ExploreRun *run);
bool explore_row_is_new(const ExploreRun *run);
void explore_keep(const ExploreRun *run);
/* For on_run: no further run is made. If one is needed, the ledger gives this reason. */
void explore_end(Explore *x, LedgerKind why, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The program, environment and options must outlive the exploration. */
Explore *explore_new(const IrProgram *program, const VmEnvironment *environment,
                     const ExploreOptions *options);
/* Explores until nothing is pending or a bound is met. */
void explore_all(Explore *x);
void explore_free(Explore *x);

/* In place of explore_all: works on regions of an exploration with this program, environment and options that
 * another process asks for, until the board has no more for it. False: a region was lost to another, or could
 * not be read; a new exploration may serve. */
bool explore_serve(Explore *x, const ExploreBoard *board);

/* All that is needed to go on another day, as bytes: what is pending, what is known and counted, the ledger
 * without what only ended this session (time, interrupt). Between runs (on_progress) or behind explore_all,
 * any number of times; the exploration is as it was. False: this explorer cannot be saved, or time was up in
 * the middle of something that would be lost; out is as it was. */
bool explore_save(Explore *x, Str *out);
/* Before explore_all, with the program, environment and options of the one that was saved (the caller sees to
 * that; limits may differ): explore_all goes on with it. What a second lane had done is done again. False:
 * these are not such bytes; explore_free is all that may follow. */
bool explore_load(Explore *x, const void *bytes, size_t n);

extern const char *const explore_names[]; /* of the explorers, NULL-terminated */

const volatile bool *explore_stop(const Explore *x); /* of its options; may be NULL */
bool explore_is_stopped(const Explore *x);           /* that says so */
ExprPool *explore_pool(Explore *x);                  /* changes when memory is collected: ask again */
Solver *explore_solver(Explore *x);
Vm *explore_vm(const Explore *x); /* that runs are made on: may become another while it explores */
Ledger *explore_ledger(const Explore *x);
const IrProgram *explore_program(const Explore *x);
uint64_t explore_count(const Explore *x, ExploreCounter counter);
uint64_t explore_pending(const Explore *x);
/* Estimate of the part of the tree of executions that is explored, 0 to 1. 1 while runs are made: what is
 * left is for what Explorer.more looks for, beside the tree (of `dependence`, branch outcomes). */
double explore_explored(const Explore *x);

/* One of several processes that explore, now. */
typedef struct ExploreWorker {
    uint64_t runs, pending;
    bool idle; /* it waits for something to do */
    bool gone; /* it was killed; others do what it had to do */
} ExploreWorker;
uint32_t explore_workers(const Explore *x); /* how many; 0: one process explores */
ExploreWorker explore_worker(const Explore *x, uint32_t number);
uint64_t explore_runs_so_far(const Explore *x); /* with those that other processes have not reported yet */
double explore_seconds(const Explore *x); /* of explore_all, so far, and of the static analysis before it */
double explore_solver_seconds(const Explore *x);
double explore_machine_seconds(const Explore *x);
double explore_static_seconds(const Explore *x); /* analysis of the program */
double
explore_guidance_seconds(const Explore *x); /* what the explorer took to say which runs are worth making */
void explore_stats(const Explore *x, JsonOut *json);
const char *explore_counter_key(ExploreCounter counter);

/* With jobs: why one process explores all the same; NULL: only that it does not pay. */
const char *explore_alone(const Explore *x);

/* Of `dependence`: is every fault found, so that what was cut off concerns only sides of branches that no run
 * has taken? */
bool explore_faults_done(const Explore *x);

/* `dependence` makes runs without labels where it has nothing to leave out. The same run with them: */
bool explore_is_labelled(const Explore *x);
VmTrace *explore_run_labelled(Explore *x, const ExprInput *input);
void explore_labelled_free(Explore *x, VmTrace *trace);

/* A decision of a run. */
typedef struct ExplorePlace {
    uint32_t site;
    uint32_t time; /* the run had come there so often; */
    bool repeated; /* it had done so, or did, another time */
} ExplorePlace;

/* What makes a run needless: */
typedef enum ExploreWhy {
    EXPLORE_COVERED, /* another run covers the alternative, for what does not depend on certain decisions */
    EXPLORE_IDLE,    /* nothing depends on it that is looked for and that the run reaches */
    EXPLORE_SPREAD   /* neither was found: it is covered by several runs together */
} ExploreWhy;

/* An alternative of a decision of a run that no run takes that is like this one before, though an input
 * does. */
typedef struct ExplorePruned {
    uint64_t run; /* counted from 1; mostly the first of those that are alike up to there */
    uint32_t decision,
        alternative;       /* its place in the run's list of decisions; the alternative's among its own */
    uint32_t site;         /* of the decision */
    uint32_t time;         /* the run had come there so often: 1 the first time */
    const char *condition; /* of the alternative */
    ExploreWhy why;
    uint64_t by; /* covered: the run, which takes the alternative at the same decision, for what does not
                    depend on `apart`; idle: one that takes this side of the branch; 0: none is known */
    bool early;  /* that run failed, or ended before its time, and it depends on `apart` that it did: it
                    covers what came before */
    const ExplorePlace *apart; /* earlier decisions of the run at which that one went another way, in order */
    uint32_t napart;
    uint32_t others; /* so many further ones are not named */
} ExplorePruned;
typedef struct ExplorePrunedList {
    const ExplorePruned *v;
    uint32_t n;
    bool complete; /* nothing is pending, so that what is listed needs no run */
    uint64_t
        undecided; /* alternatives without a run of which it was not found out whether an input takes them */
    uint64_t unseen; /* runs that were not looked at, since memory for that was used up */
} ExplorePrunedList;
/* With ExploreOptions.explain, after explore_all. If a bound was met, some of the alternatives may be
 * pending: those are listed that a run covers. */
ExplorePrunedList explore_pruned(const Explore *x);

/* Of `states`: a path of a run that was not continued, since its state is one that a run had been in: other
 * outcomes of the decision there, and what follows them, got no run by this path. */
typedef struct ExploreSubsumed {
    uint64_t run;                  /* counted from 1 */
    uint32_t decision;             /* its place in the run's list of decisions */
    uint32_t site;                 /* of the decision */
    uint32_t time;                 /* the run had come there so often: 1 the first time */
    uint64_t by;                   /* the first run that was in this state, perhaps the same one; */
    uint32_t by_decision, by_time; /* at this decision of it */
} ExploreSubsumed;
typedef struct ExploreSubsumedList {
    const ExploreSubsumed *v;
    uint32_t n;
    uint64_t unseen; /* runs that were not looked at, since memory for that was used up */
} ExploreSubsumedList;
bool explore_by_states(const Explore *x); /* after explore_all: was it `states` that finished? */
/* With ExploreOptions.explain, after explore_all, if it was; else empty. */
ExploreSubsumedList explore_subsumed(const Explore *x);

/* What the explorer `output` found; NULL of another explorer. Short-lived: the next run may move it. */
const Signature *explore_signature(const Explore *x);
/* What is observed by default: EXPLORE_... A program that names outputs means those, and not what
 * it prints; an entry function (NULL: main) is called for its result. */
unsigned explore_observed(const IrProgram *program, const char *entry);
/* May a call of sheaf_output in the user's code give this name? */
bool explore_is_output(const IrProgram *program, const char *name);
/* From now on, and for explorations that begin then, calls of sheaf_output with other names than these do
 * nothing; no names: all count again. */
void explore_observe(IrProgram *program, const StrVec *names);
/* The relevant slice condition of a run: the conditions that what is observed depends on, or its ending if it
 * did not return or exit. Requires labels. Clears and fills out. */
void explore_slice(const Explore *x, const VmTrace *trace, ExprVec *out);
/* Of any machine's run with labels: the label of what is observed. Of a run that fails, that is its end and
 * standard error: what was printed to standard output may be in a buffer then, and is lost natively. */
VmLabel explore_criterion(ExprPool *pool, const ExploreCriteria *criteria, const VmTrace *trace);
/* PESO, Algorithm 1: the decisions of a label, ordered so that negating one keeps those before it: pivot on
 * the last decision; those in its label before it, the rest after it. */
void explore_order(const ExprPool *pool, VmLabel label, const VmDecision *decisions, U32Vec *order);
/* What is observed of a run, as explore_criterion says. Adds it to out->outputs, which explore_shown_free
 * frees; texts go into the arena. */
void explore_shown(ExprPool *pool, Arena *arena, const IrProgram *program, const char *entry,
                   const ExploreCriteria *criteria, const VmTrace *trace, SignatureRow *out);
void explore_shown_free(SignatureRow *row);
/* The row with this condition, in whatever order, or with one that the solver shows to be equivalent;
 * UINT32_MAX: none. */
uint32_t explore_row_find(Explore *x, const ExprVec *condition);
/* A run of another exploration of the same program failed: runs its input here as well, so that its class is
 * among the failures, unless one of them has it already or the place has many. The explorer must be
 * `output`. */
void explore_failure_add(Explore *x, const ExploreRun *run);

#include "explore/tests.h"

#endif
