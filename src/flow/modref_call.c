/* modref_call.c - what calls may write and read: summaries of functions, and the table of effects.
 *
 * A summary says what a call of the function touches, as its caller sees it: places behind its parameters stay
 * parameters, so that each caller fills in its own arguments. Its own frame is left out. Functions that call each other
 * in a circle share one summary in terms of objects alone. */
#include "flow/places.h"

#include <stdlib.h>

typedef struct Summaries {
    Graph calls;                              /* from function to function */
    uint32_t *component;                      /* by function */
    bool *recursive;                          /* by component */
    uint32_t *first, *next;                   /* functions of a component, as lists */
    FlowPlaces *writes, *reads;               /* by function */
    FlowPlaces *own_writes, *own_reads;       /* by described function: runtime/'s own state; v is NULL until asked for */
    uint8_t *made;                            /* by function */
} Summaries;

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

/* The register of an argument, or IR_NONE. */
static uint32_t argument(const IrCall *call, uint32_t i)
{
    if (i < call->nargs)
        return call->args[i];
    return i - call->nargs < call->nvar ? call->var[3 * (i - call->nargs)] : IR_NONE;
}

static bool pointer_like(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = reg == IR_NONE ? NULL : ir_reg_const_of(fn, reg);
    return reg != IR_NONE && !(c && (c->kind == IR_CONST_INT || c->kind == IR_CONST_UNDEF)) && fn->regs.v[reg].width == 64;
}

/* Places of a callee's summary as places of the caller. */
static void fill_in(Flow *flow, FlowSite at, FlowPlaces places, PlaceVec *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    IrCall call = ir_call_read(fn, flow_insn(flow, at));
    uint32_t objects = 0;
    while (objects < places.n && places.v[objects].param == IR_NONE)
        objects++;
    places_add_all(out, (FlowPlaces){ places.v, objects });
    for (uint32_t i = objects; i < places.n; i++) {
        FlowPlace p = places.v[i];
        uint32_t reg = argument(&call, p.param);
        PlaceVec behind = {0};
        if (!pointer_like(fn, reg))
            continue;
        places_behind(flow, at.fn, reg, p.size == FLOW_WHOLE ? FLOW_WHOLE : p.first + p.size, &behind);
        for (uint32_t k = 0; k < behind.n; k++) {
            if (behind.v[k].size != FLOW_WHOLE) {
                behind.v[k].first += p.first;
                behind.v[k].size -= p.first;
            }
            vec_push(out, behind.v[k]);
        }
        vec_free(&behind);
    }
}

/* ---- the table ------------------------------------------------------------------------------------------------------------ */

typedef struct TableCall {
    Flow *flow;
    FlowSite at;
    const IrFn *fn;
    IrCall call;
    Touched *out;
    bool writes_variable;                     /* a format with %n, or none */
} TableCall;

