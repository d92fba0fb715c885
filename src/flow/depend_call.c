/* depend_call.c - calls as nodes: entrances and exits of the callee joined by its summary, or one lump. */
#include "flow/depend.h"
#include "flow/flow_int.h"

enum { MAX_CALLEES = 32 };

bool depend_opens(const DependSet *set, uint32_t caller, uint32_t callee)
{
    return set->scc[callee] != set->scc[caller] && set->fns[callee] && !set->fns[callee]->lump;
}

bool depend_has_lump(DependSet *set, FlowSite at)
{
    FlowList callees = flow_callees(set->flow, at);
    if (depend_all_lump(set, at))
        return true;
    for (uint32_t i = 0; i < callees.n; i++)
        if (!depend_opens(set, at.fn, callees.v[i]))
            return true;
    return false;
}

bool depend_all_lump(DependSet *set, FlowSite at)
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

/* ---- lumps ----------------------------------------------------------------------------------- */

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

/* Reads memory that may have changed, and is no stream: what it finds there may lead it astray (strtok's next
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

/* Comes back into the user's code, divides, or may end the run with a fault by itself; or nobody knows. */
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
static bool lump_fails(DependBuild *b, FlowSite at, const IrCall *call, bool described)
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

/* ---- what is shown --------------------------------------------------------------------------- */

/* Writes to a stream that is no input. */
static bool writes_output(DependBuild *b, FlowSite at)
{
    FlowPlaces few = depend_places(b->set, at, true).v[0];
    for (uint32_t i = 0; i < few.n; i++) {
        if (flow_is_state(few.v[i].object))
            continue;
        const FlowObject *o = flow_object(b->set->flow, few.v[i].object);
        if (o->kind == FLOW_ANY || (o->kind == FLOW_STREAM && o->index != 0))
            return true;
    }
    return false;
}

static bool is_named(const DependSet *set, uint32_t fn, const char *const *names)
{
    const char *name = ir_text(set->program, set->program->fns.v[fn].name);
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* Ends the run with a status, and nobody of the user's runs after it. */
static bool only_exits(const DependSet *set, uint32_t fn)
{
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit", NULL};
    return set->program->fns.v[fn].runtime && is_named(set, fn, names) && !set->calls_back[fn];
}

/* Could the text of errno be part of it: perror, or a format with %m? */
static bool shows_errno(DependBuild *b, const IrCall *call, uint32_t callee)
{
    static const char *const names[] = {"perror", NULL};
    const Effects *e = b->set->flow->effects[callee];
    for (uint32_t i = 0; e && i < e->n; i++) {
        if (e->v[i].kind != EFFECT_FORMAT)
            continue;
        const IrConst *c = e->v[i].a < call->nargs ? ir_reg_const_of(b->fn, call->args[e->v[i].a]) : NULL;
        const IrGlobal *g = c && c->kind == IR_CONST_GLOBAL ? &b->set->program->globals.v[c->index] : NULL;
        if (!g || !g->constant || !g->bytes ||
            (memchr(g->bytes, '%', g->size) && memchr(g->bytes, 'm', g->size)))
            return true;
    }
    return is_named(b->set, callee, names);
}

/* What a call shows depends on what it is given and reads, not on what the streams held before: outputs are
 * told apart by the calls that show them. Of callees that nobody describes all that comes out is shown. */
static void add_show(DependBuild *b, DepCall *c, const IrCall *call, FlowSite at)
{
    FlowList callees = flow_callees(b->set->flow, at);
    bool plain = callees.n > 0;
    if (!(b->set->options.sinks & FLOW_SINK_OUTPUTS) || !writes_output(b, at))
        return;
    for (uint32_t i = 0; i < callees.n && plain; i++) {
        const Effects *e = b->set->flow->effects[callees.v[i]];
        plain &= (e && !effects_have(e, EFFECT_CALL)) || only_exits(b->set, callees.v[i]);
        c->errs |= shows_errno(b, call, callees.v[i]);
    }
    c->show = plain ? depend_node(b, DEP_SHOW, at.block, at.insn, IR_NONE) : c->lump;
    if (plain)
        depend_edge(b, c->node, c->show, IR_NONE);
    vec_push(&b->sinks, c->show);
}

/* A function of the library that fails whatever it finds (__assert_fail): what it prints on the way is no
 * matter. */
static bool always_fails(const DependSet *set, uint32_t fn)
{
    return set->program->fns.v[fn].runtime && !set->calls_back[fn] &&
           flow_fn_ends(set->flow, fn) == ENDS_FAULT;
}

static void add_lump(DependBuild *b, DepCall *c, const IrCall *call, FlowSite at)
{
    c->lump = depend_node(b, DEP_BACK, at.block, at.insn, IR_NONE);
    depend_edge(b, c->node, c->lump, IR_NONE);
    FlowList callees = flow_callees(b->set->flow, at);
    c->described = callees.n > 0;
    for (uint32_t i = 0; i < callees.n && c->described; i++)
        c->described &= b->set->flow->effects[callees.v[i]] != NULL || always_fails(b->set, callees.v[i]);
    c->fills = fills_memory(b, at);
    if (lump_fails(b, at, call, c->described)) {
        c->check = depend_node(b, DEP_CHECK, at.block, at.insn, IR_NONE);
        depend_edge(b, c->node, c->check, IR_NONE);
    }
    add_show(b, c, call, at);
    for (uint32_t i = 0; i < call->nargs + call->nvar; i++) {
        uint32_t reg = i < call->nargs ? call->args[i] : call->var[3 * (i - call->nargs)];
        depend_use_reg(b, reg, at.block, c->lump);
        if (c->show != IR_NONE && c->show != c->lump)
            depend_use_reg(b, reg, at.block, c->show);
        if (c->check != IR_NONE)
            depend_use_reg(b, reg, at.block, c->check);
    }
    for (uint32_t i = 0; i < call->ndst; i++)
        depend_edge(b, c->lump, call->dst[i], IR_NONE);
    if (flow_insn_ends(b->set->flow, at) & flow_real_ends(b->set->options.policy))
        vec_push(&b->leaves, c->lump);
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
            depend_edge(b, c->node, node, IR_NONE);
        else if (in->kind == DOOR_REG && in->what < call->nargs)
            depend_use_reg(b, call->args[in->what], c->block, node);
        else if (in->kind == DOOR_CLASS && call->nvar && is_varargs(b, callee, in))
            for (uint32_t v = 0; v < call->nvar; v++)
                depend_use_reg(b, call->var[3 * v], c->block, node);
    }
}

