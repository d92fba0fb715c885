/* flow.c - the life of a Flow, and answers that hold before the analyses exist: everything. */
#include "flow/points.h"

#define DEFAULT_STEPS UINT64_C(2000000000)
#define DEFAULT_MEMORY ((size_t)1 << 30)

Flow *flow_new(const IrProgram *program, const FlowOptions *options)
{
    Flow *flow = mem_zalloc(sizeof *flow);
    flow->program = program;
    flow->options = options ? *options : (FlowOptions){ .entry = IR_NONE };
    if (!flow->options.max_steps)
        flow->options.max_steps = DEFAULT_STEPS;
    if (!flow->options.max_memory)
        flow->options.max_memory = DEFAULT_MEMORY;
    flow->arena = arena_new();
    flow->control = arena_alloc(flow->arena, (FLOW_POLICIES * program->fns.n + 1) * sizeof *flow->control);
    flow->effects = effects_bind(program, flow->arena);
    objects_begin(flow);
    return flow;
}

void flow_free(Flow *flow)
{
    vec_free(&flow->objects);
    calls_free(flow->calls);
    points_free(flow->points);
    arena_free(flow->arena);
    mem_free(flow);
}

const FlowStats *flow_stats(const Flow *flow) { return &flow->stats; }

FlowList flow_keep(Flow *flow, const U32Vec *list)
{
    uint32_t *v = arena_alloc(flow->arena, (list->n + 1) * sizeof *v);
    if (list->n)
        memcpy(v, list->v, list->n * sizeof *v);
    return (FlowList){ v, list->n };
}

static FlowPlaces everything(void)
{
    static const FlowPlace all[2] = { { FLOW_OBJECT_ANY, IR_NONE, 0, FLOW_WHOLE }, { FLOW_OBJECT_ANY | 1, IR_NONE, 0, FLOW_WHOLE } };
    return (FlowPlaces){ all, 2 };
}

FlowPlaces flow_side_writes(Flow *flow, uint32_t fn, uint32_t block, uint32_t side, unsigned policy)
{
    (void)flow, (void)fn, (void)block, (void)side, (void)policy;
    return everything();
}

FlowPlaces flow_insn_writes(Flow *flow, FlowSite at) { (void)flow, (void)at; return everything(); }
FlowPlaces flow_insn_reads(Flow *flow, FlowSite at) { (void)flow, (void)at; return everything(); }
FlowPlaces flow_fn_writes(Flow *flow, uint32_t fn) { (void)flow, (void)fn; return everything(); }
FlowPlaces flow_fn_reads(Flow *flow, uint32_t fn) { (void)flow, (void)fn; return everything(); }

bool flow_places_meet(Flow *flow, uint32_t fn, const FlowPlace *a, const FlowPlace *b)
{
    (void)flow, (void)fn, (void)a, (void)b;
    return true;
}
