/* depend_many.c - what an instruction touches, for the graph: a few places by themselves, many as shared
 * sets.
 *
 * Where a pointer may lead nearly anywhere, an instruction touches thousands of objects, and so does each of
 * its callers. Such lists are sets of objects here, apart by what the graph has to know of them: contents or
 * state, the library's own or not. So a function costs what it tells apart, not what it may touch. */
#include "flow/depend.h"
#include "flow/places.h"

enum { KINDS = 4 }; /* state + 2 * library */

uint32_t depend_many(DependSet *set, DepMany many)
{
    uint64_t key = hash_mix((uint64_t)many.objects << 32 | many.places, many.state + 2u * many.library),
             found;
    if (map_get(&set->many_index, key, &found))
        return (uint32_t)found;
    map_put(&set->many_index, key, set->many.n);
    vec_push(&set->many, many);
    return set->many.n - 1;
}

/* Which sort of many the object may be one of; KINDS: it stays by itself. */
static uint32_t kind_of(const DependSet *set, uint32_t object)
{
    const FlowObject *o = flow_object(set->flow, object);
    if (o->kind == FLOW_ANY || o->kind == FLOW_STREAM || o->kind == FLOW_ROOM || o->kind == FLOW_LINKS)
        return KINDS;
    return flow_is_state(object) + 2u * depend_is_library(set, o);
}

bool depend_may_bundle(const DependSet *set, uint32_t object) { return kind_of(set, object) < KINDS; }

void depend_bundle(DependSet *set, U32Vec *objects, uint32_t places, DepPlaceVec *out)
{
    U32Vec kinds[KINDS] = {0};
    flow_sort_unique(objects);
    for (uint32_t i = 0; i < objects->n; i++)
        vec_push(&kinds[kind_of(set, objects->v[i])], objects->v[i]);
    for (uint32_t k = 0; k < KINDS; k++) {
        if (kinds[k].n) {
            DepMany many = {sets_from(&set->objects, kinds[k].v, kinds[k].n), places, k & 1, k & 2};
            vec_push(out, depend_many_place(depend_many(set, many)));
        }
        vec_free(&kinds[k]);
    }
}

static FlowPlaces keep(DependSet *set, const DepPlaceVec *list)
{
    FlowPlace *v = arena_alloc(set->arena, (list->n + 1) * sizeof *v);
    if (list->n)
        memcpy(v, list->v, list->n * sizeof *v);
    return (FlowPlaces){v, list->n};
}

/* A large set of places; what cannot be one of many is the few. */
static DepSplit split_large(DependSet *set, uint32_t places)
{
    PlaceTable *t = places_of(set->flow);
    U32Vec objects = {0}, few = {0};
    for (uint32_t i = sets_next(&t->sets, places, 0); i != UINT32_MAX; i = sets_next(&t->sets, places, i + 1))
        vec_push(depend_may_bundle(set, t->v.v[i].object) ? &objects : &few,
                 depend_may_bundle(set, t->v.v[i].object) ? t->v.v[i].object : i);
    DepPlaceVec many = {0};
    set->steps += objects.n;
    depend_bundle(set, &objects, places, &many);
    PlaceAnswer rest = {.set = {.objects = sets_from(&t->sets, few.v, few.n)}};
    DepSplit split = {places_list(set->flow, &rest), keep(set, &many)};
    vec_free(&objects);
    vec_free(&few);
    vec_free(&many);
    return split;
}

DepPlaces depend_places(DependSet *set, FlowSite at, bool write)
{
    PlaceSet places = insn_places(set->flow, at, write);
    uint64_t found;
    if (!map_get(&set->split_of, places.objects, &found)) {
        PlaceAnswer all = {.set = {.objects = places.objects}};
        DepSplit split = {.few = {NULL, 0}};
        if (sets_size(&places_of(set->flow)->sets, places.objects) > set->options.max_listed)
            split = split_large(set, places.objects);
        else
            split.few = places_list(set->flow, &all);
        found = set->splits.n;
        map_put(&set->split_of, places.objects, found);
        vec_push(&set->splits, split);
    }
    const DepSplit *split = &set->splits.v[found];
    return (DepPlaces){{split->few, split->many, places.params}};
}

void depend_many_part(DependSet *set, uint32_t many, uint32_t object, DepPlaceVec *out)
{
    const DepMany *m = &set->many.v[many];
    PlaceTable *t = places_of(set->flow);
    if (!m->places) {
        vec_push(out, (FlowPlace){object, IR_NONE, 0, FLOW_WHOLE});
        return;
    }
    for (uint32_t i = (uint32_t)map_get_or(&t->last, object, IR_NONE); i != IR_NONE; i = t->next.v[i])
        if (sets_has(&t->sets, m->places, i))
            vec_push(out, t->v.v[i]);
}

uint32_t depend_pointees(DependSet *set, FlowList objects)
{
    uint64_t key = (uint64_t)(uintptr_t)objects.v, found;
    if (!map_get(&set->pointees, key, &found))
        map_put(&set->pointees, key, found = sets_from(&set->objects, objects.v, objects.n));
    return (uint32_t)found;
}

FlowPlaces depend_pointee_places(DependSet *set, FlowList objects)
{
    uint64_t key = hash_mix((uint64_t)(uintptr_t)objects.v, 1), found;
    if (map_get(&set->pointees, key, &found))
        return set->splits.v[found].many;
    U32Vec bundled = {0};
    DepPlaceVec places = {0};
    for (uint32_t i = 0; i < objects.n; i++)
        if (objects.n > set->options.max_listed && depend_may_bundle(set, objects.v[i]))
            vec_push(&bundled, objects.v[i]);
        else
            vec_push(&places, (FlowPlace){objects.v[i], IR_NONE, 0, FLOW_WHOLE});
    depend_bundle(set, &bundled, 0, &places);
    DepSplit split = {.many = keep(set, &places)};
    map_put(&set->pointees, key, set->splits.n);
    vec_push(&set->splits, split);
    vec_free(&bundled);
    vec_free(&places);
    return split.many;
}
