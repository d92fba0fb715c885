/* change.h - private to explore: the control flow graph as `change` sees it, and runs as sequences of its
 * nodes. */
#ifndef SHEAF_EXPLORE_CHANGE_H
#define SHEAF_EXPLORE_CHANGE_H

#include "explore/explore_int.h"
#include "flow/flow.h"

/* Nodes are blocks of the user's functions, across calls: from a block with a call to the callee's entry, and
 * from its ends to what follows the block. Whatever may be called back by the library, or jumped back to,
 * follows every call. So there may be more paths than real ones, and none is missing. */
typedef struct ChangeGraph {
    Arena *arena;
    U32Vec first; /* by function: its first node; IR_NONE: it has none */
    uint32_t n;
    Graph next;
    const uint8_t *branches; /* by node: does it end with a branch? */
    U32Vec impacted;         /* nodes with an impacted instruction, ascending */
    uint32_t *place;         /* by node: its place among them; IR_NONE: it is none */
    Map impacted_branches;   /* blocks at whose end an impacted branch is */
    BitSet *follow;          /* by node: places of impacted nodes that it leads to, itself included */
} ChangeGraph;

/* `entry`: the function that is explored, IR_NONE: main. */
void change_graph_make(ChangeGraph *g, const IrProgram *program, uint32_t entry, struct Flow *flow,
                       const struct FlowSite *impact, uint32_t nimpact);
void change_graph_free(ChangeGraph *g);
uint32_t change_node(const ChangeGraph *g, uint32_t fn, uint32_t block); /* IR_NONE: of no user's function */
bool change_is_impacted(const ChangeGraph *g, uint32_t node);
/* The fewest branches on a path from a node to an impacted one that is not in `explored`; UINT32_MAX: there
 * is none. */
uint32_t change_distance(const ChangeGraph *g, uint32_t from, const BitSet *explored);

/* The sequence up to a place in a run: impacted nodes, and which way their branches went, which leads to no
 * node of its own where a side is empty. */
typedef struct ChangeSequence {
    uint64_t hash;
    uint32_t visits; /* taken in so far */
} ChangeSequence;

/* The next node that was entered before a decision; NULL: none. The caller adds it. */
const VmVisit *change_sequence_next(const VmTrace *trace, uint32_t decision, ChangeSequence *s);
/* Adds what comes before a decision, or before the end of the run. */
void change_sequence_until(const ChangeGraph *g, const VmTrace *trace, uint32_t decision, ChangeSequence *s);
void change_sequence_decide(const ChangeGraph *g, const VmDecision *d,
                            ChangeSequence *s);                          /* adds its outcome */
uint64_t change_sequence_of(const ChangeGraph *g, const VmTrace *trace); /* of the whole run */

#endif
