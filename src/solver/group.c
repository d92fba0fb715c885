/* group.c - constraints that share symbols, directly or through others, belong together. */
#include "solver/solver_int.h"

#include <stdlib.h>

/* Union-find over input positions. Entries count only if their stamp is the current epoch, so that a query costs what
 * it touches. */
struct Splitter {
    U32Vec parent, stamp;                     /* by position */
    U32Vec set_stamp, set_member; /* by id of a set of symbols: seen in this query, one of its positions */
    U32Vec touched;                           /* positions of this query */
    uint32_t epoch;
};

Splitter *splitter_new(void) { return mem_zalloc(sizeof(Splitter)); }

void splitter_free(Splitter *x)
{
    if (!x)
        return;
    vec_free(&x->parent);
    vec_free(&x->stamp);
    vec_free(&x->set_stamp);
    vec_free(&x->set_member);
    vec_free(&x->touched);
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
    if (x->stamp.v[at] == x->epoch)
        return;
    x->stamp.v[at] = x->epoch;
    x->parent.v[at] = at;
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
    for (uint32_t at = expr_set_next(p, set, first + 1); at != UINT32_MAX; at = expr_set_next(p, set, at + 1)) {
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
static void fill(Arena *a, const ExprVec *constraints, const BitSet *failing, const uint32_t *group_of, GroupVec *out)
{
    for (uint32_t i = 0; i < constraints->n; i++)
        if (group_of[i] != UINT32_MAX)
            out->v[group_of[i]].n++;
    for (uint32_t k = 0; k < out->n; k++) {
        Group *g = &out->v[k];
        g->c = arena_alloc(a, g->n * sizeof *g->c);
        g->failing = arena_alloc(a, g->n * sizeof *g->failing);
        g->n = 0;
    }
    for (uint32_t i = 0; i < constraints->n; i++) {
        if (group_of[i] == UINT32_MAX)
            continue;
        Group *g = &out->v[group_of[i]];
        g->c[g->n++] = constraints->v[i];
        if (bitset_has(failing, i))
            g->failing[g->n_failing++] = constraints->v[i];
    }
}

static void fill_symbols(Splitter *x, Arena *a, const Map *group_of_root, bool whole, GroupVec *out)
{
    bool sorted = true;
    for (uint32_t i = 1; i < x->touched.n && sorted; i++)
        sorted = x->touched.v[i - 1] < x->touched.v[i];
    if (!sorted)
        qsort(x->touched.v, x->touched.n, sizeof *x->touched.v, by_number);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < x->touched.n; i++) {
            uint64_t k = 0;
            if (!whole && !map_get(group_of_root, find(x, x->touched.v[i]), &k))
                continue;
            Group *g = &out->v[k];
            if (pass == 1)
                g->symbols[g->n_symbols] = x->touched.v[i];
            g->n_symbols++;
        }
        for (uint32_t k = 0; k < out->n && pass == 0; k++) {
            out->v[k].symbols = arena_alloc(a, (out->v[k].n_symbols + 1) * sizeof(uint32_t));
            out->v[k].n_symbols = 0;
        }
    }
}

void group_split(Solver *s, Arena *a, const ExprVec *constraints, const BitSet *failing, bool whole, GroupVec *out)
{
    Splitter *x = s->splitter;
    x->epoch++;
    vec_clear(&x->touched);
    vec_clear(out);
    uint32_t *member = arena_alloc(a, (constraints->n + 1) * sizeof *member);
    for (uint32_t i = 0; i < constraints->n; i++)
        member[i] = join(x, s->pool, constraints->v[i]);

    Map group_of_root = { 0 };
    for (uint32_t i = 0; i < constraints->n; i++) {
        uint32_t root = whole ? 0 : find(x, member[i]);
        if (!bitset_has(failing, i) || map_get(&group_of_root, root, NULL))
            continue;
        map_put(&group_of_root, root, out->n);
        vec_push(out, (Group){ 0 });
    }
    uint32_t *group_of = member;                               /* from here on by group */
    for (uint32_t i = 0; i < constraints->n; i++)
        group_of[i] = (uint32_t)map_get_or(&group_of_root, whole ? 0 : find(x, member[i]), UINT32_MAX);
    fill(a, constraints, failing, group_of, out);
    fill_symbols(x, a, &group_of_root, whole, out);
    map_free(&group_of_root);
}
