/* dependence_ways.c - the ways in which something comes about that depends on a set of decisions.
 *
 * The set is that of a sink: the decisions in its label. Each is negated under those that stand before it, in
 * the order of the relevant slice conditions of `output` (output_order.c): then a run made for such a task
 * has the same decisions before that place, and whatever input is left, one of the tasks is for it. So all
 * ways in which the sink comes about are found, by runs that differ in nothing else.
 *
 * The order of a set begins with that of its last member's label. So sets are expanded along these: where a
 * label grows by one decision at a time, a run costs no more than its decisions. */
#include "explore/dependence.h"

/* ---- sets ------------------------------------------------------------------------------------ */

/* Called for each decision that is looked at, and for each way that is told of. */
static bool is_over(DepWays *s)
{
    enum { LOOKS_BETWEEN = 1024 };
    if (++s->looked % LOOKS_BETWEEN == 0 && !s->stopped)
        s->stopped = s->is_late(s->clock);
    return s->stopped;
}

static bool is_known(const DepWays *s, const DepNamed *n, ExprSet set)
{
    return n->set.id == set.id && n->last < s->steps.n && s->steps.v[n->last].serial == n->serial;
}

/* Sums over the members. They are the same while the last of them is, since then so are those before it. Cut
 * short if it is over: then nothing further is told, and nobody uses them. */
static void sum_up(DepWays *s, ExprSet set, DepNamed *sums)
{
    uint32_t last = sets_last_beyond(s->sets, set.id, 0);
    const DepStep *steps = s->steps.v, *step = &steps[last];
    *sums = (DepNamed){.set = set, .last = last, .serial = step->serial};
    if (step->closed.id == set.id) {
        sums->key = step->label_key + step->key;
        sums->name = step->label_name + step->name;
        return;
    }
    uint64_t bits, key = 0, name = 0;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            const DepStep *member = &steps[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
            key += member->key;
            name += member->name;
        }
    sums->key = key;
    sums->name = name;
}

static inline DepNamed *name_set(DepWays *s, ExprSet set)
{
    DepNamed *n = &s->named[set.id % COUNT_OF(s->named)];
    if (!is_known(s, n, set))
        sum_up(s, set, n);
    return n;
}

static ExprSet single(DepWays *s, uint32_t k)
{
    while (s->singles.n <= k)
        vec_push(&s->singles, expr_set_of(s->pool, s->singles.n));
    return s->singles.v[k];
}

/* Of conditions that are not true: the last step before that has it. */
static uint32_t note_condition(DepWays *s, Expr condition, uint32_t k)
{
    while (s->latest.n <= condition.id)
        vec_push(&s->latest, UINT32_MAX);
    uint32_t same = s->latest.v[condition.id];
    s->latest.v[condition.id] = k;
    return same;
}

/* ---- what a label implies -------------------------------------------------------------------- */

/* The symbols to which a condition leaves one value, as far as that is plain to see. */
static ExprSet fixed_by(const ExprPool *p, Expr condition)
{
    bool equals = expr_op(p, condition) == EXPR_EQ && expr_is_const(p, expr_child(p, condition, 1));
    return equals && expr_is_word(p, expr_child(p, condition, 0)) ? expr_symbols(p, condition)
                                                                  : EXPR_SET_EMPTY;
}

static ExprSet fixed_by_members(DepWays *s, ExprSet set)
{
    ExprSet fixed = EXPR_SET_EMPTY;
    uint64_t bits;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            const DepStep *member = &s->steps.v[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
            fixed = expr_set_union(s->pool, fixed, fixed_by(s->pool, member->condition));
        }
    return fixed;
}

/* By a label that is the closed set of the step `shorter`, which was searched; or by another. */
static ExprSet fixed_beyond(DepWays *s, VmLabel label, uint32_t shorter)
{
    if (shorter == UINT32_MAX)
        return fixed_by_members(s, label);
    const DepStep *last = &s->steps.v[shorter];
    return expr_set_union(s->pool, last->fixed, fixed_by(s->pool, last->condition));
}