/* Could the format store through an argument? Unknown formats could. */
static bool format_stores(const TableCall *t, uint32_t reg)
{
    const IrConst *c = reg == IR_NONE ? NULL : ir_reg_const_of(t->fn, reg);
    if (!c || c->kind != IR_CONST_GLOBAL)
        return true;
    const IrGlobal *g = &t->flow->program->globals.v[c->index];
    if (!g->constant || !g->bytes)
        return !g->constant;
    for (uint64_t i = (uint64_t)c->bits; i + 1 < g->size && g->bytes[i]; i++) {
        if (g->bytes[i] != '%')
            continue;
        for (i++; i < g->size && g->bytes[i] && strchr("0123456789$#-+ '.*hljztLqI", g->bytes[i]); i++) {
        }
        if (i < g->size && g->bytes[i] == 'n')
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
    else if (operand < EFFECT_VARIABLE && argument(&t->call, operand) != IR_NONE)
        vec_push(out, argument(&t->call, operand));
}

static void behind(const TableCall *t, uint32_t reg, bool write)
{
    if (!pointer_like(t->fn, reg))
        return;
    places_behind(t->flow, t->at.fn, reg, FLOW_WHOLE, write ? &t->out->writes : &t->out->reads);
    touch_state(t->flow, t->at.fn, reg, t->out);
}

/* Everything that can be reached from what a register points into. */
static void reached(const TableCall *t, uint32_t reg, bool write)
{
    Points *p = points_of(t->flow);
    FlowList from = flow_points_to(t->flow, t->at.fn, reg);
    uint8_t *marks = mem_zalloc(p->contents.n + 1);
    U32Vec roots = {0};
    if (pointer_like(t->fn, reg))
        for (uint32_t i = 0; i < from.n; i++)
            vec_push(&roots, from.v[i] / 2);
    graph_reach(&p->contents, &roots, marks);
    for (uint32_t o = 0; o < p->contents.n; o++)
        if (marks[o] && t->flow->objects.v[o].kind != FLOW_FN) {
            places_add(write ? &t->out->writes : &t->out->reads, 2 * o, 0, FLOW_WHOLE);
            places_add(&t->out->reads, flow_state_of(2 * o), 0, FLOW_WHOLE);
        }
    vec_free(&roots);
    mem_free(marks);
}

/* Heap objects that the call makes: their contents and state. */
static void made(const TableCall *t)
{
    FlowList objects = t->call.ndst ? flow_points_to(t->flow, t->at.fn, t->call.dst[0]) : (FlowList){ NULL, 0 };
    for (uint32_t i = 0; i < objects.n; i++) {
        const FlowObject *o = flow_object(t->flow, objects.v[i]);
        bool mine = o->kind == FLOW_HEAP && (flow_fn(t->flow, t->at.fn)->runtime ||
                    (o->at.fn == t->at.fn && o->at.block == t->at.block && o->at.insn == t->at.insn));
        if (mine || o->kind == FLOW_ANY) {
            places_add(&t->out->writes, objects.v[i], 0, FLOW_WHOLE);
            places_add(&t->out->writes, flow_state_of(objects.v[i]), 0, FLOW_WHOLE);
        }
    }
}

static void stream(const TableCall *t, uint32_t index)
{
    uint32_t object = flow_object_of_stream(t->flow, index);
    places_add(&t->out->writes, object, 0, FLOW_WHOLE);
    places_add(&t->out->reads, object, 0, FLOW_WHOLE);
}

static void all_streams(const TableCall *t)
{
    for (uint32_t i = 0; i <= FLOW_FILES; i++)
        stream(t, i);
}

/* Does the program have FILEs that hold memory of its own? */
static bool streams_over_memory(const IrProgram *p)
{
    static const char *const makers[] = { "fmemopen", "open_memstream", "fopencookie", "open_wmemstream" };
    for (size_t i = 0; i < COUNT_OF(makers); i++)
        if (ir_fn_find(p, makers[i]) != IR_NONE)
            return true;
    return false;
}

/* The standard streams are the elements of one array of runtime/; a FILE of the heap is another file. */
static void stream_of(const TableCall *t, uint32_t reg)
{
    LocSet locs = {0};
    Points *p = points_of(t->flow);
    uint32_t global = ir_global_find(p->program, "stdout");
    const IrGlobal *g = global == IR_NONE ? NULL : &p->program->globals.v[global];
    uint32_t standard = g && g->relocs.n == 1 && g->relocs.v[0].value.kind == IR_CONST_GLOBAL ? g->relocs.v[0].value.index : IR_NONE;
    points_locs(p, t->at.fn, reg, &locs);
    if (!locs.n)
        all_streams(t);
    if (streams_over_memory(p->program)) {
        reached(t, reg, true);
        reached(t, reg, false);
    }
    for (uint32_t i = 0; i < locs.n; i++) {
        Place at = loc_place(locs.v[i]);
        const FlowObject *o = &t->flow->objects.v[at.object];
        if (o->kind == FLOW_HEAP)
            stream(t, FLOW_FILES);
        else if (standard != IR_NONE && at.object == object_global(t->flow, standard) && !at.stride)
            stream(t, (uint32_t)((uint64_t)at.offset / (o->size / 3)));
        else
            all_streams(t);
    }
    vec_free(&locs);
}

static void descriptor(const TableCall *t, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(t->fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        all_streams(t);
    else
        stream(t, (uint32_t)(c->bits & 0xffff));
}

static FlowPlaces summary(Flow *flow, uint32_t fn, bool write);
static Summaries *summaries_of(Flow *flow);

/* A callback runs with pointers into what the table names. */
static void callback(const TableCall *t, const Effect *e)
{
    U32Vec functions = {0};
    operand_regs(t, e->a, &functions);
    FlowList targets = functions.n ? flow_points_to(t->flow, t->at.fn, functions.v[0]) : (FlowList){ NULL, 0 };
    for (uint32_t i = 0; i < targets.n; i++) {
        const FlowObject *o = flow_object(t->flow, targets.v[i]);
        for (int write = 0; write < 2 && o->kind == FLOW_FN; write++) {
            FlowPlaces places = summary(t->flow, o->index, write);
            for (uint32_t k = 0; k < places.n; k++) {
                if (places.v[k].param == IR_NONE)
                    vec_push(write ? &t->out->writes : &t->out->reads, places.v[k]);
                else if (places.v[k].param < e->nargs)
                    behind(t, argument(&t->call, e->args[places.v[k].param]), write);
            }
        }
        if (o->kind == FLOW_ANY || o->kind == FLOW_LAZY)
            places_add(&t->out->writes, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
    }
    vec_free(&functions);
}

static void apply_to(const TableCall *t, const Effect *e, uint32_t reg)
{
    switch (e->kind) {
    case EFFECT_READ:      behind(t, reg, false); break;
    case EFFECT_READ_ALL:  reached(t, reg, false); break;
    case EFFECT_WRITE: case EFFECT_INPUT:
        if (e->a != EFFECT_VARIABLE || t->writes_variable)
            behind(t, reg, true);
        break;
    case EFFECT_WRITE_ALL:
        if (t->writes_variable)
            reached(t, reg, true);
        else
            behind(t, reg, true);             /* a va_list moves on */
        break;
    case EFFECT_FREE:
        if (pointer_like(t->fn, reg)) {
            places_state(t->flow, t->at.fn, reg, &t->out->writes);
            touch_state(t->flow, t->at.fn, reg, t->out);
        }
        break;
    case EFFECT_COPY: case EFFECT_PUT: behind(t, reg, true); break;
    case EFFECT_STREAM_OF:  stream_of(t, reg); break;
    case EFFECT_DESCRIPTOR: descriptor(t, reg); break;
    default: break;
    }
}

static void apply_table(Flow *flow, FlowSite at, const Effects *effects, Touched *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    TableCall t = { .flow = flow, .at = at, .fn = fn, .call = ir_call_read(fn, flow_insn(flow, at)), .out = out,
                    .writes_variable = true };
    U32Vec regs = {0};
    for (uint32_t i = 0; i < effects->n; i++)
        if (effects->v[i].kind == EFFECT_FORMAT)
            t.writes_variable = format_stores(&t, argument(&t.call, effects->v[i].a));
    for (uint32_t i = 0; i < effects->n; i++) {
        const Effect *e = &effects->v[i];
        operand_regs(&t, e->a, &regs);
        for (uint32_t k = 0; k < regs.n; k++)
            apply_to(&t, e, regs.v[k]);
        if (e->kind == EFFECT_COPY || e->kind == EFFECT_PUT) {
            operand_regs(&t, e->b, &regs);
            for (uint32_t k = 0; k < regs.n && e->kind == EFFECT_COPY; k++)
                behind(&t, regs.v[k], false);
        }
        if (e->kind == EFFECT_RETURN_NEW || (e->kind == EFFECT_PUT && e->b == EFFECT_NEW))
            made(&t);
        else if (e->kind == EFFECT_STREAM)
            stream(&t, e->a);
        else if (e->kind == EFFECT_CALL)
            callback(&t, e);
    }
    vec_free(&regs);
}

/* Runtime/'s own: its globals, and, for functions of streams, the buffers that it keeps on the heap. */
static bool is_own(Flow *flow, uint32_t object, bool buffers)
{
    const FlowObject *o = flow_object(flow, object);
    return (o->kind == FLOW_GLOBAL && flow->program->globals.v[o->index].runtime) ||
           (buffers && bitset_has(&points_of(flow)->kept, object / 2));
}

/* What a described function does to runtime/'s own state comes from its body. */
static FlowPlaces own_state(Flow *flow, const Effects *e, FlowPlaces body)
{
    bool buffers = effects_have(e, EFFECT_STREAM) || effects_have(e, EFFECT_STREAM_OF);
    PlaceVec own = {0};
    for (uint32_t i = 0; i < body.n; i++) {
        if (body.v[i].param != IR_NONE)
            continue;
        if (is_own(flow, body.v[i].object, buffers))
            vec_push(&own, body.v[i]);
        for (uint32_t o = body.v[i].object; body.v[i].object / 2 == OBJECT_ANY && o < flow_object_count(flow); o += 2)
            if (is_own(flow, o, buffers))
                places_add(&own, o, 0, FLOW_WHOLE);
    }
    return places_keep(flow, &own);
}

static void add_own_state(Flow *flow, uint32_t callee, const Effects *e, Touched *out)
{
    Summaries *s = summaries_of(flow);
    if (!s->own_writes[callee].v) {
        FlowPlaces writes = summary(flow, callee, true), reads = summary(flow, callee, false);
        if (s->made[callee] == 1)             /* under way, in a circle: counted there */
            return;
        s->own_writes[callee] = own_state(flow, e, writes);
        s->own_reads[callee] = own_state(flow, e, reads);
    }
    places_add_all(&out->writes, s->own_writes[callee]);
    places_add_all(&out->reads, s->own_reads[callee]);
}

/* Memory that the function makes for itself is an object of the call in the user's code. */
static void add_here(Flow *flow, FlowSite at, Touched *out)
{
    FlowSite nowhere = { IR_NONE, IR_NONE, IR_NONE };
    uint32_t here = flow_object_of_heap(flow, at, nowhere);
    if (here == FLOW_OBJECT_ANY)
        return;
    places_add(&out->writes, here, 0, FLOW_WHOLE);
    places_add(&out->writes, flow_state_of(here), 0, FLOW_WHOLE);
    places_add(&out->reads, here, 0, FLOW_WHOLE);
    places_add(&out->reads, flow_state_of(here), 0, FLOW_WHOLE);
}

/* ---- calls ------------------------------------------------------------------------------------------------------------------ */

static void touch_callee(Flow *flow, FlowSite at, uint32_t callee, Touched *out)
{
    const IrFn *fn = flow_fn(flow, callee);
    const Effects *e = flow->effects[callee];
    if (!fn->defined && !e) {                 /* an external: whatever its pointers lead to */
        IrCall call = ir_call_read(flow_fn(flow, at.fn), flow_insn(flow, at));
        for (uint32_t i = 0; i < call.nargs + call.nvar; i++)
            if (pointer_like(flow_fn(flow, at.fn), argument(&call, i))) {
                places_behind(flow, at.fn, argument(&call, i), FLOW_WHOLE, &out->writes);
                places_behind(flow, at.fn, argument(&call, i), FLOW_WHOLE, &out->reads);
            }
        return;
    }
    if (e && (!fn->defined || !flow_fn(flow, at.fn)->runtime)) {
        apply_table(flow, at, e, out);
        if (points_of(flow)->allocates[callee])
            add_here(flow, at, out);
        if (fn->defined)
            add_own_state(flow, callee, e, out);
        return;
    }
    fill_in(flow, at, summary(flow, callee, true), &out->writes);
    fill_in(flow, at, summary(flow, callee, false), &out->reads);
}

void touch_call(Flow *flow, FlowSite at, Touched *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    IrCall call = ir_call_read(fn, flow_insn(flow, at));
    FlowList callees = flow_callees(flow, at);
    for (uint32_t i = 0; i < callees.n; i++)
        touch_callee(flow, at, callees.v[i], out);
    for (uint32_t i = 0; i < call.nvar; i++)
        if (call.var[3 * i + 1])
            places_behind(flow, at.fn, call.var[3 * i], call.var[3 * i + 1], &out->reads);
}

/* ---- summaries --------------------------------------------------------------------------------------------------------------- */

static Summaries *summaries_of(Flow *flow)
{
    if (flow->summaries)
        return flow->summaries;
    uint32_t n = flow->program->fns.n, count;
    Summaries *s = flow->summaries = arena_alloc(flow->arena, sizeof *s);
    EdgeVec edges = {0};
    for (uint32_t f = 0; f < n; f++) {
        FlowSites callers = flow_callers(flow, f);
        for (uint32_t i = 0; i < callers.n; i++)
            vec_push(&edges, (Edge){ callers.v[i].fn, f });
    }
    s->calls = graph_make(flow->arena, n, &edges);
    s->component = graph_components(flow->arena, &s->calls, &count);
    s->recursive = arena_alloc(flow->arena, count + 1);
    s->first = arena_alloc(flow->arena, (count + 1) * sizeof *s->first);
    s->next = arena_alloc(flow->arena, (n + 1) * sizeof *s->next);
    s->writes = arena_alloc(flow->arena, (n + 1) * sizeof *s->writes);
    s->reads = arena_alloc(flow->arena, (n + 1) * sizeof *s->reads);
    s->own_writes = arena_alloc(flow->arena, (n + 1) * sizeof *s->own_writes);
    s->own_reads = arena_alloc(flow->arena, (n + 1) * sizeof *s->own_reads);
    s->made = arena_alloc(flow->arena, n + 1);
    memset(s->first, 255, (count + 1) * sizeof *s->first);
    for (uint32_t f = 0; f < n; f++) {
        s->recursive[s->component[f]] |= s->first[s->component[f]] != IR_NONE;
        s->next[f] = s->first[s->component[f]];
        s->first[s->component[f]] = f;
    }
    for (uint32_t i = 0; i < edges.n; i++)
        if (edges.v[i].from == edges.v[i].to)
            s->recursive[s->component[edges.v[i].from]] = true;
    vec_free(&edges);
    return s;
}

/* The function's own frame is nobody else's affair. */
static void drop_frame(Flow *flow, uint32_t fn, PlaceVec *set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const FlowObject *o = set->v[i].param == IR_NONE ? flow_object(flow, set->v[i].object) : NULL;
        bool own = o && ((o->kind == FLOW_STACK && o->at.fn == fn) || (o->kind == FLOW_VARARGS && o->index == fn));
        if (!own)
            set->v[n++] = set->v[i];
    }
    set->n = n;
}

static void touch_body(Flow *flow, uint32_t index, Touched *out)
{
    const IrFn *fn = flow_fn(flow, index);
    BitSet states = {0};
    uint32_t limit = 4096;
    out->states = &states;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            touch_insn(flow, (FlowSite){ index, b, i }, out);
            if (out->writes.n + out->reads.n > limit) {
                places_close(&out->writes);
                places_close(&out->reads);
                limit = 2 * (out->writes.n + out->reads.n) + 4096;
            }
        }
    for (uint32_t o = bitset_next(&states, 0); o != UINT32_MAX; o = bitset_next(&states, o + 1))
        places_add(&out->reads, flow_state_of(2 * o), 0, FLOW_WHOLE);
    places_close(&out->writes);
    places_close(&out->reads);
    out->states = NULL;
    bitset_free(&states);
}

/* Parameters as the objects they may point into. */
static void resolve(Flow *flow, uint32_t fn, PlaceVec *set)
{
    uint32_t n = set->n;
    for (uint32_t i = 0; i < n; i++) {
        if (set->v[i].param == IR_NONE)
            continue;
        FlowList objects = flow_points_to(flow, fn, set->v[i].param);
        for (uint32_t k = 0; k < objects.n; k++)
            if (flow_object(flow, objects.v[k])->kind != FLOW_FN)
                places_add(set, objects.v[k], 0, FLOW_WHOLE);
        set->v[i] = (FlowPlace){ IR_NONE, IR_NONE, 0, 0 };
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->n; i++)
        if (set->v[i].object != IR_NONE)
            set->v[kept++] = set->v[i];
    set->n = kept;
    places_close(set);
}

/* All functions of a circle at once; calls inside it find an empty summary, which is right: what they do is counted. */
static void make_circle(Flow *flow, Summaries *s, uint32_t component)
{
    Touched all = {0};
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f])
        s->made[f] = 1;
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f]) {
        Touched t = {0};
        touch_body(flow, f, &t);
        resolve(flow, f, &t.writes);
        resolve(flow, f, &t.reads);
        places_add_all(&all.writes, (FlowPlaces){ t.writes.v, t.writes.n });
        places_add_all(&all.reads, (FlowPlaces){ t.reads.v, t.reads.n });
        touched_free(&t);
    }
    FlowPlaces writes = places_keep(flow, &all.writes), reads = places_keep(flow, &all.reads);
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f]) {
        s->writes[f] = writes;
        s->reads[f] = reads;
        s->made[f] = 2;
    }
}

