/* calls.c - the call graph: who may be entered from a call, and from where a function may be entered. */
#include "flow/points.h"

struct Calls {
    Map by_site;                              /* hash of a call through a pointer to its number, plus one */
    Graph targets;                            /* from such a number to functions */
    Graph callers;                            /* from a function to numbers of `sites` */
    Vec(FlowSite) sites;
    FlowSite *of;                             /* the same as one array by function */
};

static uint64_t site_key(FlowSite at) { return hash_mix(hash_mix(at.fn, at.block), at.insn); }

static void make_targets(Points *p, Calls *calls, Arena *a)
{
    BitSet *sets = mem_zalloc((p->target_at.n + 1) * sizeof *sets);
    EdgeVec edges = {0};
    for (uint32_t i = 0; i < p->targets.n; i++)
        bitset_add(&sets[p->targets.v[i].from], p->targets.v[i].to);
    for (uint32_t i = 0; i < p->target_at.n; i++) {
        map_put(&calls->by_site, site_key(p->target_at.v[i]), i + 1);
        for (uint32_t f = bitset_next(&sets[i], 0); f != UINT32_MAX; f = bitset_next(&sets[i], f + 1))
            vec_push(&edges, (Edge){ i, f });
        bitset_free(&sets[i]);
    }
    calls->targets = graph_make(a, p->target_at.n, &edges);
    mem_free(sets);
    vec_free(&edges);
}

static FlowList callees(Points *p, const Calls *calls, FlowSite at)
{
    const IrInsn *insn = flow_insn(p->flow, at);
    if (insn->op == IR_CALL)
        return (FlowList){ &insn->a, 1 };
    if (!points_reached(p, at.fn))
        return p->taken;
    uint32_t i = (uint32_t)map_get_or(&calls->by_site, site_key(at), 0);
    if (!i)
        return (FlowList){ NULL, 0 };
    uint32_t from = calls->targets.start[i - 1];
    return (FlowList){ calls->targets.to + from, calls->targets.start[i] - from };
}

static void make_callers(Points *p, Calls *calls, Arena *a)
{
    EdgeVec edges = {0};
    const IrProgram *program = p->program;
    for (uint32_t f = 0; f < program->fns.n; f++)
        for (uint32_t b = 0; b < program->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < program->fns.v[f].blocks.v[b].insns.n; i++) {
                FlowSite at = { f, b, i };
                uint16_t op = flow_insn(p->flow, at)->op;
                if (op != IR_CALL && op != IR_CALLPTR)
                    continue;
                FlowList to = callees(p, calls, at);
                for (uint32_t k = 0; k < to.n; k++)
                    vec_push(&edges, (Edge){ to.v[k], calls->sites.n });
                vec_push(&calls->sites, at);
            }
    calls->callers = graph_make(a, program->fns.n, &edges);
    calls->of = arena_alloc(a, (edges.n + 1) * sizeof *calls->of);
    for (uint32_t i = 0; i < edges.n; i++)
        calls->of[i] = calls->sites.v[calls->callers.to[i]];
    vec_free(&edges);
    vec_free(&calls->sites);
}

static Calls *calls_of(Flow *flow)
{
    if (!flow->calls) {
        Points *p = points_of(flow);
        Calls *calls = flow->calls = arena_alloc(flow->arena, sizeof *calls);
        make_targets(p, calls, flow->arena);
        make_callers(p, calls, flow->arena);
    }
    return flow->calls;
}

FlowList flow_callees(Flow *flow, FlowSite call)
{
    const Calls *calls = calls_of(flow);
    return callees(points_of(flow), calls, call);
}

FlowSites flow_callers(Flow *flow, uint32_t fn)
{
    const Calls *calls = calls_of(flow);
    uint32_t from = calls->callers.start[fn];
    return (FlowSites){ calls->of + from, calls->callers.start[fn + 1] - from };
}

void calls_free(Calls *calls)
{
    if (calls)
        map_free(&calls->by_site);
}
