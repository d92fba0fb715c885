/* require.c - the condition under which code fails.
 *
 * Two conditions are kept apart for each check: it fails at most when `most` holds, and at least when `least`
 * does. What the evaluation does not know (memory that was havocked, results of functions that are not
 * modelled, addresses as numbers) are symbols in both; `most` holds if some value of theirs leads to the
 * fault, `least` if every value does. At the heads of loops `most` is a fixpoint, or nothing is known;
 * `least` is sound after any number of iterations, since it grows from below. Where both are equivalent the
 * answer is exact. */
#include "backward/backward_int.h"

enum {
    ROUNDS = 4,          /* of a fixpoint, before something else is tried */
    GENERALISATIONS = 3, /* of all loops: one may depend on another's */
    QUERIES_AT_LOOPS = 100,
    QUERIES = 1000
}; /* for one simplification */

/* ---- at the entry ---------------------------------------------------------------------------- */

static Expr resolved_bad(Backward *bw, char kind, Expr address, Expr bytes)
{
    Expr c, x, y;
    if (kind == 'd')
        return EXPR_FALSE;
    if (bw_address_split(bw, address, &c, &x, &y))
        return expr_ite(bw->pool, c, resolved_bad(bw, kind, x, bytes), resolved_bad(bw, kind, y, bytes));
    if (expr_is_const(bw->pool, address))
        return kind == 'n'   ? EXPR_TRUE
               : kind == 'f' ? expr_ne(bw->pool, address, bw_const(bw, 0))
                             : EXPR_TRUE;
    Expr e = bw_entry_bad(bw, kind, address, bytes);
    if (!expr_is_none(e))
        return e;
    bw_reason(bw, IR_NONE, "an address of which it is not known where it leads");
    return bw_fresh(bw, 1, "address");
}

/* Checks and aliasing that were left open until the pointers are those that the entry is given. */
static Expr entry_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Backward *bw = context;
    unsigned bytes;
    bool aligned;
    (void)old;
    if (bw_is_pending(bw, e) && !bw_is_load(bw, e, &bytes, &aligned) && !bw_is_strlen(bw, e))
        return resolved_bad(bw, expr_fn_name(bw->pool, expr_apply_fn(bw->pool, e))[4], children[0],
                            children[1]);
    if (expr_op(bw->pool, e) == EXPR_EQ && expr_width(bw->pool, expr_child(bw->pool, e, 0)) == 64) {
        Expr equal = bw_entry_equal(bw, expr_child(bw->pool, e, 0), expr_child(bw->pool, e, 1));
        return expr_is_none(equal) ? e : equal;
    }
    return e;
}

/* ---- simplification -------------------------------------------------------------------------- */

static bool refutes(void *context, const Expr *conditions, uint32_t n)
{
    return bw_check(context, conditions, n, NULL) == SOLVER_UNSAT;
}

Expr bw_simplified(Backward *bw, Expr e, Expr context, uint32_t queries)
{
    SolverSimplify options = {.unsat = refutes,
                              .context = bw,
                              .queries = queries,
                              .deadline = bw->deadline,
                              .stop = bw->options.stop,
                              .common = expr_symbols(bw->pool, bw->m)};
    return solver_simplify(bw->pool, e, context, &options);
}

/* ---- two directions -------------------------------------------------------------------------- */

Expr bw_directed(Backward *bw, Expr e, bool least)
{
    if (least && !(bw->options.rules_off & BACKWARD_OFF_DIRECTION))
        return expr_not(bw->pool, bw_project(bw, expr_not(bw->pool, e)));
    return bw_project(bw, e);
}

static Expr at_entry(Backward *bw, const BitSet *which, bool least)
{
    return bw_directed(bw, bw_rewrite(bw, bw_before(bw, bw->start, which), entry_hook, bw), least);
}

/* One round over all cuts; those whose conditions became weaker are put into `changed`. */
static void round_of(Backward *bw, const BitSet *which, bool least, BitSet *changed)
{
    for (uint32_t c = bw->cuts.n; c-- > 0 && !bw_out_of_time(bw);) {
        if (!bw->cuts.v[c].arrived || bw->cuts.v[c].segment == IR_NONE)
            continue;
        Expr old = bw->cuts.v[c].condition, now = bw_before(bw, bw->cuts.v[c].segment, which);
        if (least)
            now = bw_directed(bw, now, true);
        if (expr_is_true(old) || expr_is_false(now) ||
            bw_unsat(bw, bw->cuts.v[c].invariant, now, expr_not(bw->pool, old)))
            continue;
        Expr next = expr_or(bw->pool, old, bw_directed(bw, now, least));
        bw->cuts.v[c].condition = bw_simplified(bw, next, bw->cuts.v[c].invariant, QUERIES_AT_LOOPS);
        bitset_add(changed, c);
    }
}

