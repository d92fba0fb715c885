/* dependence.c - the explorer `dependence` (DGSE): every fault, without combinations that show nothing
 * new.
 *
 * The alternative of a decision is tried under its relevant path condition: the conditions of those
 * earlier decisions that it depends on, by label or by interaction, directly or through others. A run made
 * for an alternative expands only what depends on it; what does not was expanded by the run before. Sinks
 * limit which combinations are tried: a decision that reaches none is tried alone, once for each of its
 * sides, under its label.
 *
 * Faults are isolated. Nothing depends on a check that passed, so a run that fails says nothing about the
 * others of its task: the task is filed again without the class of inputs that fail in this way. Tasks are
 * served by earlier runs where one fits, rather one that survived; else by an input outside the classes
 * known to fail; else by any.
 *
 * When nothing is left, branches with a side that no run has taken become sinks of a second exploration,
 * which the kept runs serve as well; and so on, as long as that takes further sides. */
#include "explore/dependence.h"

enum {
    TRIES_MOST = 4096,                        /* classes that a task may run into */
    KEPT_SHARE = 8,                           /* of the memory, for kept runs */
    PRUNED_MOST = 1 << 20,                    /* alternatives that are explained */
    TEXT_MOST = 120                           /* characters of a condition there */
};

/* The conditions of the decisions that one is tried under. */
typedef struct Prefix {
    Path *path;                               /* made when a task needs it */
    uint64_t name;                            /* of the set of conditions */
    bool named, built;
} Prefix;

/* What became of an alternative, if that is to be explained: a later one takes the place of an earlier one. */
typedef enum Telling { TELL_NOTHING, TELL_FILED, TELL_PRUNED, TELL_RUN } Telling;

/* An alternative without a run, until it turns out that it gets one. */
typedef struct Pruned {
    ExplorePruned is;
    uint64_t alternative;                     /* in told */
    uint64_t covers;                          /* the task that does, in filed; or the side, in sides */
} Pruned;

typedef struct Dependence {
    DepItems items;
    DepRelevant relevant;
    DepRuns runs;
    DepNames names;
    bool owned;                               /* the influence of the items is ours */
    Map filed;                                /* tasks by name, to the number of the run that served it
                                                 last */
    Map sides;                                /* of branches that runs have taken, to the first of these runs */
    uint32_t phase;                           /* 1 first; each has an influence of its own */
    uint32_t covered;                         /* sides of branches, when the phase began */
    bool forgot;                              /* which items were met: the pool is not the first one */
    Vec(Prefix) prefixes;                     /* by decision of the run that is expanded */
    U32Vec assumed, chain;
    Vec(Pruned) pruned;
    Vec(ExplorePruned) explained;             /* of these, what is told in the end */
    Map told;                                 /* alternatives of runs, to Telling */
    uint64_t npruned;
    Arena *texts;                             /* of these */
} Dependence;

static Dependence *state_of(const Explore *x) { return x->state; }

/* ---- what is asked of the analysis --------------------------------------------------------------------- */

static unsigned dependence_policy(const ExploreOptions *o)
{
    if (o->criteria.tie_faults)
        return FLOW_TIE_FAULTS | FLOW_TIE_EXITS;
    return o->sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL) ? FLOW_TIE_EXITS : 0;
}

static FlowInfluence *new_influence(Explore *x, unsigned sinks, const FlowSite *given, uint32_t ngiven)
{
    static const struct { VmFaultKind fault; unsigned check; } words[] = {{VM_FAULT_OVERFLOW, FLOW_CHECK_OVERFLOW},
                                                                          {VM_FAULT_SHIFT, FLOW_CHECK_SHIFT},
                                                                          {VM_FAULT_UNINIT, FLOW_CHECK_UNINIT},
                                                                          {VM_FAULT_LEAK, FLOW_CHECK_LEAK}};
    FlowInfluenceOptions o = {.policy = x->options.symbolic.policy,
                              .sinks = sinks,
                              .given = given,
                              .ngiven = ngiven,
                              .rules_off = (x->options.rules_off & EXPLORE_OFF_CLOSURE ? FLOW_OFF_CLOSURE : 0) |
                                           (x->options.rules_off & EXPLORE_OFF_STATE ? FLOW_OFF_STATE : 0)};
    for (uint32_t i = 0; i < COUNT_OF(words); i++)
        o.checks |= x->options.vm.checks >> words[i].fault & 1 ? words[i].check : 0;
    double start = clock_seconds();
    FlowInfluence *influence = flow_influence_new(x->options.symbolic.flow, &o);
    x->static_seconds += clock_seconds() - start;
    return influence;
}

