/* core.c - why nothing gets there: of all that would have to hold, conditions that contradict each other.
 *
 * The way to a target through the last segment is a list of conditions, each with its place. They contradict
 * each other, or the invariant or the constants of the loop that the segment starts from. Else the
 * contradiction is further up: between what has to hold where the first loop is met, and the way from the
 * entry to it. Of each list, conditions are left out one by one while the rest still contradicts itself. */
#include "backward/backward_int.h"

enum { CLAUSES_MOST = 96, QUERIES = 200 }; /* of one list; to simplify a condition that is shown */

/* A condition as it is shown, and over the state at which all of a list are asked. */
typedef struct Clause {
    BackwardClause shown;
    Expr asked;
} Clause;
typedef Vec(Clause) Clauses;

static uint32_t head_site(const Backward *bw, uint32_t cut)
{
    const IrBlock *b =
        &bw->program->fns.v[bw->instances.v[bw->cuts.v[cut].instance].fn].blocks.v[bw->cuts.v[cut].block];
    return b->insns.v[b->insns.n - 1].site;
}

static void add(Clauses *list, Expr shown, Expr asked, uint32_t site, const char *what)
{
    if (list->n < CLAUSES_MOST && !expr_is_true(asked))
        vec_push(list, (Clause){{shown, site, what}, asked});
}

/* Without the clauses whose bits are set. */
static bool contradicts(Backward *bw, const Clauses *list, const BitSet *out)
{
    ExprVec rest = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (!bitset_has(out, i))
            vec_push(&rest, list->v[i].asked);
    bool unsat = bw_check(bw, rest.v, rest.n, NULL) == SOLVER_UNSAT;
    vec_free(&rest);
    return unsat;
}

/* Everything that it speaks of has a name. */
static bool has_names(Backward *bw, Expr e)
{
    ExprSet s = expr_symbols(bw->pool, e);
    uint32_t instance, reg;
    for (uint32_t at = expr_set_next(bw->pool, s, 0); at != UINT32_MAX;
         at = expr_set_next(bw->pool, s, at + 1))
        if (bw_symbol_reg(bw, expr_symbol_of(bw->pool, at), &instance, &reg) &&
            !bw->program->fns.v[bw->instances.v[instance].fn].regs.v[reg].name)
            return false;
    return true;
}

/* The list as long as it has to be, the last clauses first; false if it contradicts nothing, or cannot be
 * shown. */
static bool minimize(Backward *bw, Clauses *list, BackwardAnswer *answer)
{
    BitSet out = {0};
    bool found = list->n && contradicts(bw, list, &out), named = true;
    for (uint32_t i = 0; i < list->n && found && !bw_out_of_time(bw); i++) {
        bitset_add(&out, i);
        if (!contradicts(bw, list, &out))
            bitset_remove(&out, i);
    }
    for (uint32_t i = 0; i < list->n && found; i++)
        named &= bitset_has(&out, i) || has_names(bw, list->v[i].shown.condition);
    for (uint32_t pass = 0; pass < 2 && found && named;
         pass++) /* what is said of a loop, then the way, from its start on */
        for (uint32_t i = list->n; i-- > 0;)
            if (!bitset_has(&out, i) && (list->v[i].shown.what == NULL) == pass)
                vec_push(&answer->core, list->v[i].shown);
    bitset_free(&out);
    return found && named;
}

/* Invariants and constants first: they are left out if the rest does without. */
static void add_loop(Backward *bw, uint32_t cut, Clauses *list)
{
    ExprVec parts = {0};
    uint32_t cursor = 0, site = head_site(bw, cut);
    uint64_t key, id;
    expr_split(bw->pool, bw->cuts.v[cut].invariant, &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        add(list, parts.v[i], parts.v[i], site, "invariant of this loop: ");
    while (map_next(&bw->cuts.v[cut].registers, &cursor, &key, &id)) {
        Expr same =
            expr_eq(bw->pool, bw_reg_symbol(bw, (uint32_t)(key >> 32), (uint32_t)key), (Expr){(uint32_t)id});
        add(list, same, same, site, "invariant of this loop: ");
    }
    vec_free(&parts);
}

static bool in_last_segment(Backward *bw, uint32_t segment, BackwardAnswer *answer)
{
    Clauses list = {0};
    const BwSegment *s = &bw->segments.v[segment];
    if (s->cut != IR_NONE && s->way.n)
        add_loop(bw, s->cut, &list);
    for (uint32_t i = 0; i < s->way.n; i++)
        add(&list, s->way.v[i].condition, s->way.v[i].condition, s->way.v[i].site, NULL);
    bool found = s->way.n && minimize(bw, &list, answer);
    vec_free(&list);
    return found;
}

/* The way from the entry to the end, by the branches on it if that is known. */
static void add_lead(Backward *bw, const BwEnd *end, Clauses *list)
{
    const BackwardClauses *lead = &bw->segments.v[bw->start].lead;
    ExprVec parts = {0};
    Expr all = EXPR_TRUE;
    for (uint32_t i = lead->n; i-- > 0;)
        all = expr_and(bw->pool, all, lead->v[i].condition);
    if (!expr_same(all, end->guard))
        expr_split(bw->pool, end->guard, &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        add(list, parts.v[i], parts.v[i], end->site, NULL);
    for (uint32_t i = 0; i < lead->n && !parts.n; i++)
        add(list, lead->v[i].condition, lead->v[i].condition, lead->v[i].site, NULL);
    vec_free(&parts);
}

/* What has to hold at a loop that the entry leads to, moved up to the entry. */
static bool before_first_loop(Backward *bw, const BwEnd *end, BackwardAnswer *answer)
{
    Clauses list = {0};
    ExprVec parts = {0};
    if (end->kind != BW_END_CUT || expr_is_false(bw->cuts.v[end->cut].condition))
        return false;
    expr_split(bw->pool,
               bw_simplified(bw, bw->cuts.v[end->cut].condition, bw->cuts.v[end->cut].invariant, QUERIES),
               &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        add(&list, parts.v[i], bw_substitute(bw, bw->start, end, parts.v[i]), head_site(bw, end->cut),
            "needed where this loop is entered: ");
    add_lead(bw, end, &list);
    bool found = minimize(bw, &list, answer);
    vec_free(&list);
    vec_free(&parts);
    return found;
}

void bw_find_core(Backward *bw, BackwardAnswer *answer)
{
    bool found = false;
    for (uint32_t s = 0; s < bw->segments.n && !found && !bw_out_of_time(bw); s++)
        found = in_last_segment(bw, s, answer);
    for (uint32_t i = 0;
         bw->start != IR_NONE && i < bw->segments.v[bw->start].ends.n && !found && !bw_out_of_time(bw); i++) {
        BwEnd end = bw->segments.v[bw->start].ends.v[i];
        found = before_first_loop(bw, &end, answer);
    }
}
