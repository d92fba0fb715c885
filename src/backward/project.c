/* project.c - symbols that mean nothing at a cut point are removed from a condition: inputs read on the way,
 * what was havocked. They are existential: the condition shall hold for some value of theirs.
 *
 * Never stronger: an atom over such symbols alone is a choice, both ways; any other atom that has one may be
 * true. */
#include "backward/backward_int.h"

enum { CHOICES = 6, SPLITS = 64, DEPTH_MOST = 2000 };

static bool has_unknown(Backward *bw, Expr e, bool *only)
{
    ExprSet s = expr_symbols(bw->pool, e);
    bool any = expr_set_meets(bw->pool, s, bw->unknowns);
    if (only)
        *only = any && expr_set_subset(bw->pool, s, bw->unknowns);
    return any;
}

static bool is_connective(const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    return op == EXPR_AND || op == EXPR_OR || op == EXPR_NOT || op == EXPR_ITE;
}

/* An atom over unknowns alone, if there is one. */
static Expr choice(Backward *bw, Expr e)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    Expr found = EXPR_NONE;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && expr_is_none(found); i++) {
        Expr x = {cone.v[i]};
        bool only;
        if (expr_width(p, x) == 1 && !is_connective(p, x) && expr_is_symbolic(p, x) &&
            has_unknown(bw, x, &only) && only)
            found = x;
    }
    vec_free(&cone);
    return found;
}

static Expr with(Backward *bw, Expr e, Expr atom, Expr value)
{
    ExprSubst *s = expr_subst_new(bw->pool);
    expr_subst_add(s, atom, value);
    e = expr_subst_apply(s, e);
    expr_subst_free(s);
    return e;
}

/* An atom over c ? a : b of which only one side may be unknown: the atom with a, and with b. */
static bool is_split(Backward *bw, Expr e, Expr *c, Expr *x, Expr *y)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    bool found = false;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = cone.n; i-- > 0 && !found;) {
        Expr at = {cone.v[i]};
        found = expr_op(p, at) == EXPR_ITE && has_unknown(bw, at, NULL) &&
                !has_unknown(bw, expr_child(p, at, 0), NULL);
        if (!found)
            continue;
        *c = expr_child(p, at, 0);
        *x = with(bw, e, at, expr_child(p, at, 1));
        *y = with(bw, e, at, expr_child(p, at, 2));
    }
    vec_free(&cone);
    return found;
}

typedef struct Weakening {
    Backward *bw;
    Map memo;
    unsigned splits; /* that are left */
} Weakening;

/* Atoms with unknowns become true where that makes the whole weaker. `positive`: the condition stands under
 * an even number of negations. */
static Expr weaken(Weakening *w, Expr e, bool positive, unsigned depth)
{
    Backward *bw = w->bw;
    ExprPool *p = bw->pool;
    uint64_t key = (uint64_t)e.id << 1 | positive, id;
    if (!has_unknown(bw, e, NULL))
        return e;
    if (map_get(&w->memo, key, &id))
        return (Expr){(uint32_t)id};
    Expr r = expr_bool(positive), c, x, y;
    ExprOp op = depth < DEPTH_MOST ? expr_op(p, e) : EXPR_CONST;
    if (op == EXPR_NOT) {
        r = expr_not(p, weaken(w, expr_child(p, e, 0), !positive, depth + 1));
    } else if (op == EXPR_AND || op == EXPR_OR) {
        Expr a = weaken(w, expr_child(p, e, 0), positive, depth + 1),
             b = weaken(w, expr_child(p, e, 1), positive, depth + 1);
        r = op == EXPR_AND ? expr_and(p, a, b) : expr_or(p, a, b);
    } else if (op == EXPR_ITE) {
        Expr a = weaken(w, expr_child(p, e, 1), positive, depth + 1),
             b = weaken(w, expr_child(p, e, 2), positive, depth + 1);
        c = expr_child(p, e, 0);
        if (!has_unknown(bw, c, NULL))
            r = expr_ite(p, c, a, b);
        else
            r = positive ? expr_or(p, a, b) : expr_and(p, a, b);
    } else if (op != EXPR_CONST && w->splits && is_split(bw, e, &c, &x, &y)) {
        w->splits--;
        x = weaken(w, x, positive, depth + 1);
        r = expr_ite(p, c, x, weaken(w, y, positive, depth + 1));
    }
    map_put(&w->memo, key, r.id);
    return r;
}

Expr bw_project(Backward *bw, Expr e)
{
    Weakening w = {.bw = bw, .splits = bw->require ? SPLITS : 0};
    for (unsigned i = 0; i < CHOICES && has_unknown(bw, e, NULL) && !bw_out_of_time(bw); i++) {
        Expr atom = choice(bw, e);
        if (expr_is_none(atom))
            break;
        e = expr_or(bw->pool, with(bw, e, atom, EXPR_TRUE), with(bw, e, atom, EXPR_FALSE));
    }
    e = weaken(&w, e, true, 0);
    map_free(&w.memo);
    return e;
}