static void make_one(Flow *flow, Summaries *s, uint32_t fn)
{
    Touched t = {0};
    touch_body(flow, fn, &t);
    drop_frame(flow, fn, &t.writes);
    drop_frame(flow, fn, &t.reads);
    s->writes[fn] = places_keep(flow, &t.writes);
    s->reads[fn] = places_keep(flow, &t.reads);
    s->made[fn] = 2;
}

/* Declared only, or never entered: everything. */
static void make_unknown(Flow *flow, Summaries *s, uint32_t fn)
{
    PlaceVec all = {0};
    places_add(&all, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
    places_add(&all, flow_state_of(FLOW_OBJECT_ANY), 0, FLOW_WHOLE);
    s->writes[fn] = s->reads[fn] = places_keep(flow, &all);
    s->made[fn] = 2;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Callees first, without recursion: a chain of calls may be long. */
static void make_below(Flow *flow, Summaries *s, uint32_t fn)
{
    uint8_t *marks = mem_zalloc(flow->program->fns.n + 1);
    U32Vec roots = {0};
    U64Vec order = {0};
    vec_push(&roots, fn);
    graph_reach(&s->calls, &roots, marks);
    for (uint32_t f = 0; f < flow->program->fns.n; f++)
        if (marks[f])
            vec_push(&order, (uint64_t)s->component[f] << 32 | f);
    qsort(order.v, order.n, sizeof *order.v, compare);
    for (uint32_t i = 0; i < order.n; i++) {
        uint32_t f = (uint32_t)order.v[i];
        if (s->made[f])
            continue;
        if (!flow_fn(flow, f)->defined || !points_reached(points_of(flow), f))
            make_unknown(flow, s, f);
        else if (s->recursive[s->component[f]])
            make_circle(flow, s, s->component[f]);
        else
            make_one(flow, s, f);
    }
    mem_free(marks);
    vec_free(&roots);
    vec_free(&order);
}

static FlowPlaces summary(Flow *flow, uint32_t fn, bool write)
{
    Summaries *s = summaries_of(flow);
    if (!s->made[fn])
        make_below(flow, s, fn);
    return write ? s->writes[fn] : s->reads[fn];
}

FlowPlaces flow_fn_writes(Flow *flow, uint32_t fn) { return summary(flow, fn, true); }
FlowPlaces flow_fn_reads(Flow *flow, uint32_t fn) { return summary(flow, fn, false); }
