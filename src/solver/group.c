/* group.c - constraints that share symbols, directly or through others, belong together. */
#include "solver/solver_int.h"

#include <stdlib.h>

/* Union-find over input positions. Entries count only if their stamp is the current epoch, so that a query
 * costs what it touches. */
struct Splitter {
    U32Vec parent, stamp;         /* by position */
    U32Vec group;                 /* of a root's constraints, NO_GROUP if none of them fails */
    U32Vec set_stamp, set_member; /* by id of a set of symbols: seen in this query, one of its positions */
    U32Vec touched;               /* positions of this query */
    uint32_t epoch;
    Arena *arena; /* of this query's groups */
    GroupVec groups;
};

#define NO_GROUP UINT32_MAX

Splitter *splitter_new(void)
{
    Splitter *x = mem_zalloc(sizeof *x);
    x->arena = arena_new();
    return x;
}

void splitter_free(Splitter *x)
{
    if (!x)
        return;
    vec_free(&x->parent);
    vec_free(&x->stamp);
    vec_free(&x->group);
    vec_free(&x->set_stamp);
    vec_free(&x->set_member);
    vec_free(&x->touched);
    vec_free(&x->groups);
    arena_free(x->arena);
    mem_free(x);
}

static void grow_to(U32Vec *v, uint32_t index)
{
    while (v->n <= index)
        vec_push(v, 0);
}

static uint32_t find(Splitter *x, uint32_t at)
{
    while (x->parent.v[at] != at) {
        x->parent.v[at] = x->parent.v[x->parent.v[at]];
        at = x->parent.v[at];
    }
    return at;
}

static void touch(Splitter *x, uint32_t at)
{
    grow_to(&x->parent, at);
    grow_to(&x->stamp, at);
    grow_to(&x->group, at);
    if (x->stamp.v[at] == x->epoch)
        return;
    x->stamp.v[at] = x->epoch;
    x->parent.v[at] = at;
    x->group.v[at] = NO_GROUP;
    vec_push(&x->touched, at);
}

/* Joins the symbols of a constraint; the result is one of them. */
static uint32_t join(Splitter *x, const ExprPool *p, Expr c)
{
    ExprSet set = expr_symbols(p, c);
    grow_to(&x->set_stamp, set.id);
    grow_to(&x->set_member, set.id);
    if (x->set_stamp.v[set.id] == x->epoch)
        return x->set_member.v[set.id];
    uint32_t first = expr_set_next(p, set, 0);
    touch(x, first);
    for (uint32_t at = expr_set_next(p, set, first + 1); at != UINT32_MAX;
         at = expr_set_next(p, set, at + 1)) {
        touch(x, at);
        x->parent.v[find(x, at)] = find(x, first);
    }
    x->set_stamp.v[set.id] = x->epoch;
    x->set_member.v[set.id] = first;
    return first;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Room for the members of each group, then the members themselves, in order. */
static void fill(Splitter *x, const ExprVec *constraints, const BitSet *failing, const uint32_t *group_of)
{
    for (uint32_t i = 0; i < constraints->n; i++)
        if (group_of[i] != NO_GROUP)
            x->groups.v[group_of[i]].n++;
    for (uint32_t k = 0; k < x->groups.n; k++) {
        Group *g = &x->groups.v[k];
        g->c = arena_alloc(x->arena, g->n * sizeof *g->c);
        g->failing = arena_alloc(x->arena, g->n * sizeof *g->failing);
        g->n = 0;
    }
    for (uint32_t i = 0; i < constraints->n; i++) {
        if (group_of[i] == NO_GROUP)
            continue;
        Group *g = &x->groups.v[group_of[i]];
        g->c[g->n++] = constraints->v[i];
        if (bitset_has(failing, i))
            g->failing[g->n_failing++] = constraints->v[i];
    }
}

static void fill_symbols(Splitter *x, bool whole)
{
    bool sorted = true;
    for (uint32_t i = 1; i < x->touched.n && sorted; i++)
        sorted = x->touched.v[i - 1] < x->touched.v[i];
    if (!sorted)
        qsort(x->touched.v, x->touched.n, sizeof *x->touched.v, by_number);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < x->touched.n; i++) {
            uint32_t k = whole ? 0 : x->group.v[find(x, x->touched.v[i])];
            if (k == NO_GROUP)
                continue;
            Group *g = &x->groups.v[k];
            if (pass == 1)
                g->symbols[g->n_symbols] = x->touched.v[i];
            g->n_symbols++;
        }
        for (uint32_t k = 0; k < x->groups.n && pass == 0; k++) {
            x->groups.v[k].symbols = arena_alloc(x->arena, (x->groups.v[k].n_symbols + 1) * sizeof(uint32_t));
            x->groups.v[k].n_symbols = 0;
        }
    }
}

const GroupVec *group_split(Solver *s, const ExprVec *constraints, const BitSet *failing, bool whole)
{
    Splitter *x = s->splitter;
    x->epoch++;
    arena_clear(x->arena);
    vec_clear(&x->touched);
    vec_clear(&x->groups);
    uint32_t *root = arena_alloc(x->arena, (constraints->n + 1) * sizeof *root);
    for (uint32_t i = 0; i < constraints->n; i++)
        root[i] = join(x, s->pool, constraints->v[i]);
    for (uint32_t i = 0; i < constraints->n; i++) {
        root[i] = whole ? root[0] : find(x, root[i]);
        uint32_t *group = &x->group.v[root[i]];
        if (!bitset_has(failing, i) || *group != NO_GROUP)
            continue;
        *group = x->groups.n;
        vec_push(&x->groups, (Group){0});
    }
    uint32_t *group_of = root; /* from here on by group */
    for (uint32_t i = 0; i < constraints->n; i++)
        group_of[i] = x->group.v[root[i]];
    fill(x, constraints, failing, group_of);
    fill_symbols(x, whole);
    return &x->groups;
}
