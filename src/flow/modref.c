/* modref.c - what instructions may write and read. */
#include "flow/places.h"
#include "flow/flow_int.h"

/* ---- instructions ---------------------------------------------------------------------------- */

static uint64_t const_size(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    return c && c->kind == IR_CONST_INT && c->bits < FLOW_WHOLE ? (uint64_t)c->bits : FLOW_WHOLE;
}

/* Every access checks that what it touches lives and is large enough. */
static void touch_behind(Flow *flow, FlowSite at, uint32_t reg, uint64_t size, bool write, Touched *out)
{
    bool made = write && out->writes.older && flow_made_write(flow, at).reg != IR_NONE;
    if (size && !made)
        places_behind(flow, at.fn, reg, 0, size, write ? &out->writes : &out->reads);
    places_state(flow, at.fn, reg, &out->reads);
    touch_followed(flow, points_address(flow, at.fn, reg), out);
}

/* Objects of the function's own frame: their state, all of them or only those of variable size. */
static void touch_frame(Flow *flow, uint32_t fn, bool all, PlaceBag *out)
{
    const IrFn *f = flow_fn(flow, fn);
    uint64_t key = hash_mix(fn, all ? 1 : 2), found;
    PlaceTable *t = places_of(flow);
    if (!map_get(&t->frames, key, &found)) {
        PlaceBag bag = {0};
        for (uint32_t b = 0; b < f->blocks.n; b++)
            for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &f->blocks.v[b].insns.v[i];
                if (insn->op == IR_ALLOCA && (all || !(insn->flags & IR_FIXED)))
                    bag_add(&bag, flow_state_of(flow_object_of_alloca(flow, (FlowSite){fn, b, i})), 0,
                            FLOW_WHOLE);
            }
        if (all && f->variadic)
            bag_add(&bag, flow_state_of(flow_object_of_varargs(flow, fn)), 0, FLOW_WHOLE);
        found = bag_close(flow, &bag).objects;
        map_put(&t->frames, key, found);
    }
    bag_add_shared(out, (uint32_t)found);
}

/* longjmp ends frames whose number and kind are unknown. */
static void touch_all_frames(Flow *flow, PlaceBag *out)
{
    uint64_t key = hash_mix(IR_NONE, 1), found;
    PlaceTable *t = places_of(flow);
    if (!map_get(&t->frames, key, &found)) {
        PlaceBag bag = {0};
        uint32_t n = flow_object_count(flow);
        for (uint32_t o = 0; o < n; o += 2)
            if (flow_object(flow, o)->kind == FLOW_STACK || flow_object(flow, o)->kind == FLOW_VARARGS)
                bag_add(&bag, flow_state_of(o), 0, FLOW_WHOLE);
        found = bag_close(flow, &bag).objects;
        map_put(&t->frames, key, found);
    }
    bag_add_shared(out, (uint32_t)found);
}

static void touch_room(Flow *flow, PlaceBag *out)
{
    if (flow->stack_varies)
        bag_add(out, flow_state_of(flow_object_of_room(flow)), 0, FLOW_WHOLE);
}

/* Is there room for it? One of fixed size is given back with the frame, and is not read in between. */
static void touch_alloca(Flow *flow, FlowSite at, Touched *out)
{
    uint32_t object = flow_object_of_alloca(flow, at);
    touch_room(flow, &out->reads);
    if (!(flow_insn(flow, at)->flags & IR_FIXED))
        touch_room(flow, &out->writes);
    bag_add(&out->writes, object, 0, FLOW_WHOLE);
    bag_add(&out->writes, flow_state_of(object), 0, FLOW_WHOLE);
}

/* What two pointers of inputs have to do with each other, or part of one. */
static bool mixes_inputs(Flow *flow, uint32_t fn, const IrInsn *insn)
{
    if (!ir_op_is_pure((IrOp)insn->op) || !points_may_be_input(flow, fn, insn->a))
        return false;
    return insn->op == IR_TRUNC ||
           (bits_op_arity(ir_op_bits((IrOp)insn->op)) == 2 && points_may_be_input(flow, fn, insn->b));
}

static bool any_mixes_inputs(Flow *flow)
{
    for (uint32_t f = 0; f < flow->program->fns.n; f++) {
        const IrFn *fn = flow_fn(flow, f);
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
                if (mixes_inputs(flow, f, &fn->blocks.v[b].insns.v[i]))
                    return true;
    }
    return false;
}

bool flow_compares_inputs(Flow *flow)
{
    if (flow->inputs_mixed == FLOW_UNKNOWN)
        flow->inputs_mixed = flow_has_links(flow) && any_mixes_inputs(flow) ? FLOW_YES : FLOW_NO;
    return flow->inputs_mixed == FLOW_YES;
}

/* Two pointers of inputs that are found to be equal lead to one place, even if that would not be tried
 * otherwise. What is found may be passed on by way of variables, results and memory: if it is asked anywhere,
 * any branch may tell. */
static void touch_compared(Flow *flow, Touched *out) { touch_links(flow, flow_compares_inputs(flow), out); }

