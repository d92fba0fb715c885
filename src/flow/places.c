/* places.c - numbered places, sets of them, and which places an address means.
 *
 * A place of an object has a number, and a set of places is a shared set of numbers: what a helper touches is
 * one set that all of its callers name, not a list that each repeats. Lists are made when there is a request
 * for one, once for each set. */
#include "flow/places.h"

#include <stdlib.h>

static const FlowPlace nothing[1];

PlaceTable *places_of(Flow *flow)
{
    if (!flow->places) {
        flow->places = mem_zalloc(sizeof *flow->places);
        sets_init(&flow->places->sets);
    }
    return flow->places;
}

void places_free(PlaceTable *t)
{
    if (!t)
        return;
    vec_free(&t->v);
    vec_free(&t->next);
    map_free(&t->index);
    map_free(&t->last);
    map_free(&t->behind);
    map_free(&t->frames);
    map_free(&t->insns);
    map_free(&t->within);
    map_free(&t->branches);
    map_free(&t->unsure_of);
    vec_free(&t->unsure);
    vec_free(&t->branch);
    map_free(&t->lists);
    vec_free(&t->flat);
    vec_free(&t->kept);
    sets_free(&t->sets);
    mem_free(t);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t number_of(PlaceTable *t, const FlowPlace *place)
{
    uint64_t key = hash_mix(hash_mix(place->object, place->first), place->size), found;
    if (map_get(&t->index, key, &found))
        return (uint32_t)found;
    vec_push(&t->v, *place);
    vec_push(&t->next, (uint32_t)map_get_or(&t->last, place->object, IR_NONE));
    map_put(&t->index, key, t->v.n - 1);
    map_put(&t->last, place->object, t->v.n - 1);
    return t->v.n - 1;
}

uint32_t places_of_object(Flow *flow, uint32_t object)
{
    PlaceTable *t = places_of(flow);
    U32Vec numbers = {0};
    for (uint32_t i = (uint32_t)map_get_or(&t->last, object, IR_NONE); i != IR_NONE; i = t->next.v[i])
        vec_push(&numbers, i);
    flow_sort_unique(&numbers);
    uint32_t set = sets_from(&t->sets, numbers.v, numbers.n);
    vec_free(&numbers);
    return set;
}

/* ---- sets under construction ----------------------------------------------------------------- */

void bag_add(PlaceBag *bag, uint32_t object, uint64_t first, uint64_t size)
{
    vec_push(&bag->few, (FlowPlace){object, IR_NONE, size == FLOW_WHOLE ? 0 : first, size});
}

void bag_add_param(PlaceBag *bag, uint32_t param, uint64_t first, uint64_t size)
{
    vec_push(&bag->few, (FlowPlace){IR_NONE, param, size == FLOW_WHOLE ? 0 : first, size});
}

void bag_add_shared(PlaceBag *bag, uint32_t set)
{
    if (set && !(bag->shared.n && vec_last(&bag->shared) == set))
        vec_push(&bag->shared, set);
}

void bag_add_set(PlaceBag *bag, const PlaceSet *set)
{
    bag_add_shared(bag, set->objects);
    for (uint32_t i = 0; i < set->params.n; i++)
        vec_push(&bag->few, set->params.v[i]);
}

void bag_free(PlaceBag *bag)
{
    vec_free(&bag->few);
    vec_free(&bag->shared);
}

static int compare(const void *a, const void *b)
{
    const FlowPlace *x = a, *y = b;
    if (x->param != y->param)
        return x->param > y->param ? -1 : 1; /* places of objects first */
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static bool same_base(const FlowPlace *a, const FlowPlace *b)
{
    return a->param == b->param && a->object == b->object;
}

/* Sorts and merges a list; too many parts of one object become all of it. Returns how many are left. */
static uint32_t close_list(FlowPlace *v, uint32_t count)
{
    uint32_t n = 0;
    if (count)
        qsort(v, count, sizeof *v, compare);
    for (uint32_t i = 0; i < count;) {
        uint32_t begin = n;
        bool whole = false;
        for (FlowPlace base = v[i]; i < count && same_base(&base, &v[i]); i++) {
            FlowPlace *last = n > begin ? &v[n - 1] : NULL, p = v[i];
            whole |= p.size == FLOW_WHOLE;
            if (last && !whole && p.first <= last->first + last->size) {
                if (p.first + p.size > last->first + last->size)
                    last->size = p.first + p.size - last->first;
            } else {
                v[n++] = p;
            }
        }
        if (whole || n - begin > PLACES_APART) {
            n = begin + 1;
            v[begin].first = 0;
            v[begin].size = FLOW_WHOLE;
        }
    }
    return n;
}

/* Two halves at a time, so that large sets are not walked once for each small one. */
static uint32_t unite_all(Sets *sets, const uint32_t *v, uint32_t n)
{
    if (n < 2)
        return n ? v[0] : 0;
    return sets_union(sets, unite_all(sets, v, n / 2), unite_all(sets, v + n / 2, n - n / 2));
}

static FlowPlaces keep_list(Flow *flow, const FlowPlace *v, uint32_t n)
{
    if (!n)
        return (FlowPlaces){nothing, 0};
    FlowPlace *kept = arena_alloc(flow->arena, n * sizeof *kept);
    memcpy(kept, v, n * sizeof *kept);
    return (FlowPlaces){kept, n};
}

PlaceSet bag_close(Flow *flow, PlaceBag *bag)
{
    PlaceTable *t = places_of(flow);
    U32Vec numbers = {0};
    uint32_t nparams = 0;
    for (uint32_t i = 0; i < bag->few.n; i++)
        if (bag->few.v[i].param == IR_NONE)
            vec_push(&numbers, number_of(t, &bag->few.v[i]));
        else
            bag->few.v[nparams++] = bag->few.v[i];
    nparams = close_list(bag->few.v, nparams);
    flow_sort_unique(&numbers);
    bag_add_shared(bag, sets_from(&t->sets, numbers.v, numbers.n));
    flow_sort_unique(&bag->shared);
    PlaceSet set = {unite_all(&t->sets, bag->shared.v, bag->shared.n), keep_list(flow, bag->few.v, nparams)};
    vec_free(&numbers);
    bag_free(bag);
    return set;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static FlowPlaces list_of(Flow *flow, uint32_t objects)
{
    PlaceTable *t = places_of(flow);
    uint64_t found;
    if (map_get(&t->lists, objects, &found))
        return t->flat.v[found];
    PlaceVec list = {0};
    for (uint32_t i = sets_next(&t->sets, objects, 0); i != UINT32_MAX;
         i = sets_next(&t->sets, objects, i + 1))
        vec_push(&list, t->v.v[i]);
    FlowPlaces kept = keep_list(flow, list.v, close_list(list.v, list.n));
    map_put(&t->lists, objects, t->flat.n);
    vec_push(&t->flat, kept);
    vec_free(&list);
    return kept;
}

FlowPlaces places_list(Flow *flow, PlaceAnswer *answer)
{
    if (answer->list.v)
        return answer->list;
    FlowPlaces objects = list_of(flow, answer->set.objects);
    if (!answer->set.params.n)
        return answer->list = objects;
    uint32_t n = objects.n + answer->set.params.n;
    FlowPlace *both = arena_alloc(flow->arena, n * sizeof *both);
    memcpy(both, objects.v, objects.n * sizeof *both);
    memcpy(both + objects.n, answer->set.params.v, answer->set.params.n * sizeof *both);
    return answer->list = (FlowPlaces){both, n};
}

/* ---- addresses ------------------------------------------------------------------------------- */

typedef struct RegOf {
    uint32_t fn, reg;
} RegOf;
enum { CALLERS_MOST = 200 };

/* Is the register a number that the program's text gives, null mostly, whatever way it takes through
 * calls? */
static bool is_null(Flow *flow, uint32_t fn, uint32_t reg)
{
    Vec(RegOf) work = {0};
    Map seen = {0};
    bool null = true;
    vec_push(&work, (RegOf){fn, reg});
    while (work.n && null) {
        RegOf r = vec_pop(&work);
        Base base = bases_of(flow, r.fn)[r.reg];
        uint32_t param;
        if (base.kind == BASE_NONE || map_get(&seen, (uint64_t)r.fn << 32 | r.reg, NULL))
            continue;
        map_put(&seen, (uint64_t)r.fn << 32 | r.reg, 1);
        FlowSites callers = flow_callers(flow, r.fn);
        null = base_of_param(base, &param) && callers.n && callers.n + work.n + seen.n < CALLERS_MOST;
        for (uint32_t i = 0; i < callers.n && null; i++) {
            IrCall call = ir_call_read(flow_fn(flow, callers.v[i].fn), flow_insn(flow, callers.v[i]));
            null = param < call.nargs;
            if (null)
                vec_push(&work, (RegOf){callers.v[i].fn, call.args[param]});
        }
    }
    vec_free(&work);
    map_free(&seen);
    return null;
}

uint32_t points_address(Flow *flow, uint32_t fn, uint32_t reg)
{
    Points *p = points_of(flow);
    uint64_t known;
    if (!points_reached(p, fn))
        return p->set_any;
    uint32_t set = points_set(p, fn, reg);
    if (set || flow_fn(flow, fn)->runtime || ir_reg_const_of(flow_fn(flow, fn), reg))
        return set;
    if (!map_get(&p->made_of_nothing, (uint64_t)fn << 32 | reg, &known)) {
        known = is_null(flow, fn, reg) ? 0 : p->set_any;
        map_put(&p->made_of_nothing, (uint64_t)fn << 32 | reg, known);
    }
    return (uint32_t)known;
}

/* ---- places behind an address ---------------------------------------------------------------- */

static void add_loc(Flow *flow, Loc l, uint64_t first, uint64_t size, U32Vec *out)
{
    PlaceTable *t = places_of(flow);
    Place at = loc_place(l);
    const FlowObject *o = &flow->objects.v[at.object];
    uint64_t from = (uint64_t)at.offset + first;
    bool exact = !at.stride && at.offset >= 0 && size != FLOW_WHOLE && at.object != OBJECT_ANY &&
                 (o->size == FLOW_WHOLE || (from <= o->size && size <= o->size - from));
    if (o->kind == FLOW_FN)
        return;
    FlowPlace place = {2 * at.object, IR_NONE, exact ? from : 0, exact ? size : FLOW_WHOLE};
    vec_push(out, number_of(t, &place));
}

/* Globals and functions live for ever: theirs is no state. */
static bool has_state(const FlowObject *o)
{
    return o->kind == FLOW_STACK || o->kind == FLOW_HEAP || o->kind == FLOW_VARARGS || o->kind == FLOW_LAZY ||
           o->kind == FLOW_ANY;
}

static void add_state(Flow *flow, Loc l, U32Vec *out)
{
    FlowPlace place = {flow_state_of(2 * loc_object(l)), IR_NONE, 0, FLOW_WHOLE};
    if (has_state(&flow->objects.v[loc_object(l)]))
        vec_push(out, number_of(places_of(flow), &place));
}

/* Bytes first … first + size behind each location of a points-to set; size 0: the state of the objects. */
static uint32_t behind_set(Flow *flow, uint32_t points, uint64_t first, uint64_t size)
{
    PlaceTable *t = places_of(flow);
    uint64_t key = hash_mix(hash_mix(points, size == FLOW_WHOLE ? 0 : first), size), found;
    if (map_get(&t->behind, key, &found))
        return (uint32_t)found;
    const LocSet *locs = points_locs(points_of(flow), points);
    U32Vec numbers = {0};
    for (uint32_t i = 0; i < locs->n; i++)
        if (size)
            add_loc(flow, locs->v[i], first, size, &numbers);
        else
            add_state(flow, locs->v[i], &numbers);
    flow_sort_unique(&numbers);
    uint32_t set = sets_from(&t->sets, numbers.v, numbers.n);
    map_put(&t->behind, key, set);
    vec_free(&numbers);
    return set;
}

void places_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t first, uint64_t size, PlaceBag *out)
{
    Base base = bases_of(flow, fn)[reg];
    uint32_t param;
    if (out->region && region_takes(out->region, reg, first, size))
        return;
    bool of_param = base_of_param(base, &param);
    if (of_param && base.kind == BASE_AT && base.offset >= 0 && size != FLOW_WHOLE)
        bag_add_param(out, param, (uint64_t)base.offset + first, size);
    else if (of_param)
        bag_add_param(out, param, 0, FLOW_WHOLE);
    else
        bag_add_shared(out, behind_set(flow, points_address(flow, fn, reg), first, size));
}

void places_state(Flow *flow, uint32_t fn, uint32_t reg, PlaceBag *out)
{
    if (!out->region || !region_takes(out->region, reg, 0, 0))
        bag_add_shared(out, behind_set(flow, points_address(flow, fn, reg), 0, 0));
}

/* Both stand before all that a program has of its own. */
static bool may_be_input(Flow *flow, uint32_t points)
{
    const LocSet *locs = points_locs(points_of(flow), points);
    bool found = false;
    for (uint32_t i = 0; i < locs->n && loc_object(locs->v[i]) <= OBJECT_LAZY && !found; i++)
        found = loc_object(locs->v[i]) == OBJECT_ANY || loc_object(locs->v[i]) == OBJECT_LAZY;
    return found;
}

bool points_may_be_input(Flow *flow, uint32_t fn, uint32_t reg)
{
    return points_reached(points_of(flow), fn) && may_be_input(flow, points_set(points_of(flow), fn, reg));
}

void touch_links(Flow *flow, bool followed, Touched *out)
{
    if (!followed || !flow_has_links(flow))
        return;
    bag_add(&out->reads, flow_state_of(flow_object_of_links(flow)), 0, FLOW_WHOLE);
    bag_add(&out->writes, flow_state_of(flow_object_of_links(flow)), 0, FLOW_WHOLE);
}

void touch_followed(Flow *flow, uint32_t points, Touched *out)
{
    touch_links(flow, flow_has_links(flow) && may_be_input(flow, points), out);
}

uint32_t places_pointees(Flow *flow, uint32_t fn, uint32_t reg)
{
    return behind_set(flow, points_address(flow, fn, reg), 0, FLOW_WHOLE);
}

FlowPlaces flow_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t first, uint64_t size)
{
    return list_of(flow, behind_set(flow, points_address(flow, fn, reg), first, size));
}
