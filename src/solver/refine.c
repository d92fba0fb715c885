/* refine.c - lemmas for operators that a back end treats loosely.
 *
 * External functions are free words to every back end; float operators are so to CaDiCaL, and Z3 leaves the
 * bits of some NaNs open. When a model turns out wrong for that reason, the facts "these operands give that
 * result" with the values of this model join the query; of two applications of one function on equal
 * arguments the fact that the results are equal. */
#include "solver/circuit.h"
#include "solver/solver_int.h"

bool refine_is_loose(const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    if (op == EXPR_APPLY)
        return true;
    if (!expr_op_is_float(op))
        return false;
    /* Comparisons are about the operands' width, all others about the result's. */
    unsigned width = expr_width(p, e) == 1 ? expr_width(p, expr_child(p, e, 0)) : expr_width(p, e);
    return !circuit_has(expr_op_bits(op), width);
}

bool group_has_applications(Solver *s, const Group *g)
{
    const U32Vec *cone = group_cone(s, g);
    bool found = false;
    for (uint32_t i = 0; i < cone->n && !found; i++)
        found = expr_op(s->pool, (Expr){cone->v[i]}) == EXPR_APPLY;
    return found;
}

bool group_has_floats(Solver *s, const Group *g)
{
    const U32Vec *cone = group_cone(s, g);
    bool found = false;
    for (uint32_t i = 0; i < cone->n && !found; i++) {
        Expr e = {cone->v[i]};
        found = expr_op_is_float(expr_op(s->pool, e)) && refine_is_loose(s->pool, e);
    }
    return found;
}

/* "operands have these values" implies "the result has that value" */
static Expr value_lemma(ExprPool *p, ExprEval *ev, Expr e)
{
    Expr premise = EXPR_TRUE;
    uint32_t n = expr_child_count(p, e);
    for (uint32_t i = 0; i < n; i++) {
        Expr c = expr_child(p, e, i);
        premise = expr_and(p, premise, expr_eq(p, c, expr_const(p, expr_width(p, c), expr_eval(ev, c))));
    }
    return expr_implies(p, premise, expr_eq(p, e, expr_const(p, expr_width(p, e), expr_eval(ev, e))));
}

static bool lemma_add(Solver *s, ExprVec *lemmas, Expr lemma)
{
    bool known = expr_is_true(lemma);
    for (uint32_t k = 0; k < lemmas->n && !known; k++)
        known = expr_same(lemmas->v[k], lemma);
    if (known)
        return false;
    vec_push(lemmas, lemma);
    solver_bump(s, SOLVER_LEMMAS_COUNT);
    return true;
}

/* Functional consistency: two applications of one function whose arguments the model makes equal. "The
 * arguments are equal" implies "the results are", for all values at once. */
static uint32_t refine_by_congruence(Solver *s, const U32Vec *cone, ExprVec *lemmas)
{
    enum { APPLICATIONS_MOST = 64 };
    ExprVec all = {0};
    uint32_t added = 0;
    for (uint32_t i = 0; i < cone->n && all.n < APPLICATIONS_MOST; i++)
        if (expr_op(s->pool, (Expr){cone->v[i]}) == EXPR_APPLY)
            vec_push(&all, ((Expr){cone->v[i]}));
    for (uint32_t i = 0; i < all.n; i++)
        for (uint32_t k = i + 1; k < all.n; k++) {
            Expr a = all.v[i], b = all.v[k], premise = EXPR_TRUE;
            uint32_t n = expr_child_count(s->pool, a);
            bool equal =
                expr_apply_fn(s->pool, a) == expr_apply_fn(s->pool, b) && n == expr_child_count(s->pool, b);
            for (uint32_t c = 0; c < n && equal; c++) {
                Expr x = expr_child(s->pool, a, c), y = expr_child(s->pool, b, c);
                equal = expr_eval(s->eval, x) == expr_eval(s->eval, y);
                premise = expr_and(s->pool, premise, expr_eq(s->pool, x, y));
            }
            added += equal && lemma_add(s, lemmas, expr_implies(s->pool, premise, expr_eq(s->pool, a, b)));
        }
    vec_free(&all);
    return added;
}

uint32_t refine_by_values(Solver *s, const Group *g, const ExprInput *model, ExprVec *lemmas)
{
    const U32Vec *cone = group_cone(s, g);
    expr_eval_input(s->eval, model);
    uint32_t added = refine_by_congruence(s, cone, lemmas);
    for (uint32_t i = 0; i < cone->n; i++) {
        Expr e = {cone->v[i]};
        if (!refine_is_loose(s->pool, e))
            continue;
        uint64_t missed = expr_fn_missed(s->pool);
        if (missed) /* evaluated again: was this one? */
            expr_eval_input(s->eval, model);
        Expr lemma = value_lemma(s->pool, s->eval, e);
        added += expr_fn_missed(s->pool) == missed && lemma_add(s, lemmas, lemma);
    }
    return added;
}
