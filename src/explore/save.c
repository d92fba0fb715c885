/* save.c - an exploration as bytes, and its continuation.
 *
 * Objects come first, then inputs, then expressions, paths, and a body that refers to them. Applications of
 * functions need the function: the pool knows it once a run has applied it. So the input of the first run
 * that did goes with the others, and is run again where the function is missing. */
#include "explore/parallel.h"

#include "explore/explain.h"

enum { SAVE_VERSION = 4 };
static const char magic[] = "sheaf exploration";

/* ---- functions ------------------------------------------------------------------------------- */

void explore_note_functions(Explore *x, const ExprInput *input)
{
    uint32_t n = expr_fn_count(x->pool);
    if (n > x->functions)
        vec_push(&x->witnesses, origin_new(input));
    x->functions = n;
}

static void save_functions(const Saving *s, Str *out)
{
    BitSet fns = {0};
    expr_fns_of(s->x->pool, &s->exprs, &fns);
    wire_uint(out, bitset_count(&fns));
    for (uint32_t f = bitset_next(&fns, 0); f != UINT32_MAX; f = bitset_next(&fns, f + 1))
        wire_text(out, expr_fn_name(s->x->pool, f));
    bool any = bitset_count(&fns);
    wire_uint(out, any ? s->x->witnesses.n : 0);
    for (uint32_t i = 0; any && i < s->x->witnesses.n; i++)
        expr_input_write(s->x->pool, &s->x->witnesses.v[i]->input, out);
    bitset_free(&fns);
}

static bool are_known(Loading *l)
{
    Arena *arena = arena_new();
    uint32_t n = wire_get_count(&l->in), fn;
    bool known = true;
    for (uint32_t i = 0; i < n && !l->in.bad; i++)
        known &= expr_fn_find(l->x->pool, wire_get_text(&l->in, arena), &fn);
    arena_free(arena);
    return known;
}

