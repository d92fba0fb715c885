/* flow.c - the life of a Flow. */
#include "flow/wanted.h"
#include "flow/flow_int.h"

/* Steps for a program of any size, and for each of its instructions: programs whose parts are apart need
 * about 150. */
#define DEFAULT_STEPS      UINT64_C(15000000)
#define DEFAULT_STEPS_EACH 150
#define DEFAULT_MEMORY     ((size_t)1 << 30)

/* Locals of variable size, and those that each round of a loop makes anew. */
static bool has_variable_locals(const IrProgram *program)
{
    for (uint32_t f = 0; f < program->fns.n; f++) {
        const IrFn *fn = &program->fns.v[f];
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
                if (insn->op == IR_ALLOCA && !(insn->flags & IR_FIXED))
                    return true;
            }
    }
    return false;
}

Flow *flow_new(const IrProgram *program, const FlowOptions *options)
{
    Flow *flow = mem_zalloc(sizeof *flow);
    flow->program = program;
    flow->options = options ? *options : (FlowOptions){.entry = IR_NONE};
    for (uint32_t f = 0; f < program->fns.n; f++)
        for (uint32_t b = 0; b < program->fns.v[f].blocks.n; b++)
            flow->stats.instructions += program->fns.v[f].blocks.v[b].insns.n;
    if (!flow->options.max_steps)
        flow->options.max_steps = DEFAULT_STEPS + DEFAULT_STEPS_EACH * flow->stats.instructions;
    if (!flow->options.max_memory)
        flow->options.max_memory = DEFAULT_MEMORY;
    flow->arena = arena_new();
    flow->control = arena_alloc(flow->arena, (FLOW_POLICIES * program->fns.n + 1) * sizeof *flow->control);
    flow->effects = effects_bind(program, flow->arena);
    flow->bases = arena_alloc(flow->arena, (program->fns.n + 1) * sizeof *flow->bases);
    flow->stack_varies = has_variable_locals(program);
    objects_begin(flow);
    return flow;
}

void flow_free(Flow *flow)
{
    vec_free(&flow->objects);
    map_free(&flow->object_lists);
    vec_free(&flow->lists);
    places_free(flow->places);
    calls_free(flow->calls);
    points_free(flow->points);
    wanted_free(flow);
    arena_free(flow->arena);
    mem_free(flow);
}

const FlowStats *flow_stats(const Flow *flow) { return &flow->stats; }

FlowList flow_keep(Flow *flow, const U32Vec *list)
{
    uint32_t *v = arena_alloc(flow->arena, (list->n + 1) * sizeof *v);
    if (list->n)
        memcpy(v, list->v, list->n * sizeof *v);
    return (FlowList){v, list->n};
}
