/* condition.c - a conjunction made readable: what is said of one byte as ranges, bounds of one term merged,
 * and no conjunct that the others imply.
 *
 * The result is equivalent to what was given, for all inputs that satisfy what is taken as given. Bounds come
 * first, since they are fast and leave fewer conjuncts to ask the solver about. */
#include "explore/explore.h"

#include <stdlib.h>

enum { QUERIES_MOST = 512, NODES_MOST = 20000 };

/* ---- one byte -------------------------------------------------------------------------------- */

enum { COMPARISON_NODES = 4, RANGES_MOST = 16 };

typedef struct Range {
    uint32_t low, high;
} Range;

/* The byte that is all a conjunct speaks of, or EXPR_NONE. */
static Expr byte_of(ExprPool *p, Expr c)
{
    ExprSet symbols = expr_symbols(p, c);
    if (expr_set_size(p, symbols) != 1)
        return EXPR_NONE;
    Expr byte = expr_symbol_of(p, expr_set_next(p, symbols, 0));
    return expr_width(p, byte) == 8 ? byte : EXPR_NONE;
}

/* The values that all conjuncts about a byte, and about nothing else, allow it. */
static void byte_values(ExprPool *p, ExprEval *eval, const ExprVec *list, Expr byte, bool allowed[256])
{
    ExprInput input = {0};
    for (unsigned v = 0; v < 256; v++) {
        expr_input_set(p, &input, byte, v);
        expr_eval_input(eval, &input);
        allowed[v] = true;
        for (uint32_t i = 0; i < list->n && allowed[v]; i++)
            allowed[v] = byte_of(p, list->v[i]).id != byte.id || expr_eval_true(eval, list->v[i]);
    }
    expr_input_free(&input);
}

/* Ranges of the values that are `target`, if they are few; else more than RANGES_MOST. */
static uint32_t ranges_of(const bool allowed[256], bool target, Range out[RANGES_MOST])
{
    uint32_t n = 0;
    for (unsigned v = 0; v < 256; v++) {
        if (allowed[v] != target)
            continue;
        if (v == 0 || allowed[v - 1] != target) {
            if (n == RANGES_MOST)
                return n + 1;
            out[n++].low = v;
        }
        out[n - 1].high = v;
    }
    return n;
}

/* As C compares characters: signed where that is the same, unless C reads it as unsigned. */
static Expr below(ExprPool *p, Expr byte, uint32_t value, const Range *r)
{
    Expr limit = expr_const(p, 8, value);
    return r->high < 127 && !expr_reads_unsigned(p, byte) ? expr_slt(p, byte, limit)
                                                          : expr_ult(p, byte, limit);
}

static Expr outside(ExprPool *p, Expr byte, const Range *r)
{
    if (r->low == r->high)
        return expr_not(p, expr_eq(p, byte, expr_const(p, 8, r->low)));
    Expr above = r->high == 255 ? EXPR_FALSE : expr_not(p, below(p, byte, r->high + 1, r));
    return expr_or(p, r->low || r->high < 127 ? below(p, byte, r->low, r) : EXPR_FALSE, above);
}

/* The values as a condition, if few ranges tell them; else EXPR_NONE. */
static Expr in_ranges(ExprPool *p, Expr byte, const bool allowed[256])
{
    Range in[RANGES_MOST], out[RANGES_MOST];
    uint32_t nin = ranges_of(allowed, true, in), nout = ranges_of(allowed, false, out);
    uint32_t values = 0;
    for (unsigned v = 0; v < 256; v++)
        values += allowed[v];
    /* Values left out read better than ranges between them; of as many ranges, those of few values. */
    bool by_in = nin < nout || (nin == nout && values < 128);
    Expr beyond = EXPR_TRUE;
    if ((by_in ? nin : nout) > RANGES_MOST)
        return EXPR_NONE;
    for (uint32_t k = 0; k < (by_in ? nin : nout); k++)
        beyond = expr_and(p, beyond, outside(p, byte, by_in ? &in[k] : &out[k]));
    return by_in ? expr_not(p, beyond) : beyond;
}

