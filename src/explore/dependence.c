/* dependence.c - the explorer `dependence` (DGSE): every fault, without combinations that show nothing new.
 *
 * A fault check depends on the decisions in its label and on nothing else: while these go as they went, it
 * comes out the same. So each check of each run is explored in all the ways in which it can come about
 * (dependence_ways.c), and decisions that no check depends on together are not combined. What holds for a
 * check holds for every sink; and for the branches that guard sinks, since whether a sink runs at all comes
 * about in ways of its own. Sinks limit which combinations are tried: a decision that no sink depends on is
 * tried alone, once for each of its sides, under its label.
 *
 * Faults are isolated. Nothing depends on a check that passed, so a run that fails says nothing about the
 * others of its task: the task is filed again without the class of inputs that fail in this way. Tasks are
 * served by earlier runs where one fits, rather one that survived; else by an input outside the classes known
 * to fail; else by any.
 *
 * When nothing is left, branches with a side that no run has taken become the sinks of a second exploration,
 * which the kept runs serve as well; and so on, as long as that takes further sides, within a bound
 * (side_runs). */
#include "explore/dependence.h"

enum {
    TRIES_MOST = 4096, /* classes that a task may run into */
    FORK_WORK = 40,    /* nanoseconds for a fork of classes that is looked at, */
    FIT_WORK = 100,    /* and for a kept run that may serve */
    KEPT_SHARE = 8,    /* of the memory, for kept runs */
    TASKS_SHARE = 8    /* of the memory, for the conditions of tasks that follow from one run */
};

typedef struct Dependence {
    DepSinks sinks;
    DepSinks first; /* of the first phase, in later ones */
    DepWays ways;
    DepRuns runs;
    DepClasses classes;
    DepRefuted refuted;
    DepFiled filed;
    DepSides sides;
    Map values;           /* choice and conditions, to its place in excluded */
    U32Vec assumed;       /* of the run that was looked at last: decisions that are assumptions */
    Vec(Path *) excluded; /* by choice: what holds of no value that was chosen so far */
    size_t nexcluded;     /* conditions in them */
    uint32_t phase;       /* 1 first; each has sinks of its own */
    bool faults_done;     /* that phase had nothing cut off: every fault was found */
} Dependence;

/* A run under expansion. */
typedef struct Expansion {
    Explore *x;
    Dependence *d;
    DepRun *run;
    const VmTrace *trace;  /* NULL: it was kept */
    const U32Vec *assumed; /* its assumptions */
    uint32_t from;         /* decisions that the run before does not have */
    uint32_t deep;         /* the first that the depth limit leaves alone */
} Expansion;

static Dependence *state_of(const Explore *x) { return x->lane->state; }

static unsigned dependence_policy(const ExploreOptions *o)
{
    if (o->criteria.tie_faults)
        return FLOW_TIE_FAULTS | FLOW_TIE_EXITS;
    return o->sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL) ? FLOW_TIE_EXITS : 0;
}

/* ---- filing ---------------------------------------------------------------------------------- */

/* Tasks are the same if they are for the same side of a decision, under the same conditions. Opposite sides:
 * DepFiled. */
static inline uint64_t task_name(const Expansion *e, const VmDecision *d, uint64_t side, uint64_t under)
{
    uint64_t opposite = side & 1;
    return (hash_mix(under + hash_u64(side - opposite), d->index + e->d->phase) & ~UINT64_C(1)) | opposite;
}

static uint64_t side_of(const Expansion *e, Expr condition)
{
    return fingerprint_of(&e->x->fingerprints, condition);
}

static void note_served(Dependence *s, uint64_t name, const DepRun *run)
{
    dep_filed_serve(&s->filed, name, run->survives);
}

/* What an input must meet that is to come so far: the assumptions before. One that would break a later one
 * may fail in between. */
static Path *add_assumed(const Expansion *e, const DepWay *way, Path *path)
{
    for (uint32_t i = 0; i < e->assumed->n && e->assumed->v[i] < way->decision; i++) {
        const VmDecision *a = &e->run->decisions[e->assumed->v[i]];
        if (dep_way_keeps_all(&e->d->ways, way, a->label)) {
            path = path_add(path, a->holds);
            e->d->ways.nodes++;
        }
    }
    return path;
}