/* Rounds until nothing changes; true if that was so. `rounds`: of them. */
static bool rounds_of(Backward *bw, const BitSet *which, bool least, uint32_t rounds, BitSet *changed)
{
    for (uint32_t i = 0; i < rounds && !bw_out_of_time(bw); i++) {
        bitset_free(changed);
        round_of(bw, which, least, changed);
        if (!bitset_count(changed))
            return !bw_out_of_time(bw);
    }
    return false;
}

static void clear_conditions(Backward *bw)
{
    for (uint32_t c = 0; c < bw->cuts.n; c++)
        bw->cuts.v[c].condition = EXPR_FALSE;
}

/* Conditions for any number of iterations where they keep growing; true if there was one that changes
 * something. */
static bool generalise(Backward *bw, const BitSet *which, bool least, const BitSet *changed)
{
    bool any = false;
    for (uint32_t c = 0; c < bw->cuts.n && !bw_out_of_time(bw); c++) {
        Expr g = bitset_has(changed, c) ? bw_generalise(bw, c, which, least) : EXPR_NONE;
        if (expr_is_none(g))
            continue;
        if (least && bw_unsat(bw, bw->cuts.v[c].invariant, g, expr_not(bw->pool, bw->cuts.v[c].condition)))
            continue;
        g = least ? expr_or(bw->pool, bw->cuts.v[c].condition, g) : g;
        bw->cuts.v[c].condition = bw_simplified(bw, g, bw->cuts.v[c].invariant, QUERIES_AT_LOOPS);
        any = true;
    }
    return any;
}

/* Is there a fixpoint with such conditions? */
static bool any_number(Backward *bw, const BitSet *which, bool least, BitSet *changed)
{
    bool stable = false;
    for (unsigned i = 0; i < GENERALISATIONS && !stable && generalise(bw, which, least, changed); i++)
        stable = rounds_of(bw, which, least, ROUNDS, changed);
    return stable;
}

static Expr least_of(Backward *bw, const BitSet *which)
{
    BitSet changed = {0};
    clear_conditions(bw);
    if (!rounds_of(bw, which, true, ROUNDS, &changed))
        any_number(bw, which, true, &changed);
    bitset_free(&changed);
    return at_entry(bw, which, true);
}

static void note_growing(Backward *bw, uint32_t cut)
{
    const BwInstance *in = &bw->instances.v[bw->cuts.v[cut].instance];
    const IrBlock *b = &bw->program->fns.v[in->fn].blocks.v[bw->cuts.v[cut].block];
    bw_reason(bw, b->insns.v[b->insns.n - 1].site, "the condition of this loop grows with its iterations");
}

/* Where the conditions of loops keep growing nothing is known of these loops. */
static bool give_up(Backward *bw, const BitSet *which, BitSet *changed)
{
    bool stable = false;
    for (uint32_t i = 0; !stable && i < bw->cuts.n + 1 && !bw_out_of_time(bw); i++) {
        for (uint32_t c = 0; c < bw->cuts.n; c++)
            if (bitset_has(changed, c)) {
                bw->cuts.v[c].condition = EXPR_TRUE;
                note_growing(bw, c);
            }
        stable = rounds_of(bw, which, false, 1, changed);
    }
    return stable;
}

static Expr most_of(Backward *bw, const BitSet *which)
{
    BitSet changed = {0};
    clear_conditions(bw);
    bool stable = rounds_of(bw, which, false, ROUNDS, &changed);
    stable = stable || any_number(bw, which, false, &changed);
    if (!stable && !bw->invariants_known) {
        bw_invariants(bw);
        clear_conditions(bw);
        stable = rounds_of(bw, which, false, ROUNDS, &changed) || any_number(bw, which, false, &changed);
    }
    stable = stable || give_up(bw, which, &changed);
    bitset_free(&changed);
    return stable ? at_entry(bw, which, false) : EXPR_TRUE;
}

/* ---- all checks ------------------------------------------------------------------------------ */

static void add_failure(Backward *bw, uint32_t target, BackwardRequirement *out)
{
    const BwTarget t = bw->targets.v[target];
    BackwardFailure f = {.fault = t.fault, .escape = t.escape, .fn = t.fn, .site = t.site};
    BitSet which = {0};
    bitset_add(&which, target);
    f.most = most_of(bw, &which);
    f.least = t.escape ? EXPR_FALSE : least_of(bw, &which);
    f.least = bw_simplified(bw, f.least, EXPR_TRUE, QUERIES);
    if (bw_unsat(bw, f.most, EXPR_TRUE, EXPR_TRUE))
        f.most = f.least = EXPR_FALSE;
    if (bw_unsat(bw, f.most, expr_not(bw->pool, f.least), EXPR_TRUE))
        f.most = f.least;
    else
        f.most = bw_simplified(bw, f.most, EXPR_TRUE, QUERIES);
    if (!expr_is_false(f.most))
        vec_push(&out->failures, f);
    out->most = expr_or(bw->pool, out->most, f.most);
    out->least = expr_or(bw->pool, out->least, f.least);
    bitset_free(&which);
}

