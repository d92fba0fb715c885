/* run_store.c - finished runs, to be reused by tasks that come later.
 *
 * A run that satisfies a task was made for it in all but name: under the task's conditions the decision that
 * the task was filed for is there, and had the outcome that the task asks for; and so is each decision that
 * it depends on. So runs are looked up by those conditions, and only the rest of the task (classes that it
 * avoids) is evaluated under their inputs. */
#include "explore/run_store.h"

enum {
    CANDIDATES_MOST = 4,
    LISTED_MOST = 64 /* runs looked at for one task */
};

/* ---- one run --------------------------------------------------------------------------------- */

StoredRun *stored_run_new(const VmTrace *trace, Origin *origin, uint64_t number)
{
    StoredRun *run = mem_alloc(sizeof *run);
    *run = (StoredRun){.number = number,
                       .origin = origin_hold(origin),
                       .decisions = trace->decisions.v,
                       .alternatives = trace->alternatives.v,
                       .n = trace->decisions.n,
                       .nalternatives = trace->alternatives.n};
    vec_reserve(&run->sinks, trace->sinks.n);
    run->sinks.n = trace->sinks.n;
    if (trace->sinks.n)
        memcpy(run->sinks.v, trace->sinks.v, trace->sinks.n * sizeof *trace->sinks.v);
    return run;
}

static size_t piece_bytes(const RunSuffix *p)
{
    return sizeof *p + (p->n - p->shared) * sizeof *p->decisions +
           (p->nalternatives - p->nshared) * sizeof *p->alternatives;
}

/* Alternatives of the first decisions. */
static uint32_t alternatives_before(const StoredRun *run, uint32_t decision)
{
    return decision < run->n ? run->decisions[decision].first : run->nalternatives;
}

/* Behind that one of those before which has the last decision in common. */
static RunSuffix *piece_new(const StoredRun *run, RunSuffix *before, uint32_t common)
{
    while (before && common <= before->shared)
        before = before->before;
    uint32_t shared = before ? common : 0, nshared = alternatives_before(run, shared);
    uint32_t n = run->n - shared, nalternatives = run->nalternatives - nshared;
    RunSuffix *p = mem_alloc(sizeof *p + n * sizeof *p->decisions + nalternatives * sizeof *p->alternatives);
    *p = (RunSuffix){.refs = 1, .before = before, .shared = shared, .nshared = nshared};
    p->n = run->n;
    p->nalternatives = run->nalternatives;
    p->alternatives = (VmAlternative *)(p->decisions + n);
    if (n)
        memcpy(p->decisions, run->decisions + shared, n * sizeof *p->decisions);
    if (nalternatives)
        memcpy(p->alternatives, run->alternatives + nshared, nalternatives * sizeof *p->alternatives);
    if (before)
        before->refs++;
    return p;
}

static size_t piece_drop(RunSuffix *p)
{
    size_t bytes = 0;
    while (p && --p->refs == 0) {
        RunSuffix *before = p->before;
        bytes += piece_bytes(p);
        mem_free(p);
        p = before;
    }
    return bytes;
}

/* But for its piece; with its places in lists. */
static size_t run_bytes(const StoredRun *run)
{
    return sizeof *run + run->n * sizeof(uint32_t) + run->sinks.cap * sizeof *run->sinks.v +
           run->origin->input.n;
}

size_t stored_run_free(StoredRun *run)
{
    if (!run)
        return 0;
    size_t bytes = run_bytes(run) + piece_drop(run->piece);
    origin_drop(run->origin);
    vec_free(&run->sinks);
    mem_free(run);
    return bytes;
}

static const VmDecision *decision_of(const RunSuffix *p, uint32_t k)
{
    while (k < p->shared)
        p = p->before;
    return &p->decisions[k - p->shared];
}

Expr stored_run_holds(const StoredRun *run, uint32_t k) { return decision_of(run->piece, k)->holds; }

