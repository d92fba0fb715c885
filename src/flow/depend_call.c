/* depend_call.c - calls as nodes: entrances and exits of the callee joined by its summary, or a collapsed
 * call. */
#include "flow/depend.h"
#include "flow/flow_int.h"

enum { MAX_CALLEES = 32 };

bool depend_opens(const DependSet *set, uint32_t caller, uint32_t callee)
{
    return set->scc[callee] != set->scc[caller] && set->fns[callee] && !set->fns[callee]->collapsed;
}

bool depend_is_collapsed_in_part(DependSet *set, FlowSite at)
{
    FlowList callees = flow_callees(set->flow, at);
    if (depend_is_collapsed(set, at))
        return true;
    for (uint32_t i = 0; i < callees.n; i++)
        if (!depend_opens(set, at.fn, callees.v[i]))
            return true;
    return false;
}

bool depend_is_collapsed(DependSet *set, FlowSite at)
{
    FlowList callees = flow_callees(set->flow, at);
    const IrFn *fn = &set->program->fns.v[at.fn];
    IrCall call = ir_call_read(fn, &fn->blocks.v[at.block].insns.v[at.insn]);
    if (callees.n > MAX_CALLEES)
        return true;
    for (uint32_t i = 0; i < call.nvar; i++)
        if (call.var[3 * i + 1])
            return true; /* a structure by value: its bytes go in too */
    for (uint32_t i = 0; i < callees.n; i++)
        if (depend_opens(set, at.fn, callees.v[i]))
            return false;
    return true;
}

/* ---- collapsed calls ----------------------------------------------------------------------------------- */

