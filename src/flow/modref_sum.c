/* modref_sum.c - what functions may write and read: summaries, callees first.
 *
 * A summary says what a call of the function touches, as its caller sees it: places behind its parameters
 * stay parameters, so that each caller fills in its own arguments. Its own frame is left out. Functions that
 * call each other in a circle share one summary in terms of objects alone. A summary names the shared sets of
 * its callees: a function costs what it adds to them. */
#include "flow/places.h"
#include "flow/flow_int.h"

#include <stdlib.h>

typedef enum Made { MADE_NOT, MADE_UNDER_WAY, MADE } Made;

typedef struct Summary {
    PlaceAnswer writes, reads;
    PlaceSet older; /* writes of memory that was there when it was called; in a circle all of them */
    PlaceSet own_writes, own_reads; /* of a described function: runtime/'s own state */
    bool own_made;
    Made made;
} Summary;

/* Of a group of calls through pointers: all members whose bodies count. */
typedef struct GroupSummary {
    PlaceSet writes, reads;
    FlowList others; /* members that the table describes or that are unknown, each for itself */
    uint32_t circle; /* good while that circle is under way; 0: for good */
    bool made;
} GroupSummary;

typedef struct Summaries {
    Graph calls;                 /* from functions to functions and groups of calls, which follow them */
    uint32_t *component;         /* by function, by group */
    GroupSummary *groups;        /* by group, twice: for callers of the user's, of runtime/ */
    uint32_t circles, under_way; /* circles begun; the one that is under way, or 0 */
    bool *recursive;             /* by component */
    uint32_t *first, *next;      /* functions of a component, as lists */
    Summary *v;                  /* by function */
    uint32_t *reach_component;   /* by object, then by points-to set; NULL until asked for */
    uint32_t *reach_contents, *reach_states; /* by such a component: sets of places */
    uint32_t standard[3];                    /* globals that are the standard streams, or IR_NONE */
    bool over_memory;                        /* the program may make FILEs that hold memory of its own */
    bool renames;                            /* it may give a descriptor to another file */
} Summaries;

/* ---- the program as a whole ------------------------------------------------------------------ */

static void add_edges(Flow *flow, EdgeVec *edges)
{
    uint32_t n = flow->program->fns.n;
    for (uint32_t f = 0; f < n; f++) {
        FlowList sites = call_sites_of_fn(flow, f);
        for (uint32_t i = 0; i < sites.n; i++)
            vec_push(edges, (Edge){call_site(flow, sites.v[i]).fn, f});
    }
    for (uint32_t g = 0; g < call_group_count(flow); g++) {
        FlowList sites = call_sites_of_group(flow, g), members = call_group_members(flow, g);
        for (uint32_t i = 0; i < sites.n; i++)
            vec_push(edges, (Edge){call_site(flow, sites.v[i]).fn, n + g});
        for (uint32_t i = 0; i < members.n; i++)
            vec_push(edges, (Edge){n + g, members.v[i]});
    }
}

static void find_components(Flow *flow, Summaries *s)
{
    uint32_t n = flow->program->fns.n, count, *size;
    EdgeVec edges = {0};
    add_edges(flow, &edges);
    s->calls = graph_make(flow->arena, n + call_group_count(flow), &edges);
    s->component = graph_components(flow->arena, &s->calls, &count);
    s->recursive = arena_alloc(flow->arena, count + 1);
    s->first = arena_alloc(flow->arena, (count + 1) * sizeof *s->first);
    s->next = arena_alloc(flow->arena, (n + 1) * sizeof *s->next);
    memset(s->first, 255, (count + 1) * sizeof *s->first);
    size = mem_zalloc((count + 1) * sizeof *size);
    for (uint32_t x = 0; x < s->calls.n; x++)
        s->recursive[s->component[x]] = ++size[s->component[x]] > 1;
    for (uint32_t f = 0; f < n; f++) {
        s->next[f] = s->first[s->component[f]];
        s->first[s->component[f]] = f;
    }
    for (uint32_t i = 0; i < edges.n; i++)
        if (edges.v[i].from == edges.v[i].to)
            s->recursive[s->component[edges.v[i].from]] = true;
    mem_free(size);
    vec_free(&edges);
}

