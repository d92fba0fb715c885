/* calls.c - the call graph: who may be entered from a call, and from where a function may be entered.
 *
 * Calls through pointers that may enter the same functions are one group. A program with a table of n
 * handlers and n calls through it has one group, not n * n edges; who walks the call graph walks over
 * groups. */
#include "flow/points.h"

#include <stdlib.h>

struct Calls {
    Map by_site;                     /* hash of a call through a pointer to its group, plus one */
    Graph members;                   /* from a group to functions, ascending */
    Graph groups_of;                 /* from a function to groups */
    Graph group_sites, direct_sites; /* from a group, from a function, to positions in sites */
    FlowSite *sites;
    FlowSites *callers; /* by function; v is NULL until asked for */
};

typedef struct Grouping {
    Map by_hash; /* hash of a list of functions to its group */
    EdgeVec members;
    uint32_t n;
} Grouping;

/* Lists are equal if their hashes are, as everywhere for what is only text of the program. */
static uint32_t group_of(Grouping *g, const BitSet *set)
{
    uint64_t hash = 17, found;
    for (uint32_t f = bitset_next(set, 0); f != UINT32_MAX; f = bitset_next(set, f + 1))
        hash = hash_mix(hash, f);
    if (map_get(&g->by_hash, hash, &found))
        return (uint32_t)found;
    for (uint32_t f = bitset_next(set, 0); f != UINT32_MAX; f = bitset_next(set, f + 1))
        vec_push(&g->members, (Edge){g->n, f});
    map_put(&g->by_hash, hash, g->n);
    return g->n++;
}

/* The call that stands for one that was merged. */
static uint32_t first_of(Points *p, uint32_t i)
{
    while (p->target_parent.v[i] != i)
        i = p->target_parent.v[i] = p->target_parent.v[p->target_parent.v[i]];
    return i;
}

/* Groups of the calls whose targets the solver has found; returns the group of those in code that is never
 * entered. */
static uint32_t make_groups(Points *p, Calls *calls, Grouping *g)
{
    Arena *scratch = arena_new();
    uint32_t n = p->target_at.n, *group = arena_alloc(scratch, (n + 1) * sizeof *group);
    for (uint32_t i = 0; i < p->targets.n; i++)
        p->targets.v[i].from = first_of(p, p->targets.v[i].from);
    Graph targets = graph_make(scratch, n, &p->targets);
    BitSet set = {0};
    for (uint32_t i = 0; i < n; i++) {
        vec_clear(&set);
        for (uint32_t k = targets.start[i]; k < targets.start[i + 1]; k++)
            bitset_add(&set, targets.to[k]);
        if (first_of(p, i) == i)
            group[i] = group_of(g, &set);
    }
    for (uint32_t i = 0; i < n; i++)
        map_put(&calls->by_site, flow_site_key(p->target_at.v[i]), group[first_of(p, i)] + 1);
    vec_clear(&set);
    for (uint32_t i = 0; i < p->taken.n; i++)
        bitset_add(&set, p->taken.v[i]);
    uint32_t unknown = group_of(g, &set);
    bitset_free(&set);
    arena_free(scratch);
    return unknown;
}

