/* joint.h - the part of versions.h for what a change changes: the joint partition. versions.h includes it at
 * its end.
 *
 * NEW and then OLD are run on the same input, on two machines with one pool of expressions. Such a pair of
 * runs has one condition: NEW's relevant slice condition followed by OLD's, each in PESO's order. Negating
 * the conditions one by one enumerates rows. Of every input of a row both versions show the same expressions
 * as of any other, so one comparison of the expressions decides all of the row. That a run fails is an output
 * like any other. */
#ifndef SHEAF_VERSIONS_JOINT_H
#define SHEAF_VERSIONS_JOINT_H

#include "explore/explore.h"

typedef enum JointVerdict {
    JOINT_IDENTICAL, /* the outputs are the same expressions */
    JOINT_PROVED,    /* the solver shows them to be equal */
    JOINT_DIFFERENT, /* they differ for the row's input */
    JOINT_OPEN       /* not decided: see why */
} JointVerdict;

/* Which inputs of a row differ, as far as C leaves open what happens. */
typedef enum JointClass {
    JOINT_ANY,
    JOINT_NAN,       /* only those with an argument that is NaN */
    JOINT_ROUNDING,  /* results are the same in exact arithmetic */
    JOINT_AFTER_NUL, /* only bytes of strings after their NUL differ */
    JOINT_OVERFLOW   /* only those for which signed arithmetic overflows: diff.c finds out */
} JointClass;
const char *joint_class_text(JointClass class); /* of a finding, for people */

/* One output that differs, for people. */
typedef struct JointChange {
    const char *name;     /* "return", "stdout", "p->len"; "ending" */
    const char *text[2];  /* as expressions, by version */
    const char *value[2]; /* for the row's input */
} JointChange;

typedef struct JointRow {
    JointVerdict verdict;
    JointClass class; /* of a different one */
    const char *why;  /* of an open one */
    bool bounded;     /* of an open one: a run was stopped at --loop-bound */
    bool unended;     /* of an open one: a run was stopped at a limit, and the other version's ended */
    bool padding;     /* of the same one: but for bytes of structures that have no value in C */
    bool aliased;     /* of an open one: two pointers lead to one object */
    bool fault_new, fault_gone; /* NEW fails where OLD does not; the other way round */
    ExprVec condition;          /* NEW's, then OLD's; none: always */
    Expr where; /* of a different one: of the row's inputs, those for which it differs; EXPR_NONE: all */
    SignatureEnd end[2];
    ExprInput input; /* of the run; of a different one an input for which the versions differ */
    Vec(JointChange) changes;
    uint64_t parts; /* where the runs part (joint_parts.c), as a name; 0: they do not */
    uint64_t run;
} JointRow;

/* A pair of functions that the comparison does not enter: equal arguments, equal results (joint_abstract.c).
 */
typedef struct JointAbstract {
    uint32_t pair;
    uint32_t depth; /* entered while fewer activations of it are under way; the entry's own is one */
} JointAbstract;
typedef Vec(JointAbstract) JointAbstractVec;

typedef struct JointOptions {
    const char *entry[2]; /* functions called with inputs; NULL: main */
    const VmEnvironment *environment;
    ExploreOptions explore;    /* limits, solver, machine, inputs; the explorer and the entry do not count */
    JointAbstractVec abstract; /* none: every call is entered */
    unsigned rules_off;        /* for tests: VERSIONS_OFF_... */
} JointOptions;

typedef struct Joint {
    Versions *versions;
    JointOptions options;
    Explore *explore;
    ExprPool *pool; /* the exploration's */
    Vm *vm[2];      /* the exploration's, and the old version's */
    Flow *flow[2];
    Ledger *ledger[2]; /* what each gave up; reasons why the answer is open */
    Arena *arena;
    Vec(JointRow) rows;
    uint64_t inputs; /* input objects that runs read */
    uint64_t runs, queries, counts[JOINT_OPEN + 1];
    uint64_t applied; /* calls that were not entered */
    BitSet used;      /* pairs of these functions */
    BitSet blamed;    /* pairs whose applications are in a question that was not answered */
    bool certified;   /* the solver found no input outside of all rows and classes */
    double seconds;
    struct JointWork *work; /* its own */
} Joint;

