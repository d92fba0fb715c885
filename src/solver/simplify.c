/* simplify.c - contextual simplification of conditions (Dillig, Dillig, Aiken: Small Formulas for Large
 * Programs, SAS 2010).
 *
 * simp(e, context): a literal that the context refutes is false, one that it implies is true. Each part of a
 * conjunction is simplified under the others, until nothing changes; an or is not(and(not a, not b)) in this
 * project, so that its parts come under the negations of the others by themselves. Besides: members that
 * several parts share are factored out, known values are used, comparisons of one term become a union of
 * intervals, and so does what depends on one variable alone.
 *
 * A condition is a graph, not a tree. What is used several times is simplified once, under the caller's
 * context, before what uses it, and is a literal to the latter where it stays large: the cost follows the
 * graph.
 *
 * Every step keeps the meaning under the context, and is taken only where it does not make the condition
 * larger. */
#include "solver/intervals.h"
#include "solver/literals.h"
#include "solver/solver.h"

#include <stdlib.h>

enum {
    DEPTH_MOST = 100,    /* connectives below each other that are entered */
    LITERALS_MOST = 256, /* of a part that is used several times and is still entered there */
    ROUNDS_MOST = 4,     /* over the parts of one conjunction */
    PARTS_MOST = 400,    /* of a conjunction: each is asked about with all others */
    CHOICES_MOST = 8,    /* ites in a literal whose conditions are asked about */
    TERM_MOST = 400,     /* nodes of a literal in which those are looked for */
    FACTOR_MOST = 64     /* parts of which shared members are looked for */
};

/* A question that was asked: ids of its conditions, from `at` on. */
typedef struct Asked {
    uint32_t at, n;
    bool unsat;
} Asked;

typedef struct Simplifier {
    ExprPool *p;
    const SolverSimplify *o;
    ExprVec context; /* what holds here: a stack */
    Vec(Asked) asked;
    U32Vec ids;
    Map asked_ids; /* hash of the ids to 1 + index of the last question with it */
    Map large;     /* conditions that count as literals */
    Map sampled;   /* conditions to what samples made of them */
    uint32_t queries;
    unsigned depth;
} Simplifier;

static Expr simplify(Simplifier *s, Expr e);

static bool is_over(const Simplifier *s)
{
    return s->queries >= s->o->queries || (s->o->stop && *s->o->stop) ||
           (s->o->deadline > 0 && clock_seconds() >= s->o->deadline);
}

/* ---- questions ------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Appends the part of the context that has to do with a condition: connected by symbols, over several steps.
 * Whatever else is in the context cannot decide it, unless it contradicts itself. */
static void add_relevant(Simplifier *s, Expr e, ExprVec *out)
{
    Sets *sets = expr_sets(s->p);
    uint32_t reached = sets_without(sets, expr_symbols(s->p, e).id, s->o->common.id);
    BitSet taken = {0};
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < s->context.n; i++) {
            uint32_t symbols = sets_without(sets, expr_symbols(s->p, s->context.v[i]).id, s->o->common.id);
            if (bitset_has(&taken, i) || !sets_meets(sets, symbols, reached))
                continue;
            bitset_add(&taken, i);
            vec_push(out, s->context.v[i]);
            reached = sets_union(sets, reached, symbols);
            grew = true;
        }
    }
    bitset_free(&taken);
}

/* The answer to a question that was asked before; its ids are the last n of `ids`, and are dropped again if
 * it was. */
static bool asked_before(Simplifier *s, uint32_t n, uint64_t *key, bool *unsat)
{
    uint32_t at = s->ids.n - n;
    uint64_t found;
    *key = n;
    for (uint32_t i = at; i < s->ids.n; i++)
        *key = hash_mix(*key, s->ids.v[i]);
    if (!map_get(&s->asked_ids, *key, &found))
        return false;
    const Asked *a = &s->asked.v[found - 1];
    if (a->n != n || memcmp(s->ids.v + a->at, s->ids.v + at, n * sizeof *s->ids.v))
        return false;
    s->ids.n = at;
    *unsat = a->unsat;
    return true;
}

