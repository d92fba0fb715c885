/* dependence_relevant.c - the decisions that the alternatives of a decision are tried under.
 *
 *     relevant(k) = {k} and relevant(i) for all i before k that interact with k, or that its label holds
 *
 * Such sets are closed: with i in it, relevant(i) is. So a set that holds i already is not asked about i.
 * Earlier decisions are grouped by item and by beginnings of their iterations, and each group has the
 * union of what is relevant to it: the work for a decision grows with the number of items that interact
 * with its own, not with the number of decisions.
 *
 * Where faults are isolated, checks that passed and assumptions that held tie nothing, and are no
 * partners. */
#include "explore/dependence.h"

enum { LOOK_BACK = 4 };                       /* decisions that are looked at one by one, before groups */

typedef struct Loops { const FlowIteration *v; uint32_t n; } Loops;

static Loops loops_of(const DepRelevant *s, uint32_t k)
{
    uint32_t from = s->steps.v[k].iteration, end = k + 1 < s->steps.n ? s->steps.v[k + 1].iteration : s->iterations.n;
    return (Loops){s->iterations.v + from, end - from};
}

static bool ties_nothing(const DepRelevant *s, const VmDecision *d)
{
    return !s->tied && (d->kind == VM_DECISION_CHECK || d->kind == VM_DECISION_ASSUME);
}

static void unite(DepRelevant *s, ExprSet *to, ExprSet more) { *to = expr_set_union(s->pool, *to, more); }

/* ---- groups -------------------------------------------------------------------------------------------- */

static uint64_t deeper(uint64_t key, uint64_t count) { return hash_mix(key, count + 1); }

static const DepGroup *group_find(const DepRelevant *s, uint64_t key)
{
    uint64_t at;
    return map_get(&s->group_of, key, &at) ? &s->groups.v[at] : NULL;
}

static DepGroup *group_of(DepRelevant *s, uint64_t key)
{
    uint64_t at;
    if (!map_get(&s->group_of, key, &at)) {
        map_put(&s->group_of, key, at = s->groups.n);
        vec_push(&s->groups, (DepGroup){0});
    }
    return &s->groups.v[at];
}

static void group_add(DepRelevant *s, uint32_t item, Loops loops, ExprSet relevant)
{
    uint64_t key = hash_u64(item);
    for (uint32_t i = 0; i <= loops.n; i++) {
        DepGroup *g = group_of(s, key);
        vec_push(&s->undo, (DepUndo){(uint32_t)(g - s->groups.v), *g});
        if (i < loops.n) {
            uint64_t count = loops.v[i].count;
            if (g->all.id && count != g->last) {
                g->astray |= count < g->last;
                g->earlier = g->all;
            }
            g->last = count;
            key = deeper(key, count);
        }
        unite(s, &g->all, relevant);
    }
}

/* What the decisions of a partner that interact with one of these iterations need. */
static void take_partner(DepRelevant *s, const DepPair *pair, Loops loops, ExprSet *found)
{
    uint64_t key = hash_u64(pair->item), every = ((uint64_t)2 << pair->loops) - 1;
    const DepGroup *g = group_find(s, key);
    if (!g)
        return;
    if (pair->ways == every) {
        unite(s, found, g->all);
        return;
    }
    for (uint32_t way = 0; g && way <= pair->loops; way++) {
        bool interact = pair->ways >> way & 1;
        if (way == pair->loops) {
            if (interact)
                unite(s, found, g->all);
            break;
        }
        if (interact)
            unite(s, found, g->last == loops.v[way].count && !g->astray ? g->earlier : g->all);
        g = group_find(s, key = deeper(key, loops.v[way].count));
    }
}

/* ---- one decision -------------------------------------------------------------------------------------- */

static const DepPair *pair_of(const DepItem *it, uint32_t item)
{
    for (uint32_t i = 0; i < it->partners.n; i++)
        if (it->partners.v[i].item == item)
            return &it->partners.v[i];
    return NULL;
}

static bool interact(const DepRelevant *s, const DepPair *pair, uint32_t i, uint32_t k)
{
    Loops a = loops_of(s, i), b = loops_of(s, k);
    uint32_t way = 0;
    while (way < pair->loops && a.v[way].count == b.v[way].count)
        way++;
    return pair->ways >> way & 1;
}

static ExprSet take_interacting(DepRelevant *s, const DepRun *run, uint32_t k)
{
    const DepItem *it = dep_partners(s->items, run->items[k]);
    ExprSet found = s->always;
    for (uint32_t i = k; i-- > 0 && k - i <= LOOK_BACK;) {
        const DepPair *pair = ties_nothing(s, &run->decisions[i]) || expr_set_has(s->pool, found, i) ? NULL : pair_of(it, run->items[i]);
        if (pair && interact(s, pair, i, k))
            unite(s, &found, run->relevant[i]);
    }
    for (uint32_t p = 0; p < it->partners.n && found.id != s->everything.id; p++)
        take_partner(s, &it->partners.v[p], loops_of(s, k), &found);
    return found;
}

