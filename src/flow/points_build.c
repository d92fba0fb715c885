/* points_build.c - from where a program is entered, the life of the analysis, and the questions that its
 * result answers. */
#include "flow/places.h"

/* ---- what the program consists of ------------------------------------------------------------ */

static void take(const IrConst *c, BitSet *taken)
{
    if (c->kind == IR_CONST_FN)
        bitset_add(taken, c->index);
}

/* Functions whose address is taken: those that a pointer from an input may name. */
static FlowList find_taken(Flow *flow)
{
    const IrProgram *p = flow->program;
    BitSet taken = {0};
    U32Vec list = {0};
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].consts.n; i++)
            take(&p->fns.v[f].consts.v[i], &taken);
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++)
            take(&p->globals.v[g].relocs.v[i].value, &taken);
    for (uint32_t f = bitset_next(&taken, 0); f != UINT32_MAX; f = bitset_next(&taken, f + 1))
        vec_push(&list, f);
    FlowList kept = flow_keep(flow, &list);
    bitset_free(&taken);
    vec_free(&list);
    return kept;
}

/* Functions of runtime/ that reach an allocation, through direct calls. */
static void find_allocating(Points *p)
{
    const IrProgram *program = p->program;
    uint32_t alloc = ir_fn_find(program, "__sheaf_alloc");
    EdgeVec edges = {0};
    U32Vec roots = {0};
    p->allocates = arena_alloc(p->arena, program->fns.n + 1);
    for (uint32_t f = 0; f < program->fns.n; f++) {
        const IrFn *fn = &program->fns.v[f];
        for (uint32_t b = 0; fn->runtime && b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
                if (fn->blocks.v[b].insns.v[i].op == IR_CALL)
                    vec_push(&edges, (Edge){fn->blocks.v[b].insns.v[i].a, f});
    }
    if (alloc != IR_NONE) {
        Graph callers = graph_make(p->arena, program->fns.n, &edges);
        vec_push(&roots, alloc);
        graph_reach(&callers, &roots, p->allocates);
    }
    vec_free(&edges);
    vec_free(&roots);
}

/* ---- roots ----------------------------------------------------------------------------------- */

static void root_with(Points *p, uint32_t fn, uint32_t from, uint32_t object)
{
    const IrFn *f = &p->program->fns.v[fn];
    call_root(p, fn);
    for (uint32_t i = from; i < f->nparams; i++)
        if (f->regs.v[i].width == 64)
            node_add_one(p, points_reg(p, fn, i, false), loc_anywhere(object));
}

static void add_all(Points *p, const U32Vec *fns)
{
    for (uint32_t i = 0; i < fns->n; i++)
        root_with(p, fns->v[i], 0, OBJECT_ARGS);
}

/* Without an entry every function of the user's is one: a text of a few functions can be asked about. */
static void add_roots(Points *p)
{
    const IrProgram *program = p->program;
    uint32_t start = ir_fn_find(program, "__sheaf_start"), entry = p->flow->options.entry;
    uint32_t main_fn = ir_fn_find(program, "main");
    if (program->init != IR_NONE)
        call_root(p, program->init);
    add_all(p, &program->constructors);
    add_all(p, &program->destructors);
    if (start != IR_NONE && program->fns.v[start].defined)
        root_with(p, start, 0, OBJECT_ARGS);
    if (main_fn != IR_NONE && program->fns.v[main_fn].defined)
        root_with(p, main_fn, 0, OBJECT_ARGS);
    else if (entry == IR_NONE)
        for (uint32_t f = 0; f < program->fns.n; f++)
            if (program->fns.v[f].defined && !program->fns.v[f].runtime)
                root_with(p, f, 0, OBJECT_LAZY);
    if (entry != IR_NONE)
        root_with(p, entry, 0, OBJECT_LAZY);
}

static void fill_object(Points *p, uint32_t object, uint32_t with)
{
    uint32_t address = node_new(p), value = node_new(p);
    node_add_one(p, address, loc_anywhere(object));
    node_add_one(p, value, loc_anywhere(with));
    points_store(p, address, value, 8, false);
}

static void add_inputs(Points *p)
{
    fill_object(p, OBJECT_ARGS, OBJECT_ARGS);
    fill_object(p, OBJECT_LAZY, OBJECT_LAZY);
    for (uint32_t g = 0; p->flow->options.free_globals && g < p->program->globals.n; g++)
        if (!p->program->globals.v[g].constant && !p->program->globals.v[g].runtime)
            fill_object(p, object_global(p->flow, g), OBJECT_LAZY);
    FlowSite nowhere = {IR_NONE, IR_NONE, IR_NONE};
    Loc own = loc_make(object_heap(p, nowhere, nowhere), 0, 0);
    bitset_add(&p->kept, loc_object(own));
    node_add_one(p, p->hidden[0], own);
    node_add_one(p, p->hidden[1], own);
}

/* ---- life ------------------------------------------------------------------------------------ */

static Points *points_new(Flow *flow)
{
    Points *p = mem_zalloc(sizeof *p);
    uint32_t n = flow->program->fns.n;
    p->flow = flow;
    p->program = flow->program;
    p->arena = arena_new();
    p->instances = arena_alloc(p->arena, (n + 1) * sizeof *p->instances);
    p->fresh = arena_alloc(p->arena, (n + 1) * sizeof *p->fresh);
    p->entered = arena_alloc(p->arena, (n + 1) * sizeof *p->entered);
    node_new(p); /* node 0: none */
    p->universe = node_new(p);
    p->hidden[0] = node_new(p);
    p->hidden[1] = node_new(p);
    p->taken = find_taken(flow);
    find_allocating(p);
    return p;
}

/* The number of a set; takes it over. */
static uint32_t set_number(Points *p, LocSet *set)
{
    uint64_t hash = hash_bytes(set->v, set->n * sizeof *set->v);
    uint32_t first = (uint32_t)map_get_or(&p->set_index, hash, 0);
    for (uint32_t s = set->n ? first : 0;; s = p->sets.v[s].next) {
        const LocSet *known = &p->sets.v[s].locs;
        if (known->n == set->n && (!set->n || !memcmp(known->v, set->v, set->n * sizeof *set->v))) {
            vec_free(set);
            return s;
        }
        if (!s)
            break;
    }
    map_put(&p->set_index, hash, p->sets.n);
    vec_push(&p->sets,
             (struct PointsSet){{mem_realloc(set->v, set->n * sizeof *set->v), set->n, set->n}, first});
    *set = (LocSet){NULL, 0, 0};
    return p->sets.n - 1;
}

static void number_sets(Points *p)
{
    vec_push(&p->sets, (struct PointsSet){.next = 0});
    p->set_of = mem_alloc((p->nodes.n + 1) * sizeof *p->set_of);
    for (uint32_t x = 0; x < p->nodes.n; x++)
        if (p->parent.v[x] == x)
            p->set_of[x] = set_number(p, &p->nodes.v[x].all);
    for (uint32_t x = 0; x < p->nodes.n; x++)
        p->set_of[x] = p->set_of[node_find(p, x)];
    LocSet any = {0};
    vec_push(&any, loc_anywhere(OBJECT_ANY));
    p->set_any = set_number(p, &any);
}

/* Which objects hold pointers to which, for those who ask what can be reached. A node is an object or, behind
 * them, a set: an object leads to the sets that its parts hold, a set to its objects. */
static void find_contents(Points *p)
{
    uint32_t objects = p->flow->objects.n;
    EdgeVec edges = {0};
    for (uint32_t o = 0; o < p->memory.n; o++) {
        const Memory *m = &p->memory.v[o];
        for (uint32_t i = 0; i < m->read.n; i++)
            vec_push(&edges, (Edge){o, objects + p->set_of[m->read.v[i].node]});
        for (uint32_t i = 0; i < m->written.n; i++)
            vec_push(&edges, (Edge){o, objects + p->set_of[m->written.v[i].node]});
    }
    for (uint32_t s = 0; s < p->sets.n; s++)
        for (uint32_t i = 0; i < p->sets.v[s].locs.n; i++)
            vec_push(&edges, (Edge){objects + s, loc_object(p->sets.v[s].locs.v[i])});
    p->contents = graph_make(p->arena, objects + p->sets.n, &edges);
    vec_free(&edges);
}

/* What only the solver needs. */
static void release(Points *p)
{
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        vec_free(&p->nodes.v[i].arrows);
        vec_free(&p->nodes.v[i].uses);
        vec_free(&p->nodes.v[i].todo);
    }
    vec_free(&p->nodes);
    vec_free(&p->parent);
    for (uint32_t i = 0; i < p->memory.n + p->hubs.n; i++) {
        Memory *m = i < p->memory.n ? &p->memory.v[i] : &p->hubs.v[i - p->memory.n];
        vec_free(&m->written);
        vec_free(&m->read);
        vec_free(&m->transfers);
    }
    for (uint32_t f = 0; f < p->program->fns.n; f++) {
        vec_free(&p->fresh[f]);
        vec_free(&p->entered[f]);
    }
    vec_free(&p->memory);
    vec_free(&p->hubs);
    vec_free(&p->cells_todo);
    vec_free(&p->work);
    vec_free(&p->later);
    vec_free(&p->rank);
    vec_free(&p->calls);
    vec_free(&p->pending);
    vec_free(&p->scratch);
    vec_free(&p->fresh_locs);
    map_free(&p->edges);
    map_free(&p->target_seen);
    map_free(&p->entered_seen);
    map_free(&p->target_index);
}

