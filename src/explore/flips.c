/* flips.c - the flips of a sink: each decision of its label, negated under those before it.
 *
 * The order is that of the relevant slice conditions of `output` (peso_order.c). So a run made for a flip has
 * the same decisions before the negated one, and every input that is left belongs to one of the flips: they
 * find all outcomes of the sink, by runs that differ in nothing else.
 *
 * The order of a set begins with that of its last member's label. So sets are expanded along these: where a
 * label grows by one decision at a time, a run costs no more than its decisions. */
#include "explore/flips.h"

/* ---- sets ------------------------------------------------------------------------------------ */

/* Called for each decision that is visited, and for each flip that is reported. */
static bool is_over(Flips *s)
{
    enum { VISITS_BETWEEN = 1024 };
    if (++s->visited % VISITS_BETWEEN == 0 && !s->stopped)
        s->stopped = s->is_late(s->clock);
    return s->stopped;
}

static bool is_known(const Flips *s, const SetSums *n, ExprSet set)
{
    return n->set.id == set.id && n->last < s->steps.n && s->steps.v[n->last].serial == n->serial;
}

/* Sums over the members. They are the same while the last of them is, since then so are those before it. Cut
 * short if it is over: then nothing further is reported, and the sums are not used. */
static void sum_up(Flips *s, ExprSet set, SetSums *sums)
{
    uint32_t last = sets_last_beyond(s->sets, set.id, 0);
    const FlipStep *steps = s->steps.v, *step = &steps[last];
    *sums = (SetSums){.set = set, .last = last, .serial = step->serial};
    if (step->closed.id == set.id) {
        sums->key = step->label_key + step->key;
        sums->name = step->label_name + step->name;
        return;
    }
    uint64_t bits, key = 0, name = 0;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            const FlipStep *member = &steps[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
            key += member->key;
            name += member->name;
        }
    sums->key = key;
    sums->name = name;
}

static inline SetSums *name_set(Flips *s, ExprSet set)
{
    SetSums *n = &s->named[set.id % COUNT_OF(s->named)];
    if (!is_known(s, n, set))
        sum_up(s, set, n);
    return n;
}

static ExprSet single(Flips *s, uint32_t k)
{
    while (s->singles.n <= k)
        vec_push(&s->singles, expr_set_of(s->pool, s->singles.n));
    return s->singles.v[k];
}

/* Of conditions that are not true: the last step before that has it. */
static uint32_t note_condition(Flips *s, Expr condition, uint32_t k)
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

static ExprSet fixed_by_members(Flips *s, ExprSet set)
{
    ExprSet fixed = EXPR_SET_EMPTY;
    uint64_t bits;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            const FlipStep *member = &s->steps.v[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
            fixed = expr_set_union(s->pool, fixed, fixed_by(s->pool, member->condition));
        }
    return fixed;
}

/* By a label that is the closed set of the step `shorter`, which was searched; or by another. */
static ExprSet fixed_beyond(Flips *s, VmLabel label, uint32_t shorter)
{
    if (shorter == UINT32_MAX)
        return fixed_by_members(s, label);
    const FlipStep *last = &s->steps.v[shorter];
    return expr_set_union(s->pool, last->fixed, fixed_by(s->pool, last->condition));
}

/* Labels that grow by one decision at a time are searched once, as those of paths are listed: label_path. */
static ExprSet fixed_by_label(Flips *s, VmLabel label, uint32_t shorter)
{
    vec_clear(&s->stack);
    for (uint32_t m = shorter; m != UINT32_MAX && !s->steps.v[m].searched; m = s->steps.v[m].shorter)
        vec_push(&s->stack, m);
    while (s->stack.n) {
        FlipStep *step = &s->steps.v[vec_pop(&s->stack)];
        step->fixed = fixed_beyond(s, step->label, step->shorter);
        step->searched = true;
    }
    return fixed_beyond(s, label, shorter);
}

/* All that the condition speaks of has the value that it has in this run, whenever the label's decisions go
 * as they did here. A pointer into one of two texts, by a byte that was compared before, is asked about for
 * each byte of the text. */