static bool ask(Simplifier *s, const ExprVec *query)
{
    uint64_t key;
    bool unsat = false;
    uint32_t at = s->ids.n;
    for (uint32_t i = 0; i < query->n; i++)
        vec_push(&s->ids, query->v[i].id);
    qsort(s->ids.v + at, query->n, sizeof *s->ids.v, by_id);
    if (asked_before(s, query->n, &key, &unsat))
        return unsat;
    if (is_over(s)) {
        s->ids.n = at;
        return false;
    }
    s->queries++;
    unsat = s->o->unsat(s->o->context, query->v, query->n);
    vec_push(&s->asked, (Asked){at, query->n, unsat});
    map_put(&s->asked_ids, key, s->asked.n);
    return unsat;
}

/* Does the context refute it? */
static bool is_unsat(Simplifier *s, Expr e)
{
    Expr opposite = expr_not(s->p, e);
    ExprVec query = {0};
    bool unsat = expr_is_false(e);
    if (expr_is_const(s->p, e))
        return unsat;
    for (uint32_t i = 0; i < s->context.n && !unsat; i++)
        unsat = expr_same(s->context.v[i], opposite);
    if (!unsat) {
        vec_push(&query, e);
        add_relevant(s, e, &query);
        unsat = ask(s, &query);
    }
    vec_free(&query);
    return unsat;
}

/* What the context makes of it: false, true, or itself. */
static Expr decided(Simplifier *s, Expr e)
{
    if (is_unsat(s, e))
        return EXPR_FALSE;
    return is_unsat(s, expr_not(s->p, e)) ? EXPR_TRUE : e;
}

/* ---- literals -------------------------------------------------------------------------------- */

static Expr with(ExprPool *p, Expr e, Expr from, Expr to)
{
    ExprSubst *s = expr_subst_new(p);
    expr_subst_add(s, from, to);
    e = expr_subst_apply(s, e);
    expr_subst_free(s);
    return e;
}

/* Values chosen by a condition inside a literal: the condition decided, or drawn out of the literal where
 * that is smaller. */
static Expr without_choices(Simplifier *s, Expr e)
{
    ExprPool *p = s->p;
    U32Vec cone = {0};
    uint32_t seen = 0;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = cone.n <= TERM_MOST ? cone.n : 0; i-- > 0 && seen < CHOICES_MOST && !is_over(s);) {
        Expr x = {cone.v[i]};
        if (expr_op(p, x) != EXPR_ITE || expr_same(x, e))
            continue;
        Expr c = expr_child(p, x, 0), value = decided(s, c);
        seen++;
        if (expr_is_const(p, value)) {
            e = with(p, e, c, value);
            continue;
        }
        Expr drawn = expr_ite(p, c, with(p, e, c, EXPR_TRUE), with(p, e, c, EXPR_FALSE));
        if (expr_size(p, drawn) < expr_size(p, e)) {
            e = drawn;
            break;
        }
    }
    vec_free(&cone);
    return e;
}

/* A condition over one variable as intervals of it, if samples suggest that and the solver confirms it. */
static Expr by_samples(Simplifier *s, Expr e)
{
    ExprPool *p = s->p;
    ValueSet set = {0};
    uint64_t known;
    Expr result = e;
    if (map_get(&s->sampled, e.id, &known))
        return (Expr){(uint32_t)known};
    if (!is_over(s) && values_by_samples(p, e, &set)) {
        Expr guess = values_condition(p, &set);
        ValueSet plain = {0};
        bool already = values_of_comparisons(p, e, &plain);
        values_free(&plain);
        if (expr_size(p, guess) < expr_size(p, e) + !already) {
            ExprVec query = {0};
            vec_push(&query, expr_ne(p, guess, e));
            result = ask(s, &query) ? guess : e;
            vec_free(&query);
        }
    }
    values_free(&set);
    map_put(&s->sampled, e.id, result.id);
    return result;
}

