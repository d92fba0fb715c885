/* dependence.h - private to explore: the parts of `dependence`.
 *
 *     items     the decisions of a run as the static analysis names them, and which of them interact
 *     relevant  for each decision of a run, the earlier ones that its alternatives are tried under
 *     runs      runs kept to serve later tasks, and the classes of inputs that are known to fail
 *
 * dependence.c is the algorithm that uses them. */
#ifndef SHEAF_EXPLORE_DEPENDENCE_H
#define SHEAF_EXPLORE_DEPENDENCE_H

#include "explore/explore_int.h"

#include "flow/flow.h"

/* ---- items: dependence_items.c ------------------------------------------------------------------------- */

typedef Vec(FlowIteration) FlowIterationVec;
typedef Vec(FlowSite) FlowSiteVec;

/* An activation as the static analysis names it: the calls from the entry's outermost frame on, and the
 * loops around them. */
typedef struct DepPlace {
    bool made, known, after;                  /* known: it is below the entry; after: below the exit that follows it */
    uint32_t depth, niterations;
    FlowSite *calls;
    FlowIteration *iterations;
} DepPlace;

/* Which iterations of the loops around both must differ first for two items to interact: bit i is the i-th
 * loop that their places have in common, outermost first; bit `loops`: none differs. */
typedef struct DepPair {
    uint32_t item;                            /* of the earlier decision */
    uint32_t loops;
    uint64_t ways;
} DepPair;

/* What is known of an item, since its first decision. */
typedef struct DepItem {
    bool met, keep;
    VmDecision sample;                        /* its first decision, without its loops */
    FlowIteration *iterations;                /* of its first decision */
    uint32_t niterations;
    Vec(DepPair) partners;                    /* items that it interacts with, when they come before it */
    uint32_t tried;                           /* of the items met, so many are known to be partners or none */
} DepItem;

typedef struct DepItems {
    const Vm *vm;
    FlowInfluence *influence;
    uint32_t entry, exit;
    Arena *arena;
    Vec(DepPlace) places;                     /* by VmPath */
    Map found;                                /* hash of activation, instruction and kind to item */
    Vec(DepItem) items;
    U32Vec met;
    bool astray;                              /* a decision below the entry was met that the analysis does not name */
    bool all;                                 /* therefore everything interacts */
    unsigned off;                             /* for tests: EXPLORE_OFF_... */
} DepItems;

void dep_items_init(DepItems *s, const Vm *vm, const IrProgram *program, FlowInfluence *influence, const char *entry);
void dep_items_free(DepItems *s);
/* The item of a decision (FLOW_ITEM_ANY where the analysis has none), and the loops around it in `out`,
 * outermost first. */
uint32_t dep_item(DepItems *s, const VmDecision *d, const VmLoopCount *loops, FlowIterationVec *out);
/* The partners of an item among those met so far. Short-lived. */
const DepItem *dep_partners(DepItems *s, uint32_t item);

/* Does every pair of decisions met so far that interacts by `more` interact by `s` as well, in the same
 * ways? Then `more` asks for no combination that `s` has not asked for. */
bool dep_items_cover(DepItems *s, DepItems *more);

/* ---- runs: dependence_runs.c --------------------------------------------------------------------------- */

/* A run in the form in which it is kept: its decisions without their snapshots, and what they depend on. */
typedef struct DepRun {
    uint64_t number;
    Origin *origin;
    VmDecision *decisions;
    VmAlternative *alternatives;
    VmLoopCount *loops;
    uint32_t n, nalternatives, nloops;
    bool survives;                            /* it ended as runs should */
    Expr denied;                              /* else: true of all inputs that do not fail like this one */
    uint32_t phase;                           /* of the exploration, for which `items` and the following
                                                 are made */
    uint32_t *same;                           /* by decision: the one before it with the same condition, or
                                                 UINT32_MAX */
    uint32_t *items;
    ExprSet *needed, *relevant;               /* earlier decisions that it must be combined with; and
                                                 itself */
} DepRun;