Points *points_of(Flow *flow)
{
    if (!flow->points) {
        Points *p = flow->points = points_new(flow);
        add_inputs(p);
        add_roots(p);
        points_solve(p);
        number_sets(p);
        find_contents(p);
        release(p);
    }
    return flow->points;
}

void points_free(Points *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->sets.n; i++)
        vec_free(&p->sets.v[i].locs);
    vec_free(&p->sets);
    map_free(&p->set_index);
    map_free(&p->set_pairs);
    map_free(&p->made_of_nothing);
    mem_free(p->set_of);
    vec_free(&p->targets);
    vec_free(&p->target_at);
    vec_free(&p->target_parent);
    map_free(&p->heap);
    bitset_free(&p->kept);
    arena_free(p->arena);
    mem_free(p);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool points_reached(Points *p, uint32_t fn) { return p->instances[fn].first[0] || p->instances[fn].first[1]; }

uint32_t points_set(Points *p, uint32_t fn, uint32_t reg)
{
    const uint32_t *first = p->instances[fn].first;
    uint32_t a = first[0] ? p->set_of[first[0] + reg] : 0, b = first[1] ? p->set_of[first[1] + reg] : 0;
    uint64_t found;
    if (!a || !b || a == b)
        return a ? a : b;
    if (map_get(&p->set_pairs, (uint64_t)a << 32 | b, &found))
        return (uint32_t)found;
    LocSet both = {0}, ignored = {0};
    set_add(&both, p->sets.v[a].locs.v, p->sets.v[a].locs.n, &ignored);
    set_add(&both, p->sets.v[b].locs.v, p->sets.v[b].locs.n, &ignored);
    vec_free(&ignored);
    uint32_t set = set_number(p, &both);
    map_put(&p->set_pairs, (uint64_t)a << 32 | b, set);
    return set;
}

