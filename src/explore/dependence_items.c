/* dependence_items.c - decisions of runs as the static analysis names them.
 *
 * The machine names an activation by the call that made it; the analysis opens the calls from the entry on. Of a recursive
 * entry the outermost frame is meant. What comes before the entry (start-up) is FLOW_ITEM_ANY, which interacts with
 * everything; what comes after it (handlers, destructors) is FLOW_ITEM_END. FLOW_ITEM_ANY in between would tie decisions
 * that are not tied to each other, and so lose combinations: when one is met, everything must interact. Answers are kept
 * by pair of items: interaction is a matter of the program, not of a run. */
#include "explore/dependence.h"

enum { DEPTH_MOST = 256, LOOPS_MOST = 60 };

void dep_items_init(DepItems *s, const Vm *vm, const IrProgram *program, FlowInfluence *influence, const char *entry)
{
    *s = (DepItems){.vm = vm, .influence = influence, .arena = arena_new()};
    s->entry = ir_fn_find(program, entry ? entry : "main");
    s->exit = ir_fn_find(program, "exit");
}

void dep_items_free(DepItems *s)
{
    for (uint32_t i = 0; i < s->items.n; i++)
        vec_free(&s->items.v[i].partners);
    vec_free(&s->items);
    vec_free(&s->places);
    vec_free(&s->met);
    map_free(&s->found);
    arena_free(s->arena);
}

/* ---- activations ------------------------------------------------------------------------------------------- */

/* A call deeper than any that is opened adds nothing. */
static DepPlace make_place(DepItems *s, const VmPath *path, const DepPlace *parent)
{
    DepPlace place = {.made = true, .known = parent->known || path->fn == s->entry};
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
        place.iterations[parent->niterations + i] = (FlowIteration){parent->depth, path->loops[i].loop, path->loops[i].count};
    return place;
}