typedef struct DepRuns {
    ExprPool *pool;
    ExprEval *eval;
    Vec(DepRun *) all;                        /* oldest first; NULL: dropped */
    uint32_t dropped;                         /* so many of the first are */
    Map held;                                 /* condition to its place in lists */
    Vec(U32Vec) lists;                        /* places of the runs in which it held, ascending */
    U32Vec wanted;                            /* lists of the conditions of a task that is looked for */
    Map inputs;                               /* hash of an input to its latest run */
    Map classes;                              /* of those that follow, by expression */
    ExprVec denied;                           /* by class: true of all inputs outside it */
    size_t bytes;                             /* of the runs, each with its places in lists */
} DepRuns;

DepRun *dep_run_new(const VmTrace *trace, Origin *origin, uint64_t number);
void dep_run_free(DepRun *run);

void dep_runs_init(DepRuns *s, ExprPool *pool);
void dep_runs_free(DepRuns *s);
void dep_runs_add(DepRuns *s, DepRun *run);   /* takes it over */
/* Lets go of the oldest until those left take at most so many bytes. */
void dep_runs_limit(DepRuns *s, size_t bytes);
size_t dep_runs_bytes(const DepRuns *s);      /* of all that is kept, and of what finds it */
size_t dep_map_bytes(const Map *m);
/* The latest run whose input satisfies a task. `wanted`: the part of its path that ends with the
 * alternative it is for; runs are looked up by that, the rest is evaluated. NULL: none, or none among the
 * latest ones. */
DepRun *dep_runs_fit(DepRuns *s, const Task *task, const Path *wanted, bool survivors);
DepRun *dep_runs_of_input(DepRuns *s, const ExprInput *input);
void dep_class_add(DepRuns *s, Expr denied);
/* If the input lies in a known class, what excludes that; else EXPR_NONE. */
Expr dep_class_of(DepRuns *s, const ExprInput *input);
/* Runs are dropped, classes stay. */
void dep_runs_move(DepRuns *s, ExprPool *to, ExprImport *import);

/* ---- relevant decisions: dependence_relevant.c --------------------------------------------------------- */

/* Decisions of one item under one beginning of iterations. */
typedef struct DepGroup {
    ExprSet all;                              /* relevant to them, all united */
    ExprSet earlier;                          /* to those of iterations before the last */
    uint64_t last;                            /* iteration, of the loop that follows the beginning */
    bool astray;                              /* iterations did not come in order */
} DepGroup;

/* A decision of the run that was looked at last, and how things stood before it. */
typedef struct DepStep {
    uint64_t name;                            /* of the decision: equal for equal ones after equal ones */
    uint32_t item;
    ExprSet needed, relevant;
    ExprSet everything, always;
    uint32_t iteration, undo;                 /* lengths of iterations and undo */
} DepStep;
typedef struct DepUndo { uint32_t group; DepGroup was; } DepUndo;

typedef struct DepRelevant {
    ExprPool *pool;
    DepItems *items;
    bool tied;                                /* checks and assumptions are combined like branches */
    bool unlabelled;                          /* for tests: labels are left out */
    uint32_t phase;                           /* of which the following are: runs share it as far as they
                                                 share decisions */
    Vec(DepStep) steps;
    Vec(DepUndo) undo;
    FlowIterationVec iterations;
    Vec(DepGroup) groups;
    Map group_of;                             /* hash of item and iterations to group */
    ExprSet everything, always;               /* relevant to any decision so far; to decisions of
                                                 FLOW_ITEM_ANY */
} DepRelevant;

/* Fills in items, needed and relevant of a run, as they are in this phase. What it has in common with the
 * run before is not computed anew: returns how many decisions. */
uint32_t dep_relevant(DepRelevant *s, DepRun *run, uint32_t phase);
/* The pool is another, or the items are. */
void dep_relevant_forget(DepRelevant *s);
void dep_relevant_free(DepRelevant *s);

/* ---- names of conditions: dependence_name.c ------------------------------------------------------------ */

/* Hashes of expressions by their structure, the same in every pool of an exploration. */
typedef struct DepNames {
    const ExprPool *pool;
    U64Vec of;                                /* by node */
} DepNames;

uint64_t dep_name(DepNames *s, Expr e);

#endif