/* A standard stream is an object of runtime/, to which the variable of its name points at first. */
static void find_streams(const IrProgram *p, Summaries *s)
{
    static const char *const makers[] = {"fmemopen", "open_memstream", "fopencookie", "open_wmemstream"};
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        uint32_t global = ir_global_find(p, names[i]);
        const IrGlobal *g = global == IR_NONE ? NULL : &p->globals.v[global];
        bool known = g && g->relocs.n == 1 && g->relocs.v[0].value.kind == IR_CONST_GLOBAL;
        s->standard[i] = known ? g->relocs.v[0].value.index : IR_NONE;
    }
    for (size_t i = 0; i < COUNT_OF(makers); i++)
        s->over_memory |= ir_fn_find(p, makers[i]) != IR_NONE;
}

/* May a standard stream be closed? Then its descriptor is the next file's. */
static bool closes_standard(Flow *flow)
{
    uint32_t fclose = ir_fn_find(flow->program, "fclose");
    FlowSites sites = fclose == IR_NONE ? (FlowSites){NULL, 0} : flow_callers(flow, fclose);
    for (uint32_t i = 0; i < sites.n; i++) {
        FlowSite at = sites.v[i];
        const IrFn *fn = flow_fn(flow, at.fn);
        const IrCall call = ir_call_read(fn, flow_insn(flow, at));
        uint32_t file = call_argument(&call, 0);
        const LocSet *locs =
            file == IR_NONE ? NULL : points_locs(points_of(flow), points_address(flow, at.fn, file));
        for (uint32_t k = 0; locs && k < locs->n; k++)
            if (flow->objects.v[loc_place(locs->v[k]).object].kind != FLOW_HEAP)
                return true;
        if (!locs || !locs->n)
            return true;
    }
    return false;
}

static bool gives_descriptors_away(Flow *flow)
{
    static const char *const renamers[] = {"dup", "dup2", "dup3", "fcntl", "close", "fdopen", "freopen"};
    for (size_t i = 0; i < COUNT_OF(renamers); i++)
        if (ir_fn_find(flow->program, renamers[i]) != IR_NONE)
            return true;
    return closes_standard(flow);
}

static Summaries *summaries_of(Flow *flow)
{
    if (!flow->summaries) {
        Summaries *s = flow->summaries = arena_alloc(flow->arena, sizeof *s);
        s->v = arena_alloc(flow->arena, (flow->program->fns.n + 1) * sizeof *s->v);
        s->groups = arena_alloc(flow->arena, 2 * ((size_t)call_group_count(flow) + 1) * sizeof *s->groups);
        find_components(flow, s);
        find_streams(flow->program, s);
        s->renames = gives_descriptors_away(flow);
    }
    return flow->summaries;
}

uint32_t summary_stream(Flow *flow, uint32_t global)
{
    const Summaries *s = summaries_of(flow);
    uint32_t i = 0;
    while (i < COUNT_OF(s->standard) && s->standard[i] != global)
        i++;
    return i;
}
bool summary_streams_over_memory(Flow *flow) { return summaries_of(flow)->over_memory; }
bool flow_descriptors_change(Flow *flow) { return summaries_of(flow)->renames; }

/* ---- what can be reached in memory ----------------------------------------------------------- */

static void reach_node(Flow *flow, uint32_t node, bool state, PlaceBag *out)
{
    if (node < flow->objects.n && flow->objects.v[node].kind != FLOW_FN)
        bag_add(out, state ? flow_state_of(2 * node) : 2 * node, 0, FLOW_WHOLE);
}

/* Components come after those that they lead to, so one pass makes the sets. */
static uint32_t *find_reach(Flow *flow, const Summaries *s, const Graph *members, bool state)
{
    const Graph *g = &points_of(flow)->contents;
    uint32_t *sets = arena_alloc(flow->arena, (members->n + 1) * sizeof *sets);
    for (uint32_t c = 0; c < members->n; c++) {
        PlaceBag bag = {0};
        for (uint32_t i = members->start[c]; i < members->start[c + 1]; i++) {
            uint32_t x = members->to[i];
            reach_node(flow, x, state, &bag);
            for (uint32_t k = g->start[x]; k < g->start[x + 1]; k++)
                bag_add_shared(&bag, sets[s->reach_component[g->to[k]]]);
        }
        sets[c] = bag_close(flow, &bag).objects;
    }
    return sets;
}

static void make_reach(Flow *flow, Summaries *s)
{
    const Graph *g = &points_of(flow)->contents;
    uint32_t count;
    Arena *scratch = arena_new();
    EdgeVec edges = {0};
    s->reach_component = graph_components(flow->arena, g, &count);
    for (uint32_t x = 0; x < g->n; x++)
        vec_push(&edges, (Edge){s->reach_component[x], x});
    Graph members = graph_make(scratch, count, &edges);
    s->reach_contents = find_reach(flow, s, &members, false);
    s->reach_states = find_reach(flow, s, &members, true);
    vec_free(&edges);
    arena_free(scratch);
}