static void make_calls(Points *p, Calls *calls, Arena *a)
{
    const IrProgram *program = p->program;
    Grouping g = {0};
    EdgeVec direct = {0}, grouped = {0}, back = {0};
    Vec(FlowSite) sites = {0};
    BitSet none = {0};
    uint32_t nowhere = group_of(&g, &none), unknown = make_groups(p, calls, &g);
    for (uint32_t f = 0; f < program->fns.n; f++)
        for (uint32_t b = 0; b < program->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < program->fns.v[f].blocks.v[b].insns.n; i++) {
                FlowSite at = {f, b, i};
                const IrInsn *insn = flow_insn(p->flow, at);
                uint64_t group = points_reached(p, f) ? nowhere : unknown;
                if (insn->op == IR_CALL) {
                    vec_push(&direct, (Edge){insn->a, sites.n});
                    vec_push(&sites, at);
                } else if (insn->op == IR_CALLPTR) {
                    if (map_get(&calls->by_site, flow_site_key(at), &group))
                        group--;
                    map_put(&calls->by_site, flow_site_key(at), group + 1);
                    vec_push(&grouped, (Edge){(uint32_t)group, sites.n});
                    vec_push(&sites, at);
                }
            }
    for (uint32_t i = 0; i < g.members.n; i++)
        vec_push(&back, (Edge){g.members.v[i].to, g.members.v[i].from});
    calls->members = graph_make(a, g.n, &g.members);
    calls->groups_of = graph_make(a, program->fns.n, &back);
    calls->group_sites = graph_make(a, g.n, &grouped);
    calls->direct_sites = graph_make(a, program->fns.n, &direct);
    calls->sites = arena_alloc(a, (sites.n + 1) * sizeof *calls->sites);
    if (sites.n)
        memcpy(calls->sites, sites.v, sites.n * sizeof *sites.v);
    calls->callers = arena_alloc(a, (program->fns.n + 1) * sizeof *calls->callers);
    map_free(&g.by_hash);
    vec_free(&g.members);
    vec_free(&direct);
    vec_free(&grouped);
    vec_free(&back);
    vec_free(&sites);
}

static Calls *calls_of(Flow *flow)
{
    if (!flow->calls) {
        Points *p = points_of(flow);
        flow->calls = arena_alloc(flow->arena, sizeof *flow->calls);
        make_calls(p, flow->calls, flow->arena);
    }
    return flow->calls;
}

void calls_free(Calls *calls)
{
    if (calls)
        map_free(&calls->by_site);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static FlowList row(const Graph *g, uint32_t x)
{
    return (FlowList){g->to + g->start[x], g->start[x + 1] - g->start[x]};
}

uint32_t call_group(Flow *flow, FlowSite at)
{
    return (uint32_t)map_get_or(&calls_of(flow)->by_site, flow_site_key(at), 0) - 1;
}
uint32_t call_group_count(Flow *flow) { return calls_of(flow)->members.n; }
FlowList call_group_members(Flow *flow, uint32_t group) { return row(&calls_of(flow)->members, group); }
FlowList call_groups_of(Flow *flow, uint32_t fn) { return row(&calls_of(flow)->groups_of, fn); }
FlowList call_sites_of_group(Flow *flow, uint32_t group) { return row(&calls_of(flow)->group_sites, group); }
FlowList call_sites_of_fn(Flow *flow, uint32_t fn) { return row(&calls_of(flow)->direct_sites, fn); }
FlowSite call_site(Flow *flow, uint32_t i) { return calls_of(flow)->sites[i]; }

/* ---- the face -------------------------------------------------------------------------------- */

FlowList flow_callees(Flow *flow, FlowSite at)
{
    const IrInsn *insn = flow_insn(flow, at);
    return insn->op == IR_CALL ? (FlowList){&insn->a, 1} : call_group_members(flow, call_group(flow, at));
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

FlowSites flow_callers(Flow *flow, uint32_t fn)
{
    Calls *calls = calls_of(flow);
    if (calls->callers[fn].v)
        return calls->callers[fn];
    U32Vec all = {0};
    FlowList direct = call_sites_of_fn(flow, fn), groups = call_groups_of(flow, fn);
    for (uint32_t i = 0; i < direct.n; i++)
        vec_push(&all, direct.v[i]);
    for (uint32_t g = 0; g < groups.n; g++) {
        FlowList sites = call_sites_of_group(flow, groups.v[g]);
        for (uint32_t i = 0; i < sites.n; i++)
            vec_push(&all, sites.v[i]);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, compare); /* positions are in the order of the program */
    FlowSite *v = arena_alloc(flow->arena, (all.n + 1) * sizeof *v);
    for (uint32_t i = 0; i < all.n; i++)
        v[i] = calls->sites[all.v[i]];
    calls->callers[fn] = (FlowSites){v, all.n};
    vec_free(&all);
    return calls->callers[fn];
}
