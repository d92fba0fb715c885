/* general.c - where the condition of a loop grows with each iteration: a condition for any number of them,
 * guessed and checked.
 *
 * X is what must hold at the loop's head so that the target is reached within this iteration. A variable i
 * that every iteration changes by the same step gets to a value e after k = (e - i) / step iterations; others
 * of this kind have moved along. So the guess for e is
 *
 *     G = X  or  the loop goes on, the step divides e - i, and X holds with i = e and the others k steps
 * further.
 *
 * Values for e come from what i is compared with. G says when the target is reached at most if it is
 * inductive: moved over one iteration it implies itself. It says when it is reached at least if from every
 * state that satisfies it the target is reached now, or the next iteration starts in G with fewer iterations
 * left: k is the ranking function. An inductive condition alone may hold for ever without the target being
 * reached. */
#include "backward/backward_int.h"

enum { VARIABLES = 8, VALUES = 24, EQUAL_MOST = 4 };

/* A variable of the loop, and by how much each iteration changes it. */
typedef struct Induction {
    Expr variable;
    uint64_t step;
} Induction;

typedef struct Loop {
    Backward *bw;
    uint32_t cut, segment;
    const BitSet *which;
    bool least;
    Induction v[VARIABLES];
    uint32_t n;
    Expr now, goes_on; /* X; the guard of another iteration */
    uint32_t equal;    /* of the values of a variable the first so many are those that it is compared with for
                          equality */
} Loop;

/* ---- the loop -------------------------------------------------------------------------------- */

static bool is_own(const Loop *l, const BwEnd *end) { return end->kind == BW_END_CUT && end->cut == l->cut; }

/* The step of a variable in all iterations; false: it differs. */
static bool step_of(const Loop *l, uint32_t instance, uint32_t reg, uint64_t *step)
{
    Backward *bw = l->bw;
    Expr varies, variable = bw_cut_register(bw, l->cut, instance, reg, &varies);
    bool any = false;
    for (uint32_t i = 0; i < bw->segments.v[l->segment].ends.n; i++) {
        const BwEnd end = bw->segments.v[l->segment].ends.v[i];
        if (!is_own(l, &end))
            continue;
        Expr change = expr_sub(bw->pool, bw_end_register(bw, l->segment, &end, instance, reg), variable);
        if (!expr_is_const(bw->pool, change) ||
            (any && (uint64_t)expr_const_value(bw->pool, change) != *step))
            return false;
        *step = (uint64_t)expr_const_value(bw->pool, change);
        any = true;
    }
    return any && *step;
}

static void find_inductions(Loop *l)
{
    Backward *bw = l->bw;
    uint32_t instance = bw->cuts.v[l->cut].instance;
    const IrBlock *b = &bw->program->fns.v[bw->instances.v[instance].fn].blocks.v[bw->cuts.v[l->cut].block];
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI && l->n < VARIABLES; i++) {
        Expr varies;
        uint64_t step = 0;
        bw_cut_register(bw, l->cut, instance, b->insns.v[i].dst, &varies);
        if (!expr_is_none(varies) && b->insns.v[i].width <= 64 &&
            step_of(l, instance, b->insns.v[i].dst, &step))
            l->v[l->n++] = (Induction){varies, step};
    }
}

static void look_at(Loop *l)
{
    Backward *bw = l->bw;
    Expr own = bw->cuts.v[l->cut].condition;
    bw->cuts.v[l->cut].condition = EXPR_FALSE;
    l->now = bw_directed(bw, bw_before(bw, l->segment, l->which), l->least);
    bw->cuts.v[l->cut].condition = own;
    l->goes_on = EXPR_FALSE;
    for (uint32_t i = 0; i < bw->segments.v[l->segment].ends.n; i++) {
        const BwEnd end = bw->segments.v[l->segment].ends.v[i];
        if (is_own(l, &end))
            l->goes_on = expr_or(bw->pool, l->goes_on, bw_directed(bw, end.guard, l->least));
    }
    find_inductions(l);
}

/* ---- values that a variable gets to ---------------------------------------------------------- */