/* A value other than all that were chosen there, under these conditions, so far. */
static Path *add_excluded(const Expansion *e, const DepWay *way, const VmAlternative *alt, Path *path)
{
    Dependence *s = e->d;
    uint64_t choice = hash_mix(hash_mix(e->run->decisions[way->decision].index, way->name), s->phase), at;
    if (!map_get(&s->values, choice, &at)) {
        map_put(&s->values, choice, at = s->excluded.n);
        vec_push(&s->excluded, NULL);
    }
    s->excluded.v[at] = path_add(s->excluded.v[at], alt->condition);
    s->nexcluded++;
    ExprVec list = {0};
    path_list(s->excluded.v[at], &list);
    for (uint32_t i = 0; i < list.n; i++)
        path = path_add(path, list.v[i]);
    s->ways.nodes += list.n;
    vec_free(&list);
    return path;
}

static void drop_excluded(Dependence *d)
{
    for (uint32_t i = 0; i < d->excluded.n; i++)
        path_drop(d->excluded.v[i]);
}

/* A side is looked for under a name of its own: once any run has taken it, the task is dropped, though that
 * run may have failed before a sink that depends on it. Who asks for such a sink's ways finds nothing
 * filed. */
static uint64_t for_side(uint64_t name) { return hash_mix(name, 1); }

static void note_filed(const Expansion *e, uint64_t name)
{
    dep_filed_add(&e->d->filed, name);
    explore_bump(e->x, EXPLORE_TASKS);
}

/* What is known to have no input is as good as filed and taken. */
static void file(const Expansion *e, const DepWay *way, const VmAlternative *alt, uint64_t name,
                 uint64_t side)
{
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[way->decision];
    uint64_t filed = side ? for_side(name) : name;
    if (!alt->elsewhere && dep_way_is_refuted(&s->refuted, alt->condition, &s->ways, way)) {
        note_filed(e, filed);
        explore_bump(e->x, EXPLORE_REFUTED);
        return;
    }
    VmSnapshot *resume = e->trace ? e->trace->decisions.v[way->decision].snapshot : NULL;
    Path *path = add_assumed(e, way, path_hold(dep_way_path(&s->ways, way)));
    if (s->ways.stopped) { /* while it was listed */
        path_drop(path);
        return;
    }
    path = alt->elsewhere ? add_excluded(e, way, alt, path) : path_add(path, alt->condition);
    note_filed(e, filed);
    Task task = {.path = path,
                 .origin = origin_hold(e->run->origin),
                 .resume = resume ? vm_snapshot_hold(resume) : NULL,
                 .because = d->index,
                 .depth = way->decision,
                 .name = name,
                 .told = e->run->survives && !side ? way->key : 0,
                 .again = alt->elsewhere,
                 .site = d->site,
                 .side = side,
                 .fn = alt->fn,
                 .block = alt->block};
    frontier_file(&e->x->lane->frontier, task);
}

/* Asked of an alternative that nobody has filed. */
static bool too_deep(const Expansion *e, uint32_t k)
{
    if (k >= e->deep)
        ledger_add(e->x->lane->ledger, LEDGER_DEPTH, e->run->decisions[k].site, NULL);
    return k >= e->deep;
}

/* Is what held one of the conditions that stay? Then no alternative is left. */
static bool is_repeated(const Expansion *e, const DepWay *way)
{
    return dep_way_has(&e->d->ways, way, e->d->ways.steps.v[way->decision].same);
}

/* Where labels have nothing in common, the tasks of one run take the square of its decisions. Nothing is
 * expanded after such a run: the next ones would be like it, and those tasks are pending. */
static bool is_too_much(Explore *x)
{
    bool much = state_of(x)->ways.nodes > x->options.max_memory / TASKS_SHARE / sizeof(Path);
    if (much)
        ledger_add(x->lane->ledger, LEDGER_TASKS, IR_NONE, NULL);
    return much;
}

/* An empty task stays behind, so that something is pending. */
static bool is_late(void *context)
{
    Explore *x = context;
    bool late = explore_is_late(x) || is_too_much(x);
    if (late)
        frontier_file(&x->lane->frontier, (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE});
    return late;
}

static bool stands_for_several(const DepRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (run->alternatives[d->first + i].elsewhere)
            return true;
    return false;
}

