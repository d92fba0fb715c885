/* dependence_ways.c - the ways in which something comes about that depends on a set of decisions.
 *
 * The set is that of a sink: the decisions in its label. Each is negated under those that stand before it, in the order
 * of the relevant slice conditions of `output` (output_order.c): then a run made for such a task has the same decisions
 * before that place, and whatever input is left, one of the tasks is for it. So all ways in which the sink comes about
 * are found, by runs that differ in nothing else.
 *
 * The order of a set begins with that of its last member's label. So sets are expanded along these: where a label
 * grows by one decision at a time, a run costs no more than its decisions. */
#include "explore/dependence.h"

/* ---- sets ---------------------------------------------------------------------------------------------------- */

static uint32_t last_of(const ExprPool *p, ExprSet set)
{
    BitSet none = {0};
    return expr_set_last_without(p, set, &none);
}

/* Called for each decision that is looked at. */
static bool is_over(DepWays *s)
{
    enum { LOOKS_BETWEEN = 1024 };
    if (++s->looked % LOOKS_BETWEEN == 0 && !s->stopped)
        s->stopped = s->is_late(s->clock);
    return s->stopped;
}

/* Sums over the members. */
static void name_set(DepWays *s, ExprSet set, uint64_t *key, uint64_t *name)
{
    *key = *name = 0;
    uint32_t last = set.id ? last_of(s->pool, set) : UINT32_MAX;
    if (last != UINT32_MAX && s->steps.v[last].closed.id == set.id) {
        const DepStep *step = &s->steps.v[last];
        *key = step->label_key + step->key;
        *name = step->label_name + step->name;
        return;
    }
    for (uint32_t i = expr_set_next(s->pool, set, 0); i != UINT32_MAX; i = expr_set_next(s->pool, set, i + 1)) {
        if (is_over(s))
            return;
        *key += s->steps.v[i].key;
        *name += s->steps.v[i].name;
    }
}

static void add_step(DepWays *s, uint64_t identity, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    uint64_t condition = dep_name(s->names, d->holds);
    DepStep step = {.identity = identity, .closed = expr_set_union(s->pool, d->label, expr_set_of(s->pool, k))};
    name_set(s, d->label, &step.label_key, &step.label_name);
    step.key = hash_mix(hash_mix(hash_mix(d->index, condition), step.label_key), s->phase);
    step.name = expr_is_true(d->holds) ? 0 : hash_u64(condition);
    vec_push(&s->steps, step);
}

/* ---- a run ---------------------------------------------------------------------------------------------------- */

static uint64_t identity_of(const VmDecision *d)
{
    uint64_t name = hash_mix(hash_mix(d->index, d->kind), (uint64_t)d->holds.id << 32 | d->label.id);
    return hash_mix(name, (uint64_t)d->count << 32 | d->insn);
}

static void cut_steps(DepWays *s, uint32_t n)
{
    while (s->steps.n > n)
        path_drop(vec_pop(&s->steps).path);
}

uint32_t dep_ways_begin(DepWays *s, const DepRun *run, uint32_t phase)
{
    uint32_t common = 0;
    if (phase != s->phase)
        dep_ways_forget(s);
    s->phase = phase;
    s->run = run;
    while (common < run->n && common < s->steps.n && s->steps.v[common].identity == identity_of(&run->decisions[common]))
        common++;
    cut_steps(s, common);
    for (uint32_t k = common; k < run->n; k++)
        add_step(s, identity_of(&run->decisions[k]), k);
    return common;
}

void dep_ways_forget(DepWays *s)
{
    cut_steps(s, 0);
}