static void new_items(const Explore *x, FlowInfluence *influence, DepItems *out)
{
    dep_items_init(out, x->vm, x->program, influence, x->options.symbolic.inputs.entry);
    out->off = x->options.rules_off;
}

static void free_influence(Dependence *d)
{
    if (d->owned)
        flow_influence_free(d->items.influence);
    dep_items_free(&d->items);
}

/* What may depend on a change is all that is looked for: the paper's section 8. */
static FlowInfluence *influence_of_change(Explore *x)
{
    const ExploreOptions *o = &x->options;
    FlowInfluence *all = o->influence ? o->influence : new_influence(x, o->sinks, NULL, 0);
    double start = clock_seconds();
    FlowSites affected = flow_slice(all, o->changed, o->nchanged, true);
    x->static_seconds += clock_seconds() - start;
    FlowInfluence *influence = new_influence(x, FLOW_SINK_GIVEN, affected.v, affected.n);
    if (!o->influence)
        flow_influence_free(all);
    return influence;
}

static FlowInfluence *first_influence(Explore *x)
{
    const ExploreOptions *o = &x->options;
    if (o->nchanged)
        return influence_of_change(x);
    return o->influence ? o->influence : new_influence(x, o->sinks, o->sink_sites, o->nsink_sites);
}

static void dependence_begin(Explore *x)
{
    const ExploreOptions *o = &x->options;
    Dependence *d = x->state = mem_zalloc(sizeof *d);
    dep_runs_init(&d->runs, x->pool);
    d->names.pool = x->pool;
    d->relevant = (DepRelevant){.pool = x->pool, .items = &d->items, .tied = o->symbolic.policy & FLOW_TIE_FAULTS,
                                .unlabelled = o->rules_off & EXPLORE_OFF_LABELS};
    d->owned = !o->influence || o->nchanged;
    d->phase = 1;
    new_items(x, first_influence(x), &d->items);
}

static void dependence_end(Explore *x)
{
    Dependence *d = state_of(x);
    free_influence(d);
    dep_relevant_free(&d->relevant);
    dep_runs_free(&d->runs);
    vec_free(&d->names.of);
    map_free(&d->filed);
    map_free(&d->sides);
    vec_free(&d->prefixes);
    vec_free(&d->assumed);
    vec_free(&d->chain);
    vec_free(&d->pruned);
    vec_free(&d->explained);
    map_free(&d->told);
    arena_free(d->texts);
    mem_free(d);
}

static void dependence_move(Explore *x, ExprPool *to, ExprImport *import)
{
    Dependence *d = state_of(x);
    dep_runs_move(&d->runs, to, import);
    DepItems items;
    new_items(x, d->items.influence, &items);
    items.astray = d->items.astray;
    items.all = d->items.all;
    dep_items_free(&d->items);
    d->items = items;
    d->forgot = true;
    d->relevant.pool = to;
    dep_relevant_forget(&d->relevant);
    d->names.pool = to;
    vec_free(&d->names.of);
}

static size_t dependence_held(const Explore *x)
{
    const Dependence *d = state_of(x);
    return dep_runs_bytes(&d->runs) + d->names.of.cap * sizeof *d->names.of.v + dep_map_bytes(&d->filed) + dep_map_bytes(&d->sides) +
           dep_map_bytes(&d->told) + d->pruned.cap * sizeof *d->pruned.v + (d->texts ? arena_bytes(d->texts) : 0);
}

/* ---- conditions that an alternative is tried under ----------------------------------------------------- */

static uint64_t name_of(Dependence *d, const DepRun *run, uint32_t k)
{
    return hash_u64(dep_name(&d->names, run->decisions[k].holds));
}

static void begin_prefixes(Dependence *d, const DepRun *run)
{
    vec_clear(&d->prefixes);
    vec_clear(&d->assumed);
    for (uint32_t k = 0; k < run->n; k++) {
        vec_push(&d->prefixes, (Prefix){0});
        if (run->decisions[k].kind == VM_DECISION_ASSUME)
            vec_push(&d->assumed, k);
    }
}

static void end_prefixes(Dependence *d)
{
    for (uint32_t k = 0; k < d->prefixes.n; k++)
        path_drop(d->prefixes.v[k].path);
    vec_clear(&d->prefixes);
}

