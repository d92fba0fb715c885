/* reuse.c - recent models: queries that follow each other often have a solution in common. */
#include "solver/solver_int.h"

enum { RECENT = 8 };

struct Reuse {
    ExprInput model[RECENT];
    uint32_t next; /* the oldest, to be overwritten */
    ExprInput candidate;
    BitSet seen;
    ExprVec violated; /* symbols of the violated constraints */
};

Reuse *reuse_new(void) { return mem_zalloc(sizeof(Reuse)); }

void reuse_clear(Reuse *r)
{
    for (uint32_t i = 0; i < RECENT; i++)
        expr_input_free(&r->model[i]);
    r->next = 0;
}

void reuse_free(Reuse *r)
{
    if (!r)
        return;
    reuse_clear(r);
    expr_input_free(&r->candidate);
    bitset_free(&r->seen);
    vec_free(&r->violated);
    mem_free(r);
}

void reuse_learn(Solver *s, const ExprInput *model)
{
    Reuse *r = s->reuse;
    for (uint32_t i = 0; i < RECENT; i++)
        if (r->model[i].n == model->n && memcmp(r->model[i].v, model->v, model->n) == 0)
            return;
    expr_input_copy(&r->model[r->next], model);
    r->next = (r->next + 1) % RECENT;
}

static void find_wanted(Solver *s, const Group *g)
{
    Reuse *r = s->reuse;
    ExprSet last = EXPR_SET_EMPTY;
    vec_clear(&r->seen);
    vec_clear(&r->violated);
    for (uint32_t k = 0; k < g->n_failing; k++) {
        ExprSet set = expr_symbols(s->pool, g->failing[k]);
        if (set.id == last.id)
            continue;
        last = set;
        for (uint32_t at = expr_set_next(s->pool, set, 0); at != UINT32_MAX;
             at = expr_set_next(s->pool, set, at + 1))
            if (bitset_add(&r->seen, at))
                vec_push(&r->violated, expr_symbol_of(s->pool, at));
    }
}

/* Takes the value of a symbol from the model. False if that changes nothing. */
static bool mix_in(Solver *s, Expr symbol, const ExprInput *model, ExprInput *into)
{
    u128 value = expr_input_get(s->pool, model, symbol);
    if (value == expr_input_get(s->pool, into, symbol))
        return false;
    expr_input_set(s->pool, into, symbol, value);
    return true;
}

bool layer_reuse(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    Reuse *r = s->reuse;
    find_wanted(s, g);
    for (uint32_t i = 1; i <= RECENT && !budget_spent(budget); i++) {
        const ExprInput *model = &r->model[(r->next + RECENT - i) % RECENT];
        if (model->n == 0)
            continue;
        /* The hint with as little of the model as can matter, then all that the group could use of it. */
        expr_input_copy(&r->candidate, &s->hint);
        bool changed = false;
        for (uint32_t k = 0; k < r->violated.n; k++)
            changed = mix_in(s, r->violated.v[k], model, &r->candidate) || changed;
        if (!changed)
            continue;
        bool holds = group_holds(s, g, &r->candidate);
        /* If a failing constraint still fails, more of the model cannot mend it: it has all its symbols
         * already. */
        if (!holds && expr_eval_true(s->eval, g->failing[0])) {
            bool more = false;
            for (uint32_t k = 0; k < g->n_symbols; k++)
                more = mix_in(s, expr_symbol_of(s->pool, g->symbols[k]), model, &r->candidate) || more;
            holds = more && group_holds(s, g, &r->candidate);
        }
        if (holds) {
            expr_input_copy(&a->model, &r->candidate);
            a->status = SOLVER_SAT;
            return true;
        }
    }
    return false;
}