/* The side that the run took needs no other run, if this one survives. Else runs that take another side ask
 * for it, but not if it is one of those that "elsewhere" stands for: they ask for none that was chosen
 * before. */
static void file_own_side(const Expansion *e, const DepWay *way, uint64_t name)
{
    const VmDecision *d = &e->run->decisions[way->decision];
    VmAlternative own = {.condition = d->holds, .fn = IR_NONE, .block = IR_NONE};
    if (e->run->survives)
        note_served(e->d, name, e->run);
    else if (stands_for_several(e->run, d) && !dep_filed_has(&e->d->filed, name) &&
             !too_deep(e, way->decision))
        file(e, way, &own, name, 0);
}

/* A way of the decision under these conditions may soon be told of: what that looks up is fetched
 * meanwhile. */
static void prefetch_way(const Expansion *e, uint32_t decision, uint64_t under)
{
    const VmDecision *d = &e->run->decisions[decision];
    if (d->count)
        dep_filed_prefetch(&e->d->filed, task_name(e, d, side_of(e, d->holds), under));
}

static void prefetch_next(const Expansion *e)
{
    const DepWays *ways = &e->d->ways;
    if (ways->telling + 1 < ways->order.n)
        prefetch_way(e, ways->order.v[ways->telling + 1].decision, ways->order.v[ways->telling + 1].name);
}

static void file_way(void *context, const DepWay *way)
{
    Expansion *e = context;
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[way->decision];
    prefetch_next(e);
    if (!d->count || s->ways.steps.v[way->decision].implied)
        return;
    uint64_t own = side_of(e, d->holds), own_name = task_name(e, d, own, way->name);
    file_own_side(e, way, own_name);
    if (is_repeated(e, way))
        return;
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        uint64_t side = side_of(e, alt->condition);
        uint64_t name = side == (own ^ 1) ? own_name ^ 1 : task_name(e, d, side, way->name);
        if (!dep_filed_has(&s->filed, name) && !too_deep(e, way->decision))
            file(e, way, alt, name, 0);
    }
}

/* ---- every side once ------------------------------------------------------------------------- */

static void note_sides(const Expansion *e, uint32_t from)
{
    for (uint32_t k = from; k < e->run->n; k++) {
        const VmDecision *d = &e->run->decisions[k];
        bool sides = e->d->ways.steps.v[k].sides = dep_has_sides(e->x, d);
        if (sides)
            dep_side_take(&e->d->sides, &e->x->fingerprints, d, e->run->number);
    }
}

/* Of a branch that guards no sink. */
static void file_unseen_sides(const Expansion *e, uint32_t k)
{
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[k];
    DepWay way = dep_way_of(&s->ways, k);
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        uint64_t side = fingerprint_outcome(&e->x->fingerprints, d, alt->block, alt->condition);
        if (dep_side_is_taken(&s->sides, side))
            continue;
        uint64_t name = task_name(e, d, side_of(e, alt->condition), way.name);
        bool filed = dep_filed_has(&s->filed, name) || dep_filed_has(&s->filed, for_side(name));
        if (!filed && !too_deep(e, k))
            file(e, &way, alt, name, side);
    }
}

/* ---- failing --------------------------------------------------------------------------------- */

/* When main returns the start-up code exits, with no function of the user's under way: that is no way to
 * fail, whatever the handlers that run then depend on. */
static bool main_returned(const Explore *x, const VmResult *r)
{
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!x->program->fns.v[r->stack.v[i].fn].runtime)
            return false;
    return r->ending == VM_END_EXIT;
}

bool dep_survives(const Explore *x, const VmResult *r)
{
    unsigned policy = x->options.symbolic.policy;
    return r->ending == VM_END_RETURN || main_returned(x, r) ||
           (r->ending == VM_END_EXIT && policy & FLOW_TIE_EXITS) ||
           (r->ending == VM_END_FAULT && policy & FLOW_TIE_FAULTS);
}

static Expr all_hold(ExprPool *p, const DepRun *run, ExprSet label)
{
    ExprVec list = {0};
    for (uint32_t i = expr_set_next(p, label, 0); i != UINT32_MAX; i = expr_set_next(p, label, i + 1))
        vec_push(&list, run->decisions[i].holds);
    Expr all = expr_and_all(p, list.v, list.n);
    vec_free(&list);
    return all;
}