static uint32_t last_of(const ExprPool *p, ExprSet set)
{
    BitSet none = {0};
    return expr_set_last_without(p, set, &none);
}

/* If what k needs is just what its last member m needs, and m: m's conditions and one more are k's. */
static uint32_t shorter(const Dependence *d, const DepRun *run, uint32_t k)
{
    uint32_t m = last_of(d->relevant.pool, run->needed[k]);
    return m != UINT32_MAX && run->relevant[m].id == run->needed[k].id ? m : UINT32_MAX;
}

static uint64_t set_name(Dependence *d, const DepRun *run, ExprSet set)
{
    uint64_t name = 0;
    for (uint32_t i = expr_set_next(d->relevant.pool, set, 0); i != UINT32_MAX; i = expr_set_next(d->relevant.pool, set, i + 1))
        if (!expr_is_true(run->decisions[i].holds))
            name += name_of(d, run, i);
    return name;
}

static uint64_t prefix_name(Dependence *d, const DepRun *run, uint32_t k)
{
    vec_clear(&d->chain);
    for (uint32_t m = k; m != UINT32_MAX && !d->prefixes.v[m].named; m = shorter(d, run, m))
        vec_push(&d->chain, m);
    while (d->chain.n) {
        uint32_t at = vec_pop(&d->chain), m = shorter(d, run, at);
        Prefix *p = &d->prefixes.v[at];
        if (m == UINT32_MAX)
            p->name = set_name(d, run, run->needed[at]);
        else
            p->name = d->prefixes.v[m].name + (expr_is_true(run->decisions[m].holds) ? 0 : name_of(d, run, m));
        p->named = true;
    }
    return d->prefixes.v[k].name;
}

/* Assumptions between two decisions that every input which satisfies the set must meet. */
static Path *add_assumed(const Dependence *d, const DepRun *run, ExprSet set, uint32_t from, uint32_t to, Path *path)
{
    for (uint32_t i = 0; i < d->assumed.n && d->assumed.v[i] < to; i++) {
        const VmDecision *a = &run->decisions[d->assumed.v[i]];
        if (d->assumed.v[i] >= from && expr_set_subset(d->relevant.pool, a->label, set))
            path = path_add(path, a->holds);
    }
    return path;
}

static Path *set_path(const Dependence *d, const DepRun *run, ExprSet set, uint32_t k)
{
    Path *path = add_assumed(d, run, set, 0, k, NULL);
    for (uint32_t i = expr_set_next(d->relevant.pool, set, 0); i != UINT32_MAX; i = expr_set_next(d->relevant.pool, set, i + 1))
        path = path_add(path, run->decisions[i].holds);
    return path;
}

static Path *prefix_path(Dependence *d, const DepRun *run, uint32_t k)
{
    vec_clear(&d->chain);
    for (uint32_t m = k; m != UINT32_MAX && !d->prefixes.v[m].built; m = shorter(d, run, m))
        vec_push(&d->chain, m);
    while (d->chain.n) {
        uint32_t at = vec_pop(&d->chain), m = shorter(d, run, at);
        Prefix *p = &d->prefixes.v[at];
        if (m == UINT32_MAX)
            p->path = set_path(d, run, run->needed[at], at);
        else
            p->path = add_assumed(d, run, run->needed[at], m, at,
                                  path_add(path_hold(d->prefixes.v[m].path), run->decisions[m].holds));
        p->built = true;
    }
    return d->prefixes.v[k].path;
}

/* ---- filing -------------------------------------------------------------------------------------------- */

/* A run under expansion: a new one with its trace, or a kept one. */
typedef struct Expansion {
    Explore *x;
    Dependence *d;
    DepRun *run;
    const VmTrace *trace;                     /* NULL: kept */
    uint32_t cause;                           /* the decision that it was made for; UINT32_MAX: none, or
                                                 not there */
} Expansion;

/* Tasks are the same if they are for the same alternative of a decision, under the same conditions. */
static uint64_t task_name(const Expansion *e, const VmDecision *d, const VmAlternative *alt, uint64_t prefix)
{
    return hash_mix(hash_mix(prefix + hash_u64(dep_name(&e->d->names, alt->condition)), d->index), e->d->phase);
}

/* A decision before k that could have gone another way, and that k does not depend on: rather the one that the run was
 * made for. */