static void add_value(const Loop *l, ExprVec *values, Expr e)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (expr_set_meets(l->bw->pool, expr_symbols(l->bw->pool, e),
                           expr_symbols(l->bw->pool, l->v[i].variable)))
            return;
    for (uint32_t i = 0; i < values->n; i++)
        if (expr_same(values->v[i], e))
            return;
    if (values->n < VALUES)
        vec_push(values, e);
}

/* What the variable is compared with there: side is it, extended or with a constant added, and then other is
 * the same of the value. */
static Expr value_from(const Loop *l, const Induction *i, Expr side, Expr other, ExprVec *values)
{
    ExprPool *p = l->bw->pool;
    for (unsigned depth = 0; depth < 4 && !expr_same(side, i->variable); depth++) {
        ExprOp op = expr_op(p, side);
        if (op == EXPR_ADD && expr_is_const(p, expr_child(p, side, 1))) {
            other = expr_sub(p, other, expr_child(p, side, 1));
            side = expr_child(p, side, 0);
        } else if (op == EXPR_SEXT || op == EXPR_ZEXT) {
            side = expr_child(p, side, 0);
            other = expr_trunc(p, other, expr_width(p, side));
        } else {
            return EXPR_NONE;
        }
    }
    if (!expr_same(side, i->variable))
        return EXPR_NONE;
    add_value(l, values, other);
    return other;
}

/* That, and its neighbours: a comparison may be strict or not. */
static void values_from(const Loop *l, const Induction *i, Expr side, Expr from, ExprVec *values)
{
    ExprPool *p = l->bw->pool;
    unsigned width = expr_width(p, i->variable);
    Expr other = value_from(l, i, side, from, values), step = expr_const(p, width, i->step),
         one = expr_const(p, width, 1);
    if (expr_is_none(other))
        return;
    add_value(l, values, expr_sub(p, other, step));
    add_value(l, values, expr_add(p, other, step));
    add_value(l, values, expr_sub(p, other, one));
    add_value(l, values, expr_add(p, other, one));
}

/* An invariant of the loop if every end that leads to its head establishes it. */
static void learn(const Loop *l, Expr candidate)
{
    Backward *bw = l->bw;
    Expr own = bw->cuts.v[l->cut].invariant;
    for (uint32_t s = 0; s < bw->segments.n; s++)
        for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++) {
            const BwEnd end = bw->segments.v[s].ends.v[i];
            uint32_t from = bw->segments.v[s].cut;
            Expr before = from == IR_NONE  ? EXPR_TRUE
                          : from == l->cut ? expr_and(bw->pool, own, candidate)
                                           : bw->cuts.v[from].invariant;
            if (is_own(l, &end) &&
                !bw_unsat(bw, before, end.guard, expr_not(bw->pool, bw_substitute(bw, s, &end, candidate))))
                return;
        }
    bw->cuts.v[l->cut].invariant = expr_and(bw->pool, own, candidate);
}

/* Where a byte is compared with NUL: the counter that gets to the end of the string. */
static void values_of_string(const Loop *l, const Induction *i, Expr load, ExprVec *values)
{
    Backward *bw = l->bw;
    unsigned bytes, width = expr_width(bw->pool, i->variable);
    bool aligned;
    if (!bw_is_load(bw, load, &bytes, &aligned) || bytes != 1 ||
        !expr_same(expr_child(bw->pool, load, 1), bw->m) || i->step != 1)
        return;
    ExprSubst *s = expr_subst_new(bw->pool); /* where the counter is none */
    expr_subst_add(s, i->variable, expr_const(bw->pool, width, 0));
    Expr start = expr_subst_apply(s, expr_child(bw->pool, load, 0));
    expr_subst_free(s);
    if (expr_same(start, expr_child(bw->pool, load, 0)) || bw_object_of(bw, start) != IR_NONE ||
        !expr_is_symbolic(bw->pool, start))
        return;
    Expr end = expr_trunc(bw->pool, bw_strlen(bw, start), width);
    add_value(l, values, end);
    learn(l, expr_ule(bw->pool, i->variable, end));
}