uint32_t summary_reached(Flow *flow, uint32_t points, bool states)
{
    Summaries *s = summaries_of(flow);
    const LocSet *locs = points_locs(points_of(flow), points);
    PlaceBag bag = {0};
    if (!s->reach_component)
        make_reach(flow, s);
    for (uint32_t i = 0; i < locs->n; i++)
        bag_add_shared(
            &bag, (states ? s->reach_states : s->reach_contents)[s->reach_component[loc_object(locs->v[i])]]);
    return bag_close(flow, &bag).objects;
}

static bool has_inputs(Flow *flow, uint32_t places)
{
    const PlaceTable *t = places_of(flow);
    bool found = false;
    for (uint32_t i = sets_next(&t->sets, places, 0); i != UINT32_MAX && !found;
         i = sets_next(&t->sets, places, i + 1))
        found = t->v.v[i].object == FLOW_OBJECT_ANY || t->v.v[i].object == flow_object_of_lazy(flow);
    return found;
}

bool summary_reaches_inputs(Flow *flow, uint32_t points)
{
    return has_inputs(flow, summary_reached(flow, points, false));
}

bool summary_places_reach_inputs(Flow *flow, const PlaceSet *places)
{
    Summaries *s = summaries_of(flow);
    const PlaceTable *t = places_of(flow);
    bool found = false;
    if (!s->reach_component)
        make_reach(flow, s);
    for (uint32_t i = sets_next(&t->sets, places->objects, 0); i != UINT32_MAX && !found;
         i = sets_next(&t->sets, places->objects, i + 1)) {
        uint32_t object = t->v.v[i].object;
        found = !flow_is_state(object) && has_inputs(flow, s->reach_contents[s->reach_component[object / 2]]);
    }
    return found;
}

/* ---- one function, one circle ---------------------------------------------------------------- */

/* Blocks from which the function may still come back, by return or longjmp. */
static uint8_t *coming_back(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    uint8_t *back = mem_zalloc(fn->blocks.n + 1), *goes_on = mem_zalloc(fn->blocks.n + 1);
    U32Vec to = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        bool on = true;
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n && on; i++) {
            uint8_t ends = flow_insn_ends(flow, (FlowSite){index, b, i});
            on = ends & ENDS_RETURN;
            back[b] |= (ends & ENDS_JUMP) || (on && fn->blocks.v[b].insns.v[i].op == IR_RET);
        }
        goes_on[b] = on;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = fn->blocks.n; b-- > 0;) {
            if (back[b] || !goes_on[b])
                continue;
            ir_block_successors(fn, b, &to);
            for (uint32_t i = 0; i < to.n; i++)
                back[b] |= back[to.v[i]];
            changed |= back[b];
        }
    }
    vec_free(&to);
    mem_free(goes_on);
    return back;
}

/* What is written where the function can only exit or fail is not seen by code after a call of it. */
static void touch_body(Flow *flow, uint32_t index, Touched *out)
{
    const IrFn *fn = flow_fn(flow, index);
    uint8_t *back = coming_back(flow, index);
    Touched lost = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            Touched *to = back[b] ? out : &lost;
            if (!back[b])
                lost.reads = out->reads;
            touch_insn(flow, (FlowSite){index, b, i}, to);
            if (!back[b])
                out->reads = lost.reads;
        }
    bag_free(&lost.writes);
    mem_free(back);
}

/* The function's own frame does not concern its callers. */
static uint32_t own_frame(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    PlaceBag bag = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].op == IR_ALLOCA) {
                uint32_t object = flow_object_of_alloca(flow, (FlowSite){index, b, i});
                bag_add_shared(&bag, object == FLOW_OBJECT_ANY ? 0 : places_of_object(flow, object));
                bag_add_shared(&bag,
                               object == FLOW_OBJECT_ANY ? 0 : places_of_object(flow, flow_state_of(object)));
            }
    uint32_t variable = fn->variadic ? flow_object_of_varargs(flow, index) : FLOW_OBJECT_ANY;
    if (variable != FLOW_OBJECT_ANY) {
        bag_add_shared(&bag, places_of_object(flow, variable));
        bag_add_shared(&bag, places_of_object(flow, flow_state_of(variable)));
    }
    return bag_close(flow, &bag).objects;
}

