/* objects.c - abstract objects: the table, names for people, lookups for the machine. */
#include "flow/points.h"
#include "flow/flow_int.h"

static const FlowSite nowhere = {IR_NONE, IR_NONE, IR_NONE};

uint32_t object_new(Flow *flow, FlowObject object)
{
    vec_push(&flow->objects, object);
    flow->stats.objects = flow->objects.n;
    return flow->objects.n - 1;
}

static void add(Flow *flow, FlowObjectKind kind, uint32_t index, uint64_t size)
{
    object_new(flow,
               (FlowObject){.kind = kind, .index = index, .at = nowhere, .caller = nowhere, .size = size});
}

void objects_begin(Flow *flow)
{
    const IrProgram *p = flow->program;
    add(flow, FLOW_ANY, 0, FLOW_WHOLE);
    add(flow, FLOW_ARGS, 0, FLOW_WHOLE);
    add(flow, FLOW_LAZY, 0, FLOW_WHOLE);
    add(flow, FLOW_CONSTANTS, 0, FLOW_WHOLE);
    for (uint32_t i = 0; i < FLOW_STREAMS; i++)
        add(flow, FLOW_STREAM, i, FLOW_WHOLE);
    add(flow, FLOW_ROOM, 0, FLOW_WHOLE);
    add(flow, FLOW_LINKS, 0, FLOW_WHOLE);
    for (uint32_t f = 0; f < p->fns.n; f++)
        add(flow, FLOW_FN, f, 0);
    flow->global_objects = arena_alloc(flow->arena, (p->globals.n + 1) * sizeof *flow->global_objects);
    for (uint32_t g = 0; g < p->globals.n; g++) {
        flow->global_objects[g] = OBJECT_CONSTANTS;
        if (p->globals.v[g].constant && !p->globals.v[g].relocs.n)
            continue;
        flow->global_objects[g] = flow->objects.n;
        add(flow, FLOW_GLOBAL, g, p->globals.v[g].size);
    }
}

static uint64_t heap_key(FlowSite at, FlowSite caller)
{
    uint64_t key = flow_site_key(at);
    return hash_mix(hash_mix(hash_mix(key, caller.fn), caller.block), caller.insn);
}

uint32_t object_heap(Points *p, FlowSite at, FlowSite caller)
{
    uint64_t found;
    if (map_get(&p->heap, heap_key(at, caller), &found))
        return (uint32_t)found;
    uint32_t object =
        object_new(p->flow, (FlowObject){.kind = FLOW_HEAP, .at = at, .caller = caller, .size = FLOW_WHOLE});
    map_put(&p->heap, heap_key(at, caller), object);
    return object;
}

uint32_t object_varargs(Points *p, uint32_t fn)
{
    uint64_t found;
    uint64_t key = hash_mix(fn, 99);
    if (map_get(&p->heap, key, &found))
        return (uint32_t)found;
    uint32_t object = object_new(
        p->flow,
        (FlowObject){
            .kind = FLOW_VARARGS, .index = fn, .at = nowhere, .caller = nowhere, .size = FLOW_WHOLE});
    map_put(&p->heap, key, object);
    return object;
}

/* ---- the face -------------------------------------------------------------------------------- */

uint32_t flow_object_count(Flow *flow)
{
    points_of(flow);
    return 2 * flow->objects.n;
}

const FlowObject *flow_object(Flow *flow, uint32_t object)
{
    points_of(flow);
    return &flow->objects.v[object / 2];
}

uint32_t flow_object_of_global(Flow *flow, uint32_t global) { return 2 * object_global(flow, global); }
uint32_t flow_object_of_fn(Flow *flow, uint32_t fn)
{
    (void)flow;
    return 2 * object_fn(fn);
}
uint32_t flow_object_of_args(Flow *flow)
{
    (void)flow;
    return 2 * OBJECT_ARGS;
}
uint32_t flow_object_of_lazy(Flow *flow)
{
    (void)flow;
    return 2 * OBJECT_LAZY;
}
uint32_t flow_object_of_room(Flow *flow)
{
    (void)flow;
    return 2 * OBJECT_ROOM;
}
uint32_t flow_object_of_links(Flow *flow)
{
    (void)flow;
    return 2 * OBJECT_LINKS;
}
bool flow_has_links(const Flow *flow) { return flow->options.lazy_inputs || flow->options.free_globals; }

