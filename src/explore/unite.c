/* unite.c - a disjunction of conjunctions made small: two-level minimisation, as Espresso does it (Brayton
 * and others, Logic Minimization Algorithms for VLSI Synthesis, 1984), with a solver in place of a truth
 * table.
 *
 *     expand:       from each conjunction, conjuncts are dropped as long as it still implies the disjunction
 *     irredundant:  a conjunction that the others cover is dropped
 *
 * Then solver_simplify finds what conjunctions share and unites intervals. Inputs that are known to lie
 * outside refute most attempts without a question to the solver: those the caller knows, and every answer
 * that was an input. */
#include "explore/explore.h"

#include <stdlib.h>

enum {
    QUERIES_MOST = 4096, /* for one disjunction; beyond, what is there stays */
    DEPTH_MOST = 2000    /* connectives below each other */
};

typedef ExploreAlternatives Cubes;

typedef struct Bits {
    uint64_t w[EXPLORE_SAMPLES / 64];
} Bits;

/* A conjunct on the samples: bit i says whether it holds on sample i. */
typedef struct Literal {
    Bits holds;
    uint32_t known; /* of so many samples */
} Literal;

struct ExploreUniter {
    Solver *solver;
    ExprPool *p;
    const ExprVec *given;
    ExplorePatience patience;
    ExprEval *eval;
    Vec(ExprInput) samples; /* all satisfy what is given */
    Vec(Literal) literals;
    Map index; /* conjunct to literal */
    SolverAnswer answer;
    uint32_t queries; /* of the disjunction under way */
};

ExploreUniter *explore_uniter_new(Solver *s, ExprPool *p, const ExprVec *given,
                                  const ExplorePatience *patience)
{
    ExploreUniter *u = mem_zalloc(sizeof *u);
    *u =
        (ExploreUniter){.solver = s, .p = p, .given = given, .patience = *patience, .eval = expr_eval_new(p)};
    return u;
}

void explore_uniter_free(ExploreUniter *u)
{
    for (uint32_t i = 0; i < u->samples.n; i++)
        expr_input_free(&u->samples.v[i]);
    vec_free(&u->samples);
    vec_free(&u->literals);
    map_free(&u->index);
    solver_answer_free(&u->answer);
    expr_eval_free(u->eval);
    mem_free(u);
}

void explore_uniter_sample(ExploreUniter *u, const ExprInput *input)
{
    ExprInput copy = {0};
    bool fits = u->samples.n < EXPLORE_SAMPLES;
    expr_eval_input(u->eval, input);
    for (uint32_t i = 0; u->given && i < u->given->n && fits; i++)
        fits = expr_eval_true(u->eval, u->given->v[i]);
    if (!fits)
        return;
    expr_input_copy(&copy, input);
    vec_push(&u->samples, copy);
}

static bool is_over(const ExploreUniter *u)
{
    return u->queries >= QUERIES_MOST || (u->patience.stop && *u->patience.stop) ||
           (u->patience.deadline > 0 && clock_seconds() >= u->patience.deadline);
}

/* ---- samples --------------------------------------------------------------------------------- */

static const Bits *bits_of(ExploreUniter *u, Expr e)
{
    uint64_t at;
    if (!map_get(&u->index, e.id, &at)) {
        at = u->literals.n;
        map_put(&u->index, e.id, at);
        vec_push(&u->literals, (Literal){.known = 0});
    }
    Literal *l = &u->literals.v[at];
    for (; l->known < u->samples.n; l->known++) {
        expr_eval_input(u->eval, &u->samples.v[l->known]);
        l->holds.w[l->known / 64] |= (uint64_t)expr_eval_true(u->eval, e) << l->known % 64;
    }
    return &l->holds;
}

/* The samples that satisfy a conjunction without one of its conjuncts (UINT32_MAX: with all). */
static Bits bits_of_cube(ExploreUniter *u, const ExprVec *cube, uint32_t without)
{
    Bits all;
    memset(&all, 0xff, sizeof all);
    for (uint32_t i = 0; i < cube->n; i++) {
        const Bits *one = i == without ? NULL : bits_of(u, cube->v[i]);
        for (uint32_t k = 0; one && k < COUNT_OF(all.w); k++)
            all.w[k] &= one->w[k];
    }
    for (uint32_t i = u->samples.n; i < EXPLORE_SAMPLES; i++)
        all.w[i / 64] &= ~((uint64_t)1 << i % 64);
    return all;
}

