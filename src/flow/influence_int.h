/* influence_int.h - private to flow: the tree of opened calls, items, and their sets of sinks. */
#ifndef SHEAF_FLOW_INFLUENCE_INT_H
#define SHEAF_FLOW_INFLUENCE_INT_H

#include "flow/depend.h"

enum { KEPT_UNKNOWN, KEPT_NOT, KEPT };

typedef struct Context { /* a call that is opened; the first is the entry */
    uint32_t fn, parent, depth;
    uint32_t block, insn, callee;  /* in the parent: the call, and which of its callees this is */
    uint32_t first_sink, end_sink; /* its own sinks, then those of the calls below */
    BitSet *down; /* by entrance: sinks here and below that it reaches, counted from first_sink */
    BitSet *up;   /* by exit: sinks that it reaches in the caller and on */
    bool *down_made, *up_made;
    uint8_t *kept;     /* by exit: KEPT_*, whether it reaches a sink in the caller and on */
    uint32_t children; /* into FlowInfluence.children, one for each callee of a call: context or IR_NONE */
} Context;

typedef struct LoopSet {
    uint32_t frame, loop;
    BitSet sinks;
} LoopSet;

/* Sinks that an item reaches: at all; without crossing a back edge of the loops around it; crossing that of
 * each. And what it reaches together with the later items that it must be combined with, apart in the same
 * way. */
typedef struct ItemSets {
    BitSet any, same;
    BitSet closed_any, closed_same;
    bool closed;
    Vec(LoopSet) loops; /* outermost first */
    Vec(LoopSet) closed_loops;
} ItemSets;

typedef struct Item {
    uint32_t context, block, insn;
    uint32_t node; /* IR_NONE: a closed call */
    uint32_t call; /* of a closed call */
    FlowItemKind kind;
    ItemSets *sets; /* NULL: not asked yet */
} Item;

struct FlowInfluence {
    Flow *flow;
    DependSet *depend;
    Arena *arena;
    FlowInfluenceOptions options;
    uint32_t entry;      /* function */
    bool handlers;       /* the user's code may run after the entry's end */
    bool leaks_anywhere; /* the run may end in the middle, and leaks are looked for then */
    Vec(Context) contexts;
    U32Vec children;
    Vec(Item) items; /* the first stand for ANY and END */
    Map item_at;     /* hash of context and node to item */
    uint32_t nsinks; /* the first is all that follows the entry's end, then come the entry's exits */
    /* Items that may widen others' sets: those that reach a sink, by group of sinks. NULL until needed. */
    uint32_t *group_of; /* by sink */
    Vec(BitSet) groups;
    uint32_t closed; /* calls left closed for lack of budget */
    bool spent;      /* no budget left: everything interacts */
    Map slices;      /* site to a Slice, for flow_may_depend */
    struct Slicer *slicer;
    Vec(FlowSite) list; /* the last answer */
    BitSet *leads_to;   /* by recursion: functions that a call may enter, its own included */
};

const Depend *influence_depend(const FlowInfluence *in, uint32_t context);
/* The sets of an item, computed on first ask. */
ItemSets *influence_sets(FlowInfluence *in, uint32_t item);
/* Where two items stand in the innermost frame that they share, and whether b may follow a in the same
 * iteration. */
typedef struct Relation {
    uint32_t context;
    FlowSite a, b;
    bool follows;
} Relation;
Relation influence_relate(const FlowInfluence *in, uint32_t a, uint32_t b);
/* Is that loop, of frame number `frame` of one of them, around both? */
bool influence_shares(const FlowInfluence *in, const Relation *r, uint32_t frame, uint32_t loop);
void slices_free(FlowInfluence *in);
/* Functions that a call of `fn` may enter, itself included. */
const BitSet *influence_leads_to(FlowInfluence *in, uint32_t fn);
/* The recursion (DependSet.scc) that a call enters, and the functions that may run then. */
uint32_t influence_entered(const FlowInfluence *in, FlowSite call);
const BitSet *influence_leads_from(FlowInfluence *in, uint32_t recursion);

#endif
