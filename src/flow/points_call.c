/* points_call.c - calls: entering bodies, the table of effects, fresh memory and its wrappers, callbacks. */
#include "flow/points.h"

enum { CLONES_MOST = 2000 };
enum {
    ENTER_STEPS = 16,
    ENTER_BYTES = 64
}; /* that a call enters a function: lookups, and what is kept of it */
static const FlowSite nowhere = {IR_NONE, IR_NONE, IR_NONE};

/* ---- the call as nodes ----------------------------------------------------------------------- */

static uint32_t call_make(Points *p, FlowSite at, bool shadow)
{
    const IrFn *fn = &p->program->fns.v[at.fn];
    IrCall call = ir_call_read(fn, &fn->blocks.v[at.block].insns.v[at.insn]);
    uint32_t first = points_instance(p, at.fn, shadow);
    CallNodes c = {
        .at = at, .shadow = shadow, .nargs = call.nargs + call.nvar, .nvar = call.nvar, .ndst = call.ndst};
    c.args = arena_alloc(p->arena, (c.nargs + 1) * sizeof *c.args);
    c.byval = arena_alloc(p->arena, (c.nargs + 1) * sizeof *c.byval);
    c.dst = arena_alloc(p->arena, (c.ndst + 1) * sizeof *c.dst);
    for (uint32_t i = 0; i < call.nargs; i++)
        c.args[i] = first + call.args[i];
    for (uint32_t i = 0; i < call.nvar; i++) {
        c.args[call.nargs + i] = first + call.var[3 * i];
        c.byval[call.nargs + i] = call.var[3 * i + 1];
    }
    for (uint32_t i = 0; i < call.ndst; i++)
        c.dst[i] = first + call.dst[i];
    vec_push(&p->calls, c);
    return p->calls.n - 1;
}

void call_insn(Points *p, FlowSite at, bool shadow)
{
    const IrInsn *insn = flow_insn(p->flow, at);
    uint32_t call = call_make(p, at, shadow);
    if (insn->op == IR_CALL)
        call_enter(p, call, insn->a);
    else
        node_use(p, points_reg(p, at.fn, insn->a, shadow),
                 (Use){.kind = USE_CALL, .other = call, .shadow = shadow});
}

/* ---- fresh memory ---------------------------------------------------------------------------- */

static bool is_user(const Points *p, uint32_t fn) { return !p->program->fns.v[fn].runtime; }

/* A function that allocates without handing the memory over keeps it for itself: runtime/ then may hold it
 * anywhere. */
static Loc heap_loc(Points *p, FlowSite at, FlowSite caller, bool hidden)
{
    Loc l = loc_make(object_heap(p, at, caller), 0, 0);
    node_add_one(p, p->hidden[1], l);
    if (hidden) {
        node_add_one(p, p->hidden[0], l);
        bitset_add(&p->kept, loc_object(l));
    }
    return l;
}

static bool is_fresh(const Points *p, FlowSite at)
{
    for (uint32_t i = 0; i < p->fresh[at.fn].n; i++) {
        const FlowSite *f = &p->fresh[at.fn].v[i].at;
        if (f->block == at.block && f->insn == at.insn)
            return true;
    }
    return false;
}

/* Fresh memory of a call, into a node. A wrapper's own memory comes to it from its callers, see hand_over. */
static void add_fresh(Points *p, const CallNodes *c, uint32_t node)
{
    if (!is_user(p, c->at.fn))
        node_edge(p, p->hidden[c->shadow], node, (Move){0});
    else if (c->callback || !is_fresh(p, c->at))
        node_add_one(p, node, heap_loc(p, c->at, nowhere, false));
}

/* The function was entered from a call: memory that it makes and returns is an object of that call. */
static void hand_over(Points *p, uint32_t fn, uint32_t call)
{
    for (uint32_t i = 0; i < p->fresh[fn].n; i++) {
        Fresh f = p->fresh[fn].v[i];
        bool known = call != IR_NONE && !p->calls.v[call].callback && !p->calls.v[call].merged &&
                     is_user(p, p->calls.v[call].at.fn) && p->entered[fn].n < CLONES_MOST;
        Loc l = heap_loc(p, f.at, known ? p->calls.v[call].at : nowhere, false);
        const IrFn *body = &p->program->fns.v[fn];
        IrCall made = ir_call_read(body, &body->blocks.v[f.at.block].insns.v[f.at.insn]);
        node_add_one(p, points_reg(p, fn, made.dst[0], false), l);
        if (call != IR_NONE && f.result < p->calls.v[call].ndst)
            node_add_one(p, p->calls.v[call].dst[f.result], l);
    }
}

void call_translated(Points *p, uint32_t fn)
{
    for (uint32_t i = 0; i < p->entered[fn].n; i++)
        hand_over(p, fn, p->entered[fn].v[i]);
}

void call_root(Points *p, uint32_t fn)
{
    points_instance(p, fn, false);
    vec_push(&p->entered[fn], IR_NONE);
    hand_over(p, fn, IR_NONE);
}