static void load_functions(Loading *l)
{
    bool known = are_known(l);
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        ExprInput input = {0};
        if (expr_input_read(l->x->pool, &l->in, &l->objects, &input) && !known) {
            vm_trace_free(l->x->lane->vm, vm_run_input(l->x->lane->vm, &input, NULL));
            explore_note_functions(l->x, &input);
        }
        expr_input_free(&input);
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

void saving_begin(Saving *s, Explore *x) { *s = (Saving){.x = x}; }

static void save_inputs(const Saving *s, Str *out)
{
    wire_uint(out, s->origins.n);
    for (uint32_t i = 0; i < s->origins.n; i++)
        expr_input_write(s->x->pool, &s->origins.v[i]->input, out);
}

/* A path is its parent, by number, and a condition. */
static void save_paths(Saving *s, Str *out)
{
    wire_uint(out, s->paths.n);
    for (uint32_t i = 0; i < s->paths.n; i++) {
        const Path *p = s->paths.v[i];
        wire_uint(out, p->parent ? 1 + map_get_or(&s->path_place, (uintptr_t)p->parent, 0) : 0);
        wire_uint(out, map_get_or(&s->expr_place, p->condition.id, 0));
    }
}

void saving_end(Saving *s, Str *out)
{
    const IrProgram *p = s->x->program;
    wire_text(out, magic);
    wire_uint(out, SAVE_VERSION);
    wire_uint(out, p->fns.n);
    wire_uint(out, p->sites.n);
    expr_objects_write(s->x->pool, out);
    save_inputs(s, out);
    save_functions(s, out);
    expr_write(s->x->pool, &s->exprs, out);
    save_paths(s, out);
    str_add_n(out, s->body.v, s->body.n);
    str_free(&s->body);
    vec_free(&s->exprs);
    map_free(&s->expr_place);
    vec_free(&s->paths);
    map_free(&s->path_place);
    vec_free(&s->origins);
    map_free(&s->origin_place);
}

static uint64_t expr_place(Saving *s, Expr e)
{
    if (map_add(&s->expr_place, e.id, s->exprs.n))
        vec_push(&s->exprs, e);
    return map_get_or(&s->expr_place, e.id, 0);
}

void save_expr(Saving *s, Expr e) { wire_uint(&s->body, expr_is_none(e) ? 0 : 1 + expr_place(s, e)); }

void save_exprs(Saving *s, const ExprVec *list)
{
    wire_uint(&s->body, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        save_expr(s, list->v[i]);
}

void save_path(Saving *s, const Path *path)
{
    Vec(const Path *) missing = {0};
    for (const Path *p = path; p && !map_get(&s->path_place, (uintptr_t)p, NULL); p = p->parent)
        vec_push(&missing, p);
    while (missing.n) {
        const Path *p = vec_pop(&missing);
        expr_place(s, p->condition);
        map_put(&s->path_place, (uintptr_t)p, s->paths.n);
        vec_push(&s->paths, p);
    }
    wire_uint(&s->body, path ? 1 + map_get_or(&s->path_place, (uintptr_t)path, 0) : 0);
    vec_free(&missing);
}

void save_origin(Saving *s, const Origin *origin)
{
    if (origin && map_add(&s->origin_place, (uintptr_t)origin, s->origins.n))
        vec_push(&s->origins, origin);
    wire_uint(&s->body, origin ? 1 + map_get_or(&s->origin_place, (uintptr_t)origin, 0) : 0);
}

void save_task(Saving *s, const Task *task)
{
    save_path(s, task->path);
    save_origin(s, task->origin);
    wire_u64(&s->body, task->because);
    wire_uint(&s->body, task->bound);
    wire_uint(&s->body, task->depth);
    wire_uint(&s->body, task->site);
    wire_uint(&s->body, task->fn);
    wire_uint(&s->body, task->block);
    wire_uint(&s->body, task->redecide);
    wire_uint(&s->body, task->solved);
    wire_u64(&s->body, task->fingerprint);
    wire_u64(&s->body, task->outcome);
    wire_u64(&s->body, task->flip);
    wire_u64(&s->body, task->choice);
    wire_uint(&s->body, task->excluded);
    wire_uint(&s->body, task->tries);
    wire_uint(&s->body, task->patience);
    wire_uint(&s->body, task->weight);
}

void save_marks(Saving *s, const Marks *marks)
{
    wire_uint(&s->body, marks->n);
    for (uint32_t i = 0; i < marks->cap; i++)
        if (marks->slots[i])
            wire_u64(&s->body, marks->slots[i]);
}

void save_map(Saving *s, const Map *map)
{
    uint32_t cursor = 0;
    uint64_t key, value;
    wire_uint(&s->body, map->n);
    while (map_next(map, &cursor, &key, &value)) {
        wire_u64(&s->body, key);
        wire_uint(&s->body, value);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static void load_inputs(Loading *l)
{
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        ExprInput input = {0};
        if (expr_input_read(l->x->pool, &l->in, &l->objects, &input))
            vec_push(&l->origins, origin_new(&input));
        expr_input_free(&input);
    }
}

static void load_paths(Loading *l)
{
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        uint32_t parent = (uint32_t)wire_get_below(&l->in, (uint64_t)i + 1);
        uint32_t condition = (uint32_t)wire_get_below(&l->in, l->exprs.n);
        if (l->in.bad || expr_width(l->x->pool, l->exprs.v[condition]) != 1)
            wire_refuse(&l->in);
        else
            vec_push(&l->paths,
                     path_add(parent ? path_hold(l->paths.v[parent - 1]) : NULL, l->exprs.v[condition]));
    }
}

bool loading_begin(Loading *l, Explore *x, const void *bytes, size_t n)
{
    Arena *arena = arena_new();
    *l = (Loading){.x = x, .in = wire_of(bytes, n)};
    bool ours = !strcmp(wire_get_text(&l->in, arena), magic) && wire_get(&l->in) == SAVE_VERSION &&
                wire_get(&l->in) == x->program->fns.n && wire_get(&l->in) == x->program->sites.n;
    arena_free(arena);
    if (!ours)
        return wire_refuse(&l->in);
    if (!expr_objects_read(x->pool, &l->in, &l->objects))
        return false;
    load_inputs(l);
    load_functions(l);
    if (l->in.bad || !expr_read(x->pool, &l->in, &l->objects, &l->exprs))
        return false;
    load_paths(l);
    return !l->in.bad;
}

bool loading_end(Loading *l)
{
    bool well = wire_ended(&l->in);
    for (uint32_t i = 0; i < l->paths.n; i++)
        path_drop(l->paths.v[i]);
    for (uint32_t i = 0; i < l->origins.n; i++)
        origin_drop(l->origins.v[i]);
    vec_free(&l->objects);
    vec_free(&l->exprs);
    vec_free(&l->paths);
    vec_free(&l->origins);
    return well;
}

Expr load_expr(Loading *l)
{
    uint32_t place = (uint32_t)wire_get_below(&l->in, (uint64_t)l->exprs.n + 1);
    return place ? l->exprs.v[place - 1] : EXPR_NONE;
}

Expr load_condition(Loading *l)
{
    Expr e = load_expr(l);
    if (!expr_is_none(e) && expr_width(l->x->pool, e) == 1)
        return e;
    wire_refuse(&l->in);
    return EXPR_TRUE;
}

void load_conditions(Loading *l, ExprVec *out)
{
    uint32_t n = wire_get_count(&l->in);
    vec_clear(out);
    for (uint32_t i = 0; i < n && !l->in.bad; i++)
        vec_push(out, load_condition(l));
}

Path *load_path(Loading *l)
{
    uint32_t place = (uint32_t)wire_get_below(&l->in, (uint64_t)l->paths.n + 1);
    return place ? path_hold(l->paths.v[place - 1]) : NULL;
}

Origin *load_origin(Loading *l)
{
    uint32_t place = (uint32_t)wire_get_below(&l->in, (uint64_t)l->origins.n + 1);
    return place ? origin_hold(l->origins.v[place - 1]) : NULL;
}

/* IR_NONE, or below the limit. */
static uint32_t load_number(Loading *l, uint32_t limit)
{
    uint32_t value = wire_get_u32(&l->in);
    if (value != IR_NONE && value >= limit)
        wire_refuse(&l->in);
    return value;
}

bool load_task(Loading *l, Task *out)
{
    const IrProgram *p = l->x->program;
    *out = (Task){.path = load_path(l), .origin = load_origin(l)};
    out->because = wire_get_u64(&l->in);
    out->bound = wire_get_u32(&l->in);
    out->depth = wire_get_u32(&l->in);
    out->site = load_number(l, p->sites.n);
    out->fn = load_number(l, p->fns.n);
    out->block = load_number(l, out->fn < p->fns.n ? p->fns.v[out->fn].blocks.n : UINT32_MAX);
    out->redecide = wire_get_below(&l->in, 2);
    out->solved = wire_get_below(&l->in, 2);
    out->fingerprint = wire_get_u64(&l->in);
    out->outcome = wire_get_u64(&l->in);
    out->flip = wire_get_u64(&l->in);
    out->choice = wire_get_u64(&l->in);
    out->excluded = wire_get_u32(&l->in);
    out->tries = wire_get_u32(&l->in);
    out->patience = wire_get_u32(&l->in);
    out->weight = wire_get_below(&l->in, EXPLORE_WHOLE + 1);
    if ((out->solved || out->patience) && !out->origin)
        wire_refuse(&l->in);
    if (l->in.bad)
        task_release(l->x->lane->vm, out);
    return !l->in.bad;
}

void load_marks(Loading *l, Marks *out)
{
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        uint64_t slot = wire_get_u64(&l->in);
        marks_set(out, slot, MARKS_MASK, slot & MARKS_MASK);
    }
}

void load_map(Loading *l, Map *out)
{
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        uint64_t key = wire_get_u64(&l->in);
        map_put(out, key, wire_get(&l->in));
    }
}