static bool reaches(const Depend *d, uint32_t node, uint32_t port)
{
    return d->reach[d->component[node]][port / 64] >> port % 64 & 1;
}

static void add_exits(DependBuild *b, const DepCall *c, const IrCall *call, const Depend *callee,
                      DepCallee *links)
{
    U32Vec port_of = {0};
    for (uint32_t o = 0; o < callee->outs.n; o++)
        vec_push(&port_of, IR_NONE);
    for (uint32_t p = 0; p < callee->ports.n; p++)
        if (callee->ports.v[p].kind == PORT_OUT)
            port_of.v[callee->ports.v[p].a] = p;
    links->first_out = b->d->links.n;
    links->n_out = callee->outs.n;
    for (uint32_t o = 0; o < callee->outs.n; o++) {
        const DepPortal *out = &callee->outs.v[o];
        uint32_t node = depend_node(b, DEP_BACK, c->block, c->insn, o);
        vec_push(&b->d->links, (DepLink){node, o});
        if (out->kind == DOOR_REG && out->what < call->ndst)
            depend_edge(b, node, call->dst[out->what], IR_NONE);
        else if (out->kind == DOOR_LEAVES)
            vec_push(&b->leaves, node);
        for (uint32_t i = 0; i < links->n_in; i++)
            if (reaches(callee, callee->ins.v[i].node, port_of.v[o]))
                depend_edge(b, b->d->links.v[links->first_in + i].node, node, IR_NONE);
    }
    b->set->steps += (uint64_t)links->n_in * links->n_out;
    vec_free(&port_of);
}

static void add_call(DependBuild *b, FlowSite at)
{
    const IrInsn *insn = &b->fn->blocks.v[at.block].insns.v[at.insn];
    IrCall call = ir_call_read(b->fn, insn);
    DepCall c = {.block = at.block,
                 .insn = at.insn,
                 .lump = IR_NONE,
                 .check = IR_NONE,
                 .show = IR_NONE,
                 .sink = IR_NONE,
                 .first = b->d->callees.n};
    c.node = depend_node(b, DEP_CALL, at.block, at.insn, IR_NONE);
    depend_edge(b, depend_ctl(b, at.block), c.node, IR_NONE);
    if (insn->op == IR_CALLPTR)
        depend_use_reg(b, insn->a, at.block, c.node);
    FlowList callees = flow_callees(b->set->flow, at);
    bool closed = depend_all_lump(b->set, at);
    if (depend_has_lump(b->set, at))
        add_lump(b, &c, &call, at);
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
        depend_edge(b, c.node, call.dst[i], IR_NONE);
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