static uint32_t site_apart(const Expansion *e, uint32_t k)
{
    const DepRun *run = e->run;
    if (e->cause < k && !expr_set_has(e->x->pool, run->needed[k], e->cause))
        return run->decisions[e->cause].site;
    for (uint32_t i = k; i-- > 0;)
        if (run->decisions[i].count && run->decisions[i].kind != VM_DECISION_CHECK && !expr_set_has(e->x->pool, run->needed[k], i))
            return run->decisions[i].site;
    return IR_NONE;
}

/* An alternative of a decision of run `from`, for `told`. */
static uint64_t alternative_name(Dependence *s, uint64_t from, uint64_t index, Expr condition)
{
    return hash_mix(hash_mix(dep_name(&s->names, condition), index), from);
}

/* Returns what was told of it before. */
static Telling tell(const Expansion *e, uint64_t alternative, Telling what)
{
    Dependence *s = e->d;
    if (!e->x->options.explain || s->npruned >= PRUNED_MOST)
        return TELL_NOTHING;
    Telling before = (Telling)map_get_or(&s->told, alternative, TELL_NOTHING);
    if (what > before)
        map_put(&s->told, alternative, what);
    return before;
}

/* The alternative of k is not tried after run `from`: the task `covers` is for the same (or, without a sink, that side was
 * taken). `known`: what may have been told of it. */
static void note_pruned(const Expansion *e, uint64_t from, uint32_t k, Expr condition, bool sink, uint64_t covers, Telling known)
{
    Dependence *s = e->d;
    if (!e->x->options.explain)
        return;
    uint64_t alternative = alternative_name(s, from, e->run->decisions[k].index, condition);
    if (map_get_or(&s->told, alternative, TELL_NOTHING) > known)
        return;
    tell(e, alternative, TELL_PRUNED);
    if (s->npruned++ >= PRUNED_MOST)
        return;
    Str text = {0};
    if (!s->texts)
        s->texts = arena_new();
    expr_print_c(e->x->pool, condition, TEXT_MOST, &text);
    ExplorePruned is = {.run = from,
                        .site = e->run->decisions[k].site,
                        .condition = arena_strdup(s->texts, str_text(&text)),
                        .sink = sink,
                        .apart = sink ? site_apart(e, k) : IR_NONE};
    vec_push(&s->pruned, (Pruned){is, alternative, covers});
    str_free(&text);
}

/* Files a task, once only. */
static void file(const Expansion *e, uint32_t k, const VmAlternative *alt, uint64_t name, Path *prefix, uint64_t side)
{
    const VmDecision *d = &e->run->decisions[k];
    VmSnapshot *resume = e->trace ? e->trace->decisions.v[k].snapshot : NULL;
    Task task = {.path = path_add(path_hold(prefix), alt->condition),
                 .origin = origin_hold(e->run->origin),
                 .resume = resume ? vm_snapshot_hold(resume) : NULL,
                 .because = d->index,
                 .bound = k,
                 .name = name,
                 .from = e->run->number,
                 .again = alt->elsewhere,
                 .site = d->site,
                 .side = side,
                 .fn = alt->fn,
                 .block = alt->block};
    map_put(&e->d->filed, name, 0);
    if (e->x->options.explain)
        tell(e, alternative_name(e->d, e->run->number, d->index, alt->condition), TELL_FILED);
    explore_bump(e->x, EXPLORE_TASKS);
    frontier_file(&e->x->frontier, task);
}

static bool is_filed(const Expansion *e, uint64_t name) { return map_get(&e->d->filed, name, NULL); }

static bool too_deep(const Expansion *e, uint32_t k)
{
    uint64_t depth = e->x->options.max_depth;
    if (depth && k >= depth && e->run->decisions[k].count)
        ledger_add(e->x->ledger, LEDGER_DEPTH, e->run->decisions[k].site, NULL);
    return depth && k >= depth;
}

/* Is what held one of the conditions that stay? Then no alternative is left. */
static bool is_repeated(const Expansion *e, uint32_t k)
{
    for (uint32_t i = e->run->same[k]; i != UINT32_MAX; i = e->run->same[i])
        if (expr_set_has(e->x->pool, e->run->needed[k], i))
            return true;
    return false;
}