/* Library functions that divide what they are given. */
static bool divides(const char *name)
{
    static const char *const names[] = {"div", "ldiv", "lldiv", "imaxdiv"};
    for (uint32_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

bool depend_is_library(const DependSet *set, const FlowObject *o)
{
    return (o->kind == FLOW_GLOBAL && set->program->globals.v[o->index].runtime) ||
           (o->kind == FLOW_HEAP && o->at.fn == IR_NONE);
}

/* Reads memory that may have changed, and is no stream: what it finds there may make it fail (strtok's next
 * word). Where the table of effects describes the call, globals and heap of runtime/ are its own affair. */
static bool reads_memory(DependBuild *b, FlowSite at, bool described)
{
    DepPlaces reads = depend_places(b->set, at, false);
    FlowPlaces few = reads.v[0], many = reads.v[1], params = reads.v[2];
    for (uint32_t i = 0; i < many.n; i++) {
        const DepMany *m = &b->set->many.v[many.v[i].first];
        if (!m->state && !(described && m->library))
            return true;
    }
    for (uint32_t i = 0; i < few.n; i++) {
        const FlowObject *o = flow_object(b->set->flow, few.v[i].object);
        bool constant = o->kind == FLOW_CONSTANTS ||
                        (o->kind == FLOW_GLOBAL && b->set->program->globals.v[o->index].constant);
        bool harmless = constant || o->kind == FLOW_STREAM || (described && depend_is_library(b->set, o));
        if (!flow_is_state(few.v[i].object) && !harmless)
            return true;
    }
    return params.n > 0;
}

/* Comes back into the user's code, divides, or may end the run with a fault by itself; or this is unknown. */
static bool callee_fails(const DependSet *set, uint32_t callee, const Effects *effects)
{
    const IrFn *fn = &set->program->fns.v[callee];
    bool users = fn->defined && !fn->runtime;
    if (users || flow_is_unknown(set->flow, callee) || divides(ir_text(set->program, fn->name)))
        return true;
    if (!effects)
        return set->calls_back[callee] || set->aborts[callee];
    bool exits = effects_have(effects, EFFECT_EXITS);
    return effects_have(effects, EFFECT_CALL) || (exits && set->calls_back[callee]) ||
           (!exits && effects_have(effects, EFFECT_NEVER));
}

/* A call of the library can fail if a callee does so by itself, or if it is given a pointer (not just text)
 * or finds one. */
static bool collapsed_fails(DependBuild *b, FlowSite at, const IrCall *call, bool described)
{
    DependSet *set = b->set;
    FlowList callees = flow_callees(set->flow, at);
    if (!callees.n || set->wary || reads_memory(b, at, described))
        return true;
    for (uint32_t i = 0; i < callees.n; i++) {
        const Effects *effects = set->flow->effects[callees.v[i]];
        if (callee_fails(set, callees.v[i], effects) || flow_given_fails(set->flow, b->d->fn, call, effects))
            return true;
    }
    return false;
}

/* Writes memory that is the user's. */
static bool fills_memory(DependBuild *b, FlowSite at)
{
    DepPlaces writes = depend_places(b->set, at, true);
    FlowPlaces few = writes.v[0], many = writes.v[1], params = writes.v[2];
    for (uint32_t i = 0; i < many.n; i++) {
        const DepMany *m = &b->set->many.v[many.v[i].first];
        if (!m->state && !m->library)
            return true;
    }
    for (uint32_t i = 0; i < few.n; i++) {
        const FlowObject *o = flow_object(b->set->flow, few.v[i].object);
        if (!flow_is_state(few.v[i].object) && o->kind != FLOW_STREAM && !depend_is_library(b->set, o))
            return true;
    }
    return params.n > 0;
}

/* A function of the library that fails whatever it finds (__assert_fail): what it prints on the way is no
 * matter. */
static bool always_fails(const DependSet *set, uint32_t fn)
{
    return set->program->fns.v[fn].runtime && !set->calls_back[fn] &&
           flow_fn_ends(set->flow, fn) == ENDS_FAULT;
}

static void add_collapsed(DependBuild *b, DepCall *c, const IrCall *call, FlowSite at)
{
    c->collapsed = depend_node(b, DEP_BACK, at.block, at.insn, IR_NONE);
    depend_edge(b, c->node, c->collapsed);
    FlowList callees = flow_callees(b->set->flow, at);
    c->described = callees.n > 0;
    for (uint32_t i = 0; i < callees.n && c->described; i++)
        c->described &= b->set->flow->effects[callees.v[i]] != NULL || always_fails(b->set, callees.v[i]);
    c->fills = fills_memory(b, at);
    if (collapsed_fails(b, at, call, c->described)) {
        c->check = depend_node(b, DEP_CHECK, at.block, at.insn, IR_NONE);
        depend_edge(b, c->node, c->check);
    }
    for (uint32_t i = 0; i < call->nargs + call->nvar; i++) {
        uint32_t reg = i < call->nargs ? call->args[i] : call->var[3 * (i - call->nargs)];
        depend_use_reg(b, reg, at.block, c->collapsed);
        if (c->check != IR_NONE)
            depend_use_reg(b, reg, at.block, c->check);
    }
    for (uint32_t i = 0; i < call->ndst; i++)
        depend_edge(b, c->collapsed, call->dst[i]);
    if (flow_insn_ends(b->set->flow, at) & flow_real_ends(b->set->options.policy))
        vec_push(&b->leaves, c->collapsed);
}

/* ---- opened calls ---------------------------------------------------------------------------- */

static bool is_varargs(DependBuild *b, const Depend *callee, const DepPortal *in)
{
    const DepClass *k = &callee->classes.v[in->what];
    uint32_t object = flow_object_of_varargs(b->set->flow, callee->fn);
    for (uint32_t i = 0; i < k->nroots; i++) {
        const DepRoot *root = &callee->roots.v[k->root + i];
        if (depend_is_many(root) ? sets_has(&b->set->objects, b->set->many.v[root->first].objects, object)
                                 : root->object == object)
            return true;
    }
    return false;
}

static void add_entrances(DependBuild *b, const DepCall *c, const IrCall *call, const Depend *callee)
{
    for (uint32_t i = 0; i < callee->ins.n; i++) {
        const DepPortal *in = &callee->ins.v[i];
        uint32_t node = depend_node(b, DEP_ARG, c->block, c->insn, i);
        vec_push(&b->d->links, (DepLink){node, i});
        if (in->kind == DOOR_ENTRY)
            depend_edge(b, c->node, node);
        else if (in->kind == DOOR_REG && in->what < call->nargs)
            depend_use_reg(b, call->args[in->what], c->block, node);
        else if (in->kind == DOOR_CLASS && call->nvar && is_varargs(b, callee, in))
            for (uint32_t v = 0; v < call->nvar; v++)
                depend_use_reg(b, call->var[3 * v], c->block, node);
    }
}

static void add_exits(DependBuild *b, const DepCall *c, const IrCall *call, const Depend *callee,
                      DepCallee *links)
{
    links->first_out = b->d->links.n;
    links->n_out = callee->outs.n;
    for (uint32_t o = 0; o < callee->outs.n; o++) {
        const DepPortal *out = &callee->outs.v[o];
        uint32_t node = depend_node(b, DEP_BACK, c->block, c->insn, o);
        vec_push(&b->d->links, (DepLink){node, o});
        if (out->kind == DOOR_REG && out->what < call->ndst)
            depend_edge(b, node, call->dst[out->what]);
        else if (out->kind == DOOR_LEAVES)
            vec_push(&b->leaves, node);
        for (uint32_t i = 0; i < links->n_in; i++)
            if (depend_reaches(callee, callee->ins.v[i].node, o))
                depend_edge(b, b->d->links.v[links->first_in + i].node, node);
    }
    b->set->steps += (uint64_t)links->n_in * links->n_out;
}

static void add_call(DependBuild *b, FlowSite at)
{
    const IrInsn *insn = &b->fn->blocks.v[at.block].insns.v[at.insn];
    IrCall call = ir_call_read(b->fn, insn);
    DepCall c = {
        .block = at.block, .insn = at.insn, .collapsed = IR_NONE, .check = IR_NONE, .first = b->d->callees.n};
    c.node = depend_node(b, DEP_CALL, at.block, at.insn, IR_NONE);
    depend_edge(b, depend_ctl(b, at.block), c.node);
    if (insn->op == IR_CALLPTR)
        depend_use_reg(b, insn->a, at.block, c.node);
    FlowList callees = flow_callees(b->set->flow, at);
    bool closed = depend_is_collapsed(b->set, at);
    if (depend_is_collapsed_in_part(b->set, at))
        add_collapsed(b, &c, &call, at);
    for (uint32_t i = 0; i < callees.n; i++) {
        const Depend *callee = b->set->fns[callees.v[i]];
        if (closed || !depend_opens(b->set, b->d->fn, callees.v[i]))
            continue;
        DepCallee links = {
            .fn = callees.v[i], .call = b->d->calls.n, .first_in = b->d->links.n, .n_in = callee->ins.n};
        add_entrances(b, &c, &call, callee);
        add_exits(b, &c, &call, callee, &links);
        vec_push(&b->d->callees, links);
        c.n++;
    }
    for (uint32_t i = 0; c.n > 1 && i < call.ndst; i++) /* a join: which of them ran */
        depend_edge(b, c.node, call.dst[i]);
    map_put(&b->d->call_at, depend_at(at.block, at.insn), b->d->calls.n);
    vec_push(&b->d->calls, c);
}

void depend_calls(DependBuild *b)
{
    for (uint32_t block = 0; block < b->fn->blocks.n; block++) {
        if (b->control->flags[block] & FLOW_UNREACHABLE)
            continue;
        for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++) {
            uint16_t op = b->fn->blocks.v[block].insns.v[i].op;
            if (op == IR_CALL || op == IR_CALLPTR)
                add_call(b, (FlowSite){b->d->fn, block, i});
        }
    }
}
