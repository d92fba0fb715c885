/* flips.h - private to explore: the flips of a run, for each set of decisions that a sink depends on. */
#ifndef SHEAF_EXPLORE_FLIPS_H
#define SHEAF_EXPLORE_FLIPS_H

#include "explore/run_store.h"

/* A decision of the run that is loaded, and its label. Names are sums over members, so that sets are named
 * alike in whatever run, by the decisions and conditions in them. */
typedef struct FlipStep {
    uint64_t index; /* what tells the decision from others, after equal ones: */
    Expr holds;
    VmLabel label;
    uint32_t kind, count, insn;
    bool sink, outcomes; /* for the caller, who sets them: it is a sink; its outcomes are all to be taken */
    bool built;          /* the path is known */
    bool implied;        /* by its label: it has no alternative, whatever it alternatives */
    bool searched;       /* `fixed` is known */
    ExprSet fixed;       /* symbols to which its label leaves one value */
    Expr condition;      /* what it says beyond its label: what holds, or nothing */
    uint64_t serial;     /* of this step alone */
    ExprSet closed;      /* the label, and itself */
    ExprSet solid;       /* whose flips are all of these: if it has no alternative, that of the label */
    uint32_t same;       /* the decision before it with the same condition, or UINT32_MAX */
    uint32_t shorter;    /* the label is the closed set of this one, or UINT32_MAX */
    uint64_t key, label_key;   /* of the decision; of its label: decisions, with what they depend on */
    uint64_t name, label_name; /* the same of conditions alone */
    Path *path;                /* of its label */
    Path *node;                /* the latest that was listed with its condition at the end, or NULL */
} FlipStep;

/* Sums over the members of a set. */
typedef struct SetSums {
    ExprSet set;
    uint32_t last; /* member; the sums hold while the step there has this serial */
    uint64_t serial;
    uint64_t key, name;
    bool expanded; /* for certain */
} SetSums;

typedef struct SetWaiting {
    ExprSet set;
    uint32_t last; /* member */
} SetWaiting;

/* An alternative that is to be tried under conditions that stay: those of the members of a set, and of
 * decisions of the order that is under way. (All of them as a set would be one for each flip, of which hardly
 * any comes twice.) */
typedef struct Flip {
    uint32_t decision;
    ExprSet label;
    uint32_t nth;  /* so many of the order stand before it */
    uint64_t name; /* of the conditions */
    uint64_t key;  /* of the decisions: FlipStep */
} Flip;

typedef struct Flips {
    ExprPool *pool;
    Fingerprints *names;
    bool in_order, alone; /* for tests: in the order of the run; under its label only */
    uint32_t phase;
    const StoredRun *run;
    Sets *sets;           /* of the pool */
    Vec(FlipStep) steps;  /* of `run`, shared with the one before as far as they agree */
    uint64_t serial;      /* of the latest step */
    U32Vec latest;        /* by condition: the last step that has it, or UINT32_MAX */
    SetSums named[1024];  /* by set, modulo */
    Vec(ExprSet) singles; /* by member */
    Marks expanded;       /* keys of sets */
    Vec(Flip) order;      /* the set under way, as it was placed */
    U32Vec places;        /* by decision: its place there, if it is the one that stands there */
    BitSet placed;        /* decisions that stand there, or in the label of the first */
    uint32_t current;     /* the one of these that is reported */
    U32Vec stack, rest;
    Vec(SetWaiting) waiting;
    Path *path; /* what the first of order depends on, and the first `built` of order */
    uint32_t built;
    /* Called for each flip, once for each set; may ask for its path. */
    void (*on_flip)(void *context, const Flip *flip);
    void *context;
    /* A run of many decisions has millions of flips: time may be over before all are reported. */
    bool (*is_late)(void *clock);
    void *clock;
    uint64_t visited; /* decisions, in all */
    uint64_t scanned; /* decisions of labels that flip_keeps_all looked up, in all */
    uint64_t nodes;   /* of paths that were listed for this run */
    bool stopped;     /* since it is late: nothing further is reported */
} Flips;

/* Looks at a run: returns how many decisions it has in common with the one before, whose sets were
 * expanded. */
uint32_t flips_begin(Flips *s, const StoredRun *run, uint32_t phase);
/* All flips of a set: all ways in which what depends on it can come about. */
void flips_expand(Flips *s, ExprSet set);
/* The flips of one decision under its label alone. */
Flip flip_of(const Flips *s, uint32_t decision);
/* Is this decision among those that stay; are all of these? */
bool flip_keeps(const Flips *s, const Flip *flip, uint32_t decision);
bool flip_keeps_all(Flips *s, const Flip *flip, ExprSet decisions);
/* Is a decision with this condition among those of the flip? `latest`: the last step that has it. A condition
 * that is asked in each of many rounds is not looked for in all of them: where the answer is "no" the solver
 * is asked. */
bool flip_has(const Flips *s, const Flip *flip, uint32_t latest);
/* The conditions of a flip, in the order in which they were decided; held by the caller who keeps it. */
Path *flip_path(Flips *s, const Flip *flip);
void flips_forget(Flips *s); /* the pool is another, or what was expanded is to be again */
size_t flips_bytes(const Flips *s);
void flips_free(Flips *s);

#endif