/* From the outermost activation that has no place yet down to this one: as deep as the program's stack. */
static const DepPlace *place_of(DepItems *s, uint32_t number)
{
    U32Vec waiting = {0};
    DepPlace above = {.made = true};
    for (uint32_t p = number; p != IR_NONE; p = vm_path(s->vm, p)->parent) {
        while (s->places.n <= p)
            vec_push(&s->places, (DepPlace){0});
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

/* ---- items --------------------------------------------------------------------------------------------------- */

static FlowItemKind kind_of(VmDecisionKind kind)
{
    if (kind == VM_DECISION_BRANCH || kind == VM_DECISION_SWITCH || kind == VM_DECISION_CALL)
        return FLOW_ITEM_BRANCH;
    return kind == VM_DECISION_CHECK ? FLOW_ITEM_CHECK : FLOW_ITEM_VALUE;
}

static uint32_t ask_item(DepItems *s, const VmDecision *d, const DepPlace *place)
{
    FlowSite path[DEPTH_MOST + 1];
    if (place->depth)
        memcpy(path, place->calls, place->depth * sizeof *path);
    path[place->depth] = (FlowSite){d->fn, d->block, d->insn};
    return flow_item(s->influence, path, place->depth + 1, kind_of(d->kind));
}

static void meet(DepItems *s, uint32_t item, const VmDecision *d, const FlowIterationVec *iterations)
{
    while (s->items.n <= item)
        vec_push(&s->items, (DepItem){0});
    DepItem *it = &s->items.v[item];
    if (it->met)
        return;
    it->met = true;
    it->sample = *d;
    it->keep = !(s->off & EXPLORE_OFF_SINKS) && flow_item_keep(s->influence, item);
    it->niterations = iterations->n;
    it->iterations = arena_alloc(s->arena, (iterations->n + 1) * sizeof *it->iterations);
    if (iterations->n)
        memcpy(it->iterations, iterations->v, iterations->n * sizeof *it->iterations);
    vec_push(&s->met, item);
}

uint32_t dep_item(DepItems *s, const VmDecision *d, const VmLoopCount *loops, FlowIterationVec *out)
{
    uint64_t key = hash_mix(hash_mix((uint64_t)d->path << 32 | d->block, d->insn), kind_of(d->kind)), known;
    const DepPlace *place = d->path == IR_NONE ? NULL : place_of(s, d->path);
    uint32_t item = FLOW_ITEM_ANY;
    vec_clear(out);
    if (s->all) {
        meet(s, item, d, out);
        return item;
    }
    if (place && place->known && d->block != IR_NONE) {
        if (!map_get(&s->found, key, &known))
            map_put(&s->found, key, known = ask_item(s, d, place));
        item = (uint32_t)known;
    } else if (place && place->after) {
        item = FLOW_ITEM_END;
    }
    s->astray |= item == FLOW_ITEM_ANY && place && place->known;
    if (item >= FLOW_ITEM_FIRST) {            /* of a call that is not opened: the loops around the call */
        uint32_t deepest = flow_item_about(s->influence, item).depth;
        for (uint32_t i = 0; i < place->niterations && place->iterations[i].frame <= deepest; i++)
            vec_push(out, place->iterations[i]);
        for (uint32_t i = 0; i < d->nloops && place->depth <= deepest; i++)
            vec_push(out, (FlowIteration){place->depth, loops[d->first_loop + i].loop, loops[d->first_loop + i].count});
    }
    meet(s, item, d, out);
    return item;
}

/* ---- pairs ---------------------------------------------------------------------------------------------------- */

static uint32_t loops_in_common(const DepItem *a, const DepItem *b)
{
    uint32_t n = 0;
    while (n < a->niterations && n < b->niterations && a->iterations[n].frame == b->iterations[n].frame &&
           a->iterations[n].loop == b->iterations[n].loop)
        n++;
    return n;
}

/* Asks for made-up instances whose iterations differ first in each of the loops. */
static DepPair make_pair(DepItems *s, uint32_t a, uint32_t b)
{
    const DepItem *x = &s->items.v[a], *y = &s->items.v[b];
    DepPair pair = {.item = a, .loops = loops_in_common(x, y)};
    FlowIteration earlier[LOOPS_MOST], later[LOOPS_MOST];
    if (pair.loops >= LOOPS_MOST) {
        pair.loops = 0;
        pair.ways = 1;
        return pair;
    }
    FlowInstance from = {a, pair.loops, earlier}, to = {b, pair.loops, later};
    for (uint32_t way = 0; way <= pair.loops; way++) {
        for (uint32_t i = 0; i < pair.loops; i++) {
            earlier[i] = later[i] = x->iterations[i];
            later[i].count = earlier[i].count + (i == way);
        }
        if (s->off & EXPLORE_OFF_CARRIED && way < pair.loops)
            continue;
        if (flow_instances_interact(s->influence, &from, &to))
            pair.ways |= (uint64_t)1 << way;
    }
    return pair;
}

const DepItem *dep_partners(DepItems *s, uint32_t item)
{
    DepItem *it = &s->items.v[item];
    for (; it->tried < s->met.n; it->tried++) {
        uint32_t other = s->met.v[it->tried];
        if ((s->off & EXPLORE_OFF_INTERACTION) || other == FLOW_ITEM_ANY || !it->keep || !s->items.v[other].keep)
            continue;
        DepPair pair = make_pair(s, other, item);
        if (pair.ways)
            vec_push(&it->partners, pair);
    }
    return it;
}

/* ---- another influence ------------------------------------------------------------------------------------------- */

static DepPair partner(DepItems *s, uint32_t a, uint32_t b)
{
    const DepItem *it = dep_partners(s, b);
    for (uint32_t i = 0; i < it->partners.n; i++)
        if (it->partners.v[i].item == a)
            return it->partners.v[i];
    return (DepPair){.item = a};
}

/* The same decision by the other influence: with made-up loop counts, of which only the loops matter. */
static uint32_t counterpart(const DepItems *s, DepItems *more, uint32_t item)
{
    const DepItem *it = &s->items.v[item];
    VmLoopCount loops[LOOPS_MOST];
    FlowIterationVec unused = {0};
    VmDecision d = it->sample;
    if (d.nloops > LOOPS_MOST)
        return FLOW_ITEM_ANY;
    for (uint32_t i = 0; i < d.nloops; i++)   /* the innermost ones are its own, unless it is in a call that is not opened */
        loops[i] = (VmLoopCount){it->niterations >= d.nloops ? it->iterations[it->niterations - d.nloops + i].loop : 0, 0};
    d.first_loop = 0;
    uint32_t other = dep_item(more, &d, loops, &unused);
    vec_free(&unused);
    return other;
}

bool dep_items_cover(DepItems *s, DepItems *more)
{
    FlowInfluenceStats a = flow_influence_stats(s->influence), b = flow_influence_stats(more->influence);
    U32Vec others = {0};
    bool cover = a.contexts == b.contexts && a.closed == b.closed && a.cut == b.cut;
    for (uint32_t i = 0; i < s->met.n && cover; i++) {
        vec_push(&others, counterpart(s, more, s->met.v[i]));
        bool any = s->met.v[i] == FLOW_ITEM_ANY, any_there = vec_last(&others) == FLOW_ITEM_ANY;
        cover = any == any_there && (s->items.v[s->met.v[i]].keep || !more->items.v[vec_last(&others)].keep);
    }
    for (uint32_t i = 0; i < s->met.n && cover; i++)
        for (uint32_t k = 0; k < s->met.n && cover; k++) {
            if (s->met.v[i] == FLOW_ITEM_ANY || s->met.v[k] == FLOW_ITEM_ANY)
                continue;
            DepPair x = partner(s, s->met.v[i], s->met.v[k]), y = partner(more, others.v[i], others.v[k]);
            cover = !y.ways || (x.loops == y.loops && !(y.ways & ~x.ways));
        }
    vec_free(&others);
    return cover;
}