/* ---- entering a body ------------------------------------------------------------------------- */

static void pass_variable(Points *p, const CallNodes *c, uint32_t i, uint32_t callee, bool shadow)
{
    uint32_t area = node_new(p);
    node_add_one(p, area, loc_anywhere(object_varargs(p, callee)));
    if (c->byval[i])
        points_copy(p, area, c->args[i], c->byval[i], shadow);
    else
        points_store(p, area, c->args[i], 8, shadow);
}

static void pass_arguments(Points *p, uint32_t call, uint32_t callee, bool shadow)
{
    const IrFn *fn = &p->program->fns.v[callee];
    uint32_t first = points_instance(p, callee, shadow);
    for (uint32_t i = 0; i < p->calls.v[call].nargs; i++) {
        CallNodes c = p->calls.v[call];
        if (c.args[i] == IR_NONE)
            continue;
        if (i < fn->nparams)
            node_edge(p, c.args[i], first + i, (Move){0});
        else if (fn->variadic)
            pass_variable(p, &c, i, callee, shadow);
    }
}

static void take_results(Points *p, const CallNodes *c, uint32_t callee, bool shadow)
{
    const IrFn *fn = &p->program->fns.v[callee];
    uint32_t first = points_instance(p, callee, shadow);
    for (uint32_t i = 0; i < c->ndst && i < fn->results.n; i++)
        node_edge(p, first + fn->regs.n + i, c->dst[i], (Move){0});
}

/* ---- the table ------------------------------------------------------------------------------- */

static void apply_effects(Points *p, uint32_t call, const Effects *effects);

static uint32_t into(Points *p, uint32_t node)
{
    uint32_t t = node_new(p);
    node_edge(p, node, t, (Move){.flags = MOVE_ANYWHERE});
    return t;
}

/* The nodes of an operand: of `v` one for each variable argument. */
static void operand_nodes(Points *p, const CallNodes *c, uint8_t operand, U32Vec *out)
{
    vec_clear(out);
    if (operand == EFFECT_VARIABLE)
        for (uint32_t i = c->nargs - c->nvar; i < c->nargs; i++)
            vec_push(out, c->args[i]);
    else if (operand == EFFECT_RESULT && c->ndst)
        vec_push(out, c->dst[0]);
    else if (operand == EFFECT_NEW) {
        vec_push(out, node_new(p));
        add_fresh(p, c, vec_last(out));
    } else if (operand < c->nargs)
        vec_push(out, c->args[operand]);
}

static void apply_callback(Points *p, const CallNodes *c, const Effect *e)
{
    if (e->a >= c->nargs)
        return;
    CallNodes back = {.at = c->at, .shadow = c->shadow, .callback = true, .nargs = e->nargs};
    back.args = arena_alloc(p->arena, (e->nargs + 1) * sizeof *back.args);
    back.byval = arena_alloc(p->arena, (e->nargs + 1) * sizeof *back.byval);
    for (uint32_t i = 0; i < e->nargs; i++)
        back.args[i] = e->args[i] < c->nargs ? into(p, c->args[e->args[i]]) : IR_NONE;
    vec_push(&p->calls, back);
    node_use(p, c->args[e->a], (Use){.kind = USE_CALL, .other = p->calls.n - 1, .shadow = c->shadow});
}

static void apply_effect(Points *p, const CallNodes *c, const Effect *e)
{
    U32Vec a = {0}, b = {0};
    operand_nodes(p, c, e->a, &a);
    switch (e->kind) {
    case EFFECT_RETURN:
    case EFFECT_RETURN_INTO:
        for (uint32_t i = 0; i < a.n && c->ndst; i++)
            node_edge(p, a.v[i], c->dst[0], (Move){.flags = e->kind == EFFECT_RETURN ? 0 : MOVE_ANYWHERE});
        break;
    case EFFECT_RETURN_NEW:
        if (c->ndst)
            add_fresh(p, c, c->dst[0]);
        break;
    case EFFECT_COPY:
    case EFFECT_PUT:
        operand_nodes(p, c, e->b, &b);
        for (uint32_t i = 0; i < a.n; i++)
            for (uint32_t k = 0; k < b.n; k++)
                if (e->kind == EFFECT_COPY)
                    points_copy(p, a.v[i], b.v[k], FLOW_WHOLE, c->shadow);
                else
                    points_store(p, a.v[i], into(p, b.v[k]), 8, c->shadow);
        break;
    case EFFECT_CALL: apply_callback(p, c, e); break;
    case EFFECT_INPUT:
        for (uint32_t i = 0; i < a.n; i++) {
            uint32_t input = node_new(p);
            node_add_one(p, input, loc_anywhere(OBJECT_ANY));
            points_store(p, a.v[i], input, POINTS_EVERY, c->shadow);
        }
        break;
    default: break;
    }
    vec_free(&a);
    vec_free(&b);
}

