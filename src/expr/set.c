/* set.c - sets of input positions: shared sets (base) of the pool. */
#include "expr/expr_int.h"

ExprSet expr_set_of(ExprPool *p, uint32_t at) { return (ExprSet){sets_of(&p->sets, at)}; }
ExprSet expr_set_range(ExprPool *p, uint32_t from, uint32_t n)
{
    return (ExprSet){sets_range(&p->sets, from, n)};
}
Sets *expr_sets(ExprPool *p) { return &p->sets; }
bool expr_set_has(const ExprPool *p, ExprSet s, uint32_t at) { return sets_has(&p->sets, s.id, at); }
bool expr_set_meets(const ExprPool *p, ExprSet a, ExprSet b) { return sets_meets(&p->sets, a.id, b.id); }
bool expr_set_subset(const ExprPool *p, ExprSet a, ExprSet b) { return sets_subset(&p->sets, a.id, b.id); }
uint32_t expr_set_size(const ExprPool *p, ExprSet s) { return sets_size(&p->sets, s.id); }
uint32_t expr_set_next(const ExprPool *p, ExprSet s, uint32_t from)
{
    return sets_next(&p->sets, s.id, from);
}

uint32_t expr_set_next_chunk(const ExprPool *p, ExprSet s, uint32_t from, uint64_t *bits)
{
    return sets_next_chunk(&p->sets, s.id, from, bits);
}

uint32_t expr_set_last_without(const ExprPool *p, ExprSet s, const BitSet *skip)
{
    return sets_last_without(&p->sets, s.id, skip);
}