/* Labels that grow by one decision at a time are searched once, as those of paths are listed: label_path. */
static ExprSet fixed_by_label(DepWays *s, VmLabel label, uint32_t shorter)
{
    vec_clear(&s->stack);
    for (uint32_t m = shorter; m != UINT32_MAX && !s->steps.v[m].searched; m = s->steps.v[m].shorter)
        vec_push(&s->stack, m);
    while (s->stack.n) {
        DepStep *step = &s->steps.v[vec_pop(&s->stack)];
        step->fixed = fixed_beyond(s, step->label, step->shorter);
        step->searched = true;
    }
    return fixed_beyond(s, label, shorter);
}

/* All that the condition speaks of has the value that it has in this run, whenever the label's decisions go
 * as they did here. A pointer into one of two texts, by a byte that was compared before, is asked about for
 * each byte of the text. */
static bool is_implied(DepWays *s, const VmDecision *d, uint32_t shorter)
{
    return d->met && !expr_is_true(d->holds) && d->label.id &&
           expr_set_subset(s->pool, expr_symbols(s->pool, d->holds), fixed_by_label(s, d->label, shorter));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void add_step(DepWays *s, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    static const DepNamed none;
    const DepNamed *label = d->label.id ? name_set(s, d->label) : &none;
    uint32_t shorter =
        d->label.id && s->steps.v[label->last].closed.id == d->label.id ? label->last : UINT32_MAX;
    bool implied = is_implied(s, d, shorter), open = d->count && !implied;
    Expr holds = implied ? EXPR_TRUE : d->holds;
    uint64_t condition = fingerprint_of(s->names, holds);
    uint64_t key = hash_mix(hash_mix(d->index + s->phase, condition), label->key);
    bool symbolic = !expr_is_true(holds);
    ExprSet closed = {sets_union(s->sets, d->label.id, single(s, k).id)};
    s->steps.v[k] = (DepStep){.index = d->index,
                              .holds = d->holds,
                              .label = d->label,
                              .kind = d->kind,
                              .count = d->count,
                              .insn = d->insn,
                              .implied = implied,
                              .condition = holds,
                              .serial = ++s->serial,
                              .closed = closed,
                              .solid = open                    ? closed
                                       : shorter != UINT32_MAX ? s->steps.v[shorter].solid
                                                               : d->label,
                              .same = symbolic ? note_condition(s, holds, k) : UINT32_MAX,
                              .shorter = shorter,
                              .key = key,
                              .label_key = label->key,
                              .name = symbolic ? hash_u64(condition) : 0,
                              .label_name = label->name};
    s->steps.n = k + 1;
    if (open || shorter == UINT32_MAX) /* the ways of these will be looked up, if the decision is a sink */
        marks_prefetch(&s->expanded, open ? label->key + key : label->key);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool is_same(const DepStep *step, const VmDecision *d)
{
    return step->index == d->index && step->holds.id == d->holds.id && step->label.id == d->label.id &&
           step->kind == d->kind && step->count == d->count && step->insn == d->insn;
}

static void cut_steps(DepWays *s, uint32_t n)
{
    while (s->steps.n > n) {
        DepStep step = vec_pop(&s->steps);
        if (!expr_is_true(step.condition))
            s->latest.v[step.condition.id] = step.same;
        path_drop(step.path);
        path_drop(step.node);
    }
}

/* What add_step will look up. */
static void prefetch_step(DepWays *s, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    __builtin_prefetch(&s->named[d->label.id % COUNT_OF(s->named)]);
    __builtin_prefetch(sets_memo(s->sets, d->label.id, single(s, k).id));
}

uint32_t dep_ways_begin(DepWays *s, const DepRun *run, uint32_t phase)
{
    enum { AHEAD = 3 };
    uint32_t common = 0;
    if (phase != s->phase)
        dep_ways_forget(s);
    s->phase = phase;
    s->run = run;
    s->sets = expr_sets(s->pool);
    s->nodes = 0;
    while (common < run->n && common < s->steps.n && is_same(&s->steps.v[common], &run->decisions[common]))
        common++;
    cut_steps(s, common);
    vec_reserve(&s->steps, run->n);
    while (s->places.n < run->n)
        vec_push(&s->places, 0);
    for (uint32_t k = common; k < run->n; k++) {
        if (k + AHEAD < run->n)
            prefetch_step(s, k + AHEAD);
        add_step(s, k);
    }
    return common;
}

void dep_ways_forget(DepWays *s)
{
    cut_steps(s, 0);
    vec_clear(&s->latest);
    vec_clear(&s->singles);
}

void dep_ways_free(DepWays *s)
{
    cut_steps(s, 0);
    vec_free(&s->steps);
    vec_free(&s->singles);
    vec_free(&s->latest);
    marks_free(&s->expanded);
    vec_free(&s->order);
    vec_free(&s->places);
    vec_free(&s->placed);
    vec_free(&s->stack);
    vec_free(&s->waiting);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Lists that begin alike share their nodes. Cut short if it is over: then nobody is to use it. */
static Path *list_path(DepWays *s, ExprSet set)
{
    Path *path = NULL;
    uint64_t bits;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            DepStep *step = &s->steps.v[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
            if (expr_is_true(step->condition))
                continue;
            if (!step->node || step->node->parent != path) {
                path_drop(step->node);
                step->node = path_add(path_hold(path), step->condition);
                s->nodes++;
            }
            path = step->node;
        }
    return path_hold(path);
}

/* The label's conditions are those of its last member's label, and of itself, if that is all of it. */
static Path *label_path(DepWays *s, uint32_t k)
{
    vec_clear(&s->stack);
    for (uint32_t m = k; m != UINT32_MAX && !s->steps.v[m].built; m = s->steps.v[m].shorter)
        vec_push(&s->stack, m);
    while (s->stack.n) {
        DepStep *step = &s->steps.v[vec_pop(&s->stack)];
        const DepStep *last = step->shorter == UINT32_MAX ? NULL : &s->steps.v[step->shorter];
        step->path = last ? path_add(path_hold(last->path), last->condition) : list_path(s, step->label);
        step->built = true;
    }
    return s->steps.v[k].path;
}

/* A way that is told of in an expansion is under what was placed before it, which may be its label; else it
 * is under that. */
Path *dep_way_path(DepWays *s, const DepWay *way)
{
    if (way->key == s->steps.v[way->decision].label_key)
        return label_path(s, way->decision);
    for (; s->built < s->telling; s->built++) {
        uint32_t at = s->order.v[s->built].decision;
        if (!s->built)
            s->path = path_hold(label_path(s, at));
        s->path = path_add(s->path, s->steps.v[at].condition);
    }
    return s->path;
}

static bool stands_before(const DepWays *s, uint32_t decision, uint32_t nth)
{
    uint32_t place = s->places.v[decision];
    return place < nth && s->order.v[place].decision == decision;
}

bool dep_way_keeps(const DepWays *s, const DepWay *way, uint32_t decision)
{
    return stands_before(s, decision, way->nth) || sets_has(s->sets, way->label.id, decision);
}

bool dep_way_keeps_all(const DepWays *s, const DepWay *way, ExprSet decisions)
{
    if (!way->nth || sets_subset(s->sets, decisions.id, way->label.id))
        return sets_subset(s->sets, decisions.id, way->label.id);
    uint32_t k = 0;
    while ((k = sets_next(s->sets, decisions.id, k)) != UINT32_MAX && dep_way_keeps(s, way, k))
        k++;
    return k == UINT32_MAX;
}

bool dep_way_has(const DepWays *s, const DepWay *way, uint32_t latest)
{
    enum { LOOKED_AT = 64 };
    uint32_t looked = 0;
    for (uint32_t i = latest; i != UINT32_MAX && looked < LOOKED_AT; i = s->steps.v[i].same, looked++)
        if (dep_way_keeps(s, way, i))
            return true;
    return false;
}

DepWay dep_way_of(const DepWays *s, uint32_t decision)
{
    const DepStep *step = &s->steps.v[decision];
    return (DepWay){decision, step->label, 0, step->label_name, step->label_key};
}

/* ---- expanding ------------------------------------------------------------------------------- */

/* `at` is to be negated under all that was placed before. */
static void place(DepWays *s, uint32_t at, DepWay *way)
{
    const DepStep *step = &s->steps.v[at];
    way->decision = at;
    way->nth = s->order.n;
    s->places.v[at] = s->order.n;
    vec_push(&s->order, *way);
    way->name += step->name;
    way->key += step->key;
}

static void note_placed(DepWays *s, ExprSet label)
{
    uint64_t bits;
    vec_clear(&s->placed);
    for (uint32_t chunk = 0; (chunk = sets_next_chunk(s->sets, label.id, chunk, &bits)) != UINT32_MAX;
         chunk++) {
        while (s->placed.n < chunk)
            vec_push(&s->placed, 0);
        vec_push(&s->placed, bits);
    }
}

/* What is left of the set when its last member and the label of that stand, latest first, each behind what it
 * depends on. */
static void place_rest(DepWays *s, const DepWaiting *all, DepWay *way)
{
    note_placed(s, way->label);
    bitset_add(&s->placed, all->last);
    vec_clear(&s->stack);
    while (!is_over(s)) {
        ExprSet within = s->stack.n ? s->steps.v[vec_last(&s->stack)].label : all->set;
        uint32_t pivot = sets_last_without(s->sets, within.id, &s->placed);
        if (pivot != UINT32_MAX) {
            vec_push(&s->stack, pivot);
        } else if (s->stack.n) {
            bitset_add(&s->placed, vec_last(&s->stack));
            place(s, vec_pop(&s->stack), way);
        } else {
            break;
        }
    }
}

/* The label of the last member has been expanded. */
static void place_beyond_label(DepWays *s, const DepWaiting *all)
{
    DepWay way = dep_way_of(s, all->last);
    place(s, all->last, &way);
    if (!s->alone && s->steps.v[all->last].closed.id != all->set.id)
        place_rest(s, all, &way);
}

static void place_in_order(DepWays *s, const DepWaiting *all)
{
    DepWay way = {0};
    for (uint32_t i = 0; (i = expr_set_next(s->pool, all->set, i)) != UINT32_MAX; i++)
        place(s, i, &way);
}

/* How many of the order were told of, since the run was made for what stands behind them. */
static uint32_t count_told(const DepWays *s)
{
    for (uint32_t i = 0; s->told.index && i < s->order.n; i++)
        if (s->order.v[i].key == s->told.key &&
            s->run->decisions[s->order.v[i].decision].index == s->told.index)
            return i;
    return 0;
}

static void expand(DepWays *s, DepWaiting all)
{
    vec_clear(&s->order);
    (s->in_order ? place_in_order : place_beyond_label)(s, &all);
    s->telling = count_told(s);
    s->path = s->telling ? path_hold(s->told.path) : NULL;
    s->built = s->path ? s->telling : 0;
    for (; s->telling < s->order.n && !is_over(s); s->telling++)
        s->on_way(s->context, &s->order.v[s->telling]);
    path_drop(s->path);
    s->path = NULL;
}

static void expand_set(DepWays *s, ExprSet set)
{
    vec_clear(&s->waiting);
    while (set.id && !s->stopped) {
        DepNamed *named = name_set(s, set);
        const DepStep *last = &s->steps.v[named->last];
        if (named->expanded)
            break;
        if (last->closed.id == set.id && last->solid.id != set.id) { /* all ways are those of its label */
            set = last->solid;
            continue;
        }
        named->expanded = true;
        if (marks_set(&s->expanded, named->key, 1, 1))
            break;
        vec_push(&s->waiting, (DepWaiting){set, named->last});
        set = last->label;
    }
    while (s->waiting.n && !s->stopped)
        expand(s, vec_pop(&s->waiting));
}

/* Most were expanded just before, with another sink of the run. */
void dep_ways_expand(DepWays *s, ExprSet set)
{
    const DepNamed *named = &s->named[set.id % COUNT_OF(s->named)];
    if (!named->expanded || !is_known(s, named, set))
        expand_set(s, set);
}