/* Those that satisfy one of the conjunctions, but for one (UINT32_MAX: none). */
static Bits bits_of_others(ExploreUniter *u, const Cubes *cubes, uint32_t without)
{
    Bits any = {{0}};
    for (uint32_t i = 0; i < cubes->n; i++) {
        Bits one = i == without ? (Bits){{0}} : bits_of_cube(u, &cubes->v[i], UINT32_MAX);
        for (uint32_t k = 0; k < COUNT_OF(any.w); k++)
            any.w[k] |= one.w[k];
    }
    return any;
}

static bool is_within(const Bits *a, const Bits *b)
{
    for (uint32_t k = 0; k < COUNT_OF(a->w); k++)
        if (a->w[k] & ~b->w[k])
            return false;
    return true;
}

/* ---- questions ------------------------------------------------------------------------------- */

static Expr cube_condition(ExprPool *p, const ExprVec *cube) { return expr_and_all(p, cube->v, cube->n); }

static SolverStatus ask(ExploreUniter *u, const ExprVec *query)
{
    u->queries++;
    SolverStatus status = solver_check(u->solver,
                                       &(SolverQuery){.constraints = query->v,
                                                      .n = query->n,
                                                      .seconds = u->patience.seconds,
                                                      .bytes = u->patience.bytes,
                                                      .stop = u->patience.stop},
                                       &u->answer);
    if (status == SOLVER_SAT)
        explore_uniter_sample(u, &u->answer.model);
    return status;
}

static void begin_query(const ExploreUniter *u, ExprVec *query)
{
    for (uint32_t i = 0; u->given && i < u->given->n; i++)
        vec_push(query, u->given->v[i]);
}

/* Is it sure that the conjunction, without one of its conjuncts, implies one of the others? */
static bool is_covered(ExploreUniter *u, const ExprVec *cube, uint32_t without, const Cubes *by, uint32_t but)
{
    ExprVec query = {0};
    begin_query(u, &query);
    for (uint32_t i = 0; i < cube->n; i++)
        if (i != without)
            vec_push(&query, cube->v[i]);
    for (uint32_t i = 0; i < by->n; i++)
        if (i != but)
            vec_push(&query, expr_not(u->p, cube_condition(u->p, &by->v[i])));
    bool covered = ask(u, &query) == SOLVER_UNSAT;
    vec_free(&query);
    return covered;
}

/* ---- expand ---------------------------------------------------------------------------------- */

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

static Ranked *ranked(const ExprPool *p, const ExprVec *cube)
{
    Ranked *order = mem_alloc((cube->n + 1) * sizeof *order);
    for (uint32_t i = 0; i < cube->n; i++)
        order[i] = (Ranked){i, expr_size(p, cube->v[i])};
    qsort(order, cube->n, sizeof *order, by_size);
    return order;
}

/* `all` is the disjunction as it was at first. A conjunct that is dropped becomes true, and is removed in the
 * end. */
static void expand(ExploreUniter *u, ExprVec *cube, const Cubes *all)
{
    Ranked *order = ranked(u->p, cube);
    Bits inside = bits_of_others(u, all, UINT32_MAX);
    uint32_t kept = 0, samples = u->samples.n;
    for (uint32_t k = 0; k < cube->n && !is_over(u); k++) {
        uint32_t i = order[k].position;
        Bits rest = bits_of_cube(u, cube, i);
        if (is_within(&rest, &inside) && is_covered(u, cube, i, all, UINT32_MAX))
            cube->v[i] = EXPR_TRUE;
        if (samples != u->samples.n)
            inside = bits_of_others(u, all, UINT32_MAX);
        samples = u->samples.n;
    }
    for (uint32_t i = 0; i < cube->n; i++)
        if (!expr_is_true(cube->v[i]))
            cube->v[kept++] = cube->v[i];
    cube->n = kept;
    mem_free(order);
}

/* ---- irredundant ----------------------------------------------------------------------------- */

static bool has(const ExprVec *cube, Expr e)
{
    for (uint32_t i = 0; i < cube->n; i++)
        if (expr_same(cube->v[i], e))
            return true;
    return false;
}

static bool implies_at_sight(const ExprVec *cube, const ExprVec *other)
{
    for (uint32_t i = 0; i < other->n; i++)
        if (!has(cube, other->v[i]))
            return false;
    return true;
}

static void remove_cube(Cubes *cubes, uint32_t at)
{
    vec_free(&cubes->v[at]);
    memmove(cubes->v + at, cubes->v + at + 1, (--cubes->n - at) * sizeof *cubes->v);
}