static void make_one(Flow *flow, Summaries *s, uint32_t fn)
{
    Touched t = {0}, older = {.writes = {.older = true}};
    touch_body(flow, fn, &t);
    touch_body(flow, fn, &older);
    bag_free(&older.reads);
    PlaceSet writes = bag_close(flow, &t.writes), reads = bag_close(flow, &t.reads);
    uint32_t frame = own_frame(flow, fn);
    /* given back at the end: */
    uint32_t room = places_of_object(flow, flow_state_of(flow_object_of_room(flow)));
    writes.objects = sets_without(&flow->places->sets, writes.objects, frame);
    writes.objects = sets_without(&flow->places->sets, writes.objects, room);
    reads.objects = sets_without(&flow->places->sets, reads.objects, frame);
    s->v[fn].writes.set = writes;
    s->v[fn].reads.set = reads;
    s->v[fn].older = bag_close(flow, &older.writes);
    s->v[fn].older.objects = sets_without(&flow->places->sets, s->v[fn].older.objects, frame);
    s->v[fn].older.objects = sets_without(&flow->places->sets, s->v[fn].older.objects, room);
    s->v[fn].made = MADE;
}

/* Parameters as the objects they may point into. */
static void resolve(Flow *flow, uint32_t fn, PlaceBag *bag)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bag->few.n; i++)
        if (bag->few.v[i].param != IR_NONE)
            bag_add_shared(bag, places_pointees(flow, fn, bag->few.v[i].param));
        else
            bag->few.v[n++] = bag->few.v[i];
    bag->few.n = n;
}

/* All functions of a circle at once; calls inside it find an empty summary, which is right: what they do is
 * counted. */
static void make_circle(Flow *flow, Summaries *s, uint32_t component)
{
    PlaceBag writes = {0}, reads = {0};
    s->under_way = ++s->circles;
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f])
        s->v[f].made = MADE_UNDER_WAY;
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f]) {
        Touched t = {0};
        touch_body(flow, f, &t);
        resolve(flow, f, &t.writes);
        resolve(flow, f, &t.reads);
        bag_add_shared(&writes, bag_close(flow, &t.writes).objects);
        bag_add_shared(&reads, bag_close(flow, &t.reads).objects);
    }
    PlaceSet all_writes = bag_close(flow, &writes), all_reads = bag_close(flow, &reads);
    s->under_way = 0;
    for (uint32_t f = s->first[component]; f != IR_NONE; f = s->next[f]) {
        s->v[f].writes.set = s->v[f].older = all_writes;
        s->v[f].reads.set = all_reads;
        s->v[f].made = MADE;
    }
}

