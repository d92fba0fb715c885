/* modref_call.c - what calls may write and read: summaries filled in with arguments, and the table of
 * effects. */
#include "flow/places.h"

/* ---- arguments ------------------------------------------------------------------------------- */

uint32_t call_argument(const IrCall *call, uint32_t i)
{
    if (i < call->nargs)
        return call->args[i];
    return i - call->nargs < call->nvar ? call->var[3 * (i - call->nargs)] : IR_NONE;
}

static bool pointer_like(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = reg == IR_NONE ? NULL : ir_reg_const_of(fn, reg);
    return reg != IR_NONE && !(c && (c->kind == IR_CONST_INT || c->kind == IR_CONST_UNDEF)) &&
           fn->regs.v[reg].width == 64;
}

/* A callee's summary as places of the caller. */
static void fill_in(Flow *flow, FlowSite at, const PlaceSet *set, PlaceBag *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    IrCall call = ir_call_read(fn, flow_insn(flow, at));
    bag_add_shared(out, set->objects);
    for (uint32_t i = 0; i < set->params.n; i++) {
        const FlowPlace *p = &set->params.v[i];
        uint32_t reg = call_argument(&call, p->param);
        if (pointer_like(fn, reg))
            places_behind(flow, at.fn, reg, p->first, p->size, out);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct TableCall {
    Flow *flow;
    FlowSite at;
    const IrFn *fn;
    IrCall call;
    uint32_t callee;
    Touched *out;
    bool writes_variable;  /* a format with %n, or none */
    bool follows_variable; /* a format that takes a pointer, or none */
} TableCall;

bool flow_format_takes(const IrProgram *program, const IrFn *fn, uint32_t reg, const char *conversions)
{
    const IrConst *c = reg == IR_NONE ? NULL : ir_reg_const_of(fn, reg);
    if (!c || c->kind != IR_CONST_GLOBAL)
        return true;
    const IrGlobal *g = &program->globals.v[c->index];
    if (!g->constant || !g->bytes)
        return !g->constant;
    for (uint64_t i = (uint64_t)c->bits; i + 1 < g->size && g->bytes[i]; i++) {
        if (g->bytes[i] != '%')
            continue;
        for (i++; i < g->size && g->bytes[i] && strchr("0123456789$#-+ '.*hljztLqI", g->bytes[i]); i++) {
        }
        if (i < g->size && g->bytes[i] && strchr(conversions, g->bytes[i]))
            return true;
    }
    return false;
}

static void operand_regs(const TableCall *t, uint8_t operand, U32Vec *out)
{
    vec_clear(out);
    if (operand == EFFECT_VARIABLE)
        for (uint32_t i = 0; i < t->call.nvar; i++)
            vec_push(out, t->call.var[3 * i]);
    else if (operand == EFFECT_RESULT && t->call.ndst)
        vec_push(out, t->call.dst[0]);
    else if (operand < EFFECT_VARIABLE && call_argument(&t->call, operand) != IR_NONE)
        vec_push(out, call_argument(&t->call, operand));
}

static void behind(const TableCall *t, uint32_t reg, bool write)
{
    if (!pointer_like(t->fn, reg))
        return;
    places_behind(t->flow, t->at.fn, reg, 0, FLOW_WHOLE, write ? &t->out->writes : &t->out->reads);
    places_state(t->flow, t->at.fn, reg, &t->out->reads);
}

/* Everything that can be reached from what a register points into. */
static void reached(const TableCall *t, uint32_t reg, bool write)
{
    if (!pointer_like(t->fn, reg))
        return;
    uint32_t from = points_address(t->flow, t->at.fn, reg);
    bag_add_shared(write ? &t->out->writes : &t->out->reads, summary_reached(t->flow, from, false));
    bag_add_shared(&t->out->reads, summary_reached(t->flow, from, true));
}

/* Heap objects that the call makes: their contents and state. */
static void made(const TableCall *t)
{
    FlowList objects = t->call.ndst ? flow_points_to(t->flow, t->at.fn, t->call.dst[0]) : (FlowList){NULL, 0};
    for (uint32_t i = 0; i < objects.n; i++) {
        const FlowObject *o = flow_object(t->flow, objects.v[i]);
        bool mine = o->kind == FLOW_HEAP &&
                    (flow_fn(t->flow, t->at.fn)->runtime ||
                     (o->at.fn == t->at.fn && o->at.block == t->at.block && o->at.insn == t->at.insn));
        if (mine || o->kind == FLOW_ANY) {
            bag_add(&t->out->writes, objects.v[i], 0, FLOW_WHOLE);
            bag_add(&t->out->writes, flow_state_of(objects.v[i]), 0, FLOW_WHOLE);
        }
    }
}

static void one_stream(const TableCall *t, uint32_t index)
{
    uint32_t object = flow_object_of_stream(t->flow, index);
    bag_add(&t->out->writes, object, 0, FLOW_WHOLE);
    bag_add(&t->out->reads, object, 0, FLOW_WHOLE);
}

static void all_streams(const TableCall *t)
{
    for (uint32_t i = 0; i <= FLOW_FILES; i++)
        one_stream(t, i);
}

static void stream(const TableCall *t, uint32_t index)
{
    if (index <= FLOW_FILES && flow_descriptors_change(t->flow))
        all_streams(t);
    else
        one_stream(t, index);
}

/* A FILE of the heap is another file than the standard streams. */
static void stream_of(const TableCall *t, uint32_t reg)
{
    const LocSet *locs = points_locs(points_of(t->flow), points_address(t->flow, t->at.fn, reg));
    if (!locs->n)
        all_streams(t);
    if (summary_streams_over_memory(t->flow)) {
        reached(t, reg, true);
        reached(t, reg, false);
    }
    for (uint32_t i = 0; i < locs->n; i++) {
        Place at = loc_place(locs->v[i]);
        const FlowObject *o = &t->flow->objects.v[at.object];
        if (o->kind == FLOW_HEAP)
            stream(t, FLOW_FILES);
        else if (o->kind == FLOW_GLOBAL && summary_stream(t->flow, o->index) < FLOW_FILES)
            stream(t, summary_stream(t->flow, o->index));
        else
            all_streams(t);
    }
}

/* Of the FILE itself, what the body says: printing to it does not change how it was opened. */
static void file(const TableCall *t, uint32_t param, uint32_t reg)
{
    if (!flow_fn(t->flow, t->callee)->defined || flow_is_recursive(t->flow, t->callee)) {
        behind(t, reg, true);
        return;
    }
    const PlaceSet *body = summary(t->flow, t->callee, true);
    for (uint32_t i = 0; i < body->params.n && pointer_like(t->fn, reg); i++) {
        const FlowPlace *p = &body->params.v[i];
        if (p->param == param)
            places_behind(t->flow, t->at.fn, reg, p->first, p->size, &t->out->writes);
    }
}

static void descriptor(const TableCall *t, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(t->fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        all_streams(t);
    else
        stream(t, c->bits < FLOW_FILES ? (uint32_t)c->bits : FLOW_FILES);
}

/* A callback runs with pointers into what the table names. */
static void callback(const TableCall *t, const Effect *e)
{
    U32Vec functions = {0};
    operand_regs(t, e->a, &functions);
    FlowList targets = functions.n ? flow_pointees(t->flow, t->at.fn, functions.v[0]) : (FlowList){NULL, 0};
    for (uint32_t i = 0; i < targets.n; i++) {
        const FlowObject *o = flow_object(t->flow, targets.v[i]);
        for (int write = 0; write < 2 && o->kind == FLOW_FN; write++) {
            const PlaceSet *set = summary(t->flow, o->index, write);
            bag_add_shared(write ? &t->out->writes : &t->out->reads, set->objects);
            for (uint32_t k = 0; k < set->params.n; k++)
                if (set->params.v[k].param < e->nargs)
                    behind(t, call_argument(&t->call, e->args[set->params.v[k].param]), write);
        }
        if (o->kind == FLOW_ANY || o->kind == FLOW_LAZY) {
            bag_add(&t->out->writes, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
            bag_add(&t->out->reads, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
            touch_links(t->flow, true, t->out);
        }
    }
    vec_free(&functions);
}

/* Which of its pointers a function follows the table does not say: all that it is given, and where it goes on
 * from there all that it finds. */
static void followed(const TableCall *t, const Effect *e, uint32_t operand, uint32_t reg)
{
    bool all = e->kind == EFFECT_READ_ALL || e->kind == EFFECT_WRITE_ALL;
    if (!flow_has_links(t->flow) || !pointer_like(t->fn, reg) ||
        (operand == EFFECT_VARIABLE && !t->follows_variable))
        return;
    uint32_t from = points_address(t->flow, t->at.fn, reg);
    touch_followed(t->flow, from, t->out);
    touch_links(t->flow, all && summary_reaches_inputs(t->flow, from), t->out);
}

static void apply_to(const TableCall *t, const Effect *e, uint32_t reg)
{
    followed(t, e, e->a, reg);
    switch (e->kind) {
    case EFFECT_READ: behind(t, reg, false); break;
    case EFFECT_READ_ALL: reached(t, reg, false); break;
    case EFFECT_WRITE:
    case EFFECT_INPUT:
        if (e->a != EFFECT_VARIABLE || t->writes_variable)
            behind(t, reg, true);
        break;
    case EFFECT_WRITE_ALL:
        if (t->writes_variable)
            reached(t, reg, true);
        else
            behind(t, reg, true); /* a va_list moves on */
        break;
    case EFFECT_FREE:
        if (pointer_like(t->fn, reg)) {
            places_state(t->flow, t->at.fn, reg, &t->out->writes);
            places_state(t->flow, t->at.fn, reg, &t->out->reads);
        }
        break;
    case EFFECT_COPY:
    case EFFECT_PUT: behind(t, reg, true); break;
    case EFFECT_STREAM_OF:
        file(t, e->a, reg);
        stream_of(t, reg);
        break;
    case EFFECT_DESCRIPTOR: descriptor(t, reg); break;
    default: break;
    }
}

/* `fresh`: but for what it makes. */
static void apply_table(Flow *flow, FlowSite at, uint32_t callee, bool fresh, Touched *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    const Effects *effects = flow->effects[callee];
    TableCall t = {.flow = flow,
                   .at = at,
                   .fn = fn,
                   .call = ir_call_read(fn, flow_insn(flow, at)),
                   .callee = callee,
                   .out = out,
                   .writes_variable = true,
                   .follows_variable = true};
    U32Vec regs = {0};
    for (uint32_t i = 0; i < effects->n; i++)
        if (effects->v[i].kind == EFFECT_FORMAT) {
            uint32_t format = call_argument(&t.call, effects->v[i].a);
            t.writes_variable = flow_format_takes(flow->program, t.fn, format, "n");
            t.follows_variable = flow_format_takes(flow->program, t.fn, format, "nsS");
        }
    for (uint32_t i = 0; i < effects->n; i++) {
        const Effect *e = &effects->v[i];
        operand_regs(&t, e->a, &regs);
        for (uint32_t k = 0; k < regs.n && !(fresh && e->a == EFFECT_RESULT); k++)
            apply_to(&t, e, regs.v[k]);
        if (e->kind == EFFECT_COPY || e->kind == EFFECT_PUT) {
            operand_regs(&t, e->b, &regs);
            for (uint32_t k = 0; k < regs.n && e->kind == EFFECT_COPY; k++)
                behind(&t, regs.v[k], false);
            for (uint32_t k = 0; k < regs.n; k++)
                followed(&t, e, e->b, regs.v[k]);
        }
        if (!fresh && (e->kind == EFFECT_RETURN_NEW || (e->kind == EFFECT_PUT && e->b == EFFECT_NEW)))
            made(&t);
        else if (e->kind == EFFECT_STREAM)
            stream(&t, e->a);
        else if (e->kind == EFFECT_CALL)
            callback(&t, e);
    }
    vec_free(&regs);
}

static void add_own_state(Flow *flow, uint32_t callee, Touched *out)
{
    const PlaceSet *writes = summary_own(flow, callee, true), *reads = summary_own(flow, callee, false);
    if (!writes || !reads) /* under way, in a circle: counted there */
        return;
    bag_add_set(&out->writes, writes);
    bag_add_set(&out->reads, reads);
    /* A pointer that it was given once (setvbuf, strtok) may be followed now. */
    touch_links(flow, flow_has_links(flow) && summary_places_reach_inputs(flow, reads), out);
}

/* Memory that the function makes for itself is an object of the call in the user's code. */
static void add_here(Flow *flow, FlowSite at, Touched *out)
{
    FlowSite nowhere = {IR_NONE, IR_NONE, IR_NONE};
    uint32_t here = flow_object_of_heap(flow, at, nowhere);
    if (here == FLOW_OBJECT_ANY)
        return;
    bag_add(&out->writes, here, 0, FLOW_WHOLE);
    bag_add(&out->writes, flow_state_of(here), 0, FLOW_WHOLE);
    bag_add(&out->reads, here, 0, FLOW_WHOLE);
    bag_add(&out->reads, flow_state_of(here), 0, FLOW_WHOLE);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Of functions that the table describes, or that are unknown, what is behind the arguments is known by
 * classes alone: that is what their own code goes by (within.c). free has none. What a call makes was not
 * there before. */
static void touch_described(Flow *flow, FlowSite at, uint32_t callee, Touched *out)
{
    const IrFn *fn = flow_fn(flow, callee);
    const Effects *e = flow->effects[callee];
    struct Region *region = out->writes.region;
    bool fresh = out->writes.older && effects_only_make(e);
    if (!e || e->n != 1 || e->v[0].kind != EFFECT_FREE)
        out->writes.region = NULL;
    if (!e) { /* an external: whatever its pointers lead to */
        IrCall call = ir_call_read(flow_fn(flow, at.fn), flow_insn(flow, at));
        for (uint32_t i = 0; i < call.nargs + call.nvar; i++)
            if (pointer_like(flow_fn(flow, at.fn), call_argument(&call, i))) {
                places_behind(flow, at.fn, call_argument(&call, i), 0, FLOW_WHOLE, &out->writes);
                places_behind(flow, at.fn, call_argument(&call, i), 0, FLOW_WHOLE, &out->reads);
                touch_followed(flow, points_address(flow, at.fn, call_argument(&call, i)), out);
            }
    } else {
        apply_table(flow, at, callee, fresh, out);
        if (points_of(flow)->allocates[callee] && !fresh)
            add_here(flow, at, out);
        if (fn->defined)
            add_own_state(flow, callee, out);
    }
    out->writes.region = region;
}

static void touch_callee(Flow *flow, FlowSite at, uint32_t callee, Touched *out)
{
    if (!summary_counts(flow, callee, flow_fn(flow, at.fn)->runtime)) {
        touch_described(flow, at, callee, out);
        return;
    }
    fill_in(flow, at, out->writes.older ? summary_older(flow, callee) : summary(flow, callee, true),
            &out->writes);
    fill_in(flow, at, summary(flow, callee, false), &out->reads);
}

void touch_call(Flow *flow, FlowSite at, Touched *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    IrCall call = ir_call_read(fn, flow_insn(flow, at));
    FlowList callees = flow_callees(flow, at);
    if (flow_insn(flow, at)->op == IR_CALLPTR) {
        uint32_t group = call_group(flow, at);
        fill_in(flow, at, summary_group(flow, group, fn->runtime, true, &callees), &out->writes);
        fill_in(flow, at, summary_group(flow, group, fn->runtime, false, &callees), &out->reads);
    }
    for (uint32_t i = 0; i < callees.n; i++)
        touch_callee(flow, at, callees.v[i], out);
    for (uint32_t i = 0; i < call.nvar; i++)
        if (call.var[3 * i + 1]) {
            places_behind(flow, at.fn, call.var[3 * i], 0, call.var[3 * i + 1], &out->reads);
            touch_followed(flow, points_address(flow, at.fn, call.var[3 * i]), out);
        }
}