static void drop_implied_at_sight(Cubes *cubes)
{
    for (uint32_t i = cubes->n; i-- > 0;)
        for (uint32_t k = 0; k < cubes->n; k++)
            if (k != i && implies_at_sight(&cubes->v[i], &cubes->v[k])) {
                remove_cube(cubes, i);
                break;
            }
}

/* The longest first. */
static void drop_covered(ExploreUniter *u, Cubes *cubes)
{
    Ranked *order = mem_alloc((cubes->n + 1) * sizeof *order);
    for (uint32_t i = 0; i < cubes->n; i++)
        order[i] = (Ranked){i, cubes->v[i].n};
    qsort(order, cubes->n, sizeof *order, by_size);
    for (uint32_t k = 0; k < cubes->n && !is_over(u); k++) {
        uint32_t i = order[k].position;
        Bits own = bits_of_cube(u, &cubes->v[i], UINT32_MAX), others = bits_of_others(u, cubes, i);
        if (is_within(&own, &others) && is_covered(u, &cubes->v[i], UINT32_MAX, cubes, i)) {
            vec_clear(&cubes->v[i]);
            vec_push(&cubes->v[i], EXPR_FALSE);
        }
    }
    for (uint32_t i = cubes->n; i-- > 0;)
        if (cubes->v[i].n && expr_is_false(cubes->v[i].v[0]))
            remove_cube(cubes, i);
    mem_free(order);
}

static void cubes_free(Cubes *cubes)
{
    for (uint32_t i = 0; i < cubes->n; i++)
        vec_free(&cubes->v[i]);
    vec_free(cubes);
}

/* ---- from a graph to alternatives -------------------------------------------------------------- */

static bool contradicts(ExprPool *p, const ExprVec *cube, Expr e) { return has(cube, expr_not(p, e)); }

/* Both at once, or nothing if that is impossible at sight. */
static void add_product(ExprPool *p, const ExprVec *a, const ExprVec *b, Cubes *out)
{
    ExprVec both = {0};
    for (uint32_t i = 0; i < a->n; i++)
        vec_push(&both, a->v[i]);
    for (uint32_t i = 0; i < b->n; i++) {
        if (contradicts(p, &both, b->v[i])) {
            vec_free(&both);
            return;
        }
        if (!has(&both, b->v[i]))
            vec_push(&both, b->v[i]);
    }
    vec_push(out, both);
}

typedef struct Spread {
    ExprPool *p;
    uint32_t most; /* conjunctions */
    uint32_t left; /* parts that are looked at: parts that are shared are looked at again */
} Spread;

static bool spread(Spread *s, Expr e, unsigned depth, Cubes *out);

/* The alternatives of an or: not(and(not a, not b)). */
static bool spread_disjunction(Spread *s, Expr e, unsigned depth, Cubes *out)
{
    ExprVec parts = {0};
    bool ok = true;
    expr_split(s->p, expr_child(s->p, e, 0), &parts);
    for (uint32_t i = 0; i < parts.n && ok; i++)
        ok = spread(s, expr_not(s->p, parts.v[i]), depth + 1, out);
    vec_free(&parts);
    return ok;
}

/* Appends the conjunctions whose disjunction it is; false: there are too many. */
static bool spread(Spread *s, Expr e, unsigned depth, Cubes *out)
{
    ExprPool *p = s->p;
    ExprVec parts = {0}, nothing = {0};
    Cubes all = {0};
    bool ok = depth < DEPTH_MOST && s->left;
    s->left -= ok;
    vec_push(&all, nothing);
    expr_split(p, e, &parts);
    for (uint32_t i = 0; i < parts.n && ok; i++) {
        Cubes one = {0}, next = {0};
        if (expr_op(p, parts.v[i]) == EXPR_NOT && expr_op(p, expr_child(p, parts.v[i], 0)) == EXPR_AND) {
            ok = spread_disjunction(s, parts.v[i], depth, &one);
        } else {
            vec_push(&one, nothing);
            if (!expr_is_true(parts.v[i]))
                vec_push(&one.v[0], parts.v[i]);
        }
        for (uint32_t a = 0; a < all.n && ok; a++)
            for (uint32_t b = 0; b < one.n && (ok = next.n <= s->most); b++)
                add_product(p, &all.v[a], &one.v[b], &next);
        cubes_free(&one);
        cubes_free(&all);
        all = next;
    }
    for (uint32_t i = 0; i < all.n; i++)
        vec_push(out, all.v[i]);
    vec_free(&all);
    vec_free(&parts);
    return ok && out->n <= s->most;
}