static bool is_comparison(const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    return (op == EXPR_EQ || op == EXPR_SLT || op == EXPR_ULT) && expr_width(p, expr_child(p, e, 0)) > 1;
}

/* Another comparison in its place, if it is no larger and means the same here. */
static Expr confirmed(Simplifier *s, Expr e, Expr guess)
{
    if (expr_is_none(guess) || expr_same(guess, e) || expr_size(s->p, guess) > expr_size(s->p, e))
        return e;
    return is_unsat(s, expr_ne(s->p, guess, e)) ? guess : e;
}

static Expr shorter(Simplifier *s, Expr e)
{
    e = confirmed(s, e, literal_divided(s->p, e));
    for (uint32_t from = 0; is_comparison(s->p, e) && !is_over(s);) {
        Expr guess = literal_widened(s->p, e, &from);
        if (expr_is_none(guess))
            break;
        if (expr_size(s->p, guess) < expr_size(s->p, e))
            e = confirmed(s, e, guess);
    }
    return e;
}

static Expr literal(Simplifier *s, Expr e)
{
    Expr now = decided(s, e);
    if (expr_is_const(s->p, now) || !is_comparison(s->p, e))
        return now;
    now = without_choices(s, now);
    if (is_comparison(s->p, now))
        now = shorter(s, now);
    return expr_is_const(s->p, now) || !is_comparison(s->p, now) ? now : by_samples(s, now);
}

/* ---- conjunctions ---------------------------------------------------------------------------- */

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

static void split_again(ExprPool *p, ExprVec *parts)
{
    ExprVec out = {0};
    for (uint32_t i = 0; i < parts->n; i++)
        if (!expr_is_true(parts->v[i]))
            expr_split(p, parts->v[i], &out);
    vec_free(parts);
    *parts = out;
}

/* One round: each part under all others. */
static bool simplify_parts(Simplifier *s, ExprVec *parts)
{
    Ranked *order = mem_alloc((parts->n + 1) * sizeof *order);
    bool changed = false;
    for (uint32_t i = 0; i < parts->n; i++)
        order[i] = (Ranked){i, expr_size(s->p, parts->v[i])};
    qsort(order, parts->n, sizeof *order, by_size);
    for (uint32_t k = 0; k < parts->n && !is_over(s); k++) {
        uint32_t i = order[k].position, mark = s->context.n;
        for (uint32_t j = 0; j < parts->n; j++)
            if (j != i && !expr_is_true(parts->v[j]))
                vec_push(&s->context, parts->v[j]);
        Expr now = simplify(s, parts->v[i]);
        s->context.n = mark;
        changed |= !expr_same(now, parts->v[i]);
        parts->v[i] = now;
        if (expr_is_false(now))
            break;
    }
    mem_free(order);
    return changed;
}

/* term == constant among the parts: the constant stands for the term in all others. */
static bool use_values(ExprPool *p, ExprVec *parts)
{
    bool changed = false;
    for (uint32_t i = 0; i < parts->n; i++) {
        Expr c = parts->v[i];
        if (expr_op(p, c) != EXPR_EQ || !expr_is_const(p, expr_child(p, c, 1)) ||
            !expr_is_symbolic(p, expr_child(p, c, 0)))
            continue;
        ExprSubst *s = expr_subst_new(p);
        expr_subst_add(s, expr_child(p, c, 0), expr_child(p, c, 1));
        for (uint32_t k = 0; k < parts->n; k++) {
            Expr now = k == i || !expr_set_meets(p, expr_symbols(p, c), expr_symbols(p, parts->v[k]))
                           ? parts->v[k]
                           : expr_subst_apply(s, parts->v[k]);
            if (expr_same(now, parts->v[k]) || expr_size(p, now) > expr_size(p, parts->v[k]))
                continue;
            parts->v[k] = now;
            changed = true;
        }
        expr_subst_free(s);
    }
    return changed;
}

