/* cache.c - results of earlier groups: a superset of a set without a model has none, and a model of a
 * superset is one of the subset. */
#include "solver/setindex.h"
#include "solver/solver_int.h"

enum {
    UNSAT_MEMBERS = 1 << 18,
    SAT_MEMBERS = 1 << 16,
    SAT_SYMBOLS = 256, /* models of more symbols are not kept */
};

typedef struct Saved {
    uint32_t n;
    struct {
        uint32_t at;
        u128 value;
    } symbols[];
} Saved;

struct Cache {
    SetIndex *unsat, *sat;
};

Cache *cache_new(void)
{
    Cache *c = mem_zalloc(sizeof *c);
    c->unsat = setindex_new(SETINDEX_SUBSETS, UNSAT_MEMBERS, NULL);
    c->sat = setindex_new(SETINDEX_SUPERSETS, SAT_MEMBERS, mem_free);
    return c;
}

void cache_free(Cache *c)
{
    if (!c)
        return;
    setindex_free(c->unsat);
    setindex_free(c->sat);
    mem_free(c);
}

void cache_clear(Cache *c)
{
    setindex_clear(c->unsat);
    setindex_clear(c->sat);
}

/* An Expr is its id, and a group's constraints ascend: they are a set as setindex wants it. */
static const uint32_t *as_set(const Expr *c)
{
    _Static_assert(sizeof(Expr) == sizeof(uint32_t), "an Expr is a number");
    return &c->id;
}

bool layer_cache(Solver *s, const Group *g, Budget *b, GroupAnswer *a)
{
    (void)b;
    const uint32_t *core;
    uint32_t core_n;
    void *payload;
    if (setindex_subset(s->cache->unsat, as_set(g->c), g->n, &core, &core_n, &payload)) {
        a->status = SOLVER_UNSAT;
        for (uint32_t i = 0; i < core_n; i++)
            vec_push(&a->core, (Expr){core[i]});
        return true;
    }
    if (!setindex_superset(s->cache->sat, as_set(g->c), g->n, &payload))
        return false;
    const Saved *m = payload;
    for (uint32_t i = 0; i < m->n; i++)
        expr_input_set(s->pool, &a->model, expr_symbol_of(s->pool, m->symbols[i].at), m->symbols[i].value);
    a->status = SOLVER_SAT;
    return true;
}

void cache_learn(Solver *s, const Group *g, const GroupAnswer *a)
{
    if (a->status == SOLVER_UNSAT) {
        setindex_add(s->cache->unsat, as_set(a->core.v), a->core.n, NULL);
        return;
    }
    if (g->n_symbols > SAT_SYMBOLS)
        return;
    Saved *m = mem_alloc(sizeof *m + g->n_symbols * sizeof m->symbols[0]);
    m->n = g->n_symbols;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        m->symbols[i].at = g->symbols[i];
        m->symbols[i].value = expr_input_get(s->pool, &a->model, expr_symbol_of(s->pool, g->symbols[i]));
    }
    setindex_add(s->cache->sat, as_set(g->c), g->n, m);
}
