/* instances.c - decisions of runs as the static analysis names them.
 *
 * The machine names an activation by the call that made it; the analysis opens the calls from the entry on.
 * Of a recursive entry the outermost frame is meant. What comes before the entry (start-up) is FLOW_ITEM_ANY,
 * which interacts with everything; what comes after it (handlers, destructors) is FLOW_ITEM_END. */
#include "instances.h"

enum { DEPTH_MOST = 256 };

void instances_init(Instances *s, const Vm *vm, const IrProgram *program, FlowInfluence *influence)
{
    *s = (Instances){.vm = vm, .influence = influence, .arena = arena_new()};
    s->entry = ir_fn_find(program, "main");
    s->exit = ir_fn_find(program, "exit");
}

void instances_free(Instances *s)
{
    vec_free(&s->places);
    map_free(&s->found);
    arena_free(s->arena);
}

/* ---- activations ----------------------------------------------------------------------------- */

/* A call deeper than any that is opened adds nothing. */
static Place make_place(Instances *s, const VmPath *path, const Place *parent)
{
    Place place = {.made = true, .known = parent->known || path->fn == s->entry};
    place.after = !place.known && (parent->after || path->fn == s->exit);
    if (!parent->known || parent->depth == DEPTH_MOST) {
        if (parent->known)
            place = *parent;
        return place;
    }
    place.depth = parent->depth + 1;
    place.niterations = parent->niterations + path->nloops;
    place.calls = arena_alloc(s->arena, place.depth * sizeof *place.calls);
    place.iterations = arena_alloc(s->arena, (place.niterations + 1) * sizeof *place.iterations);
    if (parent->depth)
        memcpy(place.calls, parent->calls, parent->depth * sizeof *place.calls);
    if (parent->niterations)
        memcpy(place.iterations, parent->iterations, parent->niterations * sizeof *place.iterations);
    place.calls[parent->depth] = (FlowSite){path->at_fn, path->at_block, path->at_insn};
    for (uint32_t i = 0; i < path->nloops; i++)
        place.iterations[parent->niterations + i] =
            (FlowIteration){parent->depth, path->loops[i].loop, path->loops[i].count};
    return place;
}

/* From the outermost activation that has no place yet down to this one: as deep as the program's stack. */
static const Place *place_of(Instances *s, uint32_t number)
{
    U32Vec waiting = {0};
    Place above = {.made = true};
    for (uint32_t p = number; p != IR_NONE; p = vm_path(s->vm, p)->parent) {
        while (s->places.n <= p)
            vec_push(&s->places, (Place){0});
        if (s->places.v[p].made) {
            above = s->places.v[p];
            break;
        }
        vec_push(&waiting, p);
    }
    while (waiting.n) {
        uint32_t p = vec_pop(&waiting);
        above = s->places.v[p] = make_place(s, vm_path(s->vm, p), &above);
    }
    vec_free(&waiting);
    return &s->places.v[number];
}

/* ---- items ----------------------------------------------------------------------------------- */

static FlowItemKind kind_of(VmDecisionKind kind)
{
    if (kind == VM_DECISION_BRANCH || kind == VM_DECISION_SWITCH || kind == VM_DECISION_CALL)
        return FLOW_ITEM_BRANCH;
    return kind == VM_DECISION_CHECK ? FLOW_ITEM_CHECK : FLOW_ITEM_VALUE;
}

static uint32_t ask_item(Instances *s, const VmDecision *d, const Place *place)
{
    FlowSite path[DEPTH_MOST + 1];
    if (place->depth)
        memcpy(path, place->calls, place->depth * sizeof *path);
    path[place->depth] = (FlowSite){d->fn, d->block, d->insn};
    return flow_item(s->influence, path, place->depth + 1, kind_of(d->kind));
}

FlowInstance instance_of(Instances *s, const VmDecision *d, const VmLoopCount *loops, FlowIterationVec *out)
{
    uint64_t key = hash_mix(hash_mix((uint64_t)d->path << 32 | d->block, d->insn), kind_of(d->kind)), known;
    const Place *place = d->path == IR_NONE ? NULL : place_of(s, d->path);
    uint32_t item = FLOW_ITEM_ANY;
    vec_clear(out);
    if (place && place->known && d->block != IR_NONE) {
        if (!map_get(&s->found, key, &known))
            map_put(&s->found, key, known = ask_item(s, d, place));
        item = (uint32_t)known;
    } else if (place && place->after) {
        item = FLOW_ITEM_END;
    }
    if (item >= FLOW_ITEM_FIRST) { /* of a call that is not opened: the loops around the call */
        uint32_t deepest = flow_item_about(s->influence, item).depth;
        for (uint32_t i = 0; i < place->niterations && place->iterations[i].frame <= deepest; i++)
            vec_push(out, place->iterations[i]);
        for (uint32_t i = 0; i < d->nloops && place->depth <= deepest; i++)
            vec_push(out, (FlowIteration){place->depth, loops[d->first_loop + i].loop,
                                          loops[d->first_loop + i].count});
    }
    return (FlowInstance){item, out->n, out->v};
}
