/* cases.c - groups over a few bytes that have few values left: all of them are tried.
 *
 * What double do three digits make? A back end works on that for seconds, and there are a thousand cases.
 * Symbols are set one after the other, those with the fewest values first, and each constraint is evaluated
 * as soon as its symbols are set. Exact: where no case is left there is no model. */
#include "solver/bytes.h"

enum {
    SYMBOLS = 8,
    FEW = 256,            /* cases: a back end builds many gates for each node, and evaluates no faster; the
                             values of one byte are computed at the same price (bytes.c) */
    EASY = 10000,         /* nodes evaluated: what a back end takes for a small group, */
    PRODUCTS = 2000000,   /* for one with products or quotients of what is not constant, */
    FLOATS = 20000000,    /* and for one with floats, */
    FLOAT_CASES = 1 << 25 /* if it has no more cases than three bytes, and one bit */
};

typedef struct Due {
    uint32_t constraint, nodes;
} Due;

typedef struct Cases {
    Solver *s;
    const Group *g;
    Budget *budget;
    ExprInput *model;
    uint32_t n;
    struct Level { /* a symbol */
        Expr symbol;
        uint32_t index; /* in the group */
        const Values *values;
        unsigned n_values;
        Vec(Due) due; /* constraints whose last symbol it is */
    } levels[SYMBOLS];
    BitSet used;         /* constraints that a case violated */
    uint64_t work, most; /* nodes */
    bool given_up;
} Cases;

/* ---- what there is to do --------------------------------------------------------------------- */

static unsigned count_values(const Values *v, unsigned width)
{
    unsigned n = 0;
    for (unsigned x = 0; x < 1u << width; x++)
        n += values_has(v, x);
    return n;
}

/* Sorted by their number of values; false if there are too many symbols, or wide ones. */
static bool make_levels(Cases *x)
{
    const Group *g = x->g;
    for (uint32_t i = 0; i < g->n_symbols && i <= SYMBOLS; i++) {
        Expr symbol = expr_symbol_of(x->s->pool, g->symbols[i]);
        unsigned width = expr_width(x->s->pool, symbol);
        if (i == SYMBOLS || width > 8)
            return false;
        struct Level level = {.symbol = symbol, .index = i, .values = bytes_domain(x->s, g, i)};
        level.n_values = count_values(level.values, width);
        uint32_t at = x->n++;
        for (; at > 0 && x->levels[at - 1].n_values > level.n_values; at--)
            x->levels[at] = x->levels[at - 1];
        x->levels[at] = level;
    }
    return true;
}

static uint32_t last_level(const Cases *x, Expr c)
{
    ExprSet symbols = expr_symbols(x->s->pool, c);
    uint32_t last = x->n;
    while (last-- > 1 && !expr_set_has(x->s->pool, symbols, x->g->symbols[x->levels[last].index]))
        ;
    return last;
}

/* What the values of single symbols do not say. Returns the nodes of all. */
static uint64_t note_constraints(Cases *x)
{
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < x->g->n; i++) {
        uint32_t at;
        Values values;
        if (bytes_table(x->s, x->g->c[i], &at, &values))
            continue;
        Due due = {i, expr_size(x->s->pool, x->g->c[i])};
        vec_push(&x->levels[last_level(x, x->g->c[i])].due, due);
        nodes += due.nodes;
    }
    return nodes;
}

static bool is_product(const ExprPool *p, Expr e)
{
    switch (expr_op(p, e)) {
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
        return expr_op(p, expr_child(p, e, 0)) != EXPR_CONST && expr_op(p, expr_child(p, e, 1)) != EXPR_CONST;
    default: return false;
    }
}

static uint64_t most_work(const Cases *x)
{
    if (group_has_floats(x->s, x->g))
        return FLOATS;
    const U32Vec *cone = group_cone(x->s, x->g);
    for (uint32_t i = 0; i < cone->n; i++)
        if (is_product(x->s->pool, (Expr){cone->v[i]}))
            return PRODUCTS;
    return EASY;
}

/* Is there a chance to come to the end? Constraints leave out cases; with floats, where much is at stake,
 * that is tried. */
static bool is_promising(Cases *x)
{
    uint64_t nodes = note_constraints(x);
    double cases = 1;
    x->most = most_work(x);
    for (uint32_t i = 0; i < x->n; i++)
        cases *= x->levels[i].n_values;
    if (cases <= FEW) {
        x->most = UINT64_MAX; /* there is no more to do than that, however large the constraints are */
        return true;
    }
    return x->most == FLOATS ? cases <= FLOAT_CASES : cases * (double)nodes <= (double)x->most;
}

/* ---- the cases ------------------------------------------------------------------------------- */

/* Those that have refused a case before are asked first: the core stays small. */
static bool holds(Cases *x, struct Level *level)
{
    expr_eval_input(x->s->eval, x->model);
    for (uint32_t i = 0; i < level->due.n; i++) {
        Due due = level->due.v[i];
        x->work += due.nodes;
        if (expr_eval_true(x->s->eval, x->g->c[due.constraint]))
            continue;
        bitset_add(&x->used, due.constraint);
        level->due.v[i] = level->due.v[0];
        level->due.v[0] = due;
        return false;
    }
    return true;
}

static bool search(Cases *x, uint32_t depth)
{
    if (depth == x->n)
        return true;
    struct Level *level = &x->levels[depth];
    for (unsigned value = 0; value < 256 && !x->given_up; value++) {
        if (!values_has(level->values, value) || value >> expr_width(x->s->pool, level->symbol))
            continue;
        x->work++;
        x->given_up = x->work > x->most || budget_spent(x->budget);
        expr_input_set(x->s->pool, x->model, level->symbol, value);
        if (!x->given_up && holds(x, level) && search(x, depth + 1))
            return true;
    }
    return false;
}

/* ---- the layer ------------------------------------------------------------------------------- */

/* The constraints that refused a case, and what is said of their symbols alone. */
static void core_of(Cases *x, GroupAnswer *a)
{
    ExprPool *p = x->s->pool;
    ExprSet symbols = EXPR_SET_EMPTY;
    for (uint32_t i = bitset_next(&x->used, 0); i != UINT32_MAX; i = bitset_next(&x->used, i + 1))
        symbols = expr_set_union(p, symbols, expr_symbols(p, x->g->c[i]));
    for (uint32_t i = 0; i < x->g->n; i++) {
        uint32_t at;
        Values values;
        bool byte = bytes_table(x->s, x->g->c[i], &at, &values) && expr_set_has(p, symbols, at);
        if (byte || bitset_has(&x->used, i))
            vec_push(&a->core, x->g->c[i]);
    }
}

bool layer_cases(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    Cases x = {.s = s, .g = g, .budget = budget, .model = &a->model};
    bool decided = false, found = false;
    if (bytes_domain(s, g, 0) && make_levels(&x) && is_promising(&x)) {
        found = search(&x, 0);
        decided = !x.given_up;
        a->status = found ? SOLVER_SAT : SOLVER_UNSAT;
        if (decided && !found)
            core_of(&x, a);
    }
    if (!found)
        expr_input_copy(&a->model, &s->hint);
    for (uint32_t i = 0; i < x.n; i++)
        vec_free(&x.levels[i].due);
    bitset_free(&x.used);
    return decided;
}