/* ---- facts ----------------------------------------------------------------------------------- */

void facts_write(Explore *x, FactPlace *at, Str *out)
{
    const ExprInput *input;
    uint64_t number;
    while ((input = x->lane->explorer->next_fact(x, at, &number))) {
        wire_uint(out, 1 + number);
        expr_input_write(x->pool, input, out);
    }
    wire_uint(out, 0);
}

bool facts_read(Explore *x, Wire *in, const U32Vec *objects)
{
    uint64_t number;
    while (!in->bad && (number = wire_get(in))) {
        ExprInput input = {0};
        if (expr_input_read(x->pool, in, objects, &input)) {
            Origin *origin = origin_new(&input);
            VmTrace *trace = vm_run_input(x->lane->vm, &input, NULL);
            x->lane->explorer->learn(x, trace, origin, number - 1);
            vm_trace_free(x->lane->vm, trace);
            origin_drop(origin);
            explore_note_functions(x, &input);
        }
        expr_input_free(&input);
    }
    return !in->bad;
}

bool facts_tell(Explore *x, FactPlace *told, Str *out)
{
    const Explorer *e = x->lane->explorer;
    FactPlace ahead = *told;
    uint64_t number;
    if (!e->next_fact || !e->next_fact(x, &ahead, &number))
        return false;
    expr_objects_write(x->pool, out);
    facts_write(x, told, out);
    return true;
}

