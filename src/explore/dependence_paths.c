/* dependence_paths.c - conjunctions as a tree: the paths of runs that failed, and the classes of inputs that
 * do.
 *
 * An input that decides all as an earlier run did does what that run did. So a task of which every input is
 * known to fail needs no run for an input whose path is in the tree: it would show nothing that was not
 * seen. */
#include "explore/dependence.h"

enum { FORKS_MOST = 64 }; /* continuations of one place that are looked at before it gets another */

/* ---- the tree -------------------------------------------------------------------------------- */

static uint32_t child_of(const DepTree *s, uint32_t at, Expr holds)
{
    uint32_t child = s->v[at].first;
    for (uint32_t i = 0; child && i < FORKS_MOST; i++, child = s->v[child].next)
        if (expr_same(s->v[child].holds, holds))
            return child;
    return 0;
}

/* The first fork stands for the beginning. */
static uint32_t add_fork(DepTree *s, ExprPool *pool, uint32_t at, Expr holds)
{
    if (expr_is_true(holds))
        return at;
    uint32_t child = child_of(s, at, holds);
    if (child)
        return child;
    vec_push(s, ((DepFork){holds, expr_not(pool, holds), 0, s->v[at].first, UINT32_MAX}));
    return s->v[at].first = s->n - 1;
}

static void begin(DepTree *s)
{
    if (!s->n)
        vec_push(s, ((DepFork){.end = UINT32_MAX}));
}

/* ---- paths ----------------------------------------------------------------------------------- */

void dep_path_add(DepTree *s, ExprPool *pool, const DepRun *run, uint32_t place)
{
    uint32_t at = 0;
    begin(s);
    for (uint32_t k = 0; k < run->n; k++)
        at = add_fork(s, pool, at, dep_run_holds(run, k));
    s->v[at].end = place;
}

/* What is decided at one place excludes each other: nothing but the first that holds need be followed. */
uint32_t dep_path_find(const DepTree *s, ExprEval *eval)
{
    uint32_t at = 0;
    while (s->n && s->v[at].end == UINT32_MAX) {
        uint32_t child = s->v[at].first;
        while (child && !expr_eval_true(eval, s->v[child].holds))
            child = s->v[child].next;
        if (!child)
            return UINT32_MAX;
        at = child;
    }
    return s->n ? s->v[at].end : UINT32_MAX;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Equations hold of few inputs: what stands behind one is seldom looked at. That something is another than it
 * might be holds of most. */
static bool is_sharp(const ExprPool *pool, Expr condition) { return expr_op(pool, condition) == EXPR_EQ; }

static void put_class(DepClasses *s, ExprPool *pool, uint32_t place)
{
    uint32_t at = 0;
    Expr within = expr_not(pool, s->denied.v[place]);
    begin(&s->tree);
    vec_clear(&s->members);
    expr_split(pool, within, &s->members);
    for (unsigned sharp = 2; sharp-- > 0;)
        for (uint32_t i = 0; i < s->members.n; i++)
            if (is_sharp(pool, s->members.v[i]) == sharp)
                at = add_fork(&s->tree, pool, at, s->members.v[i]);
    s->tree.v[at].end = place;
}

void dep_class_add(DepClasses *s, ExprPool *pool, Expr denied)
{
    if (map_get(&s->known, denied.id, NULL))
        return;
    map_put(&s->known, denied.id, 1);
    vec_push(&s->denied, denied);
    put_class(s, pool, s->denied.n - 1);
}

/* A walk through the tree: what follows a fork is visited only if the walker goes below it. */
static void below(DepClasses *s, const DepFork *fork)
{
    if (fork->first)
        vec_push(&s->stack, fork->first);
}

static void begin_walk(DepClasses *s)
{
    vec_clear(&s->stack);
    if (s->tree.n)
        below(s, &s->tree.v[0]);
}

static const DepFork *next_fork(DepClasses *s)
{
    if (!s->stack.n)
        return NULL;
    const DepFork *fork = &s->tree.v[vec_pop(&s->stack)];
    if (fork->next)
        vec_push(&s->stack, fork->next);
    s->looked++;
    return fork;
}

/* The latest continuation is looked at first: the next model is likely to be near the last one. */
Expr dep_class_of(DepClasses *s, ExprEval *eval)
{
    begin_walk(s);
    for (const DepFork *fork; (fork = next_fork(s));) {
        if (!expr_eval_true(eval, fork->holds))
            continue;
        if (fork->end != UINT32_MAX)
            return s->denied.v[fork->end];
        below(s, fork);
    }
    return EXPR_NONE;
}

void dep_classes_exclude(DepClasses *s, Solver *solver, ExprVec *query)
{
    solver_suppose(solver, query->v, query->n);
    stamps_clear(&s->given);
    for (uint32_t i = 0; i < query->n; i++)
        stamps_add(&s->given, query->v[i].id);
    begin_walk(s);
    for (const DepFork *fork; (fork = next_fork(s));) {
        if (stamps_has(&s->given, fork->denied.id) || solver_contradicts(solver, fork->holds))
            continue;
        if (fork->end == UINT32_MAX)
            below(s, fork);
        else if (!stamps_has(&s->given, s->denied.v[fork->end].id))
            vec_push(query, s->denied.v[fork->end]);
    }
}

void dep_classes_move(DepClasses *s, ExprPool *to, ExprImport *import)
{
    map_clear(&s->known);
    vec_clear(&s->tree);
    for (uint32_t i = 0; i < s->denied.n; i++) {
        s->denied.v[i] = expr_import(import, s->denied.v[i]);
        map_put(&s->known, s->denied.v[i].id, 1);
        put_class(s, to, i);
    }
}

size_t dep_classes_bytes(const DepClasses *s)
{
    return dep_map_bytes(&s->known) + s->denied.cap * sizeof *s->denied.v + s->tree.cap * sizeof *s->tree.v +
           s->given.of.cap * sizeof *s->given.of.v;
}

void dep_classes_free(DepClasses *s)
{
    map_free(&s->known);
    vec_free(&s->denied);
    vec_free(&s->tree);
    vec_free(&s->members);
    stamps_free(&s->given);
    vec_free(&s->stack);
}
