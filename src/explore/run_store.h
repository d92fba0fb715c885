/* run_store.h - private to explore: finished runs that later tasks reuse. */
#ifndef SHEAF_EXPLORE_RUN_STORE_H
#define SHEAF_EXPLORE_RUN_STORE_H

#include "explore/condition_tree.h"

/* Decisions of a kept run, behind those that it has in common with the run before. */
typedef struct RunSuffix {
    uint32_t refs;
    struct RunSuffix *before; /* has the first `shared`, and the first `nshared` alternatives; counted */
    uint32_t shared, nshared;
    uint32_t n, nalternatives; /* with those */
    VmAlternative *alternatives;
    VmDecision decisions[]; /* without snapshots */
} RunSuffix;

/* A run, and what its sinks depend on. */
typedef struct StoredRun {
    uint64_t number;
    Origin *origin;
    const VmDecision *decisions; /* while it is looked at: the trace's, or those listed from its piece */
    const VmAlternative *alternatives;
    uint32_t n, nalternatives;
    RunSuffix *piece; /* NULL: it is not kept yet */
    Vec(VmSink) sinks;
    bool normal;    /* it ended as runs should */
    Expr blocking;  /* else: true of all inputs that do not fail like this one */
    uint32_t phase; /* of the exploration in which it was expanded last */
} StoredRun;

/* Does a condition hold under the input of a run? */
typedef struct KnownTruth {
    uint64_t run; /* its number; 0: nothing is known */
    Expr condition;
    bool holds;
} KnownTruth;

/* A bit for each condition of a set, by hash: what has a bit that another lacks is no part of it. */
typedef struct ConditionMask {
    uint64_t w[4];
} ConditionMask;

typedef struct RunStore {
    ExprPool *pool;
    ExprEval *eval;
    Vec(StoredRun *) all;      /* oldest first; NULL: dropped */
    uint32_t dropped;          /* so many of the first are */
    Map held;                  /* condition to its place in lists */
    Vec(U32Vec) lists;         /* places of the runs in which it held, ascending */
    uint32_t listed;           /* so many of the first are in them: the rest on demand */
    Vec(ConditionMask) masks;  /* of what held in each of those */
    U32Vec target;             /* lists of the conditions of a task that is looked for */
    ConditionMask target_mask; /* of these conditions */
    Map inputs;                /* hash of an input to its latest run */
    KnownTruth truths[1024];   /* what was found out last, by hash */
    ConditionTree failing;     /* the paths of those that failed, of the first `traced` */
    uint32_t traced;
    size_t bytes;              /* of the runs, each with its places in lists */
    RunSuffix *latest;         /* of the run that was looked at last */
    Vec(VmDecision) decisions; /* of the one that is */
    Vec(VmAlternative) alternatives;
} RunStore;

StoredRun *stored_run_new(const VmTrace *trace, Origin *origin, uint64_t number); /* looks at the trace */
size_t stored_run_free(StoredRun *run);                  /* how many bytes that frees */
Expr stored_run_holds(const StoredRun *run, uint32_t k); /* what held at decision k of a kept run */

void run_store_init(RunStore *s, ExprPool *pool);
void run_store_free(RunStore *s);
/* Takes it over, and looks at it no more. `common`: so many decisions it shares with the run that was looked
 * at last. */
void run_store_add(RunStore *s, StoredRun *run, uint32_t common);
/* Looks at a kept run, one at a time; and no more. A glance does not make it the one that was looked at
 * last. */
void run_store_load(RunStore *s, StoredRun *run);
void run_store_peek(RunStore *s, StoredRun *run);
void stored_run_unload(StoredRun *run);
/* Lets go of the oldest until those left take at most so many bytes. */
void run_store_limit(RunStore *s, size_t bytes);
size_t run_store_bytes(const RunStore *s); /* of all that is kept, and of what finds it */
/* The latest run whose input satisfies a task. `target`: the part of its path that ends with the
 * alternative it is for; runs are looked up by that, the rest is evaluated. NULL: none, or none among the
 * latest ones. *looked, 0 at first: so many were looked at, for those that fit after the first. */
StoredRun *run_store_satisfying(RunStore *s, const Task *task, const Path *target, bool normal_only,
                                uint32_t *looked);
StoredRun *run_store_of_input(RunStore *s, const ExprInput *input);
/* A run that failed and that decided all as the input would. */
StoredRun *run_store_of_path(RunStore *s, const ExprInput *input);
void run_store_forget(RunStore *s);             /* drops all */
void run_store_move(RunStore *s, ExprPool *to); /* the same */

#endif
