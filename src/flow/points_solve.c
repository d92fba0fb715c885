/* points_solve.c - nodes, edges and the work list.
 *
 * A node passes on only what it has not passed on before. Cycles of plain edges are found now and then and
 * become one node. When the budget is spent, edges out of what is still moving make their ends equal instead
 * (points_unify.c), and parts of the program that had come to rest keep their precise sets. */
#include "flow/points.h"

#include <stdlib.h>

/* What the hash of an edge costs to look up and to keep, in steps; a step is a location that goes along an
 * edge. */
enum { LOOKUP_STEPS = 4, EDGE_STEPS = 8, EDGE_BYTES = 48 };

uint32_t node_new(Points *p)
{
    p->bytes += sizeof(Node) + sizeof(uint32_t);
    vec_push(&p->nodes, (Node){.queued = false});
    vec_push(&p->parent, p->nodes.n - 1);
    return p->nodes.n - 1;
}

void node_queue(Points *p, uint32_t node)
{
    if (!p->nodes.v[node].queued) {
        p->nodes.v[node].queued = true;
        vec_push(&p->later, node);
    }
}

static uint32_t add_wide(Points *p, Node *x, const Loc *v, uint32_t n)
{
    LocSet wide = {0};
    vec_reserve(&wide, n);
    memcpy(wide.v, v, n * sizeof *v);
    wide.n = n;
    set_widen(&wide);
    uint32_t changed = set_add(&x->all, wide.v, wide.n, &p->fresh_locs);
    vec_free(&wide);
    return changed;
}

void node_add(Points *p, uint32_t node, const Loc *v, uint32_t n)
{
    node = node_find(p, node);
    Node *x = &p->nodes.v[node];
    uint32_t before = x->all.n;
    p->steps += n;
    if (x->settled ? !add_wide(p, x, v, n) : !set_add(&x->all, v, n, &p->fresh_locs))
        return;
    p->bytes += ((uint64_t)x->all.n - before) * sizeof(Loc);
    LocSet ignored = {0};
    set_add(&x->todo, p->fresh_locs.v, p->fresh_locs.n, &ignored);
    vec_free(&ignored);
    node_queue(p, node);
}

/* ---- nodes made one -------------------------------------------------------------------------- */

static void move_lists(Node *into, Node *from)
{
    for (uint32_t i = 0; i < from->arrows.n; i++)
        vec_push(&into->arrows, from->arrows.v[i]);
    for (uint32_t i = 0; i < from->uses.n; i++)
        vec_push(&into->uses, from->uses.v[i]);
    vec_free(&from->arrows);
    vec_free(&from->uses);
    vec_free(&from->todo);
}

void node_requeue(Points *p, uint32_t node)
{
    Node *x = &p->nodes.v[node];
    if (!x->all.n)
        return;
    vec_clear(&x->todo);
    vec_reserve(&x->todo, x->all.n);
    memcpy(x->todo.v, x->all.v, x->all.n * sizeof(Loc));
    x->todo.n = x->all.n;
    node_queue(p, node);
}

/* Do the two hold the same, all of it passed on? Then they can be one and stay as they are. */
static bool nodes_rest(const Points *p, uint32_t a, uint32_t b)
{
    const Node *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    return x->all.n == y->all.n && !x->todo.n && !y->todo.n &&
           (!x->all.n || !memcmp(x->all.v, y->all.v, x->all.n * sizeof(Loc)));
}

/* What either held must meet the other's uses and edges: unless they held the same, all is to be passed on
 * again. */
static void unite_plain(Points *p, uint32_t a, uint32_t b)
{
    Node *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    bool quiet = nodes_rest(p, a, b);
    LocSet theirs = {y->all.v, y->all.n, y->all.cap};
    y->all = (LocSet){NULL, 0, 0};
    move_lists(x, y);
    p->bytes -= theirs.n * sizeof(Loc);
    p->steps += theirs.n;
    if (theirs.n) {
        uint32_t before = x->all.n;
        set_add(&x->all, theirs.v, theirs.n, &p->fresh_locs);
        p->bytes += ((uint64_t)x->all.n - before) * sizeof(Loc);
    }
    vec_free(&theirs);
    if (!quiet)
        node_requeue(p, a);
}

