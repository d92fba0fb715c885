/* dependence.h - private to explore: what the files of `dependence` share.
 *
 *     dependence.c        the algorithm: which flips follow from a run
 *     dependence_file.c   a flip becomes a task
 *     dependence_input.c  a task is taken: an earlier run is reused, or an input is found
 *     dependence_state.c  what it holds in memory
 *     sinks.c             what is looked for
 *     outcomes.c          of branches: which ones runs have taken
 *     choices.c           of sizes, objects, addresses: which ones runs have chosen
 *     filed_tasks.c       what became of tasks
 *
 * Parts that know nothing of it: flips.h (the flips of a set of decisions), run_store.h, failure_classes.h,
 * fingerprints. */
#ifndef SHEAF_EXPLORE_DEPENDENCE_H
#define SHEAF_EXPLORE_DEPENDENCE_H

#include "explore/failure_classes.h"
#include "explore/flips.h"
#include "explore/run_store.h"

#include "flow/flow.h"

/* ---- sinks: sinks.c ---------------------------------------------------------------------------- */

/* What is looked for in a phase. */
typedef struct Sinks {
    Explore *x;
    FlowGuards *guards;
    bool checks;           /* every check is a sink */
    Vec(uint8_t) harmless; /* by activation: 1 it is below a call that holds no sink, 2 it is not */
} Sinks;

/* Before the machine is made symbolic: it gets the sinks that the user names. */
void sinks_init(Sinks *s, Explore *x);
/* The same for branches alone. */
void sinks_branches(Sinks *s, Explore *x, const FlowSite *branches, uint32_t n);
void sinks_free(Sinks *s);
void sinks_forget(Sinks *s); /* the machine numbers activations anew */
/* Are all flips to be tried under which it comes to this decision? */
bool sinks_has(Sinks *s, const VmDecision *d);
/* Adds to its sinks what a run shows at its end, if that is looked for. */
void sinks_at_end(const Sinks *s, const VmTrace *trace, StoredRun *run);

/* ---- what became of tasks: filed_tasks.c ------------------------------------------------------- */

/* Tasks by fingerprint. Those of tasks for a condition and for its negation, under the same others, differ in
 * the last bit: what is known of both stands together, since where one is looked up the other is as well. */
typedef struct FiledTasks {
    SharedMarks pairs;
} FiledTasks;

void filed_tasks_add(FiledTasks *s, uint64_t fingerprint);              /* it has no run yet */
void filed_tasks_ran(FiledTasks *s, uint64_t fingerprint, bool normal); /* filed or not */
bool filed_tasks_has(const FiledTasks *s, uint64_t fingerprint);
bool filed_tasks_normal(const FiledTasks *s, uint64_t fingerprint);   /* its last run terminated normally */
void filed_tasks_prefetch(const FiledTasks *s, uint64_t fingerprint); /* the others will be called with it */
void filed_tasks_free(FiledTasks *s);

/* ---- branch outcomes: outcomes.c --------------------------------------------------------------- */

typedef struct Outcomes {
    SharedMarks taken; /* by fingerprint_outcome */
    Map sought;        /* branches that are sinks, since an outcome was not taken */
    uint32_t covered;  /* when the phase began */
    uint64_t searched; /* runs of the first phase, in later ones */
    bool left;         /* some are left open, and the ledger says which */
    bool left_by_some; /* of several processes: one has made the last run that the bound allows */
} Outcomes;

typedef Vec(FlowSite) BranchSites;

bool outcomes_matter(const Explore *x, const VmDecision *d); /* are its outcomes to be taken? */
void outcome_take(Outcomes *s, Fingerprints *fingerprints, const VmDecision *d);
bool outcome_is_taken(const Outcomes *s, uint64_t outcome);
void outcomes_seek(Outcomes *s, const VmDecision *d); /* the branch is a sink */
/* Branches of the user's code with an outcome that no run has taken, but those that guard sinks. */
void outcomes_open(const Explore *x, FlowGuards *guards, BranchSites *out);
/* Where an outcome that no input has depends on much, its flips are without end, and all that can fail was
 * found. */
bool outcomes_enough(const Outcomes *s, const Explore *x);
void outcomes_leave(Outcomes *s, Explore *x, FlowGuards *guards); /* open, and all that is pending */
void outcomes_drop(Outcomes *s, Explore *x); /* all that is pending here: others know what is open */
void outcomes_free(Outcomes *s);

