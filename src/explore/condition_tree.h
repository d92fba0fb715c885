/* condition_tree.h - private to explore: conjunctions as a tree, found by the input that satisfies them. */
#ifndef SHEAF_EXPLORE_CONDITION_TREE_H
#define SHEAF_EXPLORE_CONDITION_TREE_H

#include "explore/explore_int.h"

/* A condition of conjunctions that begin alike: those above it, and this one. */
typedef struct ConditionNode {
    Expr holds, blocking; /* and its opposite */
    uint32_t first, next; /* what follows it; what else follows the one above; 0: nothing */
    uint32_t end;         /* number of the conjunction that ends here, or UINT32_MAX */
} ConditionNode;
typedef Vec(ConditionNode) ConditionTree;

/* Behind the node `at`, or the first if it is 0, what holds; returns its node. The tree begins with the first
 * call. */
uint32_t tree_add(ConditionTree *s, ExprPool *pool, uint32_t at, Expr holds);
/* Where conditions of one place exclude each other: the number of the conjunction that the input satisfies,
 * or UINT32_MAX. */
uint32_t tree_find_path(const ConditionTree *s, ExprEval *eval);

#endif