/* A loop was stopped at its bound: whether it comes so far depends on what its being there does, and on what
 * it depended on that each iteration was counted. */
static ExprSet bound_of(const Explore *x, const DepRun *run, const VmTrace *trace)
{
    ExprSet all = trace->ending;
    for (uint32_t i = 0; i < run->n; i++)
        if (run->decisions[i].counts)
            all = expr_set_union(x->pool, all, run->decisions[i].label);
    return all;
}

/* The decisions that the end of the run depends on. An ending that nobody can explain by a check (a limit, an
 * interruption) depends on all that happened; what is left unfreed depends on all of memory. */
ExprSet dep_ending(const Explore *x, const DepRun *run, const VmTrace *trace)
{
    const VmResult *r = &trace->result;
    bool leak = r->ending == VM_END_FAULT && r->fault == VM_FAULT_LEAK;
    if (run->survives)
        return EXPR_SET_EMPTY;
    if (r->ending == VM_END_LIMIT && r->limit == LEDGER_LOOP)
        return bound_of(x, run, trace);
    if (r->ending != VM_END_LIMIT && r->ending != VM_END_INTERRUPTED && !leak)
        return trace->ending;
    return (ExprSet){sets_range(expr_sets(x->pool), 0, run->n)};
}

static Expr class_of(Explore *x, const DepRun *run, const VmTrace *trace)
{
    return expr_not(x->pool, all_hold(x->pool, run, dep_ending(x, run, trace)));
}

/* An assumption that held tells which inputs would have broken it. */
static void note_assumptions(const Expansion *e)
{
    for (uint32_t i = 0; i < e->assumed->n; i++) {
        const VmDecision *d = &e->run->decisions[e->assumed->v[i]];
        bool broken = e->assumed->v[i] + 1 == e->run->n && e->trace->result.ending == VM_END_ASSUMPTION;
        if (!broken && !expr_is_true(d->holds))
            dep_class_add(&e->d->classes, e->x->pool,
                          expr_implies(e->x->pool, all_hold(e->x->pool, e->run, d->label), d->holds));
    }
}

static void note_ending(const Expansion *e)
{
    DepRun *run = e->run;
    run->survives = dep_survives(e->x, &e->trace->result);
    if (run->survives)
        return;
    run->denied = class_of(e->x, run, e->trace);
    run->survives = expr_is_false(run->denied); /* every input ends so: nothing is hidden behind it */
    if (!run->survives)
        dep_class_add(&e->d->classes, e->x->pool, run->denied);
}

/* The same task without the inputs that fail as this run did; false if it has been tried too often. */
static bool without(Explore *x, Task *task, const DepRun *run)
{
    if (task->tries >= TRIES_MOST) {
        ledger_add(x->lane->ledger, LEDGER_CLASSES, task->site, ", %u", (unsigned)TRIES_MOST);
        return false;
    }
    Origin *before = task->origin;
    task->path = path_add(task->path, run->denied);
    task->origin = origin_hold(run->origin);
    task->solved = false;
    task->tries++;
    origin_drop(before);
    return true;
}

/* ---- sides that no run has taken ------------------------------------------------------------- */

/* Branches that guard what is looked for are no matter of sides. */
static FlowGuards *first_guards(const Dependence *d)
{
    return d->phase == 1 ? d->sinks.guards : d->first.guards;
}

/* All that is pending is in vain if sides are left open; what looks for a side is, if one has taken it. */
static bool dependence_worth(Explore *x, Task *task)
{
    Dependence *d = state_of(x);
    if (d->phase > 1 && dep_sides_enough(&d->sides, x)) {
        dep_sides_leave(&d->sides, x, first_guards(d));
        return false;
    }
    return !task->side || task->patience || !dep_side_is_taken(&d->sides, task->side);
}

/* ---- the algorithm --------------------------------------------------------------------------- */

/* A task's path up to the alternative that it is for: classes follow it. */
static Path *wanted_of(const Task *task)
{
    Path *path = task->path;
    for (uint32_t i = 0; i < task->tries; i++)
        path = path->parent;
    return path;
}

