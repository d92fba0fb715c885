/* reachable.c - the functions and variables that code from a function on can name. */
#include "ir/ir_int.h"

typedef struct Search {
    BitSet *fns, *globals;
    U32Vec new_fns, new_globals; /* found, but not followed yet */
} Search;

static void follow(Search *s, IrConst c)
{
    if ((c.kind == IR_CONST_FN || c.kind == IR_CONST_BLOCK) && bitset_add(s->fns, c.index))
        vec_push(&s->new_fns, c.index);
    if (c.kind == IR_CONST_GLOBAL && bitset_add(s->globals, c.index))
        vec_push(&s->new_globals, c.index);
}

static void follow_code(Search *s, const IrFn *fn)
{
    for (uint32_t i = 0; i < fn->consts.n; i++)
        follow(s, fn->consts.v[i]);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].op == IR_CALL)
                follow(s, (IrConst){.kind = IR_CONST_FN, .index = fn->blocks.v[b].insns.v[i].a});
}

static void follow_initial_value(Search *s, const IrGlobal *g)
{
    for (uint32_t i = 0; i < g->relocs.n; i++)
        follow(s, g->relocs.v[i].value);
}

void ir_fn_reachable(const IrProgram *p, uint32_t fn, BitSet *fns, BitSet *globals)
{
    ir_reachable(p, (IrConst){.kind = IR_CONST_FN, .index = fn}, fns, globals);
}

void ir_reachable(const IrProgram *p, IrConst from, BitSet *fns, BitSet *globals)
{
    Search s = {.fns = fns, .globals = globals};
    follow(&s, from);
    while (s.new_fns.n || s.new_globals.n)
        if (s.new_fns.n)
            follow_code(&s, &p->fns.v[vec_pop(&s.new_fns)]);
        else
            follow_initial_value(&s, &p->globals.v[vec_pop(&s.new_globals)]);
    vec_free(&s.new_fns);
    vec_free(&s.new_globals);
}
