/* solver_rig.h - a solver of which only single layers work, asked about three bytes: for tests that try all
 * values. */
#ifndef SHEAF_SOLVER_RIG_H
#define SHEAF_SOLVER_RIG_H

#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { BYTES = 3, BELOW = 6 }; /* bytes; the bound that queries give to each of them */

typedef struct Rig {
    ExprPool *p;
    Solver *s;
    ExprEval *eval;
    Expr b[BYTES];
    Rng rng;
    ExprVec query;
    SolverAnswer a;
} Rig;

/* With this layer, that for constraints over one byte, and the back end. */
static Rig rig_open(SolverLayer layer, uint64_t seed)
{
    Rig g = {.p = expr_pool_new()};
    ExprObject o = expr_object(g.p, "in", "in", BYTES, (ExprCType){EXPR_C_CHAR, 1});
    uint32_t without = ((1u << SOLVER_LAYER_BACKEND) - 1) & ~(1u << SOLVER_LAYER_BYTES | 1u << layer);
    for (uint32_t i = 0; i < BYTES; i++)
        g.b[i] = expr_object_byte(g.p, o, i);
    g.s = solver_new(g.p, &(SolverOptions){.without = without});
    g.eval = expr_eval_new(g.p);
    rng_seed(&g.rng, seed);
    return g;
}

static void rig_close(Rig *g)
{
    solver_answer_free(&g->a);
    solver_free(g->s);
    expr_eval_free(g->eval);
    vec_free(&g->query);
    expr_pool_free(g->p);
}

static SolverStatus rig_ask(Rig *g)
{
    return solver_check(g->s, &(SolverQuery){.constraints = g->query.v, .n = g->query.n}, &g->a);
}

/* The first constraints of a query. */
static void rig_bound_bytes(Rig *g)
{
    vec_clear(&g->query);
    for (uint32_t i = 0; i < BYTES; i++)
        vec_push(&g->query, expr_ult(g->p, g->b[i], expr_const(g->p, 8, BELOW)));
}

/* Does the input satisfy the query, or `only` these of its constraints? */
static bool rig_holds(Rig *g, const ExprInput *in, const U32Vec *only)
{
    expr_eval_input(g->eval, in);
    for (uint32_t i = 0; i < (only ? only->n : g->query.n); i++)
        if (!expr_eval_true(g->eval, g->query.v[only ? only->v[i] : i]))
            return false;
    return true;
}

#endif
