/* diff.h - the part of versions.h for the answer of `sheaf diff`; versions.h includes it at its end.
 *
 * Levels, each only where those below leave something to ask: code that is identical is the same. A changed
 * function is compared by itself, as an entry, callees before callers; one that is proved the same counts as
 * unchanged from then on. Callers of one that differs are compared, until the difference is swallowed ("not
 * visible in g") or main is reached. Where the user names an entry, that alone is compared. */
#ifndef SHEAF_VERSIONS_DIFF_H
#define SHEAF_VERSIONS_DIFF_H

#include "versions/joint.h"

typedef enum DiffVerdict {
    DIFF_IDENTICAL, /* nothing that it is made of changed in meaning: not explored */
    DIFF_SAME,      /* proved, for all inputs of the shape that bounds allow */
    DIFF_DIFFERENT, /* with an input, run natively on both builds if that is possible */
    DIFF_OPEN,
    DIFF_ADDED,   /* in NEW only */
    DIFF_REMOVED, /* in OLD only */
    DIFF_LOOP     /* ours, a loop that became a function and is not the same: not compared by itself, and not
                     shown. What it is a loop of is compared */
} DiffVerdict;

typedef enum DiffKind { DIFF_NEW_FAULT, DIFF_FAULT_GONE, DIFF_CHANGE } DiffKind;

/* One way in which a function differs; rows that differ alike are one. Texts live in the Diff's arena. */
typedef struct DiffFinding {
    DiffKind kind;
    JointClass class;
    VmFaultKind fault;           /* of a fault */
    uint32_t site[2];            /* where that is; of a change the functions' own; IR_NONE: nowhere */
    const char *message, *where; /* of a fault: more of it, and the function */
    const char *when;            /* condition on the inputs, as C */
    bool example;             /* it differs for others too: its recursive calls were taken to do the same */
    Vec(JointChange) changes; /* outputs */
    uint32_t more;            /* further rows that differ alike */
    uint32_t rows;            /* of the comparison under way that differ so */
    uint64_t parts;           /* of a change: JointRow.parts */
    uint64_t which;           /* hash of what differs for which inputs, in all its rows: of its key */
    bool confirmed;           /* natively, on both builds */
    const char *native[2];    /* what those showed; NULL: they were not run */
    const char *difference;   /* how those differ, as one line */
    const char *test;         /* path; NULL: none was written */
    const char *input;        /* for people, if there is no path */
    bool accepted;            /* its key is in a file of --accept */
    const char *tested; /* path of a test of the user's suite whose input is of its row; NULL: none is */
    const char *tested_alike; /* of a further row that differs like it */
} DiffFinding;

typedef struct DiffFn {
    uint32_t pair; /* index into Versions.fns */
    DiffVerdict verdict;
    bool changed; /* its own code did; else what it calls */
    bool explored;
    bool internal; /* it differs or is open, only functions of its file can call it, and all its callers are
                      proved the   same */
    const char *same_for; /* of the same one: the calls for which that is so, by the shapes of its arguments;
                             NULL: for all. Its callers may make others: for them it is not the same */
    bool padding; /* of the same one: but for bytes between members of structures. Callers that look at them
                     may not do the same */
    bool aliased; /* of an open one: among what is open are calls with two pointers to one object */
    const char *why; /* of an open one */
    uint32_t bound;  /* iterations and nested calls up to which all is known, if not everything is; 0: none */
    StrVec abstracted; /* functions that were not entered: equal arguments, equal results */
    U32Vec loops;      /* and lines of NEW where loops begin that were not */
    bool induction;    /* it is one of them itself: its recursive calls */
    bool partial; /* of one that is the same: on inputs on which both versions end; not all may be such */
    const char *unended; /* one version does not end natively where the other does; NULL: not that we know */
    StrVec doubts;       /* what the answer leaves out: ledger entries, as lines */
    Vec(DiffFinding) findings;
    uint32_t unconfirmed; /* rows that differ on the machines alone */
    uint64_t rows[JOINT_OPEN + 1], runs, queries;
    double seconds;
} DiffFn;

struct Diff;
typedef struct DiffOptions {
    JointOptions joint; /* entries are filled in */
    const char *entry;  /* compare this alone, by its name in NEW; NULL: by levels */
    /* Objects behind pointers of an entry: of bytes, for all calls; by C's types, with the bounds of
     * joint.explore's inputs, for the calls that are then named. Both: by types where the first leaves it
     * open. */
    bool by_bytes, by_types;
    double max_time; /* seconds for all; 0: none */
    /* Runs the row's input natively on both builds: fills in native, test, confirmed. False: they show no
     * difference. NULL: it is not run. */
    bool (*confirm)(void *context, struct Joint *j, const DiffFn *f, const JointRow *row,
                    DiffFinding *finding);
    /* A further row that differs like a finding; may be NULL. */
    void (*on_alike)(void *context, struct Joint *j, const JointRow *row, DiffFinding *finding);
    /* Of a row in which one version was stopped at a limit and the other ended: does the former not end
     * natively either, where the latter does? One line that says so, in the Diff's arena; NULL: both end, or
     * they were not run. May be NULL. */
    const char *(*unended)(void *context, struct Joint *j, const JointRow *row);
    void (*on_progress)(void *context, const DiffFn *f);
    void *context;
} DiffOptions;

typedef struct Diff {
    Versions *versions;
    DiffOptions options;
    Arena *arena;
    Vec(DiffFn) fns; /* by pair */
    StrVec assumed;  /* of the environment */
} Diff;

/* Is it the same for all that can call it? */
bool diff_is_same(const DiffFn *f);

Diff *diff_new(Versions *v, const DiffOptions *options);
/* What keeps two versions from being compared from that entry: "the new version has no function"; NULL:
 * nothing. */
const char *diff_entry_lacks(const Versions *v, const char *entry);
/* Requires: nothing is lacking for the entry that is named, if one is. */
void diff_all(Diff *d);
void diff_free(Diff *d);

const char *diff_fn_name(const Diff *d, uint32_t pair); /* in NEW, if it is there */
/* Findings of a kind in all functions; those that were accepted and those of internal functions do not
 * count. */
uint32_t diff_count(const Diff *d, DiffKind kind);
/* Different if a function is that was not accepted, else open if one is, else same or identical. Internal
 * functions do not count; one that others may call does, even if no caller that is here shows it. */
DiffVerdict diff_verdict(const Diff *d);
/* Callers of the function, by pair, in which its difference does not show. Clears and fills out. */
void diff_swallowed(const Diff *d, uint32_t pair, U32Vec *out);
/* Finds internal functions, once all have their verdicts; diff_all does it. */
void diff_mark_internal(Diff *d);

#endif
