/* backend.c - the innermost layer: which back end gets a group, and what happens when it gives up or errs. */
#include "solver/solver_int.h"

enum {
    REFINEMENTS = 60,
    OPAQUE_SEARCH = 20 /* that a back end which tells nothing of its search counts as */
};

static Backend *z3_of(Solver *s)
{
    if (!s->z3)
        s->z3 = backend_z3_new(s, NULL);
    return s->z3;
}

static void call(Solver *s, Backend *b, const Group *g, const ExprVec *lemmas, Budget *budget, GroupAnswer *a)
{
    double start = clock_seconds();
    solver_bump(s, SOLVER_BACKEND_CALLS_COUNT);
    if (b == s->z3 || !s->backend_is_cadical)
        s->counter[SOLVER_SEARCHED_COUNT] += OPAQUE_SEARCH;
    vec_clear(&a->core);
    a->reason = SOLVER_REASON_NONE;
    a->detail[0] = 0;
    expr_input_copy(&a->model, &s->hint);
    b->check(b, g, lemmas, &s->hint, budget, a);
    log_query(s, b->name, g, lemmas, a, clock_seconds() - start);
}

/* Asks until the answer stands: a model that evaluation refutes yields facts about the operators that the
 * back end treats loosely. */
static void ask(Solver *s, Backend *b, const Group *g, ExprVec *lemmas, Budget *budget, GroupAnswer *a)
{
    for (int round = 0; round < REFINEMENTS; round++) {
        call(s, b, g, lemmas, budget, a);
        if (a->status != SOLVER_SAT || group_holds(s, g, &a->model))
            return;
        if (refine_by_values(s, g, &a->model, lemmas) > 0)
            continue;
        if (expr_fn_missed(s->pool))
            break;
        if (b == s->z3 || s->backend_is_cadical)
            bug("back end %s gave a model that violates its constraints", b->name);
        a->status = SOLVER_UNKNOWN;
        a->reason = SOLVER_REASON_BACKEND;
        snprintf(a->detail, sizeof a->detail, "its model violates the constraints");
        return;
    }
    a->status = SOLVER_UNKNOWN;
    a->reason = SOLVER_REASON_INCOMPLETE;
    snprintf(a->detail, sizeof a->detail, "models still wrong after %d value lemmas", (int)lemmas->n);
}

/* CaDiCaL has no floats, and gets most but not all of the time: what is hard for it may be easy for Z3. */
bool layer_backend(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    ExprVec lemmas = {0};
    if (!s->backend_is_cadical) {
        ask(s, s->backend, g, &lemmas, budget, a);
    } else if (group_has_floats(s, g)) {
        ask(s, z3_of(s), g, &lemmas, budget, a);
    } else {
        Budget most = budget_part(budget, 0.7);
        ask(s, s->backend, g, &lemmas, &most, a);
        if (a->status == SOLVER_UNKNOWN && a->reason == SOLVER_REASON_TIME && !budget_spent(budget)) {
            solver_bump(s, SOLVER_FALLBACKS_COUNT);
            ask(s, z3_of(s), g, &lemmas, budget, a);
        }
    }
    vec_free(&lemmas);
    return true;
}