/* Long conditions of large terms cost more than a reader gains: what is not done by then stays as it is. */
static bool is_impatient(const ExplorePatience *patience)
{
    return (patience->stop && *patience->stop) ||
           (patience->deadline > 0 && clock_seconds() >= patience->deadline);
}

/* Tables of character classes and the like, read as what they allow: `'0' <= c && c <= '9'`. */
static void read_bytes(ExprPool *p, ExprVec *list, const ExplorePatience *patience)
{
    ExprEval *eval = expr_eval_new(p);
    for (uint32_t i = 0; i < list->n && !is_impatient(patience); i++) {
        bool allowed[256];
        Expr byte = expr_size(p, list->v[i]) > COMPARISON_NODES ? byte_of(p, list->v[i]) : EXPR_NONE;
        if (!byte.id)
            continue;
        byte_values(p, eval, list, byte, allowed);
        Expr simple = in_ranges(p, byte, allowed);
        for (uint32_t j = 0; simple.id && j < list->n; j++)
            if (byte_of(p, list->v[j]).id == byte.id)
                list->v[j] = j == i ? simple : EXPR_TRUE;
        if (simple.id)
            list->v[i] = simple;
    }
    expr_eval_free(eval);
}

static void split_again(ExprPool *p, ExprVec *list)
{
    ExprVec parts = {0};
    for (uint32_t i = 0; i < list->n; i++)
        expr_split(p, list->v[i], &parts);
    vec_free(list);
    *list = parts;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* What conjuncts say of one term that they compare with constants: both readings of its bits, and values that
 * it is not. */
typedef struct Bounds {
    Expr term;
    unsigned width;
    i128 slo, shi, ulo, uhi;
    Vec(u128) not ;
} Bounds;
typedef Vec(Bounds) BoundsVec;

static i128 as_signed(u128 value, unsigned width)
{
    return value >> (width - 1) & 1 ? (i128)value - ((i128)1 << width) : (i128)value;
}

static Bounds *bounds_of(BoundsVec *all, Map *index, const ExprPool *p, Expr term)
{
    uint64_t at;
    if (map_get(index, term.id, &at))
        return &all->v[at];
    unsigned width = expr_width(p, term);
    i128 half = (i128)1 << (width - 1);
    map_put(index, term.id, all->n);
    vec_push(
        all,
        (Bounds){.term = term, .width = width, .slo = -half, .shi = half - 1, .ulo = 0, .uhi = 2 * half - 1});
    return &vec_last(all);
}

static void at_least(i128 *bound, i128 value) { *bound = value > *bound ? value : *bound; }
static void at_most(i128 *bound, i128 value) { *bound = value < *bound ? value : *bound; }

/* True if the conjunct compares a term with a constant: the bounds know it then. */
static bool take_bound(BoundsVec *all, Map *index, const ExprPool *p, Expr c)
{
    bool negated = expr_op(p, c) == EXPR_NOT;
    Expr e = negated ? expr_child(p, c, 0) : c;
    ExprOp op = expr_op(p, e);
    if ((op != EXPR_EQ && op != EXPR_SLT && op != EXPR_ULT) || !expr_is_const(p, expr_child(p, e, 1)))
        return false;
    Expr term = expr_child(p, e, 0);
    unsigned width = expr_width(p, term);
    if (width > 64 || width < 2)
        return false;
    u128 k = expr_const_value(p, expr_child(p, e, 1));
    Bounds *b = bounds_of(all, index, p, term);
    if (op == EXPR_EQ && negated) {
        vec_push(&b->not, k);
    } else if (op == EXPR_EQ) {
        at_least(&b->ulo, (i128)k), at_most(&b->uhi, (i128)k);
        at_least(&b->slo, as_signed(k, width)), at_most(&b->shi, as_signed(k, width));
    } else if (op == EXPR_SLT) {
        negated ? at_least(&b->slo, as_signed(k, width)) : at_most(&b->shi, as_signed(k, width) - 1);
    } else {
        negated ? at_least(&b->ulo, (i128)k) : at_most(&b->uhi, (i128)k - 1);
    }
    return true;
}

/* A value that it is not, at the end of a range, is a narrower range. */
static bool narrow(Bounds *b)
{
    bool changed = false;
    for (uint32_t i = 0; i < b->not .n; i++) {
        i128 u = (i128)b->not .v[i], s = as_signed(b->not .v[i], b->width);
        changed |= s == b->slo || s == b->shi || u == b->ulo || u == b->uhi;
        b->slo += s == b->slo;
        b->shi -= s == b->shi;
        b->ulo += u == b->ulo;
        b->uhi -= u == b->uhi;
    }
    return changed;
}

/* Where all values have the same sign, the two readings say the same. */
static void share(Bounds *b)
{
    i128 half = (i128)1 << (b->width - 1);
    if (b->uhi < half)
        at_least(&b->slo, b->ulo), at_most(&b->shi, b->uhi);
    if (b->ulo >= half)
        at_least(&b->slo, b->ulo - 2 * half), at_most(&b->shi, b->uhi - 2 * half);
    if (b->slo >= 0)
        at_least(&b->ulo, b->slo), at_most(&b->uhi, b->shi);
    if (b->shi < 0)
        at_least(&b->ulo, b->slo + 2 * half), at_most(&b->uhi, b->shi + 2 * half);
}

static void settle(Bounds *b)
{
    do {
        share(b);
        share(b); /* a sign that was learned from the one reading tells about the other */
    } while (narrow(b));
}

/* Bounds of x + k are bounds of x, where x + k cannot wrap around: n > 0 && n - 1 <= 0 is n == 1. True if it
 * was so. */
static bool shift_bounds(ExprPool *p, BoundsVec *all, const Map *index, Bounds *b)
{
    uint64_t at;
    if (expr_op(p, b->term) != EXPR_ADD || !expr_is_const(p, expr_child(p, b->term, 1)) ||
        !map_get(index, expr_child(p, b->term, 0).id, &at))
        return false;
    Bounds *x = &all->v[at];
    if (expr_op(p, x->term) == EXPR_ADD) /* it may be moved itself */
        return false;
    i128 half = (i128)1 << (b->width - 1),
         k = as_signed(expr_const_value(p, expr_child(p, b->term, 1)), b->width);
    if (x->slo + k < -half || x->shi + k > half - 1)
        return false;
    share(b);
    share(b);
    bool both = b->ulo > 0 || b->uhi < 2 * half - 1; /* unsigned bounds that say more than the signed ones */
    if (both && b->slo < 0 && b->shi >= 0)
        return false;
    at_least(&x->slo, b->slo - k);
    at_most(&x->shi, b->shi - k);
    for (uint32_t i = 0; i < b->not .n; i++)
        vec_push(&x->not, (u128)(as_signed(b->not .v[i], b->width) - k) & (((u128)1 << b->width) - 1));
    settle(x);
    return true;
}

static void give_exceptions(ExprPool *p, const Bounds *b, ExprVec *out)
{
    for (uint32_t i = 0; i < b->not .n; i++) {
        i128 u = (i128)b->not .v[i], s = as_signed(b->not .v[i], b->width);
        if (u > b->ulo && u < b->uhi && s > b->slo && s < b->shi)
            vec_push(out, expr_not(p, expr_eq(p, b->term, expr_const(p, b->width, b->not .v[i]))));
    }
}

static void give_bounds(ExprPool *p, const Bounds *b, ExprVec *out)
{
    unsigned w = b->width;
    i128 half = (i128)1 << (w - 1);
    if (b->slo > b->shi || b->ulo > b->uhi) {
        vec_push(out, EXPR_FALSE);
        return;
    }
    if (b->slo == b->shi || b->ulo == b->uhi) {
        vec_push(out, expr_eq(p, b->term, expr_const(p, w, (u128)(b->slo == b->shi ? b->slo : b->ulo))));
        return;
    }
    bool one_sign = b->slo >= 0 || b->shi < 0, as_unsigned = expr_reads_unsigned(p, b->term);
    if (as_unsigned && (one_sign || (b->slo == -half && b->shi == half - 1))) {
        if (b->ulo > 0)
            vec_push(out, expr_not(p, expr_ult(p, b->term, expr_const(p, w, (u128)b->ulo))));
        if (b->uhi < 2 * half - 1)
            vec_push(out, expr_ult(p, b->term, expr_const(p, w, (u128)(b->uhi + 1))));
        give_exceptions(p, b, out);
        return;
    }
    if (b->slo > -half)
        vec_push(out, expr_not(p, expr_slt(p, b->term, expr_const(p, w, (u128)b->slo))));
    if (b->shi < half - 1)
        vec_push(out, expr_slt(p, b->term, expr_const(p, w, (u128)(b->shi + 1))));
    if (!one_sign && b->ulo > 0)
        vec_push(out, expr_not(p, expr_ult(p, b->term, expr_const(p, w, (u128)b->ulo))));
    if (!one_sign && b->uhi < 2 * half - 1)
        vec_push(out, expr_ult(p, b->term, expr_const(p, w, (u128)(b->uhi + 1))));
    give_exceptions(p, b, out);
}

/* Bounds of one term stand side by side, the lower one first, where the first of them stood. */
static void merge_bounds(ExprPool *p, ExprVec *list, const ExplorePatience *patience)
{
    BoundsVec all = {0};
    Map index = {0};
    ExprVec out = {0};
    Vec(uint32_t) plan = {0}; /* 2 * position of a conjunct, or 2 * bounds + 1 */
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t known = all.n;
        if (is_impatient(patience) || !take_bound(&all, &index, p, list->v[i]))
            vec_push(&plan, 2 * i);
        else if (all.n > known)
            vec_push(&plan, 2 * known + 1);
    }
    for (uint32_t i = 0; i < all.n; i++)
        settle(&all.v[i]);
    BitSet moved = {0};
    for (uint32_t i = 0; i < all.n; i++)
        if (shift_bounds(p, &all, &index, &all.v[i]))
            bitset_add(&moved, i);
    for (uint32_t i = 0; i < plan.n; i++)
        if (plan.v[i] & 1 && bitset_has(&moved, plan.v[i] / 2))
            continue;
        else if (plan.v[i] & 1)
            give_bounds(p, &all.v[plan.v[i] / 2], &out);
        else
            vec_push(&out, list->v[plan.v[i] / 2]);
    for (uint32_t i = 0; i < all.n; i++)
        vec_free(&all.v[i].not );
    bitset_free(&moved);
    vec_free(&all);
    vec_free(&plan);
    map_free(&index);
    vec_free(list);
    *list = out;
}