/* Parts that compare one term with constants become one, where that is shorter. */
static bool merge_intervals(ExprPool *p, ExprVec *parts)
{
    bool changed = false;
    for (uint32_t i = 0; i < parts->n; i++) {
        ValueSet all = {0}, one = {0};
        if (!values_of_comparisons(p, parts->v[i], &all))
            continue;
        BitSet merged = {0};
        Expr before = parts->v[i];
        for (uint32_t k = i + 1; k < parts->n; k++) {
            if (!values_of_comparisons(p, parts->v[k], &one))
                continue;
            if (expr_same(one.term, all.term)) {
                values_meet(&all, &one);
                before = expr_and(p, before, parts->v[k]);
                bitset_add(&merged, k);
            }
            values_free(&one);
            one = (ValueSet){0};
        }
        Expr now = values_condition(p, &all);
        if (expr_size(p, now) < expr_size(p, before)) {
            for (uint32_t k = bitset_next(&merged, 0); k != UINT32_MAX; k = bitset_next(&merged, k + 1))
                parts->v[k] = EXPR_TRUE;
            parts->v[i] = now;
            changed = true;
        }
        bitset_free(&merged);
        values_free(&all);
    }
    return changed;
}

static bool has_member(const ExprVec *list, Expr e)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (expr_same(list->v[i], e))
            return true;
    return false;
}

static Expr all_but(ExprPool *p, const ExprVec *list, Expr e)
{
    Expr all = EXPR_TRUE;
    for (uint32_t i = 0; i < list->n; i++)
        if (!expr_same(list->v[i], e))
            all = expr_and(p, all, list->v[i]);
    return all;
}

/* The member that most of the lists have, if two have one. */
static Expr common_member(const ExprVec *lists, uint32_t n)
{
    Expr best = EXPR_NONE;
    uint32_t most = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < lists[i].n && lists[i].n <= FACTOR_MOST; k++) {
            uint32_t count = 1;
            for (uint32_t j = i + 1; j < n; j++)
                count += has_member(&lists[j], lists[i].v[k]);
            if (count > most) {
                most = count;
                best = lists[i].v[k];
            }
        }
    return best;
}

/* !(c && a) && !(c && b)  ->  !(c && (a || b)), c being what most parts have. Read with or for and it is the
 * same rule. */
static bool factor(ExprPool *p, ExprVec *parts)
{
    ExprVec lists[FACTOR_MOST] = {0};
    uint32_t where[FACTOR_MOST], n = 0, first = UINT32_MAX;
    for (uint32_t i = 0; i < parts->n && n < FACTOR_MOST; i++)
        if (expr_op(p, parts->v[i]) == EXPR_NOT) {
            where[n] = i;
            expr_split(p, expr_child(p, parts->v[i], 0), &lists[n++]);
        }
    Expr c = common_member(lists, n), rest = EXPR_TRUE;
    for (uint32_t i = 0; i < n && !expr_is_none(c); i++) {
        if (!has_member(&lists[i], c))
            continue;
        rest = expr_and(p, rest, expr_not(p, all_but(p, &lists[i], c)));
        first = first == UINT32_MAX ? where[i] : first;
        parts->v[where[i]] = EXPR_TRUE;
    }
    if (first != UINT32_MAX)
        parts->v[first] = expr_not(p, expr_and(p, c, expr_not(p, rest)));
    for (uint32_t i = 0; i < n; i++)
        vec_free(&lists[i]);
    return first != UINT32_MAX;
}

static bool rewrite_parts(ExprPool *p, ExprVec *parts)
{
    bool changed = false;
    for (unsigned i = 0; i < FACTOR_MOST && parts->n <= PARTS_MOST && factor(p, parts); i++) {
        changed = true;
        split_again(p, parts);
    }
    changed |= use_values(p, parts);
    changed |= parts->n <= PARTS_MOST && merge_intervals(p, parts);
    if (changed)
        split_again(p, parts);
    return changed;
}