/* ---- all of them ----------------------------------------------------------------------------- */

void run_store_init(RunStore *s, ExprPool *pool)
{
    *s = (RunStore){.pool = pool, .eval = expr_eval_new(pool)};
}

static void drop_index(RunStore *s)
{
    for (uint32_t i = 0; i < s->lists.n; i++)
        vec_free(&s->lists.v[i]);
    vec_free(&s->lists);
    map_free(&s->held);
    map_free(&s->inputs);
    s->listed = s->traced = 0;
    vec_free(&s->failing);
    vec_free(&s->masks);
}

static void drop_all(RunStore *s)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        stored_run_free(s->all.v[i]);
    drop_index(s);
    piece_drop(s->latest);
    s->latest = NULL;
    vec_free(&s->all);
    s->dropped = 0;
    s->bytes = 0;
}

void run_store_free(RunStore *s)
{
    drop_all(s);
    expr_eval_free(s->eval);
    vec_free(&s->target);
    vec_free(&s->decisions);
    vec_free(&s->alternatives);
}

static void mask_add(ConditionMask *mask, Expr condition)
{
    uint64_t bit = hash_u64(condition.id) % 256;
    mask->w[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool mask_has(const ConditionMask *mask, const ConditionMask *part)
{
    uint64_t missing = 0;
    for (uint32_t i = 0; i < COUNT_OF(mask->w); i++)
        missing |= part->w[i] & ~mask->w[i];
    return !missing;
}

static void list_under(RunStore *s, Map *map, Expr condition, uint32_t run)
{
    uint64_t at;
    if (expr_is_true(condition))
        return;
    if (!map_get(map, condition.id, &at)) {
        map_put(map, condition.id, at = s->lists.n);
        vec_push(&s->lists, (U32Vec){0});
    }
    U32Vec *list = &s->lists.v[at];
    if (!list->n || vec_last(list) != run)
        vec_push(list, run);
}

static bool same_input(const ExprInput *a, const ExprInput *b)
{
    for (uint32_t i = 0; i < a->n || i < b->n; i++)
        if (expr_input_byte(a, i) != expr_input_byte(b, i))
            return false;
    return true;
}

static void note_run(RunStore *s, uint32_t place)
{
    map_put(&s->inputs, fingerprint_input(&s->all.v[place]->origin->input), place);
}

/* On demand: for a task that may reuse an earlier run. */
static void list_runs(RunStore *s)
{
    for (; s->listed < s->all.n; s->listed++) {
        const StoredRun *run = s->all.v[s->listed];
        ConditionMask mask = {{0}};
        for (uint32_t i = 0; run && i < run->n; i++) {
            Expr holds = stored_run_holds(run, i);
            list_under(s, &s->held, holds, s->listed);
            mask_add(&mask, holds);
        }
        vec_push(&s->masks, mask);
    }
}

static void looked_at(RunStore *s, StoredRun *run)
{
    RunSuffix *before = s->latest;
    run->piece->refs++;
    s->latest = run->piece;
    s->bytes -= piece_drop(before);
}

void stored_run_unload(StoredRun *run)
{
    run->decisions = NULL;
    run->alternatives = NULL;
}

/* The last of them tells, mostly, if two runs were mixed up. */
static bool has_in_common(const RunSuffix *before, const StoredRun *run, uint32_t common)
{
    if (!before || !common)
        return true;
    const VmDecision *d = common <= before->n ? decision_of(before, common - 1) : NULL;
    return d && d->index == run->decisions[common - 1].index &&
           expr_same(d->holds, run->decisions[common - 1].holds);
}

void run_store_add(RunStore *s, StoredRun *run, uint32_t common)
{
    if (!has_in_common(s->latest, run, common))
        bug("a run is kept behind one that it has nothing in common with");
    run->piece = piece_new(run, s->latest, common);
    stored_run_unload(run);
    vec_push(&s->all, run);
    note_run(s, s->all.n - 1);
    s->bytes += run_bytes(run) + piece_bytes(run->piece);
    looked_at(s, run);
}

void run_store_peek(RunStore *s, StoredRun *run)
{
    vec_reserve(&s->decisions, run->n);
    vec_reserve(&s->alternatives, run->nalternatives);
    uint32_t n = run->n, nalternatives = run->nalternatives;
    for (const RunSuffix *p = run->piece; p; n = p->shared, nalternatives = p->nshared, p = p->before) {
        if (n > p->shared)
            memcpy(s->decisions.v + p->shared, p->decisions, (n - p->shared) * sizeof *p->decisions);
        if (nalternatives > p->nshared)
            memcpy(s->alternatives.v + p->nshared, p->alternatives,
                   (nalternatives - p->nshared) * sizeof *p->alternatives);
    }
    run->decisions = s->decisions.v;
    run->alternatives = s->alternatives.v;
}

void run_store_load(RunStore *s, StoredRun *run)
{
    run_store_peek(s, run);
    looked_at(s, run);
}

/* The runs that are left take the places of those dropped, of which nothing stays. */
static void close_ranks(RunStore *s)
{
    drop_index(s);
    s->all.n -= s->dropped;
    memmove(s->all.v, s->all.v + s->dropped, s->all.n * sizeof *s->all.v);
    s->dropped = 0;
    for (uint32_t i = 0; i < s->all.n; i++)
        note_run(s, i);
}

void run_store_limit(RunStore *s, size_t bytes)
{
    while (s->bytes > bytes && s->dropped + 1 < s->all.n) {
        StoredRun *oldest = s->all.v[s->dropped];
        s->bytes -= stored_run_free(oldest);
        s->all.v[s->dropped++] = NULL;
    }
    if (s->dropped > s->all.n / 2) /* then it costs less than they did */
        close_ranks(s);
}

size_t run_store_bytes(const RunStore *s)
{
    return s->bytes + s->all.cap * sizeof *s->all.v + s->lists.cap * sizeof *s->lists.v +
           map_bytes(&s->held) + map_bytes(&s->inputs) + s->failing.cap * sizeof *s->failing.v +
           s->masks.cap * sizeof *s->masks.v;
}

StoredRun *run_store_of_input(RunStore *s, const ExprInput *input)
{
    uint64_t at;
    StoredRun *run = map_get(&s->inputs, fingerprint_input(input), &at) ? s->all.v[at] : NULL;
    return run && same_input(&run->origin->input, input) ? run : NULL;
}

static void add_path(RunStore *s, const StoredRun *run, uint32_t place)
{
    uint32_t at = tree_add(&s->failing, s->pool, 0, EXPR_TRUE);
    for (uint32_t k = 0; k < run->n; k++)
        at = tree_add(&s->failing, s->pool, at, stored_run_holds(run, k));
    s->failing.v[at].end = place;
}

StoredRun *run_store_of_path(RunStore *s, const ExprInput *input)
{
    for (; s->traced < s->all.n; s->traced++) {
        const StoredRun *run = s->all.v[s->traced];
        if (run && !run->normal)
            add_path(s, run, s->traced);
    }
    expr_eval_input(s->eval, input);
    uint32_t place = tree_find_path(&s->failing, s->eval);
    return place == UINT32_MAX ? NULL : s->all.v[place];
}

static bool list_has(const U32Vec *list, uint32_t place)
{
    uint32_t low = 0, high = list->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->v[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->n && list->v[low] == place;
}

/* Was it decided by the run that it holds? Most conditions of tasks were decided by the runs that may be
 * reused them, one way or the other, and to look that up takes a twentieth of what it takes to evaluate them.
 */
static bool was_decided(const RunStore *s, uint32_t place, Expr condition)
{
    ConditionMask mask = {{0}};
    uint64_t at;
    mask_add(&mask, condition);
    return place < s->listed && mask_has(&s->masks.v[place], &mask) && map_get(&s->held, condition.id, &at) &&
           list_has(&s->lists.v[at], place);
}

/* Tasks that follow one another ask much the same of the same latest runs. */
static bool holds_in(RunStore *s, uint32_t place, Expr condition)
{
    uint64_t run = s->all.v[place]->number;
    KnownTruth *t = &s->truths[hash_mix(run, condition.id) % COUNT_OF(s->truths)];
    if (t->run == run && expr_same(t->condition, condition))
        return t->holds;
    bool holds = was_decided(s, place, condition) ||
                 (!was_decided(s, place, expr_not(s->pool, condition)) && expr_eval_true(s->eval, condition));
    *t = (KnownTruth){run, condition, holds};
    return holds;
}

/* The conditions of a path behind those that are known to hold; most often it is the run's own class that is
 * blocking. */
static bool satisfies(RunStore *s, uint32_t place, const Path *path, const Path *known)
{
    const StoredRun *run = s->all.v[place];
    for (const Path *p = path; p != known; p = p->parent)
        if (!run->normal && expr_same(p->condition, run->blocking))
            return false;
    expr_eval_input(s->eval, &run->origin->input);
    for (; path != known; path = path->parent)
        if (!holds_in(s, place, path->condition))
            return false;
    return true;
}

/* One more list, of the runs in which the condition held; the shortest list stands first. False if it held in
 * no run. */
static bool want(RunStore *s, Expr condition)
{
    uint64_t at;
    if (!map_get(&s->held, condition.id, &at))
        return false;
    vec_push(&s->target, (uint32_t)at);
    if (s->lists.v[at].n < s->lists.v[s->target.v[0]].n) {
        vec_last(&s->target) = s->target.v[0];
        s->target.v[0] = (uint32_t)at;
    }
    return true;
}

static bool seek_path(RunStore *s, const Path *path)
{
    list_runs(s);
    vec_clear(&s->target);
    s->target_mask = (ConditionMask){{0}};
    for (; path; path = path->parent) {
        if (!want(s, path->condition))
            return false;
        mask_add(&s->target_mask, path->condition);
    }
    return true;
}

/* The list that a run is not in is asked first for the next. */
static bool in_all_lists(RunStore *s, uint32_t place)
{
    for (uint32_t i = 1; i < s->target.n; i++) {
        uint32_t list = s->target.v[i];
        if (list_has(&s->lists.v[list], place))
            continue;
        s->target.v[i] = s->target.v[1];
        s->target.v[1] = list;
        return false;
    }
    return true;
}

StoredRun *run_store_satisfying(RunStore *s, const Task *task, const Path *target, bool normal_only,
                                uint32_t *looked)
{
    bool listed = target && !task->redecide;
    if (listed && !seek_path(s, target))
        return NULL;
    const U32Vec *list = listed ? &s->lists.v[s->target.v[0]] : NULL;
    uint32_t n = list ? list->n : s->all.n, most = list ? LISTED_MOST : CANDIDATES_MOST;
    while (*looked < most && *looked < n) {
        uint32_t back = ++*looked, place = list ? list->v[n - back] : n - back;
        if (list && !mask_has(&s->masks.v[place], &s->target_mask))
            continue;
        StoredRun *run = s->all.v[place];
        if (run && (run->normal || !normal_only) && (!list || in_all_lists(s, place)) &&
            satisfies(s, place, task->path, list ? target : NULL))
            return run;
    }
    return NULL;
}

void run_store_forget(RunStore *s)
{
    drop_all(s);
    memset(s->truths, 0, sizeof s->truths);
}

void run_store_move(RunStore *s, ExprPool *to)
{
    run_store_forget(s);
    expr_eval_free(s->eval);
    s->pool = to;
    s->eval = expr_eval_new(to);
}