/* ---- values that are known ------------------------------------------------------------------- */

/* Is it a word of input bytes, each of them whole? */
static bool is_word(const ExprPool *p, Expr e)
{
    while (expr_op(p, e) == EXPR_CONCAT) {
        if (expr_op(p, expr_child(p, e, 0)) != EXPR_SYMBOL)
            return false;
        e = expr_child(p, e, 1);
    }
    return expr_op(p, e) == EXPR_SYMBOL;
}

/* x == 3 makes of x + y < 5 what it is then; the equality itself stays. */
static void use_equalities(ExprPool *p, ExprVec *list)
{
    ExprSubst *s = NULL;
    BitSet sources = {0};
    for (uint32_t i = 0; i < list->n; i++) {
        Expr c = list->v[i];
        if (expr_op(p, c) != EXPR_EQ || !expr_is_const(p, expr_child(p, c, 1)) ||
            !is_word(p, expr_child(p, c, 0)))
            continue;
        Expr value = expr_child(p, c, 1), word = expr_child(p, c, 0);
        unsigned step = expr_op(p, word) == EXPR_CONCAT ? 8 : expr_width(p, word);
        s = s ? s : expr_subst_new(p);
        for (unsigned k = 0; k < expr_width(p, word); k += step)
            expr_subst_add(s, expr_extract(p, word, k, step), expr_extract(p, value, k, step));
        bitset_add(&sources, i);
    }
    for (uint32_t i = 0; s && i < list->n; i++)
        if (!bitset_has(&sources, i))
            list->v[i] = expr_subst_apply(s, list->v[i]);
    if (s) {
        expr_subst_free(s);
        split_again(p, list);
    }
    bitset_free(&sources);
}