/* Two parts that are one comparison, under the others. */
static bool join_parts(Simplifier *s, ExprVec *parts)
{
    bool changed = false;
    for (uint32_t i = 0; i < parts->n; i++)
        for (uint32_t k = 0; k < parts->n && !is_over(s); k++) {
            Expr one = i != k ? literal_joined(s->p, parts->v[i], parts->v[k]) : EXPR_NONE;
            uint32_t mark = s->context.n;
            for (uint32_t j = 0; !expr_is_none(one) && j < parts->n; j++)
                if (j != i && j != k)
                    vec_push(&s->context, parts->v[j]);
            Expr both = expr_is_none(one) ? one : expr_and(s->p, parts->v[i], parts->v[k]);
            bool joined = !expr_is_none(one) && !expr_same(confirmed(s, both, one), both);
            s->context.n = mark;
            if (!joined)
                continue;
            parts->v[i] = one;
            parts->v[k] = EXPR_TRUE;
            changed = true;
        }
    return changed;
}

static Expr conjunction(Simplifier *s, Expr e)
{
    ExprVec parts = {0};
    expr_split(s->p, e, &parts);
    bool changed = rewrite_parts(s->p, &parts);
    for (unsigned round = 0;
         round < ROUNDS_MOST && parts.n <= PARTS_MOST && (!round || changed) && !is_over(s); round++) {
        if (parts.n == 1) {
            parts.v[0] = simplify(s, parts.v[0]);
            break;
        }
        changed = simplify_parts(s, &parts);
        changed |= join_parts(s, &parts);
        if (changed) {
            split_again(s->p, &parts);
            rewrite_parts(s->p, &parts);
        }
    }
    Expr result = expr_and_all(s->p, parts.v, parts.n);
    vec_free(&parts);
    return result;
}

/* ---- other connectives ----------------------------------------------------------------------- */

static Expr under(Simplifier *s, Expr condition, Expr e)
{
    vec_push(&s->context, condition);
    e = simplify(s, e);
    s->context.n--;
    return e;
}

static bool same_under(Simplifier *s, Expr condition, Expr a, Expr b)
{
    vec_push(&s->context, condition);
    bool same = is_unsat(s, expr_ne(s->p, a, b));
    s->context.n--;
    return same;
}

/* c ? a : b of conditions. Where both say the same on the side of one of them, the other is enough. */
static Expr choice(Simplifier *s, Expr e)
{
    ExprPool *p = s->p;
    Expr c = simplify(s, expr_child(p, e, 0)), a = expr_child(p, e, 1), b = expr_child(p, e, 2),
         opposite = expr_not(p, c);
    if (expr_is_const(p, c))
        return simplify(s, expr_is_true(c) ? a : b);
    a = under(s, c, a);
    b = under(s, opposite, b);
    if (expr_is_const(p, a) || expr_is_const(p, b) || expr_same(a, b))
        return expr_ite(p, c, a, b);
    if (same_under(s, c, a, b))
        return simplify(s, b);
    if (same_under(s, opposite, a, b))
        return simplify(s, a);
    return expr_ite(p, c, a, b);
}

/* a == b of conditions. */
static Expr equivalence(Simplifier *s, Expr e)
{
    Expr now = decided(s, e);
    if (expr_is_const(s->p, now))
        return now;
    return expr_eq(s->p, simplify(s, expr_child(s->p, e, 0)), simplify(s, expr_child(s->p, e, 1)));
}

static bool is_connective(const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    if (op == EXPR_NOT || op == EXPR_AND || op == EXPR_ITE)
        return expr_width(p, e) == 1;
    return op == EXPR_EQ && expr_width(p, expr_child(p, e, 0)) == 1;
}

static Expr enter(Simplifier *s, Expr e)
{
    switch (expr_op(s->p, e)) {
    case EXPR_NOT: return expr_not(s->p, simplify(s, expr_child(s->p, e, 0)));
    case EXPR_AND: return conjunction(s, e);
    case EXPR_ITE: return choice(s, e);
    default: return equivalence(s, e);
    }
}