/* ---- the face -------------------------------------------------------------------------------- */

static const uint32_t any_object[] = {FLOW_OBJECT_ANY};

/* The objects of a set; each list is made once. */
static FlowList objects_of(Flow *flow, uint32_t set)
{
    uint64_t found;
    if (map_get(&flow->object_lists, set, &found))
        return flow->lists.v[found];
    const LocSet *locs = points_locs(flow->points, set);
    U32Vec objects = {0};
    for (uint32_t i = 0; i < locs->n; i++)
        if (!objects.n || vec_last(&objects) != 2 * loc_object(locs->v[i]))
            vec_push(&objects, 2 * loc_object(locs->v[i]));
    FlowList list =
        objects.n && objects.v[0] == FLOW_OBJECT_ANY ? (FlowList){any_object, 1} : flow_keep(flow, &objects);
    map_put(&flow->object_lists, set, flow->lists.n);
    vec_push(&flow->lists, list);
    vec_free(&objects);
    return list;
}

FlowList flow_points_to(Flow *flow, uint32_t fn, uint32_t reg)
{
    Points *p = points_of(flow);
    return points_reached(p, fn) ? objects_of(flow, points_set(p, fn, reg)) : (FlowList){any_object, 1};
}

FlowList flow_pointees(Flow *flow, uint32_t fn, uint32_t reg)
{
    uint32_t set = points_address(flow, fn, reg);
    return objects_of(flow, set);
}
