/* explain.h - private to explore: what was left out, and which run makes a run for it needless. An observer
 * of finished runs: nothing that is explored depends on it. */
#ifndef SHEAF_EXPLORE_EXPLAIN_H
#define SHEAF_EXPLORE_EXPLAIN_H

#include "explore/dependence.h"

/* An alternative of a decision, as a run had it. */
typedef struct ExplainAlternative {
    Expr condition; /* EXPR_NONE: its pool is left */
    uint64_t name;  /* of that */
    uint64_t side;  /* fingerprint_outcome */
    bool residual;
} ExplainAlternative;

/* What held at a decision, behind all that held before it: runs that begin alike have it in common. */
typedef struct ExplainStep {
    uint64_t index;         /* of the decision */
    uint64_t name;          /* of what held */
    uint64_t path;          /* hash of what held before it */
    Expr holds;             /* EXPR_NONE: its pool is left */
    VmLabel label;          /* of the decision, as long as that is not so */
    uint32_t before;        /* the turn before it; 0: it is the first */
    uint32_t next;          /* the next that was recorded at the same decision, or 0 */
    uint32_t site, time;    /* of the decision; the run had come there so often */
    uint32_t first, count;  /* alternatives, in alternatives */
    uint32_t run, decision; /* the first run that took it, in runs; its place there */
    uint32_t normal_run;    /* the first of these that normal, or UINT32_MAX */
    uint32_t idle;          /* the first in which no sink depends on the decision, rather one that normal, or
                               UINT32_MAX */
    bool entailed;
} ExplainStep;

typedef struct ExplainRun {
    uint64_t number;
    Origin *origin;
    ExprSet ending; /* if it does not terminate normally: decisions that this depends on */
    bool normal;
    bool moved; /* the pool of that is left */
} ExplainRun;

typedef struct Explain {
    Sinks sinks;        /* what the explorer looks for at first */
    Map outcomes;       /* of branches, to the first run that took it */
    Fingerprints names; /* of its own: what the others hold counts against the memory */
    size_t most;        /* bytes that may be recorded, */
    bool full;          /* which they are: */
    uint64_t unseen;    /* runs of which no turns are */
    Vec(ExplainStep) steps_of;
    Vec(ExplainAlternative) alternatives;
    Vec(ExplainRun) runs;
    size_t inputs;   /* bytes of these */
    Map known;       /* a turn behind another, to its place */
    Map first, last; /* decision, to the turns there */
    Map branches;    /* hash of what held in some run, to the number of conditions under which runs went on */
    Map reported;    /* paths to alternatives that were looked at in the end */
    Map passed;      /* of turns that are compared with others: decision to turn */
    U32Vec differ;
    Vec(ExplorePruned) pruned;
    bool complete;
    uint64_t undecided, questions, steps;
    double seconds; /* for questions */
    Arena *texts;
} Explain;

/* Records a run with labels. `ending`: the decisions that its end depends on, if it does not terminate
 * normally; `reached`: those that its sinks depend on, NULL: all may be. */
void explain_run(Explain *s, const StoredRun *run, ExprSet ending, const BitSet *reached);
void explain_path(Explain *s, const StoredRun *run); /* a run without labels: which ways it took */
void explain_move(Explain *s,
                  const ExprPool *to); /* the pool is left: what no later run comes to is no longer listed */
/* The exploration is over: finds what was left out, and asks the solver which of that an input would have
 * taken. */
void explain_all(Explain *s, Explore *x, const Map *sides);
ExplorePrunedList explain_list(const Explain *s);
void explain_clear(Explain *s);

/* Of an exploration, which it observes: a run has finished; the exploration has. */
Explain *explain_new(Explore *x);
void explain_observe(Explore *x, const VmTrace *trace, const ExprInput *input);
void explain_finish(Explore *x);
void explain_free(Explain *s);

#endif