static void find_values(Loop *l, const Induction *i, ExprVec *values)
{
    ExprPool *p = l->bw->pool;
    U32Vec cone = {0};
    Expr roots[2] = {l->now, l->goes_on};
    expr_cone(p, roots, 2, &cone);
    for (uint32_t k = 0; k < cone.n && values->n < EQUAL_MOST; k++) {
        Expr e = {cone.v[k]};
        for (uint32_t side = 0; side < 2 && expr_op(p, e) == EXPR_EQ; side++)
            value_from(l, i, expr_child(p, e, side), expr_child(p, e, 1 - side), values);
    }
    l->equal = values->n;
    for (uint32_t k = 0; k < cone.n; k++) {
        Expr e = {cone.v[k]};
        ExprOp op = expr_op(p, e);
        if (op != EXPR_EQ && op != EXPR_ULT && op != EXPR_SLT)
            continue;
        if (op == EXPR_EQ && expr_is_value(p, expr_child(p, e, 1), 0))
            values_of_string(l, i, expr_child(p, e, 0), values);
        values_from(l, i, expr_child(p, e, 0), expr_child(p, e, 1), values);
        values_from(l, i, expr_child(p, e, 1), expr_child(p, e, 0), values);
    }
    vec_free(&cone);
}

/* ---- guesses --------------------------------------------------------------------------------- */

/* The number that an odd one times is 1, of 64 bits. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (unsigned i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* Iterations until the variable has the value, if it ever has: then `divides` holds. */
static Expr iterations(Backward *bw, const Induction *i, Expr value, Expr *divides)
{
    ExprPool *p = bw->pool;
    unsigned width = expr_width(p, i->variable), twos = 0;
    while (!(i->step >> twos & 1))
        twos++;
    Expr distance = expr_sub(p, value, i->variable);
    *divides = twos ? expr_eq(p, expr_extract(p, distance, 0, twos), expr_const(p, twos, 0)) : EXPR_TRUE;
    Expr k = expr_mul(p, expr_extract(p, distance, twos, width - twos),
                      expr_const(p, width - twos, inverse(i->step >> twos)));
    return expr_zext(p, k, width);
}

/* A condition so many iterations later. */
static Expr later(const Loop *l, Expr condition, const Induction *of, Expr value, Expr k)
{
    ExprPool *p = l->bw->pool;
    ExprSubst *s = expr_subst_new(p);
    expr_subst_add(s, of->variable, value);
    for (uint32_t i = 0; i < l->n; i++) {
        const Induction *v = &l->v[i];
        unsigned width = expr_width(p, v->variable), have = expr_width(p, k);
        if (v == of)
            continue;
        Expr count = have < width ? expr_zext(p, k, width) : expr_trunc(p, k, width);
        expr_subst_add(s, v->variable,
                       expr_add(p, v->variable, expr_mul(p, count, expr_const(p, width, v->step))));
    }
    Expr e = expr_subst_apply(s, condition);
    expr_subst_free(s);
    return e;
}

static Expr moved(const Loop *l, Expr condition)
{
    Backward *bw = l->bw;
    Expr any = EXPR_FALSE;
    for (uint32_t i = 0; i < bw->segments.v[l->segment].ends.n; i++) {
        const BwEnd end = bw->segments.v[l->segment].ends.v[i];
        if (is_own(l, &end))
            any = expr_or(bw->pool, any, bw_compose(bw, l->segment, &end, condition));
    }
    return any;
}

static bool is_inductive(const Loop *l, Expr g)
{
    Backward *bw = l->bw;
    return bw_unsat(bw, bw->cuts.v[l->cut].invariant, expr_or(bw->pool, l->now, moved(l, g)),
                    expr_not(bw->pool, g));
}

static Expr with_rank(Backward *bw, Expr e, Expr symbol, Expr rank)
{
    ExprSubst *s = expr_subst_new(bw->pool);
    expr_subst_add(s, symbol, rank);
    e = expr_subst_apply(s, e);
    expr_subst_free(s);
    return e;
}

