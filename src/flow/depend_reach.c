/* depend_reach.c - finishes a graph: edges by node, and for each node the exits that it reaches.
 *
 * Components are numbered from the ends backwards, so one sweep unites the sets of successors; a set that
 * equals the only successor's is shared with it. */
#include "flow/depend.h"

#include <stdlib.h>

static int compare_edges(const void *a, const void *b)
{
    const RawEdge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : 0;
}

static bool pack_edges(DependBuild *b)
{
    Depend *d = b->d;
    if (b->over)
        return false;
    qsort(b->edges.v, b->edges.n, sizeof *b->edges.v, compare_edges);
    uint32_t n = 0;
    for (uint32_t e = 0; e < b->edges.n; e++)
        if (!n || compare_edges(&b->edges.v[n - 1], &b->edges.v[e]))
            b->edges.v[n++] = b->edges.v[e];
    d->start = mem_zalloc((d->nodes.n + 2) * sizeof *d->start);
    d->edges = mem_alloc((n + 1) * sizeof *d->edges);
    for (uint32_t e = 0; e < n; e++) {
        d->start[b->edges.v[e].from + 1] = e + 1;
        d->edges[e] = b->edges.v[e].to;
    }
    for (uint32_t i = 0; i < d->nodes.n; i++)
        if (d->start[i + 1] < d->start[i])
            d->start[i + 1] = d->start[i];
    b->set->steps += n;
    b->bytes = n * sizeof *d->edges + d->nodes.n * (sizeof *d->nodes.v + 6 * sizeof(uint32_t)) +
               d->links.n * sizeof *d->links.v;
    b->set->bytes += b->bytes;
    return b->set->bytes <= b->set->options.max_memory;
}

typedef struct Sweep {
    DependBuild *b;
    Depend *d;
    uint32_t *members, *next_member;  /* nodes by component, as lists */
    uint32_t *first_exit, *next_exit; /* by node, by exit: a node's own exits, as lists */
    uint64_t *scratch, *empty;
} Sweep;

static void set_bit(uint64_t *set, uint32_t i) { set[i / 64] |= (uint64_t)1 << i % 64; }

/* Unites what a component's nodes have and reach into scratch; `*same`: the one set that this equals, if
 * any. */
static void unite_component(Sweep *s, uint32_t c, uint64_t **same)
{
    Depend *d = s->d;
    bool own = false, several = false;
    memset(s->scratch, 0, d->words * sizeof *s->scratch);
    *same = NULL;
    for (uint32_t n = s->members[c]; n != IR_NONE; n = s->next_member[n]) {
        for (uint32_t o = s->first_exit[n]; o != IR_NONE; o = s->next_exit[o])
            set_bit(s->scratch, o), own = true;
        for (uint32_t e = d->start[n]; e < d->start[n + 1]; e++) {
            uint32_t to = d->component[d->edges[e]];
            uint64_t *other = to == c ? NULL : d->reach[to];
            if (!other || other == s->empty || other == *same)
                continue;
            several |= *same != NULL;
            *same = other;
            for (uint32_t w = 0; w < d->words; w++)
                s->scratch[w] |= other[w];
            s->b->set->steps += d->words / 8;
        }
    }
    if (!*same && !own)
        *same = s->empty;
    else if (own || several)
        *same = NULL;
}

static bool sweep(Sweep *s, uint32_t components)
{
    Depend *d = s->d;
    DependSet *set = s->b->set;
    size_t bytes = d->words * sizeof(uint64_t);
    for (uint32_t c = 0; c < components; c++) {
        uint64_t *same;
        unite_component(s, c, &same);
        if (!same) {
            set->bytes += bytes;
            if (set->bytes > set->options.max_memory || set->steps > set->options.max_steps)
                return false;
            same = arena_alloc(set->arena, bytes);
            memcpy(same, s->scratch, bytes);
        }
        d->reach[c] = same;
    }
    return true;
}

static void list_members(Sweep *s, uint32_t components)
{
    const Depend *d = s->d;
    s->members = mem_alloc((components + 1) * sizeof *s->members);
    s->next_member = mem_alloc((d->nodes.n + 1) * sizeof *s->next_member);
    s->first_exit = mem_alloc((d->nodes.n + 1) * sizeof *s->first_exit);
    s->next_exit = mem_alloc((d->outs.n + 1) * sizeof *s->next_exit);
    for (uint32_t c = 0; c < components; c++)
        s->members[c] = IR_NONE;
    for (uint32_t n = 0; n < d->nodes.n; n++) {
        s->first_exit[n] = IR_NONE;
        s->next_member[n] = s->members[d->component[n]];
        s->members[d->component[n]] = n;
    }
    for (uint32_t o = 0; o < d->outs.n; o++) {
        s->next_exit[o] = s->first_exit[d->outs.v[o].node];
        s->first_exit[d->outs.v[o].node] = o;
    }
}

/* Numbers ascend from ends to sources. */
static uint32_t find_components(Depend *d)
{
    Arena *scratch = arena_new();
    uint32_t n = d->nodes.n, count;
    Graph g = {n, d->start, d->edges};
    d->component = mem_alloc((n + 1) * sizeof *d->component);
    memcpy(d->component, graph_components(scratch, &g, &count), n * sizeof *d->component);
    arena_free(scratch);
    return count;
}

bool depend_reach(DependBuild *b)
{
    Depend *d = b->d;
    if (!pack_edges(b))
        return false;
    Sweep s = {.b = b, .d = d};
    uint32_t components = find_components(d);
    d->words = (d->outs.n + 63) / 64 + !d->outs.n;
    d->reach = mem_zalloc((components + 1) * sizeof *d->reach);
    s.scratch = mem_zalloc((d->words + 1) * sizeof *s.scratch);
    s.empty = arena_alloc(b->set->arena, (d->words + 1) * sizeof *s.empty);
    list_members(&s, components);
    bool fits = sweep(&s, components);
    void *owned[] = {s.scratch, s.members, s.next_member, s.first_exit, s.next_exit};
    for (uint32_t i = 0; i < COUNT_OF(owned); i++)
        mem_free(owned[i]);
    return fits;
}
