/* walk.c - local search: repair a violated constraint, then what that broke, and so on for a while, downhill
 * in the sum of the constraints' distances. Finds models of entangled groups more cheaply than a SAT solver;
 * never refutes. Where there are many constraints a step takes long, and a SAT solver less than some steps:
 * what is bounded is the work. */
#include "solver/repair.h"

#include <math.h>

enum {
    STEPS = 32,
    DISTANCES = 512, /* that are computed: of the models found, nine in ten take fewer */
    CANDIDATES = 4,
    SYMBOLS = 256,
    CONE = 20000
};

typedef struct Walk {
    Solver *s;
    const Group *g;
    Rng rng;
    ExprInput now, next;
    uint32_t computed;               /* distances, of candidates */
    double *distance, *trial, *best; /* of each constraint: now, under a candidate, under the best one */
    /* Which constraints mention a symbol: numbers users[first[i]] to users[first[i + 1] - 1] for the i-th. */
    uint32_t *first, *users;
} Walk;

static uint32_t index_of(const Group *g, uint32_t at)
{
    uint32_t low = 0, high = g->n_symbols;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        *(g->symbols[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

/* ---- who mentions what ----------------------------------------------------------------------- */

static void index_users(Walk *w, Arena *a)
{
    const ExprPool *p = w->s->pool;
    const Group *g = w->g;
    w->first = arena_alloc(a, (g->n_symbols + 2) * sizeof *w->first);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < g->n; i++) {
            ExprSet set = expr_symbols(p, g->c[i]);
            for (uint32_t at = expr_set_next(p, set, 0); at != UINT32_MAX;
                 at = expr_set_next(p, set, at + 1)) {
                uint32_t k = index_of(g, at);
                if (pass == 0)
                    w->first[k + 1]++;
                else
                    w->users[w->first[k]++] = i;
            }
        }
        if (pass == 0) {
            for (uint32_t k = 0; k < g->n_symbols; k++)
                w->first[k + 1] += w->first[k];
            w->users = arena_alloc(a, (w->first[g->n_symbols] + 1) * sizeof *w->users);
        }
    }
    /* The second pass moved each start to the next one's: back by one place. */
    memmove(w->first + 1, w->first, g->n_symbols * sizeof *w->first);
    w->first[0] = 0;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static uint32_t violated(Walk *w)
{
    uint32_t n = 0, one = 0;
    for (uint32_t i = 0; i < w->g->n; i++)
        if (w->distance[i] > 0 && rng_below(&w->rng, ++n) == 0)
            one = i;
    return one;
}

/* Out of a dead end: one symbol of the constraint takes some allowed value. */
static void shake(Walk *w, Expr c, Repair *r)
{
    const ExprPool *p = w->s->pool;
    ExprSet set = expr_symbols(p, c);
    uint32_t pick = (uint32_t)rng_below(&w->rng, expr_set_size(p, set)), at = expr_set_next(p, set, 0);
    while (pick-- > 0)
        at = expr_set_next(p, set, at + 1);
    Expr symbol = expr_symbol_of(w->s->pool, at);
    u128 mask = bits_mask(expr_width(p, symbol));
    u128 value = rng_below(&w->rng, 3) ? rng_next(&w->rng) : rng_below(&w->rng, 2) ? 0 : mask;
    *r = (Repair){.s = w->s, .g = w->g, .n = 1};
    r->set[0].symbol = symbol;
    r->set[0].value = bytes_nearest(w->s, w->g, at, value & mask);
}

/* The total distance with these assignments, the single ones in trial. Only constraints that mention one are
 * evaluated. */
static double try_repair(Walk *w, const Repair *r)
{
    double total = 0;
    expr_input_copy(&w->next, &w->now);
    repair_apply(r, &w->next);
    expr_eval_input(w->s->eval, &w->next);
    memcpy(w->trial, w->distance, w->g->n * sizeof *w->trial);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t k = index_of(w->g, expr_symbol_at(w->s->pool, r->set[i].symbol));
        w->computed += w->first[k + 1] - w->first[k];
        for (uint32_t u = w->first[k]; u < w->first[k + 1]; u++)
            w->trial[w->users[u]] = constraint_distance(w->s, w->g->c[w->users[u]]);
    }
    for (uint32_t i = 0; i < w->g->n; i++)
        total += w->trial[i];
    return total;
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Some repairs of one violated constraint; the best is taken, unless it makes things worse and the lot is
 * against it. */
static double walk_step(Walk *w, double total)
{
    Expr broken = w->g->c[violated(w)];
    Repair tries[CANDIDATES + 1];
    uint32_t n = 0, chosen = 0;
    expr_eval_input(w->s->eval, &w->now);
    for (uint32_t i = 0; i < CANDIDATES; i++) {
        tries[n] = (Repair){.s = w->s,
                            .g = w->g,
                            .values = w->s->eval,
                            .choices = (uint32_t)rng_next(&w->rng),
                            .lenient = true};
        if (repair_constraint(&tries[n], broken))
            n++;
    }
    shake(w, broken, &tries[n++]);
    double least = INFINITY;
    for (uint32_t i = 0; i < n && least > 0; i++) {
        double d = try_repair(w, &tries[i]);
        if (d >= least)
            continue;
        least = d;
        chosen = i;
        swap(&w->best, &w->trial);
    }
    if (least > total && rng_below(&w->rng, 4) == 0)
        return total;
    repair_apply(&tries[chosen], &w->now);
    swap(&w->distance, &w->best);
    return least;
}

bool layer_walk(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    if (g->n_symbols > SYMBOLS || group_cone(s, g)->n > CONE)
        return false;
    Arena *arena = arena_new();
    Walk w = {.s = s, .g = g};
    rng_seed(&w.rng, g->c[g->n - 1].id);
    expr_input_copy(&w.now, &s->hint);
    w.distance = arena_alloc(arena, g->n * sizeof *w.distance);
    w.trial = arena_alloc(arena, g->n * sizeof *w.trial);
    w.best = arena_alloc(arena, g->n * sizeof *w.best);
    index_users(&w, arena);
    double total = 0;
    expr_eval_input(s->eval, &w.now);
    for (uint32_t i = 0; i < g->n; i++)
        total += w.distance[i] = constraint_distance(s, g->c[i]);
    for (uint32_t step = 0; step < STEPS && w.computed < DISTANCES && total > 0 && !budget_spent(budget);
         step++)
        total = walk_step(&w, total);
    if (total == 0) {
        expr_input_copy(&a->model, &w.now);
        a->status = SOLVER_SAT;
    }
    expr_input_free(&w.now);
    expr_input_free(&w.next);
    arena_free(arena);
    return total == 0;
}