/* ---- strict comparisons ---------------------------------------------------------------------- */

/* a >= b && a != b is b < a. */
static Expr strict(ExprPool *p, Expr at_least, Expr unequal)
{
    if (expr_op(p, at_least) != EXPR_NOT || expr_op(p, unequal) != EXPR_NOT)
        return EXPR_NONE;
    Expr less = expr_child(p, at_least, 0), same = expr_child(p, unequal, 0);
    if ((expr_op(p, less) != EXPR_SLT && expr_op(p, less) != EXPR_ULT) || expr_op(p, same) != EXPR_EQ)
        return EXPR_NONE;
    Expr a = expr_child(p, less, 0), b = expr_child(p, less, 1);
    if (!expr_same(expr_eq(p, a, b), same))
        return EXPR_NONE;
    return expr_op(p, less) == EXPR_SLT ? expr_slt(p, b, a) : expr_ult(p, b, a);
}

static void make_strict(ExprPool *p, ExprVec *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        for (uint32_t k = 0; k < list->n; k++) {
            Expr one = strict(p, list->v[i], list->v[k]);
            if (expr_is_none(one))
                continue;
            list->v[i] = one;
            list->v[k] = EXPR_TRUE;
        }
    split_again(p, list);
}

/* ---- implied conjuncts ----------------------------------------------------------------------- */