void touch_insn(Flow *flow, FlowSite at, Touched *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    const IrInsn *insn = flow_insn(flow, at);
    switch ((IrOp)insn->op) {
    case IR_LOAD: touch_behind(flow, at, insn->a, (insn->width + 7u) / 8, false, out); break;
    case IR_STORE: touch_behind(flow, at, insn->a, (insn->width + 7u) / 8, true, out); break;
    case IR_MEMCPY:
    case IR_MEMMOVE:
        touch_behind(flow, at, insn->a, const_size(fn, insn->c), true, out);
        touch_behind(flow, at, insn->b, const_size(fn, insn->c), false, out);
        break;
    case IR_MEMSET: touch_behind(flow, at, insn->a, const_size(fn, insn->c), true, out); break;
    case IR_ALLOCA: touch_alloca(flow, at, out); break;
    case IR_LIFE:
        places_behind(flow, at.fn, insn->a, 0, FLOW_WHOLE, &out->writes);
        places_state(flow, at.fn, insn->a, &out->writes);
        break;
    case IR_DEAD: places_state(flow, at.fn, insn->a, &out->writes); break;
    case IR_STACKSAVE: touch_room(flow, &out->reads); break;
    case IR_STACKRESTORE:
        touch_room(flow, &out->writes);
        touch_frame(flow, at.fn, false, &out->writes);
        break;
    case IR_RET: touch_frame(flow, at.fn, true, &out->writes); break;
    case IR_VASTART: touch_behind(flow, at, insn->a, 24, true, out); break;
    case IR_SETJMP: touch_behind(flow, at, insn->a, FLOW_WHOLE, true, out); break;
    case IR_LONGJMP:
        touch_behind(flow, at, insn->a, FLOW_WHOLE, false, out);
        touch_all_frames(flow, &out->writes);
        break;
    case IR_CALLPTR:
        touch_compared(flow, out);
        /* fall through */
    case IR_CALL: touch_call(flow, at, out); break;
    case IR_BR:
    case IR_SWITCH:
    case IR_GOTO: touch_compared(flow, out); break;
    default: break;
    }
}

/* ---- answers, kept --------------------------------------------------------------------------- */

/* Index in kept of what the instruction writes; behind it stands what it reads. */
static uint32_t of_insn(Flow *flow, FlowSite at)
{
    PlaceTable *t = places_of(flow);
    uint64_t key = flow_site_key(at), found;
    if (!map_get(&t->insns, key, &found)) {
        Touched touched = {0};
        touch_insn(flow, at, &touched);
        PlaceAnswer writes = {.set = bag_close(flow, &touched.writes)},
                    reads = {.set = bag_close(flow, &touched.reads)};
        found = t->kept.n;
        vec_push(&t->kept, writes);
        vec_push(&t->kept, reads);
        map_put(&t->insns, key, found);
    }
    return (uint32_t)found;
}

PlaceSet insn_places(Flow *flow, FlowSite at, bool write)
{
    uint32_t i = of_insn(flow, at);
    return places_of(flow)->kept.v[i + !write].set;
}

FlowPlaces flow_insn_writes(Flow *flow, FlowSite at)
{
    uint32_t i = of_insn(flow, at);
    return places_list(flow, &places_of(flow)->kept.v[i]);
}

FlowPlaces flow_insn_reads(Flow *flow, FlowSite at)
{
    uint32_t i = of_insn(flow, at);
    return places_list(flow, &places_of(flow)->kept.v[i + 1]);
}

/* ---- meeting --------------------------------------------------------------------------------- */

static bool ranges_meet(const FlowPlace *a, const FlowPlace *b)
{
    return a->size == FLOW_WHOLE || b->size == FLOW_WHOLE ||
           (a->first < b->first + b->size && b->first < a->first + a->size);
}

static bool has(Flow *flow, uint32_t fn, uint32_t param, uint32_t object)
{
    FlowList list = flow_pointees(flow, fn, param);
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i] == object || list.v[i] == FLOW_OBJECT_ANY)
            return true;
    return object == FLOW_OBJECT_ANY;
}

bool flow_places_meet(Flow *flow, uint32_t fn, const FlowPlace *a, const FlowPlace *b)
{
    if (a->param != IR_NONE && a->param == b->param)
        return ranges_meet(a, b);
    if (a->param != IR_NONE && b->param != IR_NONE) {
        FlowList list = flow_pointees(flow, fn, b->param);
        for (uint32_t i = 0; i < list.n; i++)
            if (has(flow, fn, a->param, list.v[i]))
                return true;
        return false;
    }
    if (a->param != IR_NONE || b->param != IR_NONE) {
        const FlowPlace *param = a->param != IR_NONE ? a : b, *object = a->param != IR_NONE ? b : a;
        return !flow_is_state(object->object) && has(flow, fn, param->param, object->object);
    }
    if (flow_is_state(a->object) != flow_is_state(b->object))
        return false;
    if (a->object / 2 == OBJECT_ANY || b->object / 2 == OBJECT_ANY)
        return true;
    return a->object == b->object && ranges_meet(a, b);
}