/* Sinks before `from` were expanded with the run before. */
static void expand_sinks(const Expansion *e, uint32_t from)
{
    Dependence *s = e->d;
    const DepRun *run = e->run;
    for (uint32_t k = from; k < run->n; k++) {
        DepStep *step = &s->ways.steps.v[k];
        step->sink = dep_is_sink(&s->sinks, &run->decisions[k]);
        if (step->sink)
            dep_ways_expand(&s->ways, step->solid);
        if (step->sink && s->phase > 1 && step->solid.id)
            dep_sides_seek(&s->sides, &run->decisions[k]);
    }
    for (uint32_t i = 0; i < run->sinks.n && s->phase == 1; i++)
        if (run->sinks.v[i].at >= from && !(e->x->test.rules_off & EXPLORE_OFF_SINKS))
            dep_ways_expand(&s->ways, run->sinks.v[i].label);
}

static void expand(Expansion *e)
{
    Dependence *s = e->d;
    uint32_t from = e->from;
    s->ways.context = e;
    e->deep = explore_depth_end(e->x, e->run->decisions, e->run->n);
    e->run->phase = s->phase;
    note_sides(e, s->phase == 1 ? from : 0);
    expand_sinks(e, from);
    for (uint32_t k = from; k < e->run->n && !e->x->options.nchanged; k++) {
        const DepStep *step = &s->ways.steps.v[k];
        if (step->sides && !step->sink && !step->implied)
            file_unseen_sides(e, k);
    }
}

/* Looks at the run. The assumptions before `from` are those of the run before. */
static void begin_run(Expansion *e)
{
    U32Vec *assumed = &e->d->assumed;
    e->from = dep_ways_begin(&e->d->ways, e->run, e->d->phase);
    while (assumed->n && vec_last(assumed) >= e->from)
        assumed->n--;
    for (uint32_t k = e->from; k < e->run->n; k++) {
        prefetch_way(e, k, e->d->ways.steps.v[k].label_name);
        if (e->run->decisions[k].kind == VM_DECISION_ASSUME)
            vec_push(assumed, k);
    }
    e->assumed = assumed;
}

/* The run does what was asked for, or fails on the way; for a side that is enough, and for nothing else.
 * True: the task is to be tried again, without the inputs that fail so. */
static bool settle(Explore *x, Task *task, const DepRun *run)
{
    if (task->because && (run->survives || !task->side))
        note_served(state_of(x), task->name, run);
    return !run->survives && without(x, task, run);
}

static Task task_copy(const Task *task)
{
    Task copy = *task;
    path_hold(copy.path);
    path_hold(copy.cover);
    origin_hold(copy.origin);
    if (copy.resume)
        vm_snapshot_hold(copy.resume);
    return copy;
}

static void settle_or_file(Explore *x, const Task *task, const DepRun *run)
{
    Task again = task_copy(task);
    if (settle(x, &again, run))
        frontier_file(&x->lane->frontier, again);
    else
        task_release(x->lane->vm, &again);
}

/* What the run that filed the task has told of. Its conditions are the task's, if no assumptions are among
 * these. */
static DepTold told_by(const Expansion *e, const Task *task)
{
    if (!task->told || task->again)
        return (DepTold){0};
    return (DepTold){task->because, task->told, e->assumed->n ? NULL : wanted_of(task)->parent};
}

/* ---- does it pay to leave out paths? --------------------------------------------------------- */

static bool may_differ(const DepRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count && !d->met; i++)
        if (!run->alternatives[d->first + i].is_fault)
            return true;
    return false;
}

/* Does a sink depend on all decisions of the run that could go another way, but for failing there? Then no
 * other path can stand for this one. */
static bool sink_holds_all(const Expansion *e)
{
    ExprPool *p = e->x->pool;
    const DepRun *run = e->run;
    ExprSet all = EXPR_SET_EMPTY;
    for (uint32_t k = 0; k < run->n; k++)
        if (may_differ(run, &run->decisions[k]))
            all = expr_set_union(p, all, expr_set_of(p, k));
    for (uint32_t k = run->n; k-- > 0;)
        if (e->d->ways.steps.v[k].sink && expr_set_subset(p, all, e->d->ways.steps.v[k].closed))
            return true;
    for (uint32_t i = run->sinks.n; i-- > 0;)
        if (expr_set_subset(p, all, run->sinks.v[i].label))
            return true;
    return !all.id;
}