bool facts_take(Explore *x, const Str *told)
{
    Wire in = wire_of(told->v, told->n);
    U32Vec objects = {0};
    bool ok = x->lane->explorer->learn && expr_objects_read(x->pool, &in, &objects) &&
              facts_read(x, &in, &objects) && wire_ended(&in);
    vec_free(&objects);
    return ok;
}

/* ---- tasks by themselves --------------------------------------------------------------------- */

void tasks_write(Explore *x, Task *const *tasks, uint32_t n, Str *out)
{
    Saving s;
    saving_begin(&s, x);
    wire_uint(&s.body, n);
    for (uint32_t i = 0; i < n; i++)
        save_task(&s, tasks[i]);
    saving_end(&s, out);
}

/* Files all or none. */
static bool load_tasks(Loading *l)
{
    TaskVec tasks = {0};
    Task task;
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && load_task(l, &task); i++)
        vec_push(&tasks, task);
    for (uint32_t i = 0; i < tasks.n; i++)
        if (l->in.bad)
            task_release(l->x->lane->vm, &tasks.v[i]);
        else
            frontier_file(&l->x->lane->frontier, tasks.v[i]);
    vec_free(&tasks);
    return !l->in.bad;
}

bool tasks_read(Explore *x, const void *bytes, size_t n)
{
    Loading l;
    if (loading_begin(&l, x, bytes, n))
        load_tasks(&l);
    return loading_end(&l);
}

/* ---- a whole exploration --------------------------------------------------------------------- */

bool explore_ends_session(LedgerKind kind)
{
    return kind == LEDGER_TIME || kind == LEDGER_RUNS || kind == LEDGER_TESTS || kind == LEDGER_FIRST_FAULT ||
           kind == LEDGER_TARGET || kind == LEDGER_INTERRUPTED;
}

static void save_frontier(Saving *s, Frontier *f)
{
    FrontierPlace at = {0};
    for (unsigned i = 0; i < COUNT_OF(f->rng.state); i++)
        wire_u64(&s->body, f->rng.state[i]);
    wire_uint(&s->body, f->turn);
    wire_uint(&s->body, f->vain);
    wire_uint(&s->body, f->credit);
    wire_uint(&s->body, f->taken);
    wire_uint(&s->body, frontier_explored(f));
    wire_uint(&s->body, frontier_size(f));
    for (const Task *task; (task = frontier_next(f, &at));)
        save_task(s, task);
}