static void apply_effects(Points *p, uint32_t call, const Effects *effects)
{
    for (uint32_t i = 0; i < effects->n; i++) {
        CallNodes c = p->calls.v[call];
        apply_effect(p, &c, &effects->v[i]);
    }
}

/* ---- targets --------------------------------------------------------------------------------- */

static uint32_t target_number(Points *p, FlowSite at)
{
    uint64_t site = flow_site_key(at), index;
    if (!map_get(&p->target_index, site, &index)) {
        index = p->target_at.n;
        map_put(&p->target_index, site, index);
        vec_push(&p->target_at, at);
        vec_push(&p->target_parent, (uint32_t)index);
    }
    return (uint32_t)index;
}

static void record_target(Points *p, FlowSite at, uint32_t callee)
{
    uint64_t index = target_number(p, at);
    if (map_get(&p->target_seen, index << 32 | callee, NULL))
        return;
    map_put(&p->target_seen, index << 32 | callee, 1);
    vec_push(&p->targets, (Edge){(uint32_t)index, callee});
}

/* ---- calls made one -------------------------------------------------------------------------- */

bool call_alike(const Points *p, uint32_t a, uint32_t b)
{
    const CallNodes *x = &p->calls.v[a], *y = &p->calls.v[b];
    if (x->shadow != y->shadow || x->callback != y->callback || x->nargs != y->nargs || x->nvar != y->nvar ||
        x->ndst != y->ndst)
        return false;
    for (uint32_t i = 0; i < x->nargs; i++)
        if (x->byval[i] || y->byval[i] || (x->args[i] == IR_NONE) != (y->args[i] == IR_NONE))
            return false;
    return true;
}

/* A call of its own, which has entered nothing yet: memory that its callees make and return is no single
 * caller's. */
uint32_t call_merge(Points *p, uint32_t a, uint32_t b)
{
    if (!p->calls.v[a].merged) {
        CallNodes all = p->calls.v[a];
        all.merged = true;
        vec_push(&p->calls, all);
        a = p->calls.n - 1;
    }
    CallNodes x = p->calls.v[a], y = p->calls.v[b];
    for (uint32_t i = 0; i < x.nargs; i++)
        if (x.args[i] != IR_NONE)
            node_unite(p, x.args[i], y.args[i]);
    for (uint32_t i = 0; i < x.ndst; i++)
        node_unite(p, x.dst[i], y.dst[i]);
    if (!x.callback) {
        uint32_t u = target_number(p, x.at), v = target_number(p, y.at);
        while (p->target_parent.v[u] != u)
            u = p->target_parent.v[u];
        while (p->target_parent.v[v] != v)
            v = p->target_parent.v[v];
        p->target_parent.v[v] = u;
    }
    return a;
}

static void enter_plain(Points *p, uint32_t call, uint32_t callee)
{
    CallNodes c = p->calls.v[call];
    const Effects *e = p->flow->effects[callee];
    bool described = p->program->fns.v[callee].runtime && e;
    if (is_user(p, c.at.fn) && !is_user(p, callee) && p->allocates[callee] && !described)
        heap_loc(p, c.at, nowhere, true);
    if (described) {
        apply_effects(p, call, e);
        pass_arguments(p, call, callee, true);
        return;
    }
    pass_arguments(p, call, callee, false);
    take_results(p, &c, callee, false);
    vec_push(&p->entered[callee], call);
    hand_over(p, callee, call);
}

void call_enter(Points *p, uint32_t call, uint32_t callee)
{
    CallNodes c = p->calls.v[call];
    const IrFn *fn = &p->program->fns.v[callee];
    if (map_get(&p->entered_seen, (uint64_t)call << 32 | callee, NULL))
        return;
    map_put(&p->entered_seen, (uint64_t)call << 32 | callee, 1);
    p->steps += ENTER_STEPS;
    p->bytes += ENTER_BYTES;
    if (!c.callback && flow_insn(p->flow, c.at)->op == IR_CALLPTR)
        record_target(p, c.at, callee);
    if (!fn->defined) {
        if (p->flow->effects[callee])
            apply_effects(p, call, p->flow->effects[callee]);
    } else if (!c.shadow) {
        enter_plain(p, call, callee);
    } else { /* a callback of the user's takes what the table says, and gives
                its result */
        if (fn->runtime)
            pass_arguments(p, call, callee, true);
        take_results(p, &c, callee, fn->runtime);
    }
}

void call_pointer(Points *p, uint32_t call, Loc at)
{
    uint32_t object = loc_object(at);
    if (object == OBJECT_ANY || object == OBJECT_LAZY) {
        for (uint32_t i = 0; i < p->taken.n; i++)
            call_enter(p, call, p->taken.v[i]);
        for (uint32_t i = 0; i < p->calls.v[call].ndst; i++) /* what a callback returns is an input */
            node_add_one(p, p->calls.v[call].dst[i], loc_anywhere(OBJECT_LAZY));
    } else if (p->flow->objects.v[object].kind == FLOW_FN)
        call_enter(p, call, p->flow->objects.v[object].index);
}