static void take_label(DepRelevant *s, const DepRun *run, VmLabel label, ExprSet *found)
{
    if (s->unlabelled || expr_set_subset(s->pool, label, *found))
        return;
    for (uint32_t i = expr_set_next(s->pool, label, 0); i != UINT32_MAX; i = expr_set_next(s->pool, label, i + 1))
        if (!expr_set_has(s->pool, *found, i))
            unite(s, found, run->relevant[i]);
}

/* ---- runs that share a beginning ----------------------------------------------------------------------- */

void dep_relevant_forget(DepRelevant *s)
{
    s->everything = s->always = EXPR_SET_EMPTY;
    vec_clear(&s->steps);
    vec_clear(&s->undo);
    vec_clear(&s->iterations);
    vec_clear(&s->groups);
    map_clear(&s->group_of);
}

/* The execution index tells place and iterations. */
static uint64_t decision_name(const VmDecision *d)
{
    uint64_t name = hash_mix(hash_mix(d->index, d->path), (uint64_t)d->holds.id << 32 | d->label.id);
    return hash_mix(name, (uint64_t)d->kind << 32 | d->insn);
}

/* How things stood before decision k of the last run. */
static void go_back(DepRelevant *s, uint32_t k)
{
    const DepStep *to = &s->steps.v[k];
    while (s->undo.n > to->undo) {
        DepUndo u = vec_pop(&s->undo);
        s->groups.v[u.group] = u.was;
    }
    s->everything = to->everything;
    s->always = to->always;
    s->iterations.n = to->iteration;
    s->steps.n = k;
}

static uint32_t go_back_to_common(DepRelevant *s, DepRun *run)
{
    uint32_t k = 0;
    for (; k < run->n && k < s->steps.n && s->steps.v[k].name == decision_name(&run->decisions[k]); k++) {
        run->items[k] = s->steps.v[k].item;
        run->needed[k] = s->steps.v[k].needed;
        run->relevant[k] = s->steps.v[k].relevant;
    }
    if (k < s->steps.n)
        go_back(s, k);
    return k;
}

/* ---- a run --------------------------------------------------------------------------------------------- */

static void find_relevant(DepRelevant *s, DepRun *run, uint32_t k, bool any)
{
    const VmDecision *d = &run->decisions[k];
    uint32_t item = run->items[k];
    if (!any && !s->items->items.v[item].keep) {       /* it ties nothing, and is tried under its label
                                                          alone */
        run->needed[k] = d->label;
        run->relevant[k] = expr_set_union(s->pool, d->label, expr_set_of(s->pool, k));
        return;
    }
    ExprSet found = any ? s->everything : take_interacting(s, run, k);
    take_label(s, run, d->label, &found);
    run->needed[k] = found;
    run->relevant[k] = expr_set_union(s->pool, found, expr_set_of(s->pool, k));
    if (ties_nothing(s, d))
        return;
    unite(s, &s->everything, run->relevant[k]);
    if (any)
        unite(s, &s->always, run->relevant[k]);
    else
        group_add(s, item, loops_of(s, k), run->relevant[k]);
}

uint32_t dep_relevant(DepRelevant *s, DepRun *run, uint32_t phase)
{
    FlowIterationVec loops = {0};
    if (s->phase != phase)
        dep_relevant_forget(s);
    s->phase = phase;
    uint32_t common = go_back_to_common(s, run);
    for (uint32_t k = common; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        uint32_t item = run->items[k] = dep_item(s->items, d, run->loops, &loops);
        vec_push(&s->steps, (DepStep){.name = decision_name(d), .item = item, .everything = s->everything, .always = s->always,
                                      .iteration = s->iterations.n, .undo = s->undo.n});
        for (uint32_t i = 0; i < loops.n; i++)
            vec_push(&s->iterations, loops.v[i]);
        find_relevant(s, run, k, item == FLOW_ITEM_ANY && !(s->items->off & EXPLORE_OFF_INTERACTION));
        s->steps.v[k].needed = run->needed[k];
        s->steps.v[k].relevant = run->relevant[k];
    }
    vec_free(&loops);
    return common;
}

void dep_relevant_free(DepRelevant *s)
{
    vec_free(&s->steps);
    vec_free(&s->undo);
    vec_free(&s->iterations);
    vec_free(&s->groups);
    map_free(&s->group_of);
}