static void load_frontier(Loading *l, Frontier *f)
{
    for (unsigned i = 0; i < COUNT_OF(f->rng.state); i++)
        f->rng.state[i] = wire_get_u64(&l->in);
    f->turn = wire_get(&l->in);
    f->vain = wire_get(&l->in);
    f->credit = wire_get(&l->in);
    f->taken = wire_get_u32(&l->in);
    frontier_explored_set(f, wire_get_below(&l->in, EXPLORE_WHOLE + 1));
    load_tasks(l);
}

static bool can_be_saved(const Explore *x)
{
    const Lane *lane = &x->lanes[0];
    const Explorer *e = lane->explorer;
    return lane->active && !x->options.explain && !x->options.joint && !x->options.sign &&
           !x->options.board && !x->torn && (!e->begin || (e->save && e->load));
}

bool explore_save(Explore *x, Str *out)
{
    if (!can_be_saved(x) || (x->team && !parallel_lend(x)))
        return false;
    Saving s;
    Lane *lane = x->lane, *first = x->lane = &x->lanes[0];
    saving_begin(&s, x);
    wire_text(&s.body, first->explorer->name);
    wire_uint(&s.body, EXPLORE_COUNTER_COUNT);
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        wire_uint(&s.body, x->counters[i]);
    wire_uint(&s.body, (uint64_t)(explore_seconds(x) * 1e6));
    wire_uint(&s.body, first->cost);
    wire_uint(&s.body, first->prunes);
    wire_uint(&s.body, x->ranks);
    save_marks(&s, &first->faults);
    save_marks(&s, &x->paths.own);
    save_marks(&s, &x->reported_paths);
    ledger_write(first->ledger, explore_ends_session, &s.body);
    through_write(x, &s.body);
    vm_coverage_write(first->vm, &s.body);
    save_frontier(&s, &first->frontier);
    if (first->explorer->save)
        first->explorer->save(x, &s);
    saving_end(&s, out);
    x->lane = lane;
    if (x->team)
        parallel_return(x);
    return true;
}

static bool load_head(Loading *l, const Lane *lane)
{
    Arena *arena = arena_new();
    bool same = !strcmp(wire_get_text(&l->in, arena), lane->explorer->name) &&
                wire_get(&l->in) == EXPLORE_COUNTER_COUNT;
    arena_free(arena);
    return same || wire_refuse(&l->in);
}

static void load_lane(Loading *l, Lane *lane)
{
    Explore *x = l->x;
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        x->counters[i] = wire_get(&l->in);
    x->cost = (ExploreCost){x->counters[EXPLORE_RUNS], x->counters[EXPLORE_STEPS],
                            x->counters[EXPLORE_DECISIONS], x->work};
    x->prepared += (double)wire_get(&l->in) / 1e6;
    lane->cost = wire_get(&l->in);
    lane->prunes = wire_get_below(&l->in, 2);
    x->ranks = wire_get_below(&l->in, 2);
    load_marks(l, &lane->faults);
    load_marks(l, &x->paths.own);
    load_marks(l, &x->reported_paths);
    ledger_read(lane->ledger, &l->in, x->program->sites.n);
    through_read(x, &l->in);
    vm_coverage_read(lane->vm, &l->in, true);
    load_frontier(l, &lane->frontier);
    if (!l->in.bad && lane->explorer->load)
        lane->explorer->load(x, l);
}

bool explore_load(Explore *x, const void *bytes, size_t n)
{
    Loading l;
    if (!can_be_saved(x))
        return false;
    if (loading_begin(&l, x, bytes, n) && load_head(&l, x->lane))
        load_lane(&l, x->lane);
    x->loaded = true;
    return loading_end(&l);
}
