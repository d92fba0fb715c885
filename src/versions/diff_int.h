/* diff_int.h - private to versions: what the files of `sheaf diff` share. */
#ifndef SHEAF_VERSIONS_DIFF_INT_H
#define SHEAF_VERSIONS_DIFF_INT_H

#include "versions/versions.h"

/* Which functions are compared, and in which order. */
typedef struct Levels {
    Diff *d;
    Graph calls; /* between pairs, of both versions together */
    uint32_t *component;
    U32Vec order;   /* pairs, callees first */
    BitSet written; /* pairs of globals that some function may write */
    bool any_written;
    BitSet same; /* pairs that are known to do the same */
    Arena *arena;
} Levels;

/* diff_calls.c */
void diff_find_calls(Levels *l);
void diff_find_written(Levels *l, unsigned version);
/* Names of globals that the function may read and the program may write, or that it may write itself: inputs
 * when it is an entry, since what it leaves as it is must be told from what it sets. They have the same name
 * in both; errno is one. Returns the name of one that cannot be an input of both, so that the function
 * is compared for its initial value only; NULL: there is none. */
const char *diff_free_globals(Levels *l, const VersionsFn *f, StrVec *out);

/* Does it, or what it calls, read or write something volatile that is not its own? */
bool diff_is_volatile(const Levels *l, uint32_t pair);

/* diff_findings.c: a row that differs joins the function's findings; false: native runs show no difference,
 * and the row is open. */
bool diff_take_row(Diff *d, Joint *j, DiffFn *f, JointRow *row);
void diff_drop_findings(DiffFn *f);

/* diff_doubts.c: what the answer leaves out joins f->doubts. */
void diff_add_doubts(Diff *d, Joint *j, DiffFn *f);
/* Nothing that it reads is symbolic, and it reads something. */
bool diff_is_blind(const Joint *j);

/* diff_interface.c: functions that other files can no longer call, or must call in another way, differ. */
void diff_judge_interface(Diff *d);

/* diff_class.c: in which way the function differs, if a second comparison decides that. */
void diff_classify(Diff *d, DiffFn *f, const JointOptions *options);

/* diff_fn.c: compares one pair, for so many seconds; 0: no limit. */
void diff_compare(Levels *l, DiffFn *f, double seconds);

#endif