static Expr simplify(Simplifier *s, Expr e)
{
    if (expr_is_const(s->p, e) || is_over(s))
        return e;
    if (!is_connective(s->p, e))
        return literal(s, e);
    if (s->depth >= DEPTH_MOST || map_get(&s->large, e.id, NULL))
        return decided(s, e);
    s->depth++;
    Expr now = enter(s, e);
    s->depth--;
    if (expr_size(s->p, now) > expr_size(s->p, e))
        now = e;
    return is_connective(s->p, now) ? by_samples(s, now) : now;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Connectives from which a condition is made, and how often each is used by another one. */
static void connectives(Simplifier *s, Expr root, U32Vec *out, Map *uses)
{
    U32Vec stack = {0};
    vec_push(&stack, root.id);
    while (stack.n) {
        Expr e = {vec_pop(&stack)};
        if (!is_connective(s->p, e) || (*map_at(uses, e.id))++)
            continue;
        vec_push(out, e.id);
        for (uint32_t i = 0; i < expr_child_count(s->p, e); i++)
            vec_push(&stack, expr_child(s->p, e, i).id);
    }
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_id);
    vec_free(&stack);
}

/* Literals of the condition as a tree, up to a little more than LITERALS_MOST. */
static uint32_t count_literals(Simplifier *s, Expr root)
{
    U32Vec stack = {0};
    uint32_t n = 0;
    vec_push(&stack, root.id);
    while (stack.n && n <= LITERALS_MOST) {
        Expr e = {vec_pop(&stack)};
        if (!is_connective(s->p, e) || map_get(&s->large, e.id, NULL)) {
            n++;
            continue;
        }
        for (uint32_t i = 0; i < expr_child_count(s->p, e); i++)
            vec_push(&stack, expr_child(s->p, e, i).id);
    }
    vec_free(&stack);
    return n;
}

/* Bottom-up: what is used several times first. A not is no such thing: its operand is. */
static Expr simplify_graph(Simplifier *s, Expr root)
{
    ExprPool *p = s->p;
    U32Vec nodes = {0};
    Map uses = {0}, now = {0};
    connectives(s, root, &nodes, &uses);
    for (uint32_t i = 0; i < nodes.n; i++) {
        Expr e = {nodes.v[i]}, children[3] = {0};
        for (uint32_t k = 0; k < expr_child_count(p, e); k++) {
            Expr child = expr_child(p, e, k);
            children[k] = (Expr){(uint32_t)map_get_or(&now, child.id, child.id)};
        }
        Expr built = expr_rebuild(p, e, children);
        bool shared = map_get_or(&uses, e.id, 0) > 1 && expr_op(p, e) != EXPR_NOT;
        if (shared && !is_over(s)) {
            built = simplify(s, built);
            if (is_connective(p, built) && count_literals(s, built) > LITERALS_MOST)
                map_put(&s->large, built.id, 1);
        }
        map_put(&now, e.id, built.id);
    }
    Expr result = simplify(s, (Expr){(uint32_t)map_get_or(&now, root.id, root.id)});
    vec_free(&nodes);
    map_free(&uses);
    map_free(&now);
    return result;
}

Expr solver_simplify(ExprPool *pool, Expr condition, Expr context, const SolverSimplify *options)
{
    Simplifier s = {.p = pool, .o = options};
    if (expr_is_const(pool, condition) || !options->queries)
        return condition;
    expr_split(pool, context, &s.context);
    Expr result = simplify_graph(&s, condition);
    if (expr_size(pool, result) > expr_size(pool, condition))
        result = condition;
    if (options->asked)
        *options->asked += s.queries;
    vec_free(&s.context);
    vec_free(&s.asked);
    vec_free(&s.ids);
    map_free(&s.asked_ids);
    map_free(&s.large);
    map_free(&s.sampled);
    return result;
}

bool solver_refutes(void *context, const Expr *conditions, uint32_t n)
{
    const SolverRefute *r = context;
    SolverAnswer answer = {0};
    SolverStatus status = solver_check(
        r->solver, &(SolverQuery){.constraints = conditions, .n = n, .seconds = r->seconds, .stop = r->stop},
        &answer);
    solver_answer_free(&answer);
    return status == SOLVER_UNSAT;
}