/* ---- values that were chosen: choices.c -------------------------------------------------------- */

/* A decision with more alternatives than are listed (another object, another size), under certain conditions.
 * A task for its residual alternative asks for a value other than all that were chosen so far. */
typedef struct Choice {
    uint64_t name;
    Path *excluded; /* what holds of no value that was chosen so far */
    uint64_t set;   /* of these conditions, in any order */
} Choice;

typedef struct Choices {
    Vec(Choice) list;
    Map places;  /* in the list, by name */
    Marks known; /* conditions of a choice */
    size_t n;    /* of all */
} Choices;

/* A value was chosen that does not satisfy the condition. */
void choice_exclude(Choices *s, Fingerprints *fingerprints, uint64_t name, Expr condition);
/* The conditions of the task that exclude values are among those of its choice from here on. */
void choice_adopt(Choices *s, Fingerprints *fingerprints, const Task *task);
/* Of the task that asks for another value: it is another one when another value has been chosen. */
uint64_t choice_task(const Choices *s, uint64_t name);
/* Adds the conditions to the path, and takes over the reference to it. */
Path *choice_path(const Choices *s, uint64_t name, Path *path);
void choices_move(Choices *s, ExprImport *import);
void choices_free(Choices *s);

/* ---- the explorer ------------------------------------------------------------------------------ */

typedef struct Dependence {
    Sinks sinks;
    Sinks first; /* of the first phase, in later ones */
    Flips flips;
    RunStore runs;
    FailureClasses classes;
    FiledTasks filed;
    Marks failing; /* tasks of which every input lies in a known class */
    Outcomes outcomes;
    Choices choices;
    U32Vec assumed;        /* of the run that was loaded last: decisions that are assumptions */
    BranchSites branches;  /* the sinks of this phase, if it is not the first */
    uint32_t phase;        /* 1 first; each has sinks of its own */
    bool faults_done;      /* that phase had nothing cut off: every fault was found */
    bool late;             /* time was up in the middle of an expansion */
    uint32_t told_classes; /* what other processes know: of the failure classes so many, */
    size_t told_values;    /* and of the values that were chosen */
} Dependence;

/* A run under expansion. */
typedef struct Expansion {
    Explore *x;
    Dependence *d;
    StoredRun *run;
    const VmTrace *trace;  /* NULL: it is from the store */
    const U32Vec *assumed; /* its assumptions */
    uint32_t from;         /* decisions that the run before does not have */
    uint32_t deep;         /* the first that the depth limit leaves alone */
} Expansion;

static inline Dependence *dependence_of(const Explore *x) { return x->lane->state; }

/* dependence.c */
void dependence_load(Expansion *e);                 /* the run is the one that flips are about */
void dependence_expand_run(Expansion *e);           /* files what follows from it */
FlowGuards *dependence_guards(const Dependence *d); /* of the first phase */
/* The branches, which it takes over, are the sinks from here on. */
void dependence_begin_phase(Explore *x, uint32_t phase, BranchSites branches);
/* The run is the task's, or fails on the way. True: the task is to be tried again, with its blocking clause.
 */
bool dependence_settle(Explore *x, Task *task, const StoredRun *run);
/* dependence_file.c */
void dependence_file_flip(void *expansion, const Flip *flip);
void dependence_file_outcomes(const Expansion *e, uint32_t decision); /* that no run has taken, of a branch */
void dependence_prefetch(const Expansion *e, uint32_t decision, uint64_t under);
bool dependence_is_late(void *explore);
/* dependence_input.c */
bool dependence_input(Explore *x, Task *task, ExprInput *input);
void dependence_expand_stored(Explore *x); /* all runs, in a phase that has just begun */
/* dependence_state.c */
size_t dependence_bytes(const Dependence *d);
void dependence_move(Explore *x, ExprPool *to, ExprImport *import);
void dependence_end(Explore *x);
void dependence_save(Explore *x, struct Saving *s);
void dependence_load_state(Explore *x, struct Loading *l);
bool dependence_share(Explore *x);
void dependence_keep(Explore *x);
void dependence_unshare(Explore *x);
void dependence_tell(Explore *x, struct Saving *s);
void dependence_hear(Explore *x, struct Loading *l);

#endif