uint32_t node_unite(Points *p, uint32_t a, uint32_t b)
{
    a = node_find(p, a);
    b = node_find(p, b);
    if (a == b)
        return a;
    Node *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    uint64_t own = (uint64_t)x->arrows.n + x->uses.n, others = (uint64_t)y->arrows.n + y->uses.n;
    if (x->all.n + (p->unify ? 0 : own) < y->all.n + (p->unify ? 0 : others)) {
        uint32_t swap = a;
        a = b;
        b = swap;
        x = &p->nodes.v[a];
        y = &p->nodes.v[b];
    }
    p->parent.v[b] = a;
    p->flow->stats.unified += p->unify;
    if (p->unify && (x->settled || y->settled || !nodes_rest(p, a, b)))
        unify_nodes(p, a, b);
    else
        unite_plain(p, a, b);
    return a;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool plain(Move m) { return !m.by && !m.stride && !m.flags; }

static int compare(const void *a, const void *b)
{
    Loc x = *(const Loc *)a, y = *(const Loc *)b;
    return x < y ? -1 : x > y;
}

/* Where in a function is no question; nor where in an object whose parts are not kept apart. */
static Loc move_loc(const Points *p, Loc l, Move m)
{
    Place at = loc_place(l);
    if (at.object >= OBJECT_FNS && at.object < OBJECT_FNS + p->program->fns.n)
        return l;
    if (m.flags & MOVE_ANYWHERE || at.object < OBJECT_FNS ||
        (at.object < p->memory.n && p->memory.v[at.object].whole))
        return loc_anywhere(at.object);
    return loc_make(at.object, at.offset + m.by, loc_gcd(at.stride, m.stride));
}

static void send(Points *p, const Loc *v, uint32_t n, uint32_t to, Move m)
{
    if (plain(m)) {
        node_add(p, to, v, n);
        return;
    }
    vec_clear(&p->scratch);
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        if (loc_object(v[i]) == OBJECT_ANY && m.flags & MOVE_NO_INPUT)
            continue;
        Loc l = m.by || m.stride || m.flags & MOVE_ANYWHERE ? move_loc(p, v[i], m) : v[i];
        if (p->scratch.n && vec_last(&p->scratch) == l)
            continue;
        sorted &= !p->scratch.n || vec_last(&p->scratch) < l;
        vec_push(&p->scratch, l);
    }
    if (!sorted)
        qsort(p->scratch.v, p->scratch.n, sizeof(Loc), compare);
    if (p->scratch.n)
        node_add(p, to, p->scratch.v, p->scratch.n);
}

void node_add_all(Points *p, uint32_t node, LocSet *set)
{
    uint32_t n = 0;
    if (!set->n)
        return;
    qsort(set->v, set->n, sizeof *set->v, compare);
    for (uint32_t i = 0; i < set->n; i++)
        if (!n || set->v[n - 1] != set->v[i])
            set->v[n++] = set->v[i];
    node_add(p, node, set->v, n);
}

void node_edge(Points *p, uint32_t from, uint32_t to, Move move)
{
    from = node_find(p, from);
    to = node_find(p, to);
    if (from == to && plain(move))
        return;
    uint64_t key = hash_mix(hash_mix((uint64_t)from << 32 | to, (uint64_t)(uint32_t)move.by << 32 |
                                                                    (uint64_t)move.stride << 8 | move.flags),
                            7);
    p->steps += LOOKUP_STEPS;
    if (map_get(&p->edges, key, NULL))
        return;
    map_put(&p->edges, key, 1);
    vec_push(&p->nodes.v[from].arrows, (Arrow){to, move});
    p->steps += EDGE_STEPS;
    p->bytes += EDGE_BYTES;
    if (p->nodes.v[from].settled) { /* its ends are to be one */
        node_queue(p, from);
        return;
    }
    /* A copy: the set may move or grow under us when an edge leads back to its own node. */
    LocSet *all = &p->nodes.v[from].all;
    if (!all->n)
        return;
    if (from != to) {
        send(p, all->v, all->n, to, move);
        return;
    }
    LocSet copy = {0};
    for (uint32_t i = 0; i < all->n; i++)
        vec_push(&copy, all->v[i]);
    send(p, copy.v, copy.n, to, move);
    vec_free(&copy);
}

/* ---- uses ------------------------------------------------------------------------------------ */

static bool over_budget(Points *p)
{
    const FlowOptions *o = &p->flow->options;
    if (p->bytes > p->flow->stats.bytes)
        p->flow->stats.bytes = p->bytes;
    p->unify |= p->steps > o->max_steps || p->bytes > o->max_memory;
    return p->unify;
}

/* When the budget is spent on the way, the rest is left: the node is to be visited again. */
static void apply(Points *p, Use u, const Loc *v, uint32_t n)
{
    p->steps += n;
    switch (u.kind) {
    case USE_LOAD:
        for (uint32_t i = 0; i < n && !over_budget(p); i++)
            mem_load(p, v[i], u.size, u.other, u.shadow);
        break;
    case USE_STORE:
        if (p->nodes.v[node_find(p, u.other)].all.n) /* else USE_STORED sees to it */
            for (uint32_t i = 0; i < n && !over_budget(p); i++)
                mem_store(p, v[i], u.size, u.other, u.shadow);
        break;
    case USE_STORED: {
        LocSet at = {0};
        const Node *address = &p->nodes.v[node_find(p, u.other)];
        for (uint32_t i = 0; i < address->all.n; i++)
            vec_push(&at, address->all.v[i]);
        for (uint32_t i = 0; i < at.n && !over_budget(p); i++)
            mem_store(p, at.v[i], u.size, u.value, u.shadow);
        vec_free(&at);
        break;
    }
    case USE_COPY_FROM:
        for (uint32_t i = 0; i < n && !over_budget(p); i++)
            mem_to_hub(p, v[i], u.other, u.size, u.shadow);
        break;
    case USE_COPY_TO:
        for (uint32_t i = 0; i < n && !over_budget(p); i++)
            mem_from_hub(p, u.other, v[i], u.size, u.shadow);
        break;
    case USE_CALL:
        for (uint32_t i = 0; i < n && !over_budget(p); i++)
            call_pointer(p, u.other, v[i]);
        break;
    }
}

