/* reuse.c - recent models: queries that follow each other often have a solution in common. */
#include "solver/solver_int.h"

enum { RECENT = 8 };

struct Reuse {
    ExprInput model[RECENT];
    uint32_t next;                            /* the oldest, to be overwritten */
    ExprInput candidate;
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

/* Takes the values of a constraint's symbols from the model. False if that changes nothing. */
static bool mix_in(Solver *s, Expr c, const ExprInput *model, ExprInput *into)
{
    bool changed = false;
    ExprSet set = expr_symbols(s->pool, c);
    for (uint32_t at = expr_set_next(s->pool, set, 0); at != UINT32_MAX; at = expr_set_next(s->pool, set, at + 1)) {
        Expr symbol = expr_symbol_of(s->pool, at);
        u128 value = expr_input_get(s->pool, model, symbol);
        if (value == expr_input_get(s->pool, into, symbol))
            continue;
        expr_input_set(s->pool, into, symbol, value);
        changed = true;
    }
    return changed;
}

bool layer_reuse(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    Reuse *r = s->reuse;
    for (uint32_t i = 1; i <= RECENT && !budget_spent(budget); i++) {
        const ExprInput *model = &r->model[(r->next + RECENT - i) % RECENT];
        if (model->n == 0)
            continue;
        /* The hint with as little of the model as can matter, then all that the group could use of it. */
        expr_input_copy(&r->candidate, &s->hint);
        bool changed = false;
        for (uint32_t k = 0; k < g->n_failing; k++)
            changed = mix_in(s, g->failing[k], model, &r->candidate) || changed;
        if (!changed)
            continue;
        bool holds = group_holds(s, g, &r->candidate);
        /* If a failing constraint still fails, more of the model cannot mend it: it has all its symbols already. */
        if (!holds && expr_eval_true(s->eval, g->failing[0])) {
            bool more = false;
            for (uint32_t k = 0; k < g->n; k++)
                more = mix_in(s, g->c[k], model, &r->candidate) || more;
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
