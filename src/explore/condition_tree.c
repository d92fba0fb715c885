/* condition_tree.c - conjunctions as a tree: those that begin alike share their beginning. The first node
 * stands for the empty conjunction. */
#include "explore/condition_tree.h"

enum { CHILDREN_MOST = 64 }; /* continuations of one place that are compared before it gets another */

static uint32_t child_of(const ConditionTree *s, uint32_t at, Expr holds)
{
    uint32_t child = s->v[at].first;
    for (uint32_t i = 0; child && i < CHILDREN_MOST; i++, child = s->v[child].next)
        if (expr_same(s->v[child].holds, holds))
            return child;
    return 0;
}

uint32_t tree_add(ConditionTree *s, ExprPool *pool, uint32_t at, Expr holds)
{
    if (!s->n)
        vec_push(s, ((ConditionNode){.end = UINT32_MAX}));
    if (expr_is_true(holds))
        return at;
    uint32_t child = child_of(s, at, holds);
    if (child)
        return child;
    vec_push(s, ((ConditionNode){holds, expr_not(pool, holds), 0, s->v[at].first, UINT32_MAX}));
    return s->v[at].first = s->n - 1;
}

uint32_t tree_find_path(const ConditionTree *s, ExprEval *eval)
{
    uint32_t at = 0;
    while (s->n && s->v[at].end == UINT32_MAX) {
        uint32_t child = s->v[at].first;
        while (child && !expr_eval_true(eval, s->v[child].holds))
            child = s->v[child].next;
        if (!child)
            return UINT32_MAX;
        at = child;
    }
    return s->n ? s->v[at].end : UINT32_MAX;
}
