/* ends.c - how functions end: by return, by exit, by longjmp out of them, by a fault. The least solution over
 * the call graph, so that a recursion without an end does not return. */
#include "flow/flow_int.h"

typedef struct Solve {
    Flow *flow;
    U32Vec work;
    uint8_t *queued;
} Solve;

/* Ends of an operator that checks something. Which checks are on is the machine's affair: all count. */
static bool may_fault(const IrInsn *insn)
{
    switch ((IrOp)insn->op) {
    case IR_UDIV:
    case IR_UREM:
    case IR_SDIV:
    case IR_SREM:
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR: return true;
    default: return insn->flags & (IR_NSW | IR_NUW) || ir_op_has_flag((IrOp)insn->op, 'M');
    }
}

static uint8_t declared_ends(const Flow *flow, uint32_t fn);

/* The signal of a pipe without a reader is a way to fail, whatever its handler does: else all that prints
 * might exit, and everything would depend on whether something was printed. */
static bool fails_only(const Flow *flow, uint32_t caller)
{
    return flow_fn(flow, caller)->runtime &&
           !strcmp(ir_text(flow->program, flow_fn(flow, caller)->name), "__sheaf_broken_pipe");
}

bool flow_is_unknown(const Flow *flow, uint32_t fn)
{
    return !flow_fn(flow, fn)->defined && !flow->effects[fn] && flow->options.known &&
           !flow->options.known(ir_text(flow->program, flow_fn(flow, fn)->name));
}

/* The table's word counts in the user's code, as for all else; only what calls back ends as it is called
 * back. */
static uint8_t callee_ends(const Flow *flow, bool users, uint32_t callee)
{
    const Effects *e = flow->effects[callee];
    if (users && flow_is_unknown(flow, callee))
        return flow->ends[callee] | ENDS_EXIT;
    return users && e && !effects_have(e, EFFECT_CALL) ? declared_ends(flow, callee) : flow->ends[callee];
}

/* An address that comes from an input leads to unknown functions. Such objects come first in a
 * list. */
static bool leads_anywhere(Flow *flow, FlowSite at, const IrInsn *insn)
{
    if (!flow->options.known)
        return false;
    FlowList to = flow_points_to(flow, at.fn, insn->a);
    bool anywhere = !to.n;
    for (uint32_t i = 0; i < to.n && to.v[i] <= flow_object_of_lazy(flow) && !anywhere; i++)
        anywhere = to.v[i] == FLOW_OBJECT_ANY || to.v[i] == flow_object_of_lazy(flow);
    return anywhere;
}

/* A function that the entry got from its caller is a stub of the machine, which comes back. */
static bool leads_to_callback(Flow *flow, FlowSite at, const IrInsn *insn)
{
    return flow_has_links(flow) && flow_points_to(flow, at.fn, insn->a).n && leads_anywhere(flow, at, insn);
}

static uint8_t call_ends(Flow *flow, FlowSite at, const IrInsn *insn)
{
    bool users = !flow_fn(flow, at.fn)->runtime;
    uint8_t ends = ENDS_FAULT;
    if (insn->op == IR_CALLPTR && users && leads_anywhere(flow, at, insn))
        ends |= ENDS_EXIT;
    if (insn->op == IR_CALLPTR && leads_to_callback(flow, at, insn))
        ends |= ENDS_RETURN;
    if (fails_only(flow, at.fn))
        ends |= ENDS_RETURN;
    else if (insn->op == IR_CALL)
        ends |= callee_ends(flow, users, insn->a);
    else
        ends |= flow->group_ends[call_group(flow, at)][users];
    return insn->flags & IR_NORETURN ? ends & ~ENDS_RETURN : ends;
}

static uint8_t insn_ends(Flow *flow, FlowSite at)
{
    const IrInsn *insn = flow_insn(flow, at);
    switch ((IrOp)insn->op) {
    case IR_CALL:
    case IR_CALLPTR: return call_ends(flow, at, insn);
    case IR_LONGJMP: return ENDS_JUMP | ENDS_FAULT;
    case IR_TRAP:
    case IR_UNREACHABLE: return ENDS_FAULT;
    case IR_UNSUPPORTED: return flow->options.known ? ENDS_EXIT | ENDS_FAULT : ENDS_FAULT;
    default: return may_fault(insn) ? ENDS_RETURN | ENDS_FAULT : ENDS_RETURN;
    }
}

