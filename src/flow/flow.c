/* flow.c - the life of a Flow, and answers that hold before the analyses exist: everything. */
#include "flow/flow_int.h"

Flow *flow_new(const IrProgram *program, const FlowOptions *options)
{
    Flow *flow = mem_zalloc(sizeof *flow);
    flow->program = program;
    flow->options = options ? *options : (FlowOptions){ .entry = IR_NONE };
    flow->arena = arena_new();
    flow->control = arena_alloc(flow->arena, (FLOW_POLICIES * program->fns.n + 1) * sizeof *flow->control);
    flow->effects = effects_bind(program, flow->arena);
    FlowSite none = { IR_NONE, IR_NONE, IR_NONE };
    vec_push(&flow->objects, (FlowObject){ .kind = FLOW_ANY, .at = none, .caller = none, .size = FLOW_WHOLE });
    return flow;
}

void flow_free(Flow *flow)
{
    vec_free(&flow->objects);
    calls_free(flow->calls);
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

uint32_t flow_object_count(Flow *flow) { return 2 * flow->objects.n; }

const FlowObject *flow_object(Flow *flow, uint32_t object) { return &flow->objects.v[object / 2]; }

const char *flow_object_text(Flow *flow, uint32_t object, char *out, size_t size)
{
    (void)flow;
    snprintf(out, size, "%sanything", flow_is_state(object) ? "state of " : "");
    return out;
}

uint32_t flow_object_of_global(Flow *flow, uint32_t global) { (void)flow, (void)global; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_fn(Flow *flow, uint32_t fn) { (void)flow, (void)fn; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_alloca(Flow *flow, FlowSite at) { (void)flow, (void)at; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_varargs(Flow *flow, uint32_t fn) { (void)flow, (void)fn; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_args(Flow *flow) { (void)flow; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_lazy(Flow *flow) { (void)flow; return FLOW_OBJECT_ANY; }
uint32_t flow_object_of_stream(Flow *flow, uint32_t descriptor) { (void)flow, (void)descriptor; return FLOW_OBJECT_ANY; }

uint32_t flow_object_of_heap(Flow *flow, FlowSite at, FlowSite caller)
{
    (void)flow, (void)at, (void)caller;
    return FLOW_OBJECT_ANY;
}

static FlowPlaces everything(void)
{
    static const FlowPlace all[2] = { { FLOW_OBJECT_ANY, IR_NONE, 0, FLOW_WHOLE }, { FLOW_OBJECT_ANY | 1, IR_NONE, 0, FLOW_WHOLE } };
    return (FlowPlaces){ all, 2 };
}

FlowList flow_points_to(Flow *flow, uint32_t fn, uint32_t reg)
{
    static const uint32_t any = FLOW_OBJECT_ANY;
    (void)flow, (void)fn, (void)reg;
    return (FlowList){ &any, 1 };
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