uint32_t flow_object_of_stream(Flow *flow, uint32_t descriptor)
{
    (void)flow;
    return 2 * (OBJECT_STREAMS + (descriptor < FLOW_STREAMS ? descriptor : FLOW_FILES));
}

static uint32_t look(Flow *flow, uint64_t key)
{
    uint64_t found;
    return map_get(&points_of(flow)->heap, key, &found) ? 2 * (uint32_t)found : FLOW_OBJECT_ANY;
}

uint32_t flow_object_of_alloca(Flow *flow, FlowSite at) { return look(flow, flow_site_key(at)); }
uint32_t flow_object_of_varargs(Flow *flow, uint32_t fn) { return look(flow, hash_mix(fn, 99)); }

/* What described functions of libc allocate for themselves has no call of its own. */
uint32_t flow_object_of_heap(Flow *flow, FlowSite at, FlowSite caller)
{
    uint32_t object = look(flow, heap_key(at, caller));
    if (object == FLOW_OBJECT_ANY)
        object = look(flow, heap_key(at, nowhere));
    return object == FLOW_OBJECT_ANY ? look(flow, heap_key(nowhere, nowhere)) : object;
}

static void site_text(const Flow *flow, FlowSite at, Str *out)
{
    char where[256];
    const IrInsn *insn = flow_insn(flow, at);
    if (insn->site != IR_NONE)
        str_add(out, ir_site_text(flow->program, insn->site, where, sizeof where));
    else
        str_printf(out, "%s:%u.%u", ir_text(flow->program, flow_fn(flow, at.fn)->name), at.block, at.insn);
}

static void stack_text(const Flow *flow, const FlowObject *o, Str *out)
{
    const IrFn *fn = flow_fn(flow, o->at.fn);
    uint32_t name = fn->regs.v[flow_insn(flow, o->at)->dst].name;
    str_printf(out, "stack %s.", ir_text(flow->program, fn->name));
    if (name)
        str_add(out, ir_text(flow->program, name));
    else
        site_text(flow, o->at, out);
}

static void heap_text(const Flow *flow, const FlowObject *o, Str *out)
{
    str_add(out, "heap ");
    if (o->at.fn == IR_NONE)
        str_add(out, "of libc");
    else
        site_text(flow, o->at, out);
    if (o->caller.fn != IR_NONE) {
        str_add(out, " from ");
        site_text(flow, o->caller, out);
    }
}

const char *flow_object_text(Flow *flow, uint32_t object, char *out, size_t size)
{
    static const char *const streams[] = {"stdin", "stdout", "stderr", "files", "outputs"};
    const FlowObject *o = flow_object(flow, object);
    const IrProgram *p = flow->program;
    Str text = {0};
    if (flow_is_state(object))
        str_add(&text, "state of ");
    switch (o->kind) {
    case FLOW_ANY: str_add(&text, "anything"); break;
    case FLOW_GLOBAL: str_printf(&text, "global %s", ir_text(p, p->globals.v[o->index].name)); break;
    case FLOW_CONSTANTS: str_add(&text, "constants"); break;
    case FLOW_FN: str_printf(&text, "function %s", ir_text(p, p->fns.v[o->index].name)); break;
    case FLOW_STACK: stack_text(flow, o, &text); break;
    case FLOW_HEAP: heap_text(flow, o, &text); break;
    case FLOW_VARARGS:
        str_printf(&text, "variable arguments of %s", ir_text(p, p->fns.v[o->index].name));
        break;
    case FLOW_ARGS: str_add(&text, "arguments"); break;
    case FLOW_LAZY: str_add(&text, "inputs"); break;
    case FLOW_STREAM: str_add(&text, streams[o->index]); break;
    case FLOW_ROOM: str_add(&text, "the stack"); break;
    case FLOW_LINKS: str_add(&text, "pointers of inputs"); break;
    }
    snprintf(out, size, "%s", str_text(&text));
    str_free(&text);
    return out;
}