typedef struct Ranked {
    uint32_t position, size;
} Ranked;

/* The largest first, of equals the last: what is easy to read stays. */
static int by_size(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->position > y->position ? -1 : 1;
}

static bool is_implied(Solver *s, ExprPool *p, const ExprVec *list, const BitSet *gone, uint32_t which,
                       const ExprVec *given, const ExplorePatience *patience, SolverAnswer *answer)
{
    ExprVec query = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (i != which && !bitset_has(gone, i))
            vec_push(&query, list->v[i]);
    for (uint32_t i = 0; given && i < given->n; i++)
        vec_push(&query, given->v[i]);
    vec_push(&query, expr_not(p, list->v[which]));
    SolverQuery q = {.constraints = query.v,
                     .n = query.n,
                     .seconds = patience->seconds,
                     .bytes = patience->bytes,
                     .stop = patience->stop};
    bool implied = solver_check(s, &q, answer) == SOLVER_UNSAT;
    vec_free(&query);
    return implied;
}

static void drop_implied(Solver *s, ExprPool *p, ExprVec *list, const ExprVec *given,
                         const ExplorePatience *patience)
{
    Ranked *ranked = mem_alloc(list->n * sizeof *ranked + 1);
    BitSet gone = {0};
    SolverAnswer answer = {0};
    uint32_t nodes = 0, kept = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        ranked[i] =
            (Ranked){i, nodes > NODES_MOST ? 0 : expr_size(p, list->v[i])}; /* beyond, nothing is asked */
        nodes += ranked[i].size;
    }
    qsort(ranked, list->n, sizeof *ranked, by_size);
    for (uint32_t i = 0; i < list->n && i < QUERIES_MOST && nodes <= NODES_MOST && !is_impatient(patience);
         i++)
        if (is_implied(s, p, list, &gone, ranked[i].position, given, patience, &answer))
            bitset_add(&gone, ranked[i].position);
    for (uint32_t i = 0; i < list->n; i++)
        if (!bitset_has(&gone, i))
            list->v[kept++] = list->v[i];
    list->n = kept;
    solver_answer_free(&answer);
    bitset_free(&gone);
    mem_free(ranked);
}

void explore_simplify(Solver *s, ExprPool *p, const ExprVec *condition, const ExprVec *given,
                      const ExplorePatience *patience, ExprVec *out)
{
    ExprVec list = {0};
    for (uint32_t i = 0; i < condition->n; i++)
        expr_split(p, condition->v[i], &list);
    read_bytes(p, &list, patience);
    split_again(p, &list);
    merge_bounds(p, &list, patience);
    use_equalities(p, &list);
    make_strict(p, &list);
    drop_implied(s, p, &list, given, patience);
    merge_bounds(p, &list, patience); /* what stands side by side may have changed */
    vec_free(out);
    *out = list;
}