static void file_alternatives(const Expansion *e, uint32_t k)
{
    const VmDecision *d = &e->run->decisions[k];
    if (!d->count || too_deep(e, k) || is_repeated(e, k))
        return;
    uint64_t prefix = prefix_name(e->d, e->run, k);
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        uint64_t name = task_name(e, d, alt, prefix);
        if (!is_filed(e, name))
            file(e, k, alt, name, prefix_path(e->d, e->run, k), 0);
        else
            note_pruned(e, e->run->number, k, alt->condition, true, name, TELL_NOTHING);
    }
}

/* A decision that was decided anew is expanded within the condition under which it was. */
static void file_elsewhere(const Expansion *e, uint32_t k, Path *within)
{
    const VmDecision *d = &e->run->decisions[k];
    uint64_t name = 0;
    for (const Path *p = within; p; p = p->parent)
        name += hash_u64(dep_name(&e->d->names, p->condition));
    for (uint32_t i = 0; i < d->count && !too_deep(e, k); i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        uint64_t whole = task_name(e, d, alt, name);
        if (!is_filed(e, whole))
            file(e, k, alt, whole, within, 0);
        else
            note_pruned(e, e->run->number, k, alt->condition, true, whole, TELL_NOTHING);
    }
}

/* ---- every side once ----------------------------------------------------------------------------------- */

static bool has_sides(const Explore *x, const VmDecision *d)
{
    bool branches = d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH || d->kind == VM_DECISION_CALL;
    return branches && d->block != IR_NONE && !x->program->fns.v[d->fn].runtime;
}

static uint64_t side_name(Dependence *s, const VmDecision *d, uint32_t block, Expr condition)
{
    uint64_t at = hash_mix(hash_mix((uint64_t)d->fn << 32 | d->block, d->insn), block);
    uint64_t side = block == IR_NONE ? hash_mix(at, dep_name(&s->names, condition)) : at;
    return side ? side : 1;
}

static void note_side(Dependence *s, const DepRun *run, uint32_t k)
{
    uint64_t side = side_name(s, &run->decisions[k], run->decisions[k].took, run->decisions[k].holds);
    if (!map_get(&s->sides, side, NULL))
        map_put(&s->sides, side, run->number);
}

static void file_unseen_sides(const Expansion *e, uint32_t from)
{
    Dependence *s = e->d;
    const DepRun *run = e->run;
    for (uint32_t k = from; k < run->n; k++)
        if (has_sides(e->x, &run->decisions[k]))
            note_side(s, run, k);
    for (uint32_t k = from; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        if (!has_sides(e->x, d) || s->items.items.v[run->items[k]].keep || too_deep(e, k))
            continue;
        for (uint32_t i = 0; i < d->count; i++) {
            const VmAlternative *alt = &run->alternatives[d->first + i];
            uint64_t side = side_name(s, d, alt->block, alt->condition), name = task_name(e, d, alt, set_name(s, run, d->label));
            if (map_get(&s->sides, side, NULL) || is_filed(e, name))
                continue;
            Path *prefix = set_path(s, run, d->label, k);
            file(e, k, alt, name, prefix, side);
            path_drop(prefix);
        }
    }
}

/* A decision that reaches no sink is in no combination. */
static void note_sinkless(const Expansion *e, uint32_t k)
{
    const VmDecision *d = &e->run->decisions[k];
    for (uint32_t i = 0; e->trace && e->x->options.explain && i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        note_pruned(e, e->run->number, k, alt->condition, false, side_name(e->d, d, alt->block, alt->condition), TELL_FILED);
    }
}

static bool dependence_worth(Explore *x, const Task *task)
{
    return !task->side || !map_get(&state_of(x)->sides, task->side, NULL);
}

/* ---- failing ------------------------------------------------------------------------------------------- */

/* When main returns the start-up code exits, with no function of the user's under way: that is no way to fail, whatever
 * the handlers that run then depend on. */
static bool main_returned(const Explore *x, const VmResult *r)
{
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!x->program->fns.v[r->stack.v[i].fn].runtime)
            return false;
    return r->ending == VM_END_EXIT;
}

static bool survives(const Explore *x, const VmResult *r)
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

/* An ending that nobody can explain by a check (a limit, an interruption) depends on all that happened;
 * what is left unfreed depends on all of memory. */
