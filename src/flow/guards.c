/* guards.c - branches on which it depends whether a sink runs.
 *
 * A block holds a sink if one of its instructions may fail a check, shows something or is given, or calls a
 * function that holds one; a branch guards what may run between it and its post-dominator. No dataflow is
 * asked for: what a sink depends on besides being reached follows from the labels of a run. A function is
 * analysed when one of its branches is asked for, with all that it calls: most of the library is never
 * asked for. */
#include "flow/flow_int.h"

struct FlowGuards {
    Flow *flow;
    FlowGuardOptions options;
    Map given;
    BitSet looked;   /* functions that were looked at, and so was what they call, as far as it matters */
    BitSet *blocks;  /* by function: blocks with a sink */
    BitSet fns;      /* functions with one */
    BitSet deep;     /* functions that may run on top of a recursion */
    BitSet back;     /* functions of runtime/ below which code of the user's may run */
    Map calls;       /* calls of the user's code of functions that the table describes, which hold none */
    uint8_t **known; /* by function and block: of its branch 1 no, 2 yes, 0 not asked yet; or NULL */
    bool big_frames, wary; /* a frame may be too large; any call of the library may fail */
};

/* ---- what may fail --------------------------------------------------------------------------- */

static bool insn_fails(const FlowGuards *g, const FlowBody *body, const IrInsn *insn)
{
    switch (insn->op) {
    case IR_LOAD:
    case IR_STORE:
    case IR_MEMCPY:
    case IR_MEMMOVE:
    case IR_MEMSET:
    case IR_LIFE:
    case IR_DEAD:
    case IR_VASTART:
    case IR_SETJMP:
    case IR_LONGJMP: return flow_access_fails(body, insn);
    case IR_ALLOCA: return !(insn->flags & IR_FIXED) || g->big_frames;
    case IR_CALLPTR:
    case IR_GOTO:
    case IR_TRAP:
    case IR_UNREACHABLE:
    case IR_UNSUPPORTED: return true;
    case IR_BR:
    case IR_SWITCH: return g->options.checks & FLOW_CHECK_UNINIT;
    default: return flow_operator_fails(body->fn, insn, g->options.checks);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool shows(Flow *flow, FlowSite at)
{
    FlowPlaces writes = flow_insn_writes(flow, at);
    for (uint32_t i = 0; i < writes.n; i++) {
        const FlowObject *o = writes.v[i].param == IR_NONE ? flow_object(flow, writes.v[i].object) : NULL;
        if (o && (o->kind == FLOW_ANY || (o->kind == FLOW_STREAM && o->index)))
            return true;
    }
    return false;
}

/* A function that the table describes fails by what it is given, or by itself; of another its body tells,
 * later. */
static bool call_fails(FlowGuards *g, const FlowBody *body, FlowSite at)
{
    FlowList callees = flow_callees(g->flow, at);
    IrCall call = ir_call_read(body->fn, flow_insn(g->flow, at));
    if (g->options.sinks & FLOW_SINK_OUTPUTS && shows(g->flow, at))
        return true;
    for (uint32_t i = 0; i < callees.n; i++) {
        const Effects *e = g->flow->effects[callees.v[i]];
        if (flow_is_unknown(g->flow, callees.v[i]) ||
            (e && (effects_have(e, EFFECT_NEVER) || effects_have(e, EFFECT_CALL))))
            return true;
        if (e && (g->wary || flow_given_fails(g->flow, at.fn, &call, e)))
            return true;
    }
    return !callees.n;
}

/* Each further frame may be one too many: on top of a recursion, of large ones, of ones whose size varies. */
static bool may_lack_room(const FlowGuards *g, FlowSite at)
{
    FlowList callees = flow_callees(g->flow, at);
    if (flow_fn(g->flow, at.fn)->runtime)
        return false;
    bool framed = false;
    for (uint32_t i = 0; i < callees.n; i++) {
        const IrFn *callee = flow_fn(g->flow, callees.v[i]);
        if (!callee->runtime && flow_is_recursive(g->flow, callees.v[i]))
            return true;
        framed |= callee->defined;
    }
    return framed && (g->big_frames || bitset_has(&g->deep, at.fn));
}

/* Does the table say all of the function? Not of one that calls what it is given, in which a sink may be
 * given. */
static bool is_told(const FlowGuards *g, uint32_t fn)
{
    const Effects *e = g->flow->effects[fn];
    return e && !effects_have(e, EFFECT_CALL);
}

static bool is_described(const FlowGuards *g, FlowSite at)
{
    FlowList callees = flow_callees(g->flow, at);
    for (uint32_t i = 0; i < callees.n; i++)
        if (!is_told(g, callees.v[i]))
            return false;
    return callees.n != 0;
}

/* The table's functions have been judged by their lines, where the user's code calls them. */
static bool matters(const FlowGuards *g, uint32_t caller, uint32_t callee)
{
    return !is_told(g, callee) || flow_fn(g->flow, caller)->runtime;
}

/* One that was looked at before. */
static bool calls_sink(const FlowGuards *g, FlowSite at)
{
    FlowList callees = flow_callees(g->flow, at);
    for (uint32_t i = 0; i < callees.n; i++)
        if (bitset_has(&g->fns, callees.v[i]) && matters(g, at.fn, callees.v[i]))
            return true;
    return false;
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool holds_sink(FlowGuards *g, const FlowBody *body, FlowSite at)
{
    const IrInsn *insn = &body->fn->blocks.v[at.block].insns.v[at.insn];
    bool faults = g->options.sinks & FLOW_SINK_FAULTS;
    if (g->options.sinks & FLOW_SINK_ALL || map_get(&g->given, flow_site_key(at), NULL))
        return true;
    if (insn->op == IR_CALL || insn->op == IR_CALLPTR) {
        bool fails = (faults || g->options.sinks & FLOW_SINK_OUTPUTS) && call_fails(g, body, at);
        fails |= faults && insn->op == IR_CALLPTR; /* it may be no function */
        if (!fails && !body->fn->runtime && is_described(g, at))
            map_put(&g->calls, flow_site_key(at), 1);
        return fails || (faults && may_lack_room(g, at)) || calls_sink(g, at);
    }
    return faults && insn_fails(g, body, insn);
}

/* A branch into a part from which nothing comes back is a check; the sink that it leads to lies in no
 * region. */
static bool leads_to_dead_end(FlowGuards *g, uint32_t fn, uint32_t block)
{
    const FlowControl *control = flow_control(g->flow, fn, g->options.policy);
    U32Vec next = {0};
    ir_block_successors(flow_fn(g->flow, fn), block, &next);
    bool found = false;
    for (uint32_t i = 0; i < next.n; i++)
        found |= control->flags[next.v[i]] & FLOW_DEAD_END;
    vec_free(&next);
    return found;
}

static void look_at(FlowGuards *g, uint32_t f)
{
    const IrFn *fn = flow_fn(g->flow, f);
    FlowBody body = flow_body(g->flow, f);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        bool found = leads_to_dead_end(g, f, b);
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            found |= holds_sink(g, &body, (FlowSite){f, b, i});
        if (found) {
            bitset_add(&g->blocks[f], b);
            bitset_add(&g->fns, f);
        }
    }
    flow_body_free(&body);
}

/* A call of a function with a sink holds one. */
static void spread(FlowGuards *g, const U32Vec *fns)
{
    U32Vec work = {0};
    for (uint32_t i = 0; i < fns->n; i++)
        if (bitset_has(&g->fns, fns->v[i]))
            vec_push(&work, fns->v[i]);
    while (work.n) {
        uint32_t f = vec_pop(&work);
        FlowSites callers = flow_callers(g->flow, f);
        for (uint32_t i = 0; i < callers.n; i++) {
            uint32_t caller = callers.v[i].fn;
            if (!bitset_has(&g->looked, caller) || !matters(g, caller, f))
                continue;
            bitset_add(&g->blocks[caller], callers.v[i].block);
            if (bitset_add(&g->fns, caller))
                vec_push(&work, caller);
        }
    }
    vec_free(&work);
}

/* What it calls and is not among those yet: all of it, or what matters. */
static void add_callees(const FlowGuards *g, uint32_t f, bool all, BitSet *among, U32Vec *out)
{
    const IrFn *fn = flow_fn(g->flow, f);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            IrOp op = (IrOp)fn->blocks.v[b].insns.v[i].op;
            FlowList callees = {0};
            if (op == IR_CALL || op == IR_CALLPTR)
                callees = flow_callees(g->flow, (FlowSite){f, b, i});
            for (uint32_t c = 0; c < callees.n; c++)
                if ((all || matters(g, f, callees.v[c])) && bitset_add(among, callees.v[c]))
                    vec_push(out, callees.v[c]);
        }
}

/* Who was looked at before calls none of those that are now. */
static void look_below(FlowGuards *g, uint32_t f)
{
    U32Vec fns = {0};
    if (bitset_add(&g->looked, f))
        vec_push(&fns, f);
    for (uint32_t i = 0; i < fns.n; i++)
        add_callees(g, fns.v[i], false, &g->looked, &fns);
    for (uint32_t i = 0; i < fns.n; i++)
        look_at(g, fns.v[i]);
    spread(g, &fns);
    vec_free(&fns);
}

static void find_callbacks(FlowGuards *g)
{
    U32Vec work = {0};
    for (uint32_t f = 0; f < g->flow->program->fns.n; f++)
        if (!flow_fn(g->flow, f)->runtime && flow_fn(g->flow, f)->blocks.n)
            vec_push(&work, f);
    while (work.n) {
        FlowSites callers = flow_callers(g->flow, vec_pop(&work));
        for (uint32_t i = 0; i < callers.n; i++)
            if (flow_fn(g->flow, callers.v[i].fn)->runtime && bitset_add(&g->back, callers.v[i].fn))
                vec_push(&work, callers.v[i].fn);
    }
    vec_free(&work);
}

/* Recursive functions, and all that these call. */
static void find_deep(FlowGuards *g)
{
    U32Vec work = {0};
    for (uint32_t f = 0; f < g->flow->program->fns.n; f++)
        if (!flow_fn(g->flow, f)->runtime && flow_is_recursive(g->flow, f) && bitset_add(&g->deep, f))
            vec_push(&work, f);
    while (work.n)
        add_callees(g, vec_pop(&work), true, &g->deep, &work);
    vec_free(&work);
}

FlowGuards *flow_guards_new(Flow *flow, const FlowGuardOptions *options)
{
    FlowGuards *g = mem_zalloc(sizeof *g);
    g->flow = flow;
    g->options = *options;
    if (!g->options.sinks)
        g->options.sinks = FLOW_SINK_FAULTS;
    for (uint32_t i = 0; i < options->ngiven; i++)
        map_put(&g->given, flow_site_key(options->given[i]), 1);
    g->big_frames = flow->stack_varies || flow_has_big_frames(flow->program);
    find_deep(g);
    g->wary = options->checks & FLOW_CHECK_UNINIT || flow_makes_pipes(flow);
    g->blocks = mem_zalloc((flow->program->fns.n + 1) * sizeof *g->blocks);
    g->known = mem_zalloc((flow->program->fns.n + 1) * sizeof *g->known);
    find_callbacks(g);
    return g;
}

void flow_guards_free(FlowGuards *g)
{
    if (!g)
        return;
    for (uint32_t f = 0; f < g->flow->program->fns.n; f++) {
        bitset_free(&g->blocks[f]);
        mem_free(g->known[f]);
    }
    mem_free(g->blocks);
    mem_free(g->known);
    bitset_free(&g->looked);
    bitset_free(&g->fns);
    bitset_free(&g->deep);
    bitset_free(&g->back);
    map_free(&g->given);
    map_free(&g->calls);
    mem_free(g);
}

static bool find_guarded(FlowGuards *g, uint32_t fn, uint32_t block)
{
    unsigned policy = g->options.policy;
    const FlowControl *control = flow_control(g->flow, fn, policy);
    const IrBlock *b = &flow_fn(g->flow, fn)->blocks.v[block];
    U32Vec sides = {0};
    look_below(g, fn);
    if (map_get(&g->given, flow_site_key((FlowSite){fn, block, b->insns.n - 1}), NULL) ||
        control->ipdom[block] == IR_NONE || control->flags[block])
        return true; /* nothing ends it before the function's callers */
    ir_block_successors(flow_fn(g->flow, fn), block, &sides);
    bool found = leads_to_dead_end(g, fn, block);
    for (uint32_t s = 0; s < sides.n && !found; s++) {
        FlowList region = flow_side_blocks(g->flow, fn, block, s, policy);
        for (uint32_t i = 0; i < region.n && !found; i++)
            found = bitset_has(&g->blocks[fn], region.v[i]);
    }
    vec_free(&sides);
    return found;
}

bool flow_guards(FlowGuards *g, uint32_t fn, uint32_t block)
{
    if (UNLIKELY(!g->known[fn]))
        g->known[fn] = mem_zalloc(flow_fn(g->flow, fn)->blocks.n);
    uint8_t *known = &g->known[fn][block];
    if (UNLIKELY(!*known))
        *known = find_guarded(g, fn, block) ? 2 : 1;
    return *known == 2;
}

bool flow_holds_sink(FlowGuards *g, uint32_t fn, uint32_t block)
{
    look_below(g, fn);
    return bitset_has(&g->blocks[fn], block);
}

bool flow_call_holds_sink(FlowGuards *g, FlowSite call)
{
    look_below(g, call.fn);
    return !map_get(&g->calls, flow_site_key(call), NULL);
}

bool flow_calls_back(const FlowGuards *g, uint32_t fn) { return bitset_has(&g->back, fn); }
