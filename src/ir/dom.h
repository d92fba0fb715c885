/* dom.h - dominators of a function's blocks, for the verifier. Private to ir. */
#ifndef SHEAF_IR_DOM_H
#define SHEAF_IR_DOM_H

#include "ir/ir.h"

typedef struct Dom {
    /* Block b's predecessors, one for each edge: preds[pred_start[b]] up to before preds[pred_start[b + 1]]. */
    uint32_t *pred_start, *preds;
    uint32_t *first, *size;                   /* reached blocks: place and extent in a preorder of the dominator tree */
} Dom;

/* Requires: a terminator's blocks are in range, at least one block. All memory is in the arena. */
Dom dom_compute(const IrFn *fn, Arena *a);
bool dom_reached(const Dom *d, uint32_t block);
/* Does every path from the entry to b pass a? Requires: b reached. False if a is not. */
bool dom_dominates(const Dom *d, uint32_t a, uint32_t b);

#endif