static Expr class_of(Explore *x, const DepRun *run, const VmTrace *trace)
{
    const VmResult *r = &trace->result;
    bool leak = r->ending == VM_END_FAULT && r->fault == VM_FAULT_LEAK;
    if (r->ending != VM_END_LIMIT && r->ending != VM_END_INTERRUPTED && !leak)
        return expr_not(x->pool, all_hold(x->pool, run, trace->ending));
    ExprVec list = {0};
    for (uint32_t i = 0; i < run->n; i++)
        vec_push(&list, run->decisions[i].holds);
    Expr denied = expr_not(x->pool, expr_and_all(x->pool, list.v, list.n));
    vec_free(&list);
    return denied;
}

/* An assumption that held tells which inputs would have broken it. */
static void note_assumptions(Explore *x, const DepRun *run, const VmTrace *trace)
{
    for (uint32_t i = 0; i < run->n; i++) {
        const VmDecision *d = &run->decisions[i];
        bool broken = i + 1 == run->n && trace->result.ending == VM_END_ASSUMPTION;
        if (d->kind == VM_DECISION_ASSUME && !broken && !expr_is_true(d->holds))
            dep_class_add(&state_of(x)->runs, expr_implies(x->pool, all_hold(x->pool, run, d->label), d->holds));
    }
}

/* The same task without the inputs that fail as this run did. */
static void try_again(const Expansion *e, const Task *task)
{
    if (task->tries >= TRIES_MOST) {
        ledger_add(e->x->ledger, LEDGER_CLASSES, task->site, ", %u", (unsigned)TRIES_MOST);
        return;
    }
    Task again = *task;
    again.path = path_add(path_hold(task->path), e->run->denied);
    again.origin = origin_hold(e->run->origin);
    again.resume = task->resume ? vm_snapshot_hold(task->resume) : NULL;
    again.solved = false;
    again.tries++;
    frontier_file(&e->x->frontier, again);
}

/* ---- the algorithm ------------------------------------------------------------------------------------- */

/* A task's path up to the alternative that it is for: classes follow it. */
static Path *wanted_of(const Task *task)
{
    Path *path = task->path;
    for (uint32_t i = 0; i < task->tries; i++)
        path = path->parent;
    return path;
}

/* The decision that the run was made for; UINT32_MAX: it is not there. */
static uint32_t find_cause(const DepRun *run, const Task *task)
{
    Expr wanted = wanted_of(task)->condition;
    for (uint32_t k = 0; k < run->n; k++)
        if (run->decisions[k].index == task->because && (task->again || expr_same(run->decisions[k].holds, wanted)))
            return k;
    for (uint32_t k = 0; k < run->n; k++)
        if (run->decisions[k].site == task->site && expr_same(run->decisions[k].holds, wanted))
            return k;
    return UINT32_MAX;
}

/* What does not depend on the cause was filed when the run before was expanded, unless that failed too
 * early. */
static void expand(Expansion *e, const Task *task)
{
    const DepRun *run = e->run;
    e->cause = task->because ? find_cause(run, task) : UINT32_MAX;
    if (task->because)
        map_put(&e->d->filed, task->name, run->number);
    if (e->trace && task->because && e->x->options.explain)
        tell(e, alternative_name(e->d, task->from, task->because, wanted_of(task)->condition), TELL_RUN);
    else if (e->cause != UINT32_MAX)
        note_pruned(e, task->from, e->cause, wanted_of(task)->condition, true, task->name, TELL_FILED);
    if (!run->survives)
        try_again(e, task);
    if (task->because && e->cause == UINT32_MAX && !run->survives)
        return;                               /* it failed before it got there */
    begin_prefixes(e->d, run);
    if (e->cause != UINT32_MAX && task->again)
        file_elsewhere(e, e->cause, wanted_of(task));
    for (uint32_t k = e->cause == UINT32_MAX ? 0 : e->cause + 1; k < run->n; k++) {
        if (e->d->items.items.v[run->items[k]].keep)
            file_alternatives(e, k);
        else
            note_sinkless(e, k);
    }
    end_prefixes(e->d);
}

/* How many decisions it has in common with a run whose sides were noted in this phase. */
static uint32_t make_relevant(Dependence *d, DepRun *run)
{
    uint32_t common = run->phase != d->phase ? dep_relevant(&d->relevant, run, d->phase) : 0;
    run->phase = d->phase;
    return d->phase == 1 ? common : 0;        /* later ones begin with runs that were kept */
}