static uint8_t declared_ends(const Flow *flow, uint32_t fn)
{
    const Effects *e = flow->effects[fn];
    uint8_t ends = ENDS_FAULT;
    if (!(e && effects_have(e, EFFECT_NEVER)) && !flow_fn(flow, fn)->noreturn)
        ends |= ENDS_RETURN;
    return e && effects_have(e, EFFECT_EXITS) ? ends | ENDS_EXIT : ends;
}

/* Walks what can be reached in the function; a call that is not known to return ends the walk of its
 * block. */
static uint8_t fn_ends(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    if (!fn->defined)
        return declared_ends(flow, index);
    uint8_t ends = 0, *seen = mem_zalloc(fn->blocks.n);
    U32Vec work = {0}, to = {0};
    vec_push(&work, 0);
    seen[0] = 1;
    while (work.n) {
        uint32_t b = vec_pop(&work);
        bool goes_on = true;
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n && goes_on; i++) {
            uint8_t how = insn_ends(flow, (FlowSite){index, b, i});
            ends |= how & ~ENDS_RETURN;
            goes_on = how & ENDS_RETURN;
        }
        if (goes_on && vec_last(&fn->blocks.v[b].insns).op == IR_RET)
            ends |= ENDS_RETURN;
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; goes_on && i < to.n; i++)
            if (!seen[to.v[i]]) {
                seen[to.v[i]] = 1;
                vec_push(&work, to.v[i]);
            }
    }
    const Effects *e = flow->effects[index];
    if (fn->noreturn || (e && effects_have(e, EFFECT_NEVER)))
        ends &= ~ENDS_RETURN;
    mem_free(seen);
    vec_free(&work);
    vec_free(&to);
    return ends;
}

static void queue_sites(Solve *s, FlowList sites)
{
    for (uint32_t i = 0; i < sites.n; i++) {
        uint32_t caller = call_site(s->flow, sites.v[i]).fn;
        if (!s->queued[caller]) {
            s->queued[caller] = 1;
            vec_push(&s->work, caller);
        }
    }
}

/* Ends only grow, so a group takes in what is new of a member. */
static bool tell_group(Flow *flow, uint32_t group, uint32_t member)
{
    uint8_t *ends = flow->group_ends[group], before[2] = {ends[0], ends[1]};
    ends[0] |= callee_ends(flow, false, member);
    ends[1] |= callee_ends(flow, true, member);
    return ends[0] != before[0] || ends[1] != before[1];
}

static void solve(Flow *flow)
{
    const IrProgram *p = flow->program;
    Solve s = {.flow = flow, .queued = mem_zalloc(p->fns.n + 1)};
    for (uint32_t f = p->fns.n; f-- > 0;) {
        vec_push(&s.work, f);
        s.queued[f] = 1;
    }
    for (uint32_t g = 0; g < call_group_count(flow); g++) {
        FlowList members = call_group_members(flow, g);
        for (uint32_t i = 0; i < members.n; i++)
            tell_group(flow, g, members.v[i]);
    }
    while (s.work.n) {
        uint32_t f = vec_pop(&s.work);
        s.queued[f] = 0;
        uint8_t ends = fn_ends(flow, f);
        if (ends == flow->ends[f])
            continue;
        flow->ends[f] = ends;
        queue_sites(&s, call_sites_of_fn(flow, f));
        FlowList groups = call_groups_of(flow, f);
        for (uint32_t i = 0; i < groups.n; i++)
            if (tell_group(flow, groups.v[i], f))
                queue_sites(&s, call_sites_of_group(flow, groups.v[i]));
    }
    vec_free(&s.work);
    mem_free(s.queued);
}

uint8_t flow_fn_ends(Flow *flow, uint32_t fn)
{
    if (!flow->ends) {
        flow->ends = arena_alloc(flow->arena, flow->program->fns.n + 1);
        flow->group_ends = arena_alloc(flow->arena, (call_group_count(flow) + 1) * sizeof *flow->group_ends);
        solve(flow);
    }
    return flow->ends[fn];
}

uint8_t flow_insn_ends(Flow *flow, FlowSite at)
{
    flow_fn_ends(flow, at.fn);
    return insn_ends(flow, at);
}
