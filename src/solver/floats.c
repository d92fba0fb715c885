/* floats.c - local search over the words that float operators read, before Z3 gets the group.
 *
 * A word is an operand of a float operator that consists of input symbols alone. The search starts at the
 * hint, moves one word at a time (by units in the last place, by factors, to constants of the constraints, to
 * special values) and keeps what lessens the distance of the violated constraints. It finds models; it never
 * refutes. */
#include "solver/solver_int.h"

#include <math.h>

enum { WORDS = 24, CONSTANTS = 24, EVALUATIONS = 3000 };

typedef struct Search {
    Solver *s;
    ExprPool *p;
    const Group *g;
    ExprInput now, next;
    Expr word[WORDS];
    bool is_float[WORDS]; /* else an integer that is converted */
    uint32_t n_words;
    struct {
        unsigned width;
        u128 value;
    } constant[CONSTANTS];
    uint32_t n_constants;
    uint32_t evaluations;
    Rng rng;
} Search;

/* ---- words ----------------------------------------------------------------------------------- */

/* Consists of symbols alone? */
static bool is_word(const ExprPool *p, Expr e, unsigned depth)
{
    ExprOp op = expr_op(p, e);
    return op == EXPR_SYMBOL ||
           (op == EXPR_CONCAT && depth < 16 && is_word(p, expr_child(p, e, 0), depth + 1) &&
            is_word(p, expr_child(p, e, 1), depth + 1));
}

static u128 word_get(const ExprPool *p, const ExprInput *in, Expr e)
{
    if (expr_op(p, e) == EXPR_SYMBOL)
        return expr_input_get(p, in, e);
    Expr high = expr_child(p, e, 0), low = expr_child(p, e, 1);
    return word_get(p, in, high) << expr_width(p, low) | word_get(p, in, low);
}

static void word_set(const ExprPool *p, ExprInput *in, Expr e, u128 value)
{
    if (expr_op(p, e) == EXPR_SYMBOL) {
        expr_input_set(p, in, e, value & bits_mask(expr_width(p, e)));
        return;
    }
    Expr high = expr_child(p, e, 0), low = expr_child(p, e, 1);
    word_set(p, in, low, value & bits_mask(expr_width(p, low)));
    word_set(p, in, high, value >> expr_width(p, low));
}

static void add_word(Search *x, Expr e, bool is_float)
{
    for (uint32_t i = 0; i < x->n_words; i++)
        if (expr_same(x->word[i], e))
            return;
    if (x->n_words == WORDS || !is_word(x->p, e, 0))
        return;
    x->is_float[x->n_words] = is_float;
    x->word[x->n_words++] = e;
}

static void add_constant(Search *x, unsigned width, u128 value)
{
    for (uint32_t i = 0; i < x->n_constants; i++)
        if (x->constant[i].width == width && x->constant[i].value == value)
            return;
    if (x->n_constants == CONSTANTS)
        return;
    x->constant[x->n_constants].width = width;
    x->constant[x->n_constants++].value = value;
}

/* The words and constants of the group's float operators. */
static void collect(Search *x)
{
    const U32Vec *cone = group_cone(x->s, x->g);
    for (uint32_t i = 0; i < cone->n; i++) {
        Expr e = {cone->v[i]};
        ExprOp op = expr_op(x->p, e);
        if (op == EXPR_CONST)
            add_constant(x, expr_width(x->p, e), expr_const_value(x->p, e));
        if (!expr_op_is_float(op) && op != EXPR_APPLY)
            continue;
        for (uint32_t k = 0; k < expr_child_count(x->p, e); k++)
            add_word(x, expr_child(x->p, e, k), op != EXPR_UITOFP && op != EXPR_SITOFP && op != EXPR_APPLY);
    }
}