static void dependence_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Dependence *d = state_of(x);
    DepRun *run = dep_run_new(trace, origin, x->counters[EXPLORE_RUNS]);
    Expansion e = {x, d, run, trace, UINT32_MAX};
    run->survives = survives(x, &trace->result);
    uint32_t common = make_relevant(d, run);
    note_assumptions(x, run, trace);
    if (!run->survives) {
        run->denied = class_of(x, run, trace);
        run->survives = expr_is_false(run->denied);    /* every input ends so: nothing is hidden behind it */
    }
    if (!run->survives)
        dep_class_add(&d->runs, run->denied);
    if (!x->options.nchanged)
        file_unseen_sides(&e, common);
    expand(&e, task);
    dep_runs_add(&d->runs, run);
    dep_runs_limit(&d->runs, x->options.max_memory / KEPT_SHARE);
}

static bool dependence_serve(Explore *x, const Task *task, const ExprInput *input, bool survivors)
{
    Dependence *d = state_of(x);
    DepRun *run = input ? dep_runs_of_input(&d->runs, input) : dep_runs_fit(&d->runs, task, wanted_of(task), survivors);
    if (!run)
        return false;
    make_relevant(d, run);
    expand(&(Expansion){x, d, run, NULL, UINT32_MAX}, task);
    return true;
}

static Expr dependence_avoid(Explore *x, const ExprInput *input) { return dep_class_of(&state_of(x)->runs, input); }

/* Branches of the user's code with a side that no run has taken. */
static void open_branches(const Explore *x, FlowSiteVec *out)
{
    for (uint32_t f = 0; f < x->program->fns.n; f++) {
        const IrFn *fn = &x->program->fns.v[f];
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            if (vm_branch_open(x->vm, f, b))
                vec_push(out, (FlowSite){f, b, fn->blocks.v[b].insns.n - 1});
    }
}

/* Goes on with these as the only sinks, unless all combinations that could reach them are known to have been tried. */
static bool next_phase(Explore *x, const FlowSiteVec *sinks)
{
    Dependence *d = state_of(x);
    DepItems items;
    FlowInfluence *influence = new_influence(x, FLOW_SINK_GIVEN, sinks->v, sinks->n);
    new_items(x, influence, &items);
    if (d->phase == 1 && !d->forgot && dep_items_cover(&d->items, &items)) {
        dep_items_free(&items);
        flow_influence_free(influence);
        return false;
    }
    free_influence(d);
    d->items = items;
    d->owned = true;
    d->phase++;
    frontier_file(&x->frontier, (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE});
    return true;
}

/* Goes on with everything interacting. */
static void combine_all(Explore *x)
{
    Dependence *d = state_of(x);
    d->items.all = true;
    d->phase++;
    frontier_file(&x->frontier, (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE});
}

static bool dependence_more(Explore *x)
{
    Dependence *d = state_of(x);
    uint32_t covered = vm_coverage(x->vm).branches_covered;
    FlowSiteVec open = {0};
    if (d->items.all)
        return false;
    if (d->items.astray) {
        combine_all(x);
        return true;
    }
    if (x->options.nchanged || x->options.sinks & FLOW_SINK_ALL || (d->phase > 1 && covered == d->covered))
        return false;
    d->covered = covered;
    open_branches(x, &open);
    bool more = open.n && next_phase(x, &open);
    vec_free(&open);
    return more;
}

/* Without those that got a run after all, and those that no input takes. */
ExplorePrunedList explore_pruned(const Explore *x)
{
    Dependence *d = x->explorer == &explorer_dependence ? state_of(x) : NULL;
    if (!d)
        return (ExplorePrunedList){0};
    vec_clear(&d->explained);
    for (uint32_t i = 0; i < d->pruned.n; i++) {
        const Pruned *p = &d->pruned.v[i];
        ExplorePruned is = p->is;
        is.by = map_get_or(is.sink ? &d->filed : &d->sides, p->covers, 0);
        if (map_get_or(&d->told, p->alternative, TELL_NOTHING) != TELL_RUN && (is.by || !is.sink))
            vec_push(&d->explained, is);
    }
    return (ExplorePrunedList){d->explained.v, d->explained.n, d->npruned - (d->pruned.n - d->explained.n)};
}

const Explorer explorer_dependence = {.name = "dependence", .labels = true, .policy = dependence_policy, .expand = dependence_expand,
                                      .worth = dependence_worth, .begin = dependence_begin, .end = dependence_end,
                                      .move = dependence_move, .held = dependence_held, .serve = dependence_serve,
                                      .avoid = dependence_avoid, .more = dependence_more};