static bool is_implied(Flips *s, const VmDecision *d, uint32_t shorter)
{
    return d->entailed && !expr_is_true(d->holds) && d->label.id &&
           expr_set_subset(s->pool, expr_symbols(s->pool, d->holds), fixed_by_label(s, d->label, shorter));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void add_step(Flips *s, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    static const SetSums none;
    const SetSums *label = d->label.id ? name_set(s, d->label) : &none;
    uint32_t shorter =
        d->label.id && s->steps.v[label->last].closed.id == d->label.id ? label->last : UINT32_MAX;
    bool implied = is_implied(s, d, shorter), open = d->count && !implied;
    Expr holds = implied ? EXPR_TRUE : d->holds;
    uint64_t condition = fingerprint_of(s->names, holds);
    uint64_t key = hash_mix(hash_mix(d->index + s->phase, condition), label->key);
    bool symbolic = !expr_is_true(holds);
    ExprSet closed = {sets_union(s->sets, d->label.id, single(s, k).id)};
    s->steps.v[k] = (FlipStep){.index = d->index,
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
    if (open || shorter == UINT32_MAX) /* the flips of these will be looked up, if the decision is a sink */
        marks_prefetch(&s->expanded, open ? label->key + key : label->key);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool is_same(const FlipStep *step, const VmDecision *d)
{
    return step->index == d->index && step->holds.id == d->holds.id && step->label.id == d->label.id &&
           step->kind == d->kind && step->count == d->count && step->insn == d->insn;
}

static void cut_steps(Flips *s, uint32_t n)
{
    while (s->steps.n > n) {
        FlipStep step = vec_pop(&s->steps);
        if (!expr_is_true(step.condition))
            s->latest.v[step.condition.id] = step.same;
        path_drop(step.path);
        path_drop(step.node);
    }
}

/* What add_step will look up. */
static void prefetch_step(Flips *s, uint32_t k)
{
    const VmDecision *d = &s->run->decisions[k];
    __builtin_prefetch(&s->named[d->label.id % COUNT_OF(s->named)]);
    __builtin_prefetch(sets_memo(s->sets, d->label.id, single(s, k).id));
}

uint32_t flips_begin(Flips *s, const StoredRun *run, uint32_t phase)
{
    enum { AHEAD = 3 };
    uint32_t common = 0;
    if (phase != s->phase)
        flips_forget(s);
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

void flips_forget(Flips *s)
{
    cut_steps(s, 0);
    vec_clear(&s->latest);
    vec_clear(&s->singles);
}

size_t flips_bytes(const Flips *s)
{
    return marks_bytes(&s->expanded) + s->steps.cap * sizeof *s->steps.v +
           s->latest.cap * sizeof *s->latest.v + s->places.cap * sizeof *s->places.v;
}

void flips_free(Flips *s)
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
    vec_free(&s->rest);
    vec_free(&s->waiting);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Lists that begin alike share their nodes. Cut short if it is over: then it is not used. */
static Path *list_path(Flips *s, ExprSet set)
{
    Path *path = NULL;
    uint64_t bits;
    for (uint32_t chunk = 0;
         (chunk = sets_next_chunk(s->sets, set.id, chunk, &bits)) != UINT32_MAX && !is_over(s); chunk++)
        for (; bits; bits &= bits - 1) {
            FlipStep *step = &s->steps.v[chunk << 6 | (uint32_t)__builtin_ctzll(bits)];
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
static Path *label_path(Flips *s, uint32_t k)
{
    vec_clear(&s->stack);
    for (uint32_t m = k; m != UINT32_MAX && !s->steps.v[m].built; m = s->steps.v[m].shorter)
        vec_push(&s->stack, m);
    while (s->stack.n) {
        FlipStep *step = &s->steps.v[vec_pop(&s->stack)];
        const FlipStep *last = step->shorter == UINT32_MAX ? NULL : &s->steps.v[step->shorter];
        step->path = last ? path_add(path_hold(last->path), last->condition) : list_path(s, step->label);
        step->built = true;
    }
    return s->steps.v[k].path;
}

/* A flip that is reported in an expansion is under what was placed before it, which may be its label; else it
 * is under that. */
Path *flip_path(Flips *s, const Flip *flip)
{
    if (flip->key == s->steps.v[flip->decision].label_key)
        return label_path(s, flip->decision);
    for (; s->built < s->current; s->built++) {
        uint32_t at = s->order.v[s->built].decision;
        if (!s->built)
            s->path = path_hold(label_path(s, at));
        s->path = path_add(s->path, s->steps.v[at].condition);
    }
    return s->path;
}

static bool stands_before(const Flips *s, uint32_t decision, uint32_t nth)
{
    uint32_t place = s->places.v[decision];
    return place < nth && s->order.v[place].decision == decision;
}

bool flip_keeps(const Flips *s, const Flip *flip, uint32_t decision)
{
    return stands_before(s, decision, flip->nth) || sets_has(s->sets, flip->label.id, decision);
}

bool flip_keeps_all(Flips *s, const Flip *flip, ExprSet decisions)
{
    if (!flip->nth || sets_subset(s->sets, decisions.id, flip->label.id))
        return sets_subset(s->sets, decisions.id, flip->label.id);
    uint32_t k = 0;
    for (; (k = sets_next(s->sets, decisions.id, k)) != UINT32_MAX && flip_keeps(s, flip, k); s->scanned++)
        k++;
    return k == UINT32_MAX;
}

bool flip_has(const Flips *s, const Flip *flip, uint32_t latest)
{
    enum { LOOKED_AT = 64 };
    uint32_t looked = 0;
    for (uint32_t i = latest; i != UINT32_MAX && looked < LOOKED_AT; i = s->steps.v[i].same, looked++)
        if (flip_keeps(s, flip, i))
            return true;
    return false;
}

Flip flip_of(const Flips *s, uint32_t decision)
{
    const FlipStep *step = &s->steps.v[decision];
    return (Flip){decision, step->label, 0, step->label_name, step->label_key};
}

/* ---- expanding ------------------------------------------------------------------------------- */

/* `at` is to be negated under all that was placed before. */
static void place(Flips *s, uint32_t at, Flip *flip)
{
    const FlipStep *step = &s->steps.v[at];
    flip->decision = at;
    flip->nth = s->order.n;
    s->places.v[at] = s->order.n;
    vec_push(&s->order, *flip);
    flip->name += step->name;
    flip->key += step->key;
}

static void note_placed(Flips *s, ExprSet label)
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

/* What is left of the set when its last member and the label of that are placed. */
static void place_rest(Flips *s, const SetWaiting *all, Flip *flip)
{
    note_placed(s, flip->label);
    bitset_add(&s->placed, all->last);
    vec_clear(&s->rest);
    peso_order_beyond(s->pool, all->set, s->run->decisions, &s->placed, &s->rest);
    for (uint32_t i = 0; i < s->rest.n && !is_over(s); i++)
        place(s, s->rest.v[i], flip);
}

/* The label of the last member has been expanded. */
static void place_beyond_label(Flips *s, const SetWaiting *all)
{
    Flip flip = flip_of(s, all->last);
    place(s, all->last, &flip);
    if (!s->alone && s->steps.v[all->last].closed.id != all->set.id)
        place_rest(s, all, &flip);
}

static void place_in_order(Flips *s, const SetWaiting *all)
{
    Flip flip = {0};
    for (uint32_t i = 0; (i = expr_set_next(s->pool, all->set, i)) != UINT32_MAX; i++)
        place(s, i, &flip);
}

static void expand(Flips *s, SetWaiting all)
{
    vec_clear(&s->order);
    (s->in_order ? place_in_order : place_beyond_label)(s, &all);
    s->path = NULL;
    s->built = 0;
    for (s->current = 0; s->current < s->order.n && !is_over(s); s->current++)
        s->on_flip(s->context, &s->order.v[s->current]);
    path_drop(s->path);
    s->path = NULL;
}

static void expand_set(Flips *s, ExprSet set)
{
    vec_clear(&s->waiting);
    while (set.id && !s->stopped) {
        SetSums *named = name_set(s, set);
        const FlipStep *last = &s->steps.v[named->last];
        if (named->expanded)
            break;
        if (last->closed.id == set.id && last->solid.id != set.id) { /* all flips are those of its label */
            set = last->solid;
            continue;
        }
        named->expanded = true;
        if (marks_set(&s->expanded, named->key, 1, 1))
            break;
        vec_push(&s->waiting, (SetWaiting){set, named->last});
        set = last->label;
    }
    while (s->waiting.n && !s->stopped)
        expand(s, vec_pop(&s->waiting));
}

/* Most were expanded just before, with another sink of the run. */
void flips_expand(Flips *s, ExprSet set)
{
    const SetSums *named = &s->named[set.id % COUNT_OF(s->named)];
    if (!named->expanded || !is_known(s, named, set))
        expand_set(s, set);
}
