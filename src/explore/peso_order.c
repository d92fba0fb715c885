/* peso_order.c - PESO, Algorithm 1, lines 32 to 46: the order of a relevant slice condition.
 *
 * The paper splits a sequence at its last element, the pivot: what the pivot depends on goes before it, the
 * rest after it, both ordered likewise (line 45). Labels are closed (they hold the labels of their members),
 * so the part before a pivot is its label less what is placed already: the order is that of leaving the
 * decisions in a walk through the labels, latest first. Written as a walk it never splits a list, and a label
 * that is placed already costs a look at each 64 of its members. */
#include "explore/explore_int.h"

void peso_order_beyond(const ExprPool *pool, VmLabel set, const VmDecision *decisions, BitSet *placed,
                       U32Vec *order)
{
    U32Vec stack = {0}; /* pivots, each in the label of the one below it */
    for (;;) {
        VmLabel within = stack.n ? decisions[vec_last(&stack)].label : set;
        uint32_t pivot = expr_set_last_without(pool, within, placed);
        if (pivot != UINT32_MAX) {
            vec_push(&stack, pivot);
        } else if (stack.n) {
            vec_push(order, vec_last(&stack));
            bitset_add(placed, vec_pop(&stack));
        } else {
            break;
        }
    }
    vec_free(&stack);
}

void explore_order(const ExprPool *pool, VmLabel criterion, const VmDecision *decisions, U32Vec *order)
{
    BitSet placed = {0};
    vec_clear(order);
    peso_order_beyond(pool, criterion, decisions, &placed, order);
    bitset_free(&placed);
}
