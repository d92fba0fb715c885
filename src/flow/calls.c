/* calls.c - the call graph: who may be entered from a call, and from where a function may be entered. */
#include "flow/flow_int.h"

struct Calls {
    FlowList taken;                           /* functions whose address is taken */
    uint32_t n;
    Vec(FlowSite) *callers;                   /* by function */
};

static void take(const IrConst *c, BitSet *taken)
{
    if (c->kind == IR_CONST_FN)
        bitset_add(taken, c->index);
}

static FlowList find_taken(Flow *flow)
{
    const IrProgram *p = flow->program;
    BitSet taken = {0};
    U32Vec list = {0};
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].consts.n; i++)
            take(&p->fns.v[f].consts.v[i], &taken);
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++)
            take(&p->globals.v[g].relocs.v[i].value, &taken);
    for (uint32_t f = bitset_next(&taken, 0); f != UINT32_MAX; f = bitset_next(&taken, f + 1))
        vec_push(&list, f);
    FlowList kept = flow_keep(flow, &list);
    bitset_free(&taken);
    vec_free(&list);
    return kept;
}

static void add_callers(Flow *flow, FlowSite at)
{
    FlowList callees = flow_callees(flow, at);
    for (uint32_t i = 0; i < callees.n; i++)
        vec_push(&flow->calls->callers[callees.v[i]], at);
}

static Calls *calls_of(Flow *flow)
{
    const IrProgram *p = flow->program;
    if (flow->calls)
        return flow->calls;
    flow->calls = arena_alloc(flow->arena, sizeof *flow->calls);
    flow->calls->n = p->fns.n;
    flow->calls->callers = arena_alloc(flow->arena, (p->fns.n + 1) * sizeof *flow->calls->callers);
    flow->calls->taken = find_taken(flow);
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                FlowSite at = { f, b, i };
                if (flow_insn(flow, at)->op == IR_CALL || flow_insn(flow, at)->op == IR_CALLPTR)
                    add_callers(flow, at);
            }
    return flow->calls;
}

FlowList flow_callees(Flow *flow, FlowSite call)
{
    const Calls *calls = calls_of(flow);
    const IrInsn *insn = flow_insn(flow, call);
    return insn->op == IR_CALL ? (FlowList){ &insn->a, 1 } : calls->taken;
}

FlowSites flow_callers(Flow *flow, uint32_t fn)
{
    const Calls *calls = calls_of(flow);
    return (FlowSites){ calls->callers[fn].v, calls->callers[fn].n };
}

void calls_free(Calls *calls)
{
    for (uint32_t f = 0; calls && f < calls->n; f++)
        vec_free(&calls->callers[f]);
}