/* From each state of g the target is reached now, or after another iteration with less of the rank left. */
static bool is_ranked(const Loop *l, Expr g, Expr rank)
{
    Backward *bw = l->bw;
    char key[24];
    snprintf(key, sizeof key, "rank:%u", expr_width(bw->pool, rank));
    Expr before =
        expr_object_symbol(bw->pool, expr_object_scalar(bw->pool, key, key, expr_width(bw->pool, rank),
                                                        (ExprCType){EXPR_C_UINT, 0}));
    if (bw->options.rules_off & BACKWARD_OFF_RANKING)
        return is_inductive(l, g);
    Expr next =
        with_rank(bw, moved(l, expr_and(bw->pool, g, expr_ult(bw->pool, rank, before))), before, rank);
    return bw_unsat(bw, bw->cuts.v[l->cut].invariant, g, expr_not(bw->pool, expr_or(bw->pool, l->now, next)));
}

/* How the variable must lie before the value: the strictest first. */
static Expr order(const Loop *l, const Induction *i, Expr value, unsigned which)
{
    ExprPool *p = l->bw->pool;
    unsigned width = expr_width(p, i->variable);
    bool down = i->step >> (width - 1) & 1;
    Expr low = down ? value : i->variable, high = down ? i->variable : value;
    switch (which) {
    case 0: return expr_and(p, expr_ule(p, low, high), expr_sle(p, low, high));
    case 1: return expr_sle(p, low, high);
    case 2: return expr_ule(p, low, high);
    default: return EXPR_TRUE;
    }
}
enum { ORDERS = 4 };

/* Something else may end the loop first. Ways to say that it does not: nothing (with each order), that the
 * loop goes on right before the value, too (with each order), or that it gets to the value no later than to
 * another at which it may end. */
enum { WAYS = 2 * ORDERS };
static Expr way(const Loop *l, const Induction *i, Expr value, Expr k, const ExprVec *values, unsigned which)
{
    ExprPool *p = l->bw->pool;
    if (which >= WAYS) {
        Expr divides, later_k = iterations(l->bw, i, values->v[which - WAYS], &divides);
        return expr_or(p, expr_not(p, divides), expr_ule(p, k, later_k));
    }
    Expr lies = order(l, i, value, which % ORDERS);
    if (which < ORDERS)
        return lies;
    Expr before = expr_sub(p, value, expr_const(p, expr_width(p, value), i->step)),
         less = expr_sub(p, k, expr_const(p, expr_width(p, k), 1));
    return expr_and(p, lies, later(l, l->goes_on, i, before, less));
}

/* Tries one value; true if the condition is exact, so that nothing further need be tried. `kept`: what is
 * known by now, EXPR_NONE: nothing. */
static bool try_value(const Loop *l, const Induction *i, const ExprVec *values, uint32_t which, Expr *kept)
{
    Expr value = values->v[which];
    Backward *bw = l->bw;
    ExprPool *p = bw->pool;
    Expr divides, k = iterations(bw, i, value, &divides), then = later(l, l->now, i, value, k);
    if (expr_is_false(then))
        return false;
    for (unsigned o = 0; o < WAYS + l->equal && !bw_out_of_time(bw); o++) {
        if (o == WAYS + which)
            continue;
        Expr g = expr_or(
            p, l->now,
            expr_and(p, expr_and(p, l->goes_on, way(l, i, value, k, values, o)), expr_and(p, divides, then)));
        bool inductive = is_inductive(l, g), ranked = (l->least || inductive) && is_ranked(l, g, k);
        if (inductive && ranked) {
            *kept = g;
            return true;
        }
        if (l->least && ranked)
            *kept = expr_is_none(*kept) ? g : expr_or(p, *kept, g);
        if (!l->least && inductive && expr_is_none(*kept))
            *kept = g;
    }
    return false;
}

Expr bw_generalise(Backward *bw, uint32_t cut, const BitSet *which, bool least)
{
    Loop l = {.bw = bw, .cut = cut, .segment = bw->cuts.v[cut].segment, .which = which, .least = least};
    Expr kept = EXPR_NONE;
    bool done = false;
    look_at(&l);
    for (uint32_t i = 0; i < l.n && !done && !expr_is_false(l.now); i++) {
        ExprVec values = {0};
        find_values(&l, &l.v[i], &values);
        for (uint32_t k = 0; k < values.n && !done && !bw_out_of_time(bw); k++)
            done = try_value(&l, &l.v[i], &values, k, &kept);
        vec_free(&values);
    }
    return kept;
}
