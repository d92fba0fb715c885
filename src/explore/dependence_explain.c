/* dependence_explain.c - alternatives that got no run, and what makes a run for them needless. */
#include "explore/dependence.h"

enum {
    PRUNED_MOST = 1 << 20,                    /* alternatives that are explained */
    TEXT_MOST = 120                           /* characters of a condition there */
};

uint64_t dep_alternative(DepExplain *s, uint64_t from, uint64_t index, Expr condition)
{
    return hash_mix(hash_mix(dep_name(s->names, condition), index), from);
}

void dep_tell(DepExplain *s, uint64_t alternative, DepTelling what)
{
    DepTelling before = (DepTelling)map_get_or(&s->told, alternative, TELL_NOTHING);
    bool room = s->npruned < PRUNED_MOST || before != TELL_NOTHING;    /* what is told of stays true beyond the bound */
    if (room && before < what)
        map_put(&s->told, alternative, what);
}

/* A decision before k that could have gone another way, and that is not among those that k is tried under: its site,
 * and how often the run had come there then. */
static uint32_t site_apart(const ExprPool *pool, const DepRun *run, uint32_t k, ExprSet under, uint32_t *time)
{
    uint32_t i = k;
    while (i-- > 0)
        if (run->decisions[i].count && run->decisions[i].kind != VM_DECISION_CHECK && !expr_set_has(pool, under, i))
            break;
    *time = 0;
    for (uint32_t m = 0; i < k && m <= i; m++)
        *time += run->decisions[m].site == run->decisions[i].site && run->decisions[m].kind == run->decisions[i].kind;
    return i < k ? run->decisions[i].site : IR_NONE;
}

void dep_tell_pruned(DepExplain *s, ExprPool *pool, const DepRun *run, uint32_t k, Expr condition, const ExprSet *under,
                     uint64_t covers)
{
    if (!s->on)
        return;
    uint64_t alternative = dep_alternative(s, run->number, run->decisions[k].index, condition);
    if (map_get(&s->told, alternative, NULL))
        return;
    dep_tell(s, alternative, TELL_PRUNED);
    if (s->npruned++ >= PRUNED_MOST)
        return;
    Str text = {0};
    if (!s->texts)
        s->texts = arena_new();
    expr_print_c(pool, condition, TEXT_MOST, &text);
    ExplorePruned is = {.run = run->number,
                        .site = run->decisions[k].site,
                        .condition = arena_strdup(s->texts, str_text(&text)),
                        .sink = under,
                        .apart = IR_NONE};
    if (under)
        is.apart = site_apart(pool, run, k, *under, &is.time);
    vec_push(&s->pruned, (DepPruned){is, alternative, covers});
    str_free(&text);
}

void dep_tell_all_run(DepExplain *s)
{
    dep_explain_free(s);
    s->npruned = 0;
}

/* Without those that got a run after all, and those that no input takes. */
ExplorePrunedList dep_explained(DepExplain *s, const DepFiled *filed, const Map *sides)
{
    vec_clear(&s->explained);
    for (uint32_t i = 0; i < s->pruned.n; i++) {
        const DepPruned *p = &s->pruned.v[i];
        ExplorePruned is = p->is;
        is.by = is.sink ? dep_filed_by(filed, p->covers) : map_get_or(sides, p->covers, 0);
        if (map_get_or(&s->told, p->alternative, TELL_NOTHING) != TELL_RUN && (is.by || !is.sink))
            vec_push(&s->explained, is);
    }
    return (ExplorePrunedList){s->explained.v, s->explained.n, s->npruned - (s->pruned.n - s->explained.n)};
}

size_t dep_explain_bytes(const DepExplain *s)
{
    return dep_map_bytes(&s->told) + s->pruned.cap * sizeof *s->pruned.v + (s->texts ? arena_bytes(s->texts) : 0);
}

void dep_explain_free(DepExplain *s)
{
    vec_free(&s->pruned);
    vec_free(&s->explained);
    map_free(&s->told);
    arena_free(s->texts);
    s->texts = NULL;
}