static bool same_line(const Backward *bw, const BackwardFailure *a, const BackwardFailure *b)
{
    const IrProgram *p = bw->program;
    if (a->fault != b->fault || a->fault == VM_FAULT_NULL_DEREF || a->escape || b->escape ||
        a->site >= p->sites.n || b->site >= p->sites.n)
        return false;
    return p->sites.v[a->site].file == p->sites.v[b->site].file &&
           p->sites.v[a->site].line == p->sites.v[b->site].line;
}

/* The same fault of one line, in two expressions of it, is one failure where that is hardly longer than one
 * of them: p[i] | p[i + 1] << 8. Which pointer is null is always said apart. */
static void merge_failures(Backward *bw, BackwardRequirement *out)
{
    enum { LONGER = 4 };
    ExprPool *p = bw->pool;
    for (uint32_t i = 0; i < out->failures.n; i++)
        for (uint32_t k = i + 1; k < out->failures.n && !bw_out_of_time(bw);) {
            BackwardFailure *a = &out->failures.v[i], *b = &out->failures.v[k];
            bool exact = expr_same(a->most, a->least) && expr_same(b->most, b->least);
            Expr both = exact && same_line(bw, a, b)
                            ? bw_simplified(bw, expr_or(p, a->most, b->most), EXPR_TRUE, QUERIES)
                            : EXPR_NONE;
            uint32_t one = expr_size(p, a->most), other = expr_size(p, b->most);
            if (expr_is_none(both) || expr_size(p, both) > (one > other ? one : other) + LONGER) {
                k++;
                continue;
            }
            a->most = a->least = both;
            out->failures.n--;
            memmove(b, b + 1, (out->failures.n - k) * sizeof *b);
        }
}

static void sort_failures(const Backward *bw, BackwardRequirement *out)
{
    for (uint32_t i = 1; i < out->failures.n; i++)
        for (uint32_t k = i; k && expr_size(bw->pool, out->failures.v[k].most) <
                                      expr_size(bw->pool, out->failures.v[k - 1].most);
             k--) {
            BackwardFailure f = out->failures.v[k];
            out->failures.v[k] = out->failures.v[k - 1];
            out->failures.v[k - 1] = f;
        }
}

/* What an earlier line covers need not be excluded again. */
static void shorten_failures(Backward *bw, BackwardRequirement *out)
{
    Expr none = EXPR_TRUE;
    for (uint32_t i = 0; i < out->failures.n && !bw_out_of_time(bw); i++) {
        BackwardFailure *f = &out->failures.v[i];
        Expr covered = f->least, least = bw_simplified(bw, f->least, none, QUERIES);
        Expr most = expr_same(f->most, f->least) ? least : bw_simplified(bw, f->most, none, QUERIES);
        if (!expr_is_false(most)) { /* a fault that others are met before, or that another choice of inputs
                                       leads to, stays */
            f->most = most;
            f->least = least;
        }
        none = expr_and(bw->pool, none, expr_not(bw->pool, covered));
    }
}

void backward_require(Backward *bw, BackwardRequirement *out)
{
    double begun = clock_seconds();
    uint64_t steps = bw->steps;
    *out = (BackwardRequirement){.most = EXPR_FALSE, .least = EXPR_FALSE};
    bw->require = true;
    bw->deadline = bw->options.max_seconds > 0 ? begun + bw->options.max_seconds : 0;
    bw_build_faults(bw);
    for (uint32_t i = 0; i < bw->targets.n && bw->built; i++)
        add_failure(bw, i, out);
    if (!bw->built)
        out->most = EXPR_TRUE;
    out->exact = bw_unsat(bw, out->most, expr_not(bw->pool, out->least), EXPR_TRUE);
    merge_failures(bw, out);
    sort_failures(bw, out);
    shorten_failures(bw, out);
    for (uint32_t i = 0; i < bw->needs.n; i++)
        vec_push(&out->needs, bw->needs.v[i]);
    out->segments = (uint32_t)(bw->steps - steps);
    out->seconds = clock_seconds() - begun;
}

void backward_requirement_free(BackwardRequirement *r)
{
    vec_free(&r->failures);
    vec_free(&r->needs);
}