static void note_pruning(const Expansion *e)
{
    if (!e->x->lane->prunes)
        e->x->lane->prunes = !sink_holds_all(e);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void dependence_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Dependence *d = state_of(x);
    Expansion e = {
        .x = x, .d = d, .run = dep_run_new(trace, origin, x->counters[EXPLORE_RUNS]), .trace = trace};
    begin_run(&e);
    note_assumptions(&e);
    note_ending(&e);
    dep_sinks_at_end(&d->sinks, trace, e.run);
    d->ways.told = told_by(&e, task);
    expand(&e);
    d->ways.told = (DepTold){0};
    note_pruning(&e);
    settle_or_file(x, task, e.run);
    dep_runs_add(&d->runs, e.run, e.from);
    dep_runs_limit(&d->runs, x->options.max_memory / KEPT_SHARE);
}

/* What its sinks depend on so far is expanded as of a run that failed, but nothing is known of how it
 * ends. */
static void dependence_set_aside(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Dependence *d = state_of(x);
    Expansion e = {
        .x = x, .d = d, .run = dep_run_new(trace, origin, x->counters[EXPLORE_RUNS] + 1), .trace = trace};
    begin_run(&e);
    d->ways.told = told_by(&e, task);
    expand(&e);
    d->ways.told = (DepTold){0};
    dep_ways_forget(
        &d->ways); /* a run is kept as what it has beyond the one before, and this one is not kept */
    dep_run_free(e.run);
    frontier_file(&x->lane->frontier, task_rest(x, task, trace, origin));
}

/* An alternative is asked for under the conditions that it depends on, not under all of a path: the input
 * that is found may take a path that was taken for another reason. Where outputs count that is another test,
 * unless it is the same input: it may stand where a comparison just turns. And so is a run that fails:
 * natively not every input need show a fault. */
static bool dependence_repeats(Explore *x, const VmTrace *trace, const ExprInput *input)
{
    bool outputs = x->options.sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL);
    return explore_path_is_known(x, trace, input, !outputs && trace->result.ending != VM_END_FAULT);
}

/* A run that was kept, in a phase in which it was not expanded. */
static void expand_again(Explore *x, DepRun *run)
{
    Expansion e = {.x = x, .d = state_of(x), .run = run};
    if (run->phase == e.d->phase)
        return;
    dep_runs_look(&e.d->runs, run);
    begin_run(&e);
    expand(&e);
    dep_run_leave(run);
}

/* The latest run that fits and, while these fail, those that do without its class. */
static bool serve_by_fitting(Explore *x, const Task *task, bool survivors)
{
    DepRuns *runs = &state_of(x)->runs;
    Task again = task_copy(task);
    const Path *wanted = wanted_of(task);
    uint32_t looked = 0;
    bool open = true, served = false;
    for (DepRun *run; open && (run = dep_runs_fit(runs, &again, wanted, survivors, &looked)); served = true) {
        expand_again(x, run);
        open = settle(x, &again, run);
    }
    x->work += FIT_WORK * looked;
    if (served && open)
        frontier_file(&x->lane->frontier, again);
    else
        task_release(x->lane->vm, &again);
    return served;
}

static bool was_met(const Task *task, Expr denied)
{
    const Path *path = task->path;
    for (uint32_t i = 0; i < task->tries; i++, path = path->parent)
        if (expr_same(path->condition, denied))
            return true;
    return false;
}

/* Each class of its cover that a kept run meets under the task's conditions. Once all are met nothing is left
 * of the task: every input that satisfies it lies in one of them. */
static bool serve_by_cover(Explore *x, const Task *task)
{
    Task again = task_copy(task);
    const Path *wanted = wanted_of(task);
    Path *left = NULL;
    bool open = true, served = false;
    for (const Path *p = again.cover; p; p = p->parent) {
        if (was_met(&again, p->condition))
            continue;
        DepRun *run = dep_runs_failing(&state_of(x)->runs, p->condition, wanted);
        if (!run) {
            left = path_add(left, p->condition);
            continue;
        }
        expand_again(x, run);
        open = settle(x, &again, run) && open;
        served = true;
    }
    path_drop(again.cover);
    again.cover = left;
    if (served && open && left)
        frontier_file(&x->lane->frontier, again);
    else
        task_release(x->lane->vm, &again);
    return served || !left;
}

