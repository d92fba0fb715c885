/* within.c - what code may write as those see it from whose calls it runs.
 *
 * A branch around a call knows of it what the call's own answer says: of a function of runtime/ the table's
 * line with this call's arguments, and of parameters this call's arguments. The body knows of all its callers
 * together, which is more. The machine, within a run, needs what the calls around allow: else a run that
 * enters the function puts down something of which a run that goes round the call says nothing. */
#include "flow/places.h"
#include "flow/flow_int.h"

bool flow_is_described(Flow *flow, uint32_t fn) { return flow_fn(flow, fn)->runtime && flow->effects[fn]; }

FlowArgument flow_argument(Flow *flow, FlowSite at, uint32_t param)
{
    FlowArgument out = {IR_NONE, IR_NONE, FLOW_WHOLE};
    const IrInsn *insn = flow_insn(flow, at);
    if (insn->op != IR_CALL && insn->op != IR_CALLPTR)
        return out;
    IrCall call = ir_call_read(flow_fn(flow, at.fn), insn);
    out.reg = call_argument(&call, param);
    Base base = out.reg == IR_NONE ? (Base){.kind = BASE_NONE} : bases_of(flow, at.fn)[out.reg];
    uint32_t of;
    if (!base_of_param(base, &of))
        return out;
    out.param = of;
    if (base.kind == BASE_AT && base.offset >= 0)
        out.offset = (uint64_t)base.offset;
    return out;
}

/* Belongs to the body, not to its callers. */
static bool is_inner(Flow *flow, uint32_t object)
{
    const FlowObject *o = flow_object(flow, object);
    switch (o->kind) {
    case FLOW_GLOBAL: return flow->program->globals.v[o->index].runtime;
    case FLOW_STACK: return flow_fn(flow, o->at.fn)->runtime;
    case FLOW_VARARGS: return flow_fn(flow, o->index)->runtime;
    case FLOW_HEAP: return o->at.fn == IR_NONE;
    default: return false;
    }
}

/* Contents of all frames of runtime/: where an address may be anything, it may also be theirs. */
static uint32_t inner_frames(Flow *flow)
{
    PlaceTable *t = places_of(flow);
    uint64_t key = hash_mix(IR_NONE, 2), found;
    if (!map_get(&t->frames, key, &found)) {
        PlaceBag bag = {0};
        for (uint32_t o = 0; o < flow_object_count(flow); o += 2) {
            FlowObjectKind kind = flow_object(flow, o)->kind;
            if ((kind == FLOW_STACK || kind == FLOW_VARARGS) && is_inner(flow, o))
                bag_add(&bag, o, 0, FLOW_WHOLE);
        }
        found = bag_close(flow, &bag).objects;
        map_put(&t->frames, key, found);
    }
    return (uint32_t)found;
}

/* Is the object among what the parameter may point into? */
static bool is_behind(Flow *flow, uint32_t fn, uint32_t param, uint32_t object)
{
    FlowList list = flow_pointees(flow, fn, param);
    bool found = object == FLOW_OBJECT_ANY;
    for (uint32_t i = 0; i < list.n && !found; i++)
        found = list.v[i] == object || list.v[i] == FLOW_OBJECT_ANY;
    return found;
}

/* What a place of the body and one of the call have in common. */
static void meet(Flow *flow, uint32_t fn, const FlowPlace *body, const FlowPlace *call, PlaceBag *out)
{
    if (call->param != IR_NONE) {
        if (!flow_is_state(body->object) && is_behind(flow, fn, call->param, body->object))
            bag_add_param(out, call->param, call->first, call->size);
        return;
    }
    if (flow_is_state(body->object) != flow_is_state(call->object))
        return;
    if (call->object / 2 == OBJECT_ANY || body->size == FLOW_WHOLE) {
        const FlowPlace *less = call->object / 2 == OBJECT_ANY ? body : call;
        if (body->object == call->object || call->object / 2 == OBJECT_ANY || body->object / 2 == OBJECT_ANY)
            bag_add(out, less->object, less->first, less->size);
        return;
    }
    if (body->object != call->object)
        return;
    uint64_t end = body->first + body->size, first = body->first;
    if (call->size != FLOW_WHOLE) {
        end = end < call->first + call->size ? end : call->first + call->size;
        first = first > call->first ? first : call->first;
    }
    if (first < end)
        bag_add(out, body->object, first, end - first);
}

FlowPlaces flow_within(Flow *flow, FlowPlaces body, FlowSite at)
{
    PlaceTable *t = places_of(flow);
    uint64_t key = hash_mix(hash_mix(hash_mix((uintptr_t)body.v, at.fn), at.block), at.insn), found;
    if (!body.n)
        return body;
    if (!map_get(&t->within, key, &found)) {
        FlowPlaces call = flow_insn_writes(flow, at);
        PlaceBag bag = {0};
        for (uint32_t i = 0; i < body.n; i++) {
            const FlowPlace *p = &body.v[i];
            if (p->object == FLOW_OBJECT_ANY)
                bag_add_shared(&bag, inner_frames(flow));
            if (p->param == IR_NONE && is_inner(flow, p->object))
                bag_add(&bag, p->object, p->first, p->size);
            for (uint32_t k = 0; k < call.n && p->param == IR_NONE; k++)
                meet(flow, at.fn, p, &call.v[k], &bag);
        }
        PlaceAnswer answer = {.set = bag_close(flow, &bag)};
        found = t->kept.n;
        vec_push(&t->kept, answer);
        map_put(&t->within, key, found);
    }
    return places_list(flow, &t->kept.v[found]);
}