void node_use(Points *p, uint32_t node, Use use)
{
    node = node_find(p, node);
    bool any = p->nodes.v[node].all.n != 0;
    use.done = any && !p->unify;
    vec_push(&p->nodes.v[node].uses, use);
    p->bytes += sizeof use;
    if (p->unify) {
        if (any)
            node_queue(p, node);
        return;
    }
    LocSet copy = {0};
    for (uint32_t i = 0; i < p->nodes.v[node].all.n; i++)
        vec_push(&copy, p->nodes.v[node].all.v[i]);
    if (copy.n)
        apply(p, use, copy.v, copy.n);
    vec_free(&copy);
    if (p->unify)
        node_requeue(p, node_find(p, node));
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Nodes in a cycle of plain edges hold the same in the end: they become one. */
static void collapse(Points *p)
{
    Arena *scratch = arena_new();
    EdgeVec edges = {0};
    uint32_t n = p->nodes.n, count;
    for (uint32_t x = 0; x < n; x++) {
        if (p->parent.v[x] != x)
            continue;
        for (uint32_t i = 0; i < p->nodes.v[x].arrows.n; i++)
            if (plain(p->nodes.v[x].arrows.v[i].move))
                vec_push(&edges, (Edge){x, node_find(p, p->nodes.v[x].arrows.v[i].to)});
    }
    Graph g = graph_make(scratch, n, &edges);
    uint32_t *component = graph_components(scratch, &g, &count);
    uint32_t *first = arena_alloc(scratch, (count + 1) * sizeof *first);
    for (uint32_t x = 0; x < n; x++) {
        if (p->parent.v[x] != x)
            continue;
        if (first[component[x]])
            node_unite(p, first[component[x]] - 1, x);
        else
            first[component[x]] = x + 1;
    }
    vec_clear(&p->rank);
    for (uint32_t x = 0; x < n; x++)
        vec_push(&p->rank, component[x]);
    p->since_collapse = 0;
    vec_free(&edges);
    arena_free(scratch);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void visit(Points *p, uint32_t node)
{
    if (p->parent.v[node] != node)
        return;
    p->nodes.v[node].queued = false;
    if (p->unify) {
        unify_visit(p, node);
        return;
    }
    LocSet now = {p->nodes.v[node].todo.v, p->nodes.v[node].todo.n, p->nodes.v[node].todo.cap};
    p->nodes.v[node].todo = (LocSet){NULL, 0, 0};
    if (now.n) {
        uint32_t uses = p->nodes.v[node].uses.n, arrows = p->nodes.v[node].arrows.n;
        for (uint32_t i = 0; i < uses && i < p->nodes.v[node].uses.n && !p->unify; i++) {
            Use u = p->nodes.v[node].uses.v[i];
            p->nodes.v[node].uses.v[i].done = true;
            if (u.kind != USE_STORED || !u.done)
                apply(p, u, now.v, now.n);
        }
        for (uint32_t i = 0; i < arrows && i < p->nodes.v[node].arrows.n && !over_budget(p); i++) {
            Arrow a = p->nodes.v[node].arrows.v[i];
            send(p, now.v, now.n, a.to, a.move);
        }
    }
    vec_free(&now);
    if (p->unify)
        node_requeue(p, node);
}

static int compare_down(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

/* Sources before targets, as far as is known, so that a node is seldom visited twice in a round. */
static void begin_round(Points *p)
{
    vec_clear(&p->work);
    for (uint32_t i = 0; i < p->later.n; i++) {
        uint32_t x = p->later.v[i];
        vec_push(&p->work, (uint64_t)(x < p->rank.n ? p->rank.v[x] : 0) << 32 | x);
    }
    vec_clear(&p->later);
    qsort(p->work.v, p->work.n, sizeof *p->work.v, compare_down);
}

void points_solve(Points *p)
{
    points_translate(p);
    collapse(p);
    while (p->later.n) {
        begin_round(p);
        for (uint32_t i = 0; i < p->work.n; i++) {
            uint64_t before = p->steps;
            visit(p, (uint32_t)p->work.v[i]);
            points_translate(p);
            p->since_collapse += p->steps - before;
            over_budget(p);
        }
        if (!p->unify && p->since_collapse > 4 * (uint64_t)p->nodes.n + 1000)
            collapse(p);
    }
    p->flow->stats.steps = p->steps;
    p->flow->stats.nodes = p->nodes.n;
}