static bool serve_by_input(Explore *x, const Task *task, const ExprInput *input)
{
    Dependence *d = state_of(x);
    DepRun *run = dep_runs_of_input(&d->runs, input);
    if (!run && task->covered)
        run = dep_runs_of_path(&d->runs, input);
    if (run) {
        expand_again(x, run);
        settle_or_file(x, task, run);
    }
    return run;
}

/* A run that takes the side under these conditions was noted as such when it was expanded. Not so a run that
 * was not expanded in this phase, or one that was found elsewhere than at the values chosen so far. */
static bool dependence_serve(Explore *x, const Task *task, const ExprInput *input, bool survivors)
{
    Dependence *d = state_of(x);
    if (survivors && task->because && dep_filed_survives(&d->filed, task->name))
        return true;
    if (survivors && task->because && !task->again && d->phase == 1)
        return false; /* most: to read the clock would take longer than this */
    double start = clock_seconds();
    bool served = input         ? serve_by_input(x, task, input)
                  : task->cover ? serve_by_cover(x, task)
                                : serve_by_fitting(x, task, survivors);
    x->guidance_seconds += clock_seconds() - start;
    return served;
}

static bool dependence_refuted(Explore *x, const Task *task)
{
    Dependence *d = state_of(x);
    return task->because && dep_is_refuted(&d->refuted, wanted_of(task)->condition, task->path);
}

static void dependence_refute(Explore *x, const Task *task)
{
    if (task->because)
        dep_refuted_add(&state_of(x)->refuted, wanted_of(task)->condition, &x->query, &x->answer.core);
}

/* Tests that are to notice wrong outputs stand where a comparison just turns: a < b where a + 1 == b, else a
 * == b. */
static Expr dependence_prefer(Explore *x, const Task *task)
{
    ExprPool *p = x->pool;
    if (!task->because)
        return EXPR_NONE;
    Expr side = wanted_of(task)->condition;
    bool denied = expr_op(p, side) == EXPR_NOT;
    Expr compare = denied ? expr_child(p, side, 0) : side;
    if (!(x->options.sinks & FLOW_SINK_OUTPUTS) ||
        (expr_op(p, compare) != EXPR_SLT && expr_op(p, compare) != EXPR_ULT))
        return EXPR_NONE;
    Expr a = expr_child(p, compare, 0), b = expr_child(p, compare, 1);
    return expr_eq(p, denied ? a : expr_add(p, a, expr_const(p, expr_width(p, a), 1)), b);
}

/* Classes were looked at since: what that took. */
static void note_classes(Explore *x, double start, uint64_t looked)
{
    x->work += FORK_WORK * (state_of(x)->classes.looked - looked);
    x->guidance_seconds += clock_seconds() - start;
}

static Expr dependence_avoid(Explore *x, const ExprInput *input)
{
    Dependence *d = state_of(x);
    if (!d->classes.denied.n)
        return EXPR_NONE;
    double start = clock_seconds();
    uint64_t looked = d->classes.looked;
    expr_eval_input(d->runs.eval, input);
    Expr denied = dep_class_of(&d->classes, d->runs.eval);
    note_classes(x, start, looked);
    return denied;
}