void dep_ways_free(DepWays *s)
{
    cut_steps(s, 0);
    vec_free(&s->steps);
    map_free(&s->expanded);
    vec_free(&s->order);
    vec_free(&s->stack);
    vec_free(&s->waiting);
    bitset_free(&s->placed);
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

/* The label's conditions are those of its last member's label, and of itself, if that is all of it. */
static uint32_t shorter(const DepWays *s, uint32_t k)
{
    ExprSet label = s->run->decisions[k].label;
    uint32_t last = label.id ? last_of(s->pool, label) : UINT32_MAX;
    return last != UINT32_MAX && s->steps.v[last].closed.id == label.id ? last : UINT32_MAX;
}

static Path *list_path(const DepWays *s, ExprSet set)
{
    Path *path = NULL;
    for (uint32_t i = expr_set_next(s->pool, set, 0); i != UINT32_MAX; i = expr_set_next(s->pool, set, i + 1))
        path = path_add(path, s->run->decisions[i].holds);
    return path;
}

static Path *label_path(DepWays *s, uint32_t k)
{
    U32Vec chain = {0};
    for (uint32_t m = k; m != UINT32_MAX && !s->steps.v[m].built; m = shorter(s, m))
        vec_push(&chain, m);
    while (chain.n) {
        uint32_t at = vec_pop(&chain), m = shorter(s, at);
        DepStep *step = &s->steps.v[at];
        step->path = m == UINT32_MAX ? list_path(s, s->run->decisions[at].label)
                                     : path_add(path_hold(s->steps.v[m].path), s->run->decisions[m].holds);
        step->built = true;
    }
    vec_free(&chain);
    return s->steps.v[k].path;
}

/* A way that is told of in an expansion is under what was placed so far; else under its label. */
Path *dep_way_path(DepWays *s, const DepWay *way)
{
    if (way->under.id == s->run->decisions[way->decision].label.id)
        return label_path(s, way->decision);
    for (; s->built < s->order.n; s->built++) {
        uint32_t at = s->order.v[s->built];
        if (!s->built)
            s->path = path_hold(label_path(s, at));
        s->path = path_add(s->path, s->run->decisions[at].holds);
    }
    return s->path;
}

DepWay dep_way_of(const DepWays *s, uint32_t decision)
{
    return (DepWay){decision, s->run->decisions[decision].label, s->steps.v[decision].label_name, false};
}

/* ---- expanding ---------------------------------------------------------------------------------------------------- */

/* Negates `at` under all that was placed before. */
static void place(DepWays *s, uint32_t at, DepWay *way)
{
    way->decision = at;
    s->on_way(s->context, way);
    vec_push(&s->order, at);
    bitset_add(&s->placed, at);
    way->under = expr_set_union(s->pool, way->under, expr_set_of(s->pool, at));
    way->name += s->steps.v[at].name;
}

/* What is left of the set when `first` and its label stand, latest first, each behind what it depends on. */
static void place_rest(DepWays *s, ExprSet set, uint32_t first, DepWay *way)
{
    ExprSet label = s->run->decisions[first].label;
    for (uint32_t i = expr_set_next(s->pool, label, 0); i != UINT32_MAX; i = expr_set_next(s->pool, label, i + 1))
        bitset_add(&s->placed, i);
    vec_clear(&s->stack);
    while (!is_over(s)) {
        ExprSet within = s->stack.n ? s->run->decisions[vec_last(&s->stack)].label : set;
        uint32_t pivot = expr_set_last_without(s->pool, within, &s->placed);
        if (pivot != UINT32_MAX) {
            vec_push(&s->stack, pivot);
        } else if (s->stack.n) {
            place(s, vec_pop(&s->stack), way);
        } else {
            break;
        }
    }
}

/* The label of the last member has been expanded. */
static void expand_beyond_label(DepWays *s, ExprSet set)
{
    uint32_t first = last_of(s->pool, set);
    DepWay way = dep_way_of(s, first);
    way.again = s->again;
    place(s, first, &way);
    if (!s->alone && s->steps.v[first].closed.id != set.id)
        place_rest(s, set, first, &way);
}

static void expand_in_order(DepWays *s, ExprSet set)
{
    DepWay way = {.again = s->again};
    for (uint32_t i = expr_set_next(s->pool, set, 0); i != UINT32_MAX; i = expr_set_next(s->pool, set, i + 1))
        place(s, i, &way);
}

static void expand(DepWays *s, ExprSet set)
{
    s->built = 0;
    vec_clear(&s->order);
    vec_clear(&s->placed);
    (s->in_order ? expand_in_order : expand_beyond_label)(s, set);
    path_drop(s->path);
    s->path = NULL;
}

void dep_ways_expand(DepWays *s, ExprSet set)
{
    uint64_t key, name;
    uint32_t fresh = UINT32_MAX;              /* of those that wait, the first: a set goes with all that it begins with */
    vec_clear(&s->waiting);
    for (; set.id && !s->stopped; set = s->run->decisions[last_of(s->pool, set)].label) {
        name_set(s, set, &key, &name);
        if (fresh == UINT32_MAX && map_get(&s->expanded, key, NULL))
            fresh = s->waiting.n;
        if (fresh != UINT32_MAX && !s->every)
            break;
        map_put(&s->expanded, key, 1);
        vec_push(&s->waiting, set);
    }
    while (s->waiting.n && !s->stopped) {
        s->again = s->waiting.n > fresh;
        expand(s, vec_pop(&s->waiting));
    }
}