static double score(Search *x, const ExprInput *in)
{
    double total = 0;
    x->evaluations++;
    expr_eval_input(x->s->eval, in);
    for (uint32_t i = 0; i < x->g->n; i++)
        total += constraint_distance(x->s, x->g->c[i]);
    return total;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static u128 float_bits(double d, unsigned w)
{
    return w == 32 ? bits_of_float((float)d) : w == 64 ? bits_of_double(d) : bits_of_ldouble(d);
}

static double float_value(u128 v, unsigned w)
{
    return w == 32 ? bits_to_float(v) : w == 64 ? bits_to_double(v) : (double)bits_to_ldouble(v);
}

/* The k-th move of a word from value v; false behind the last. */
static bool move(const Search *x, uint32_t which, u128 v, uint32_t k, u128 *to)
{
    static const double special[] = {0.0, -0.0, 1,        -1,        0.5, 2,      10,   100,
                                     1e6, -1e6, INFINITY, -INFINITY, NAN, 1e-300, 1e300};
    unsigned w = expr_width(x->p, x->word[which]);
    bool is_float = x->is_float[which] && (w == 32 || w == 64 || w == 80);
    uint32_t steps = 2 * (w < 128 ? w - 1 : 126); /* by powers of two, both directions, far ones first */
    if (k < x->n_constants * 3) {
        if (x->constant[k / 3].width != w)
            *to = v;
        else
            *to = (x->constant[k / 3].value + (k % 3 == 0 ? 0 : k % 3 == 1 ? 1 : (u128)-1)) & bits_mask(w);
        return true;
    }
    k -= x->n_constants * 3;
    if (k < steps) {
        i128 delta = (i128)1 << (w - 2 - k / 2 < 126 ? w - 2 - k / 2 : 0);
        i128 o = is_float ? float_ordinal(v, w) : bits_signed(v, w);
        o += k & 1 ? -delta : delta;
        *to = is_float ? float_from_ordinal(o, w) : (u128)o & bits_mask(w);
        return true;
    }
    k -= steps;
    if (!is_float)
        return false;
    if (k < COUNT_OF(special)) {
        *to = float_bits(special[k], w);
        return true;
    }
    double d = float_value(v, w),
           related[] = {-d, d + 1, d - 1, d * 2, d / 2, floor(d), ceil(d), sqrt(fabs(d)), d * d};
    k -= COUNT_OF(special);
    if (k < COUNT_OF(related)) {
        *to = float_bits(related[k], w);
        return true;
    }
    return false;
}

/* The first move of any word that lessens the score. */
static bool improve(Search *x, double *best, Budget *budget)
{
    for (uint32_t i = 0; i < x->n_words; i++) {
        u128 v = word_get(x->p, &x->now, x->word[i]), to;
        for (uint32_t k = 0; move(x, i, v, k, &to); k++) {
            if (to == v)
                continue;
            if (x->evaluations > EVALUATIONS || budget_spent(budget))
                return false;
            expr_input_copy(&x->next, &x->now);
            word_set(x->p, &x->next, x->word[i], to);
            double d = score(x, &x->next);
            if (d < *best) {
                *best = d;
                expr_input_copy(&x->now, &x->next);
                return true;
            }
        }
    }
    return false;
}

/* Out of a dead end: one word takes some move, whatever it costs. */
static void shake(Search *x, double *best)
{
    uint32_t i = (uint32_t)rng_below(&x->rng, x->n_words);
    u128 to, v = word_get(x->p, &x->now, x->word[i]);
    if (!move(x, i, v, (uint32_t)rng_below(&x->rng, 120), &to))
        to = float_bits((double)(int64_t)rng_below(&x->rng, 2000) / 8 - 100, 64) &
             bits_mask(expr_width(x->p, x->word[i]));
    word_set(x->p, &x->now, x->word[i], to);
    *best = score(x, &x->now);
}

bool layer_floats(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    if (!group_has_floats(s, g))
        return false;
    Search x = {.s = s, .p = s->pool, .g = g};
    rng_seed(&x.rng, g->c[0].id);
    collect(&x);
    expr_input_copy(&x.now, &s->hint);
    double best = score(&x, &x.now);
    while (x.n_words > 0 && best > 0 && x.evaluations <= EVALUATIONS && !budget_spent(budget))
        if (!improve(&x, &best, budget))
            shake(&x, &best);
    bool found = best == 0 && group_holds(s, g, &x.now);
    if (found) {
        a->status = SOLVER_SAT;
        expr_input_copy(&a->model, &x.now);
    }
    expr_input_free(&x.now);
    expr_input_free(&x.next);
    return found;
}
