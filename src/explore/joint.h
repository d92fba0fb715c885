/* joint.h - the part of explore.h for the explorer `joint`: two versions of a program are run on the same
 * inputs. explore.h includes it at its end.
 *
 * The program that is explored is the new version; the old one runs on a machine of the caller's, with the
 * same pool of expressions. The explorer makes pairs of runs and says which inputs go together: a row, whose
 * inputs show the same expressions in each version. What both show is compared by the caller (versions). */
#ifndef SHEAF_EXPLORE_JOINT_H
#define SHEAF_EXPLORE_JOINT_H

enum { EXPLORE_OLD, EXPLORE_NEW, EXPLORE_NEITHER };

/* A pair of runs. Valid during the call only. */
typedef struct ExplorePair {
    const VmTrace *trace[2]; /* by version */
    const ExprInput *input;
    unsigned failed;          /* the version whose run ended without an outcome (a violated assumption, a
                                 limit); EXPLORE_NEITHER: the pair has a row */
    const ExprVec *condition; /* of the row: NEW's relevant slice condition, then OLD's; of a pair that
                                 failed: what the end of that run depends on */
    bool repeated;            /* the row is known from an earlier pair */
    uint64_t number;          /* 1 for the first */
} ExplorePair;

typedef struct ExploreJoint {
    Vm *old; /* with labels that tie exits and faults; to be set before explore_all */
    void (*on_pair)(void *context, const ExplorePair *pair);
    /* The solver did not answer a query. */
    void (*on_unknown)(void *context, const ExprVec *query);
    /* The pool is left to save memory: the old machine is to be made anew on `to`, and expressions that are
     * kept are to be imported. */
    void (*on_move)(void *context, ExprPool *to, ExprImport *import);
    void *context;
    bool
        new_only; /* for tests: OLD's conditions are not negated, and no input is searched outside all rows */
} ExploreJoint;

/* Did the run return, exit or fail, so that it shows something? */
bool explore_has_outcome(const VmTrace *trace);

#endif
