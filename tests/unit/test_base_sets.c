/* test_base_sets.c - shared sets against bit sets, and graphs against their definitions, on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

enum { SETS = 24, LIMIT = 1400 };

typedef struct Pair {
    uint32_t set;
    BitSet model;
} Pair;

static void expect_equal(const Sets *p, const Pair *a)
{
    uint32_t i = 0, k = 0;
    assert_int_equal(sets_size(p, a->set), bitset_count(&a->model));
    do {
        i = sets_next(p, a->set, i);
        k = bitset_next(&a->model, k);
        assert_int_equal(i, k);
    } while (i++ != UINT32_MAX && k++ != UINT32_MAX);
    for (i = 0; i < LIMIT; i += 7)
        assert_int_equal(sets_has(p, a->set, i), bitset_has(&a->model, i));
    uint64_t bits;
    for (i = 0; (k = sets_next_chunk(p, a->set, i, &bits)) != UINT32_MAX; i = k + 1) {
        assert_int_equal(sets_next(p, a->set, i << 6) >> 6, k);
        assert_int_equal(bits, a->model.v[k]);
    }
    assert_int_equal(sets_next(p, a->set, i << 6), UINT32_MAX);
}

/* Clustered and scattered members, so that leaves and branches both differ. */
static Pair random_pair(Sets *p, Rng *r)
{
    Pair a = {0};
    U32Vec members = {0};
    for (uint32_t n = (uint32_t)rng_below(r, 40); n--;) {
        uint32_t from = (uint32_t)rng_below(r, LIMIT),
                 size = rng_below(r, 3) ? 1 : (uint32_t)rng_below(r, 100);
        for (uint32_t i = from; i < from + size; i++)
            bitset_add(&a.model, i);
        a.set = sets_union(p, a.set, size == 1 ? sets_of(p, from) : sets_range(p, from, size));
    }
    for (uint32_t i = bitset_next(&a.model, 0); i != UINT32_MAX; i = bitset_next(&a.model, i + 1))
        vec_push(&members, i);
    assert_int_equal(a.set, sets_from(p, members.v, members.n)); /* however it is made, the same set */
    vec_free(&members);
    return a;
}

static void sets_as_bit_sets(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 5);
    Sets p;
    Pair all[SETS];
    sets_init(&p);
    uint32_t remembered = p.memo_log;
    for (uint32_t i = 0; i < SETS; i++)
        all[i] = random_pair(&p, &r);
    for (uint32_t i = 0; i < SETS; i++)
        for (uint32_t k = 0; k < SETS; k++) {
            const Pair *a = &all[i], *b = &all[k];
            Pair both = {sets_union(&p, a->set, b->set), {0}}, rest = {sets_without(&p, a->set, b->set), {0}};
            bitset_unite(&both.model, &a->model);
            bitset_unite(&both.model, &b->model);
            bitset_unite(&rest.model, &a->model);
            for (uint32_t m = 0; m < 2 * LIMIT; m++)
                if (bitset_has(&b->model, m))
                    bitset_remove(&rest.model, m);
            expect_equal(&p, &both);
            expect_equal(&p, &rest);
            assert_int_equal(sets_meets(&p, a->set, b->set), bitset_meets(&a->model, &b->model));
            assert_int_equal(sets_subset(&p, a->set, b->set), bitset_subset(&a->model, &b->model));
            assert_true(sets_subset(&p, a->set, both.set) && sets_subset(&p, rest.set, a->set));
            assert_int_equal(sets_union(&p, rest.set, b->set), both.set);
            assert_int_equal(sets_last_beyond(&p, a->set, b->set), sets_last_without(&p, a->set, &b->model));
            bitset_free(&both.model);
            bitset_free(&rest.model);
        }
    assert_true(p.memo_log > remembered); /* there were enough of them for a larger table */
    for (uint32_t i = 0; i < SETS; i++)
        bitset_free(&all[i].model);
    sets_free(&p);
}

/* Does a path lead from the root to b without passing a? By bits, graphs of up to 32 nodes. */
static bool avoids(const uint32_t *to, uint32_t a, uint32_t b)
{
    uint32_t seen = a == 0 ? 0 : 1, before = 0;
    while (seen != before) {
        before = seen;
        for (uint32_t x = 0; x < 32; x++)
            if (seen >> x & 1)
                seen |= to[x] & ~(1u << a);
    }
    return seen >> b & 1;
}

static void graphs_by_definition(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 9);
    for (uint32_t round = 0; round < 60; round++) {
        Arena *arena = arena_new();
        uint32_t n = 2 + (uint32_t)rng_below(&r, 12), to[32] = {0}, count;
        GraphEdges edges = {0};
        for (uint32_t i = (uint32_t)rng_below(&r, 3 * n); i--;) {
            GraphEdge e = {(uint32_t)rng_below(&r, n), (uint32_t)rng_below(&r, n)};
            vec_push(&edges, e);
            to[e.from] |= 1u << e.to;
        }
        Graph g = graph_make(arena, n, &edges), back = graph_reverse(arena, &g);
        uint32_t *idom = graph_dominators(arena, &g, &back, 0),
                 *component = graph_components(arena, &g, &count);
        Tree tree = graph_tree(arena, idom, n);
        for (uint32_t b = 0; b < n; b++) {
            bool reached = avoids(to, 31, b);
            assert_int_equal(reached && b, idom[b] != GRAPH_NONE);
            for (uint32_t a = 0; reached && a < n; a++)
                if (avoids(to, 31, a))
                    assert_int_equal(tree_above(&tree, a, b), a == b || !avoids(to, a, b));
        }
        for (uint32_t i = 0; i < edges.n; i++)
            assert_true(component[edges.v[i].to] <= component[edges.v[i].from]);
        vec_free(&edges);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_as_bit_sets),
        cmocka_unit_test(graphs_by_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
