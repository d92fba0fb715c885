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

static uint32_t last_of(const ExprPool *p, ExprSet set) { return expr_set_last_beyond(p, set, EXPR_SET_EMPTY); }

/* Called for each decision that is looked at. */
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

/* Sums over the members. They are the same while the last of them is, since then so are those before it. */
static DepNamed name_set(DepWays *s, ExprSet set)
{
    DepNamed *n = &s->named[set.id % COUNT_OF(s->named)];
    if (is_known(s, n, set))
        return *n;
    uint32_t last = last_of(s->pool, set);
    const DepStep *step = &s->steps.v[last];
    DepNamed sums = {.set = set, .last = last, .serial = step->serial};
    if (step->closed.id == set.id) {
        sums.key = step->label_key + step->key;
        sums.name = step->label_name + step->name;
        return *n = sums;
    }
    for (uint32_t i = expr_set_next(s->pool, set, 0); i != UINT32_MAX && !is_over(s); i = expr_set_next(s->pool, set, i + 1)) {
        sums.key += s->steps.v[i].key;
        sums.name += s->steps.v[i].name;
    }
    return *n = sums;
}

static ExprSet single(DepWays *s, uint32_t k)
{
    while (s->singles.n <= k)
        vec_push(&s->singles, expr_set_of(s->pool, s->singles.n));
    return s->singles.v[k];
}

/* Of a set that ends with a decision without alternatives, behind its label and nothing else, all ways are those of the
 * label. */
static ExprSet solid(const DepWays *s, ExprSet set, uint32_t last)
{
    return s->steps.v[last].closed.id == set.id ? s->steps.v[last].solid : set;
}

static void add_step(DepWays *s, uint64_t identity, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    uint64_t condition = dep_name(s->names, d->holds);
    DepNamed label = d->label.id ? name_set(s, d->label) : (DepNamed){0};
    DepStep step = {.identity = identity, .serial = ++s->serial, .closed = expr_set_union(s->pool, d->label, single(s, k)),
                    .label_key = label.key, .label_name = label.name, .same = UINT32_MAX};
    step.solid = d->count ? step.closed : d->label.id ? solid(s, d->label, label.last) : EXPR_SET_EMPTY;
    step.key = hash_mix(hash_mix(hash_mix(d->index, condition), step.label_key), s->phase);
    if (!expr_is_true(d->holds)) {
        step.name = hash_u64(condition);
        step.same = (uint32_t)map_get_or(&s->latest, d->holds.id, UINT32_MAX);
        step.holds = d->holds;
        map_put(&s->latest, d->holds.id, k);
    }
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
    while (s->steps.n > n) {
        DepStep step = vec_pop(&s->steps);
        if (!expr_is_none(step.holds))
            map_put(&s->latest, step.holds.id, step.same);
        path_drop(step.path);
    }
}

uint32_t dep_ways_begin(DepWays *s, const DepRun *run, uint32_t phase)
{
    uint32_t common = 0;
    if (phase != s->phase)
        dep_ways_forget(s);
    s->phase = phase;
    s->run = run;
    s->nodes = 0;
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
    map_clear(&s->latest);
    vec_clear(&s->singles);
}

void dep_ways_free(DepWays *s)
{
    cut_steps(s, 0);
    vec_free(&s->steps);
    vec_free(&s->singles);
    map_free(&s->latest);
    map_free(&s->expanded);
    vec_free(&s->order);
    vec_free(&s->stack);
    vec_free(&s->waiting);
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

/* The label's conditions are those of its last member's label, and of itself, if that is all of it. */
static uint32_t shorter(const DepWays *s, uint32_t k)
{
    ExprSet label = s->run->decisions[k].label;
    uint32_t last = label.id ? last_of(s->pool, label) : UINT32_MAX;
    return last != UINT32_MAX && s->steps.v[last].closed.id == label.id ? last : UINT32_MAX;
}

/* Cut short if it is over: then nobody is to use it. */
static Path *list_path(DepWays *s, ExprSet set)
{
    Path *path = NULL;
    for (uint32_t i = expr_set_next(s->pool, set, 0); i != UINT32_MAX && !is_over(s); i = expr_set_next(s->pool, set, i + 1)) {
        path = path_add(path, s->run->decisions[i].holds);
        s->nodes++;
    }
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
    way->under = expr_set_union(s->pool, way->under, single(s, at));
    way->name += s->steps.v[at].name;
}

/* What is left of the set when its last member and the label of that stand, latest first, each behind what it depends on. */
static void place_rest(DepWays *s, ExprSet set, DepWay *way)
{
    vec_clear(&s->stack);
    while (!is_over(s)) {
        ExprSet within = s->stack.n ? s->run->decisions[vec_last(&s->stack)].label : set;
        uint32_t pivot = expr_set_last_beyond(s->pool, within, way->under);
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
    DepWay way = dep_way_of(s, last_of(s->pool, set));
    way.again = s->again;
    if (s->alone || s->steps.v[way.decision].closed.id == set.id) {
        s->on_way(s->context, &way);
        return;
    }
    place(s, way.decision, &way);
    place_rest(s, set, &way);
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
    (s->in_order ? expand_in_order : expand_beyond_label)(s, set);
    path_drop(s->path);
    s->path = NULL;
}

void dep_ways_expand(DepWays *s, ExprSet set)
{
    uint32_t fresh = UINT32_MAX;              /* of those that wait, the first: a set goes with all that it begins with */
    vec_clear(&s->waiting);
    while (set.id && !s->stopped) {
        DepNamed named = name_set(s, set);
        ExprSet wanted = solid(s, set, named.last);
        if (wanted.id != set.id) {
            set = wanted;
            continue;
        }
        if (fresh == UINT32_MAX && map_get(&s->expanded, named.key, NULL))
            fresh = s->waiting.n;
        if (fresh != UINT32_MAX && !s->every)
            break;
        map_put(&s->expanded, named.key, 1);
        vec_push(&s->waiting, set);
        set = s->run->decisions[named.last].label;
    }
    while (s->waiting.n && !s->stopped) {
        s->again = s->waiting.n > fresh;
        expand(s, vec_pop(&s->waiting));
    }
}
