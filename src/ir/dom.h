/* dom.h - dominators of a function's blocks, for the verifier. Private to ir. */
#ifndef SHEAF_IR_DOM_H
#define SHEAF_IR_DOM_H

#include "ir/ir.h"

typedef struct Dom {
    Graph preds;    /* of a block, one for each edge into it */
    uint32_t *idom; /* GRAPH_NONE for the entry and what is not reached */
    Tree tree;
} Dom;

/* Requires: a terminator's blocks are in range, at least one block. All memory is in the arena. */
Dom dom_compute(const IrFn *fn, Arena *a);
bool dom_reached(const Dom *d, uint32_t block);
/* Does every path from the entry to b pass a? Requires: b reached. False if a is not. */
bool dom_dominates(const Dom *d, uint32_t a, uint32_t b);

#endif