static void dependence_avoid_all(Explore *x, ExprVec *query)
{
    Dependence *d = state_of(x);
    double start = clock_seconds();
    uint64_t looked = d->classes.looked;
    dep_classes_exclude(&d->classes, x->solver, query);
    note_classes(x, start, looked);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void next_phase(Explore *x, const DepBranches *branches)
{
    Dependence *d = state_of(x);
    if (d->phase == 1) {
        d->first = d->sinks;
        d->sides.searched = x->counters[EXPLORE_RUNS];
        d->faults_done = !ledger_count(x->lane->ledger);
    } else {
        dep_sinks_free(&d->sinks);
    }
    dep_sinks_branches(&d->sinks, x, branches->v, branches->n);
    d->phase++;
    frontier_file(&x->lane->frontier, (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE});
}

static bool dependence_more(Explore *x)
{
    Dependence *d = state_of(x);
    uint32_t covered = vm_coverage(x->lane->vm).branches_covered;
    DepBranches open = {0};
    bool searches = !d->sides.left && !x->options.nchanged && !(x->options.sinks & FLOW_SINK_ALL);
    if (!searches || (d->phase > 1 && covered == d->sides.covered))
        return false;
    d->sides.covered = covered;
    dep_sides_open(x, first_guards(d), &open);
    bool more = open.n;
    if (more)
        next_phase(x, &open);
    vec_free(&open);
    return more;
}

/* ---- the explorer's life --------------------------------------------------------------------- */

static void dependence_begin(Explore *x)
{
    Dependence *d = x->lane->state = mem_zalloc(sizeof *d);
    dep_runs_init(&d->runs, x->pool);
    d->ways = (DepWays){.pool = x->pool,
                        .names = &x->fingerprints,
                        .on_way = file_way,
                        .is_late = is_late,
                        .clock = x,
                        .in_order = x->test.rules_off & EXPLORE_OFF_ORDER,
                        .alone = x->test.rules_off & EXPLORE_OFF_FLIPS};
    d->phase = 1;
    x->options.symbolic.revisits = true;
    dep_sinks_init(&d->sinks, x);
}

static void dependence_end(Explore *x)
{
    Dependence *d = state_of(x);
    dep_sinks_free(&d->sinks);
    if (d->phase > 1)
        dep_sinks_free(&d->first);
    dep_ways_free(&d->ways);
    dep_runs_free(&d->runs);
    dep_refuted_free(&d->refuted);
    dep_classes_free(&d->classes);
    vec_free(&d->assumed);
    dep_filed_free(&d->filed);
    dep_sides_free(&d->sides);
    map_free(&d->values);
    drop_excluded(d);
    vec_free(&d->excluded);
    mem_free(d);
}

static void dependence_move(Explore *x, ExprPool *to, ExprImport *import)
{
    Dependence *d = state_of(x);
    ExprVec list = {0};
    dep_runs_move(&d->runs, to);
    dep_classes_move(&d->classes, to, import);
    dep_refuted_free(&d->refuted);
    dep_ways_forget(&d->ways);
    dep_sinks_forget(&d->sinks);
    if (d->phase > 1)
        dep_sinks_forget(&d->first);
    d->ways.pool = to;
    for (uint32_t i = 0; i < d->excluded.n; i++) {
        path_list(d->excluded.v[i], &list);
        path_drop(d->excluded.v[i]);
        d->excluded.v[i] = NULL;
        for (uint32_t k = 0; k < list.n; k++)
            d->excluded.v[i] = path_add(d->excluded.v[i], expr_import(import, list.v[k]));
    }
    vec_free(&list);
}

static size_t dependence_held(const Explore *x)
{
    const Dependence *d = state_of(x);
    size_t maps = dep_marks_bytes(&d->filed.pairs) + dep_map_bytes(&d->sides.taken) +
                  dep_map_bytes(&d->values) + dep_marks_bytes(&d->ways.expanded);
    size_t steps = d->ways.steps.cap * sizeof *d->ways.steps.v +
                   d->ways.latest.cap * sizeof *d->ways.latest.v +
                   d->ways.places.cap * sizeof *d->ways.places.v;
    return dep_runs_bytes(&d->runs) + dep_classes_bytes(&d->classes) + dep_refuted_bytes(&d->refuted) + maps +
           steps + d->nexcluded * sizeof(Path);
}

bool explore_faults_done(const Explore *x)
{
    return x->lane->explorer == &explorer_dependence ? state_of(x)->faults_done : false;
}

const Explorer explorer_dependence = {.name = "dependence",
                                      .labels = true,
                                      .beside = &explorer_full,
                                      .policy = dependence_policy,
                                      .expand = dependence_expand,
                                      .set_aside = dependence_set_aside,
                                      .repeats = dependence_repeats,
                                      .worth = dependence_worth,
                                      .begin = dependence_begin,
                                      .end = dependence_end,
                                      .move = dependence_move,
                                      .held = dependence_held,
                                      .serve = dependence_serve,
                                      .refuted = dependence_refuted,
                                      .refute = dependence_refute,
                                      .prefer = dependence_prefer,
                                      .avoid = dependence_avoid,
                                      .avoid_all = dependence_avoid_all,
                                      .more = dependence_more};