/* What both machines check: what the user asks for, shifts, and memcpy of overlapping memory. What a shift
 * out of range gives is not defined, and natively it is not what the machine gives: no "same" may rest on it,
 * so it is a fault. */
uint64_t joint_checks(uint64_t asked);
/* What of the environment is an input of both: a "same" must not rest on the time, nor on a variable of the
 * environment that is not set. Of a function that is called by others, `called`, random numbers are, too:
 * they may have drawn some before. That memory runs out or read() fails is not tried: it is said to be
 * assumed. */
uint32_t joint_environment(uint32_t asked, bool called);
/* What can be abstracted in a comparison of `entry` (index into Versions.fns; IR_NONE: main). `same`: pairs
 * that are known to do the same. Clears and fills out. */
void joint_abstract_find(const Versions *v, uint32_t entry, const BitSet *same, uint64_t checks,
                         unsigned rules_off, JointAbstractVec *out);
/* What to abstract next, after a comparison that did not answer: calls in questions without an answer are
 * unfolded once, then entered. False: nothing was abstracted, so there is nothing to refine. */
bool joint_abstract_refine(const Joint *j, JointAbstractVec *all);

/* The row is no difference after all: what it applies is to be refined. */
void joint_blame_row(Joint *j, const JointRow *row);

/* Explores until all is known or a bound is met. The versions must outlive it. */
Joint *joint_new(Versions *v, const JointOptions *options);
void joint_explore(Joint *j);
void joint_free(Joint *j);
/* Of all inputs: different if a row is; else open if one is, or if not all is known; else proved or
 * identical. */
JointVerdict joint_verdict(const Joint *j);
/* Not all is known, and nothing but --loop-bound is in the way. */
bool joint_is_bounded(const Joint *j);
/* The condition of a row, or of what differs in it, as people read it: simplified, and bounded. Clears and
 * fills out. */
void joint_condition(Joint *j, const JointRow *row, ExprVec *out);
/* Of an input that was made for the new version's machine, before anything is explored: does it mean the same
 * to the old one's? If not, both machines are made anew, and so must be the input: objects behind pointers
 * are as large then as either version uses them. */
bool joint_takes(Joint *j, const ExprInput *input);
/* Runs an input on one of the machines once more, also when the time of the comparison is over;
 * vm_trace_free.
 */
VmTrace *joint_run(Joint *j, unsigned version, const ExprInput *input);

/* ---- blame: see blame.c ---------------------------------------------------------------------- */

typedef struct BlameLine {
    uint32_t site;         /* of NEW */
    uint32_t position;     /* in the order of conditions */
    const char *condition; /* that holds for the test; in the Joint's arena */
    ExprInput input;       /* for which it does not, and which OLD treats as it does the test */
    bool agree;            /* both versions show the same for that */
} BlameLine;
/* A changed line that makes no condition: what it computes, or what a variable begins with. */
typedef struct BlameData {
    uint32_t site;    /* of NEW */
    const char *what; /* in the Joint's arena */
} BlameData;
typedef struct Blame {
    bool differs; /* the versions, for the test */
    JointRow test;
    uint32_t conditions;  /* of NEW that OLD does not share */
    uint32_t open;        /* not decided by the solver */
    Vec(BlameLine) lines; /* the likeliest first */
    Vec(BlameData) data;  /* variables that begin with another value, then changed lines; of what the entry
                             can come to. Of use if there are no lines */
} Blame;
/* Of a Joint that need not have explored. by_path: whole path conditions in the place of slices. */
void joint_blame(Joint *j, const ExprInput *test, bool by_path, Blame *out);
void joint_blame_free(Blame *b);

#endif
