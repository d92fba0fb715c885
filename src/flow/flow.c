/* flow.c - the life of a Flow, and answers that hold before the analyses exist: everything. */
#include "flow/flow_int.h"

Flow *flow_new(const IrProgram *program, const FlowOptions *options)
{
    Flow *flow = mem_zalloc(sizeof *flow);
    flow->program = program;
    flow->options = options ? *options : (FlowOptions){ .entry = IR_NONE };
    flow->arena = arena_new();
    flow->control = arena_alloc(flow->arena, (FLOW_POLICIES * program->fns.n + 1) * sizeof *flow->control);
    FlowSite none = { IR_NONE, IR_NONE, IR_NONE };
    vec_push(&flow->objects, (FlowObject){ .kind = FLOW_ANY, .at = none, .caller = none, .size = FLOW_WHOLE });
    return flow;
}

void flow_free(Flow *flow)
{
    vec_free(&flow->objects);
    arena_free(flow->arena);
    mem_free(flow);
}

const FlowStats *flow_stats(const Flow *flow) { return &flow->stats; }

const FlowControl *flow_control(Flow *flow, uint32_t fn, unsigned policy)
{
    FlowControl **slot = &flow->control[policy * flow->program->fns.n + fn];
    if (*slot)
        return *slot;
    uint32_t n = flow->program->fns.v[fn].blocks.n;
    uint32_t *ipdom = arena_alloc(flow->arena, (n + 1) * sizeof *ipdom), *idom = arena_alloc(flow->arena, (n + 1) * sizeof *idom);
    uint8_t *flags = arena_alloc(flow->arena, n + 1);
    for (uint32_t b = 0; b < n; b++) {
        ipdom[b] = FLOW_EXIT;
        idom[b] = b ? 0 : IR_NONE;
        flags[b] = FLOW_EARLY;
    }
    *slot = arena_alloc(flow->arena, sizeof **slot);
    **slot = (FlowControl){ ipdom, idom, flags, true, true };
    return *slot;
}

static FlowList all_blocks(Flow *flow, uint32_t fn)
{
    uint32_t n = flow->program->fns.v[fn].blocks.n, *list = arena_alloc(flow->arena, (n + 1) * sizeof *list);
    for (uint32_t b = 0; b < n; b++)
        list[b] = b;
    return (FlowList){ list, n };
}

FlowList flow_depends_on(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    (void)block, (void)policy;
    return all_blocks(flow, fn);
}

FlowList flow_dependents(Flow *flow, uint32_t fn, uint32_t branch, unsigned policy)
{
    (void)branch, (void)policy;
    return all_blocks(flow, fn);
}

FlowList flow_doomed_by(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    (void)flow, (void)fn, (void)block, (void)policy;
    return (FlowList){ NULL, 0 };
}

FlowList flow_join_regs(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    (void)flow, (void)fn, (void)block, (void)policy;
    return (FlowList){ NULL, 0 };
}

FlowList flow_side_blocks(Flow *flow, uint32_t fn, uint32_t block, uint32_t side, unsigned policy)
{
    (void)block, (void)side, (void)policy;
    return all_blocks(flow, fn);
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

FlowList flow_callees(Flow *flow, FlowSite call)
{
    const IrInsn *insn = &flow->program->fns.v[call.fn].blocks.v[call.block].insns.v[call.insn];
    uint32_t n = insn->op == IR_CALL ? 1 : flow->program->fns.n, *list = arena_alloc(flow->arena, (n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++)
        list[i] = insn->op == IR_CALL ? insn->a : i;
    return (FlowList){ list, n };
}

FlowSites flow_callers(Flow *flow, uint32_t fn)
{
    (void)flow, (void)fn;
    return (FlowSites){ NULL, 0 };
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
