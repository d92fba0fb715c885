/* depend_reach.c - finishes a graph: edges by node, ports, and for each node the ports that it reaches.
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
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->loop != y->loop ? (x->loop < y->loop ? -1 : 1) : 0;
}

/* In an irreducible cycle "once more around" has no fixed place: each edge within may cross. */
static void irreducible_edges(DependBuild *b)
{
    const IrFn *fn = b->fn;
    bool any = false;
    for (uint32_t l = 0; l < fn->loops.n; l++)
        any |= fn->loops.v[l].irreducible;
    for (uint32_t e = 0, n = any ? b->edges.n : 0; e < n && !b->over; e++) {
        RawEdge edge = b->edges.v[e];
        uint32_t from = b->d->nodes.v[edge.from].block, to = b->d->nodes.v[edge.to].block;
        if (from == IR_NONE || to == IR_NONE)
            continue;
        for (uint32_t l = depend_common_loop(fn, from, to); l != IR_NONE; l = fn->loops.v[l].parent)
            if (fn->loops.v[l].irreducible) {
                depend_edge(b, edge.from, edge.to, l);
                if (edge.loop == l)
                    depend_edge(b, edge.from, edge.to, IR_NONE);
            }
    }
}

static bool pack_edges(DependBuild *b)
{
    Depend *d = b->d;
    irreducible_edges(b);
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
        d->edges[e] = (DepEdge){b->edges.v[e].to, b->edges.v[e].loop};
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

/* ---- ports ----------------------------------------------------------------------------------- */

static uint32_t add_port(Depend *d, DepPort port)
{
    vec_push(&d->ports, port);
    return d->ports.n - 1;
}

static void add_sink(Depend *d, uint32_t node, uint32_t call)
{
    add_port(d, (DepPort){PORT_SINK, node, d->nsinks++, call});
}

static void make_ports(DependBuild *b)
{
    Depend *d = b->d;
    for (uint32_t n = 0; n < d->nodes.n; n++)
        if (d->nodes.v[n].kind == DEP_CHECK && (b->set->options.sinks & (FLOW_SINK_FAULTS | FLOW_SINK_ALL)))
            add_sink(d, n, IR_NONE);
    for (uint32_t i = 0; i < b->sinks.n; i++)
        add_sink(d, b->sinks.v[i], IR_NONE);
    for (uint32_t c = 0; c < d->calls.n; c++) {
        DepCall *call = &d->calls.v[c];
        if (call->n) {
            call->sink = d->ports.n;
            add_sink(d, IR_NONE, c);
        }
        for (uint32_t k = 0; k < call->n; k++) {
            const DepCallee *callee = &d->callees.v[call->first + k];
            for (uint32_t i = 0; i < callee->n_in; i++)
                add_port(d, (DepPort){PORT_ARG, d->links.v[callee->first_in + i].node, call->first + k, i});
        }
    }
    d->first_out = d->ports.n;
    for (uint32_t o = 0; o < d->outs.n; o++)
        add_port(d, (DepPort){PORT_OUT, d->outs.v[o].node, o, 0});
}

/* Which port stands for crossing a loop's back edge to a node; own ports of the tails. */
static void make_crossings(Depend *d, Map *crossing)
{
    d->first_cross = d->ports.n;
    for (uint32_t n = 0; n < d->nodes.n; n++)
        for (uint32_t e = d->start[n]; e < d->start[n + 1]; e++) {
            DepEdge edge = d->edges[e];
            uint64_t key = (uint64_t)edge.loop << 32 | edge.to;
            if (edge.loop != IR_NONE && !map_get(crossing, key, NULL))
                map_put(crossing, key, add_port(d, (DepPort){PORT_CROSS, edge.to, edge.loop, 0}));
        }
}

/* ---- sets ------------------------------------------------------------------------------------ */

typedef struct Sweep {
    DependBuild *b;
    Depend *d;
    Map crossing;
    uint32_t *members, *next_member; /* nodes by component, as lists */
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
        for (uint32_t p = s->d->first_port[n]; p != IR_NONE; p = s->d->next_port[p])
            set_bit(s->scratch, p), own = true;
        for (uint32_t e = d->start[n]; e < d->start[n + 1]; e++) {
            DepEdge edge = d->edges[e];
            if (edge.loop != IR_NONE)
                set_bit(s->scratch,
                        (uint32_t)map_get_or(&s->crossing, (uint64_t)edge.loop << 32 | edge.to, 0)),
                    own = true;
            uint64_t *other = d->component[edge.to] == c ? NULL : d->reach[d->component[edge.to]];
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
    Depend *d = s->d;
    s->members = mem_alloc((components + 1) * sizeof *s->members);
    s->next_member = mem_alloc((d->nodes.n + 1) * sizeof *s->next_member);
    s->d->first_port = mem_alloc((d->nodes.n + 1) * sizeof *s->d->first_port);
    s->d->next_port = mem_alloc((d->ports.n + 1) * sizeof *s->d->next_port);
    for (uint32_t c = 0; c < components; c++)
        s->members[c] = IR_NONE;
    for (uint32_t n = 0; n < d->nodes.n; n++) {
        s->d->first_port[n] = IR_NONE;
        s->next_member[n] = s->members[d->component[n]];
        s->members[d->component[n]] = n;
    }
    for (uint32_t p = 0; p < d->ports.n; p++) {
        uint32_t node = d->ports.v[p].node;
        if (node == IR_NONE || d->ports.v[p].kind == PORT_CROSS)
            continue;
        s->d->next_port[p] = s->d->first_port[node];
        s->d->first_port[node] = p;
    }
}

/* With every node a sink it is enough to look where nothing follows: who meets anywhere meets there. */
static void ends_are_sinks(Depend *d, uint32_t components)
{
    bool *goes_on = mem_zalloc(components + 1);
    for (uint32_t n = 0; n < d->nodes.n; n++)
        for (uint32_t e = d->start[n]; e < d->start[n + 1]; e++)
            goes_on[d->component[n]] |= d->component[d->edges[e].to] != d->component[n];
    for (uint32_t n = 0; n < d->nodes.n; n++)
        if (!goes_on[d->component[n]]) {
            goes_on[d->component[n]] = true;
            add_sink(d, n, IR_NONE);
        }
    mem_free(goes_on);
}

static void find_failing(DependSet *set, Depend *d)
{
    d->failing = arena_alloc(set->arena, (d->words + 1) * sizeof *d->failing);
    for (uint32_t p = 0; p < d->ports.n; p++) {
        const DepPort *port = &d->ports.v[p];
        bool fails = port->kind == PORT_SINK && port->node != IR_NONE;
        if (port->kind == PORT_ARG)
            fails = bitset_has(&set->fns[d->callees.v[port->a].fn]->failing_ins, port->b);
        if (fails)
            set_bit(d->failing, p);
    }
    for (uint32_t i = 0; i < d->ins.n; i++)
        if (depend_node_fails(d, d->ins.v[i].node)) {
            bitset_add(&d->failing_ins, i);
            d->fails = true;
        }
}

bool depend_node_fails(const Depend *d, uint32_t node)
{
    const uint64_t *reach = d->reach[d->component[node]];
    uint64_t both = 0;
    for (uint32_t w = 0; w < d->words && !both; w++)
        both = reach[w] & d->failing[w];
    return both;
}

/* Numbers ascend from sinks to sources. */
static uint32_t find_components(Depend *d)
{
    Arena *scratch = arena_new();
    uint32_t n = d->nodes.n, count;
    Graph g = {n, d->start, arena_alloc(scratch, (d->start[n] + 1) * sizeof *g.to)};
    for (uint32_t e = 0; e < d->start[n]; e++)
        g.to[e] = d->edges[e].to;
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
    make_ports(b);
    if (b->set->options.sinks & FLOW_SINK_ALL)
        ends_are_sinks(d, components);
    make_crossings(d, &s.crossing);
    d->words = (d->ports.n + 63) / 64 + !d->ports.n;
    d->reach = mem_zalloc((components + 1) * sizeof *d->reach);
    s.scratch = mem_zalloc((d->words + 1) * sizeof *s.scratch);
    s.empty = arena_alloc(b->set->arena, (d->words + 1) * sizeof *s.empty);
    list_members(&s, components);
    bool fits = sweep(&s, components);
    if (fits)
        find_failing(b->set, d);
    void *owned[] = {s.scratch, s.members, s.next_member};
    for (uint32_t i = 0; i < COUNT_OF(owned); i++)
        mem_free(owned[i]);
    map_free(&s.crossing);
    return fits;
}