/* Declared only, or never entered: everything. */
static void make_unknown(Flow *flow, Summaries *s, uint32_t fn)
{
    PlaceBag all = {0};
    bag_add(&all, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
    bag_add(&all, flow_state_of(FLOW_OBJECT_ANY), 0, FLOW_WHOLE);
    s->v[fn].writes.set = s->v[fn].reads.set = s->v[fn].older = bag_close(flow, &all);
    s->v[fn].made = MADE;
}

/* ---- in order -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* What is not made yet of all that a call of the function may enter. */
static void find_below(const Summaries *s, uint32_t fns, uint32_t fn, U64Vec *order)
{
    U32Vec work = {0};
    Map seen = {0};
    vec_push(&work, fn);
    while (work.n) {
        uint32_t f = vec_pop(&work);
        bool group = f >= fns;
        if ((!group && s->v[f].made) || map_get(&seen, f, NULL))
            continue;
        map_put(&seen, f, 1);
        if (!group)
            vec_push(order, (uint64_t)s->component[f] << 32 | f);
        for (uint32_t i = s->calls.start[f]; i < s->calls.start[f + 1]; i++)
            vec_push(&work, s->calls.to[i]);
    }
    vec_free(&work);
    map_free(&seen);
}

/* Callees first, without recursion: a chain of calls may be long. */
static void make_below(Flow *flow, Summaries *s, uint32_t fn)
{
    U64Vec order = {0};
    find_below(s, flow->program->fns.n, fn, &order);
    qsort(order.v, order.n, sizeof *order.v, compare);
    for (uint32_t i = 0; i < order.n; i++) {
        uint32_t f = (uint32_t)order.v[i];
        if (s->v[f].made)
            continue;
        if (!flow_fn(flow, f)->defined || !points_reached(points_of(flow), f))
            make_unknown(flow, s, f);
        else if (s->recursive[s->component[f]])
            make_circle(flow, s, s->component[f]);
        else
            make_one(flow, s, f);
    }
    vec_free(&order);
}

static Summary *of_fn(Flow *flow, uint32_t fn)
{
    Summaries *s = summaries_of(flow);
    if (!s->v[fn].made)
        make_below(flow, s, fn);
    return &s->v[fn];
}

bool flow_is_recursive(Flow *flow, uint32_t fn)
{
    const Summaries *s = summaries_of(flow);
    return s->recursive[s->component[fn]];
}

bool flow_call_each_other(Flow *flow, uint32_t a, uint32_t b)
{
    const Summaries *s = summaries_of(flow);
    return s->component[a] == s->component[b];
}

const PlaceSet *summary(Flow *flow, uint32_t fn, bool write)
{
    Summary *s = of_fn(flow, fn);
    return write ? &s->writes.set : &s->reads.set;
}

const PlaceSet *summary_older(Flow *flow, uint32_t fn) { return &of_fn(flow, fn)->older; }

/* ---- calls through pointers ------------------------------------------------------------------ */

bool summary_counts(const Flow *flow, uint32_t callee, bool runtime)
{
    return flow_fn(flow, callee)->defined && (runtime || !flow->effects[callee]);
}

static void make_group(Flow *flow, Summaries *s, uint32_t group, bool runtime, GroupSummary *g)
{
    FlowList members = call_group_members(flow, group);
    PlaceBag writes = {0}, reads = {0};
    U32Vec others = {0};
    g->circle = 0;
    for (uint32_t i = 0; i < members.n; i++) {
        if (!summary_counts(flow, members.v[i], runtime)) {
            vec_push(&others, members.v[i]);
            continue;
        }
        bag_add_set(&writes, summary(flow, members.v[i], true));
        bag_add_set(&reads, summary(flow, members.v[i], false));
        if (s->v[members.v[i]].made == MADE_UNDER_WAY)
            g->circle = s->under_way;
    }
    g->writes = bag_close(flow, &writes);
    g->reads = bag_close(flow, &reads);
    g->others = flow_keep(flow, &others);
    g->made = true;
    vec_free(&others);
}

const PlaceSet *summary_group(Flow *flow, uint32_t group, bool runtime, bool write, FlowList *others)
{
    Summaries *s = summaries_of(flow);
    GroupSummary *g = &s->groups[2 * group + runtime];
    if (!g->made || (g->circle && g->circle != s->under_way))
        make_group(flow, s, group, runtime, g);
    *others = g->others;
    return write ? &g->writes : &g->reads;
}

/* ---- the face -------------------------------------------------------------------------------- */

FlowPlaces flow_fn_writes(Flow *flow, uint32_t fn) { return places_list(flow, &of_fn(flow, fn)->writes); }
FlowPlaces flow_fn_reads(Flow *flow, uint32_t fn) { return places_list(flow, &of_fn(flow, fn)->reads); }

/* ---- runtime/'s own state -------------------------------------------------------------------- */

/* Its globals, and, for functions of streams, the buffers that it keeps on the heap. */
static bool is_own(Flow *flow, uint32_t object, bool buffers)
{
    const FlowObject *o = flow_object(flow, object);
    return (o->kind == FLOW_GLOBAL && flow->program->globals.v[o->index].runtime) ||
           (buffers && bitset_has(&points_of(flow)->kept, object / 2));
}

static PlaceSet own_state(Flow *flow, const Effects *e, const PlaceSet *body)
{
    PlaceTable *t = places_of(flow);
    bool buffers = effects_have(e, EFFECT_STREAM) || effects_have(e, EFFECT_STREAM_OF);
    PlaceBag own = {0};
    for (uint32_t i = sets_next(&t->sets, body->objects, 0); i != UINT32_MAX;
         i = sets_next(&t->sets, body->objects, i + 1)) {
        FlowPlace p = t->v.v[i];
        if (is_own(flow, p.object, buffers))
            bag_add(&own, p.object, p.first, p.size);
        for (uint32_t o = p.object; p.object / 2 == OBJECT_ANY && o < flow_object_count(flow); o += 2)
            if (is_own(flow, o, buffers))
                bag_add(&own, o, 0, FLOW_WHOLE);
    }
    return bag_close(flow, &own);
}

const PlaceSet *summary_own(Flow *flow, uint32_t fn, bool write)
{
    Summary *s = of_fn(flow, fn);
    if (s->made == MADE_UNDER_WAY)
        return NULL;
    if (!s->own_made) {
        s->own_writes = own_state(flow, flow->effects[fn], &s->writes.set);
        s->own_reads = own_state(flow, flow->effects[fn], &s->reads.set);
        s->own_made = true;
    }
    return write ? &s->own_writes : &s->own_reads;
}