void explore_alternatives(ExprPool *p, Expr condition, uint32_t most, ExploreAlternatives *out)
{
    Cubes cubes = {0};
    ExprVec whole = {0};
    if (!spread(&(Spread){p, most, 64 * most}, condition, 0, &cubes)) {
        cubes_free(&cubes);
        expr_split(p, condition, &whole);
        vec_push(&cubes, whole);
    }
    for (uint32_t i = 0; i < cubes.n; i++)
        vec_push(out, cubes.v[i]);
    vec_free(&cubes);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static Expr disjunction(ExprPool *p, const Cubes *cubes)
{
    Expr none = EXPR_TRUE;
    for (uint32_t i = 0; i < cubes->n; i++)
        none = expr_and(p, none, expr_not(p, cube_condition(p, &cubes->v[i])));
    return expr_not(p, none);
}

/* Does one of the two hold without the other, for an input that satisfies what is given? */
static SolverStatus differ(ExploreUniter *u, Expr a, Expr b)
{
    ExprVec query = {0};
    begin_query(u, &query);
    vec_push(&query, expr_ne(u->p, a, b));
    SolverStatus status = ask(u, &query);
    vec_free(&query);
    return status;
}

/* Takes what all have out of them. */
static Expr take_common(ExprPool *p, Cubes *cubes)
{
    Expr common = EXPR_TRUE;
    for (uint32_t i = 0; cubes->n && i < cubes->v[0].n; i++) {
        Expr e = cubes->v[0].v[i];
        bool everywhere = true;
        for (uint32_t k = 1; k < cubes->n && everywhere; k++)
            everywhere = has(&cubes->v[k], e);
        if (everywhere)
            common = expr_and(p, common, e);
    }
    ExprVec parts = {0};
    expr_split(p, common, &parts);
    for (uint32_t i = 0; i < cubes->n; i++) {
        ExprVec *cube = &cubes->v[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < cube->n; k++)
            if (!has(&parts, cube->v[k]))
                cube->v[kept++] = cube->v[k];
        cube->n = kept;
    }
    vec_free(&parts);
    return common;
}

static Expr with_shared_parts(ExploreUniter *u, Expr e, Expr context)
{
    SolverRefute refute = {.solver = u->solver, .seconds = u->patience.seconds, .stop = u->patience.stop};
    Expr given = u->given ? expr_and_all(u->p, u->given->v, u->given->n) : EXPR_TRUE;
    return solver_simplify(u->p, e, expr_and(u->p, given, context),
                           &(SolverSimplify){.unsat = solver_refutes,
                                             .context = &refute,
                                             .queries = QUERIES_MOST,
                                             .deadline = u->patience.deadline,
                                             .stop = u->patience.stop});
}

static Cubes copies(const ExprVec *const *alternatives, uint32_t n)
{
    Cubes cubes = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprVec copy = {0};
        for (uint32_t k = 0; k < alternatives[i]->n; k++)
            vec_push(&copy, alternatives[i]->v[k]);
        vec_push(&cubes, copy);
    }
    return cubes;
}

/* The disjunction, smaller. */
static Expr minimised(ExploreUniter *u, const Cubes *all, Cubes cubes)
{
    for (uint32_t i = 0; i < cubes.n && !is_over(u); i++)
        expand(u, &cubes.v[i], all);
    drop_implied_at_sight(&cubes);
    drop_covered(u, &cubes);
    Expr common = take_common(u->p, &cubes), rest = with_shared_parts(u, disjunction(u->p, &cubes), common);
    cubes_free(&cubes);
    return expr_and(u->p, common, rest);
}

void explore_unite(ExploreUniter *u, const ExprVec *const *alternatives, uint32_t n, ExprVec *out)
{
    Cubes all = copies(alternatives, n);
    Expr before = disjunction(u->p, &all), after = before;
    ExprVec parts = {0};
    u->queries = 0;
    if (!is_over(u)) {
        after = minimised(u, &all, copies(alternatives, n));
        SolverStatus differs = differ(u, before, after);
        if (differs == SOLVER_SAT)
            bug("a condition that was made smaller is another one");
        after = differs == SOLVER_UNSAT ? after : before;
    }
    expr_split(u->p, after, &parts);
    explore_simplify(u->solver, u->p, &parts, u->given, &u->patience, out);
    vec_free(&parts);
    cubes_free(&all);
}
