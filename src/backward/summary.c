/* summary.c - functions that call themselves.
 *
 * All activations of such a function are one instance, with a cut point at its entry. A call leads there,
 * with its arguments, so that what is reached inside is found as in a loop. The caller goes on as well, with
 * results and written memory unknown but for what the summary says: a relation between parameters and results
 * (and globals before and after), which holds whenever an activation returns. It is shown by induction over
 * the depth: each way to return establishes it, if the calls on that way, which have returned, obey it.
 * Houdini looks for it together with the invariants.
 *
 * Whether it returns at all, and how deep it goes, is not asked: where an overflow of the stack counts as a
 * fault no summary is used. */
#include "backward/eval.h"

enum { GLOBALS_MOST = 4, RESULTS_MOST = 4, PARAMS_MOST = 8, LITERALS_MOST = 6 };

/* ---- which functions ------------------------------------------------------------------------- */

/* Locals in memory would be many under one name. */
static bool has_locals(const IrFn *f)
{
    for (uint32_t i = 0; i < f->nparams; i++)
        if (ir_param(f, i).kind == IR_PARAM_BYVAL || ir_param(f, i).kind == IR_PARAM_SRET)
            return true;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++)
            if (f->blocks.v[b].insns.v[i].op == IR_ALLOCA || f->blocks.v[b].insns.v[i].op == IR_SETJMP)
                return true;
    return f->variadic;
}

/* Does it call itself, and has nothing that is active between two activations of it locals in memory? */
static bool can_summarise(Backward *bw, uint32_t fn)
{
    const IrFn *f = &bw->program->fns.v[fn];
    bool ok = flow_is_recursive(bw->flow, fn) && fn != bw->entry && !f->runtime &&
              f->results.n <= RESULTS_MOST && f->nparams <= PARAMS_MOST;
    for (uint32_t i = 0; i < bw->program->fns.n && ok; i++)
        ok = !flow_call_each_other(bw->flow, fn, i) || !has_locals(&bw->program->fns.v[i]);
    return ok;
}

static Expr symbol(Backward *bw, const char *what, uint32_t fn, uint32_t i, unsigned width)
{
    char key[64];
    snprintf(key, sizeof key, "%s:%u:%u", what, fn, i);
    return expr_object_symbol(bw->pool,
                              expr_object_scalar(bw->pool, key, key, width, (ExprCType){EXPR_C_INT, 0}));
}

/* Globals of a word that it may write. */
static void find_globals(Backward *bw, BwSummary *s)
{
    FlowPlaces places = flow_fn_writes(bw->flow, s->fn);
    for (uint32_t i = 0; i < bw->program->globals.n && s->globals.n < GLOBALS_MOST; i++) {
        const IrGlobal *g = &bw->program->globals.v[i];
        uint32_t object = flow_object_of_global(bw->flow, i);
        bool written = false;
        for (uint32_t k = 0; k < places.n; k++)
            written |= places.v[k].param == IR_NONE && places.v[k].object == object;
        if (!written || g->runtime || (g->size != 4 && g->size != 8))
            continue;
        unsigned width = 8 * (unsigned)g->size;
        vec_push(&s->globals, (BwGlobalPair){bw_base(bw, bw_object(bw, BW_GLOBAL, i, 0)),
                                             symbol(bw, "before", s->fn, i, width),
                                             symbol(bw, "after", s->fn, i, width), (unsigned)g->size});
    }
}

uint32_t bw_summary_of(Backward *bw, uint32_t fn)
{
    uint64_t known;
    if (map_get(&bw->summary_ids, fn, &known))
        return (uint32_t)known;
    if (bw->faults || !can_summarise(bw, fn)) {
        map_put(&bw->summary_ids, fn, IR_NONE);
        return IR_NONE;
    }
    BwSummary s = {.fn = fn, .instance = bw->instances.n, .known = EXPR_TRUE};
    const IrFn *f = &bw->program->fns.v[fn];
    vec_push(&bw->instances, (BwInstance){.fn = fn, .parent = IR_NONE, .summary = bw->summaries.n});
    for (uint32_t i = 0; i < f->results.n; i++)
        vec_push(&s.results, symbol(bw, "result", fn, i, f->results.v[i]));
    find_globals(bw, &s);
    vec_push(&bw->summaries, s);
    map_put(&bw->summary_ids, fn, bw->summaries.n - 1);
    return bw->summaries.n - 1;
}

void bw_summaries_clear(Backward *bw)
{
    for (uint32_t i = 0; i < bw->summaries.n; i++) {
        vec_free(&bw->summaries.v[i].globals);
        vec_free(&bw->summaries.v[i].results);
    }
    vec_clear(&bw->summaries);
    map_clear(&bw->summary_ids);
}

/* ---- calls ----------------------------------------------------------------------------------- */

State bw_summary_call(Eval *ev, const Call *c, State s, uint32_t summary)
{
    Backward *bw = ev->bw;
    const IrFn *f = &bw->program->fns.v[c->fn];
    const BwSummary sum = bw->summaries.v[summary];
    Expr *regs = arena_alloc(bw->arena, (f->regs.n + 1) * sizeof *regs);
    Expr *values =
             arena_alloc(bw->arena, (f->nparams + f->results.n + 2 * sum.globals.n + 1) * sizeof *values),
         *at = values;
    for (uint32_t i = 0; i < f->nparams; i++)
        *at++ = regs[i] = bw_argument(ev, c, i, f->regs.v[i].width);
    if (!(bw->options.rules_off & BACKWARD_OFF_ESCAPES))
        bw_end_entry(ev, sum.instance, s, regs);
    Expr *results = at;
    at += f->results.n;
    for (uint32_t i = 0; i < sum.globals.n; i++)
        at[2 * i] = bw_mem_read(bw, s.mem, sum.globals.v[i].address, sum.globals.v[i].bytes, true);
    s.mem = bw_mem_havoc(ev, s.mem, bw_written(ev, c));
    for (uint32_t i = 0; i < sum.globals.n; i++) {
        at[2 * i + 1] = bw_fresh(bw, 8 * sum.globals.v[i].bytes, "written");
        s.mem = bw_mem_store(ev, s.mem, sum.globals.v[i].address, at[2 * i + 1], true);
    }
    bw_set_result(ev, c, EXPR_NONE);
    for (uint32_t i = 0; i < f->results.n; i++) {
        Expr r = i < c->list.ndst ? c->f->regs[c->list.dst[i]] : EXPR_NONE;
        results[i] = !expr_is_none(r) && expr_width(bw->pool, r) == f->results.v[i]
                         ? r
                         : bw_fresh(bw, f->results.v[i], "result");
    }
    vec_push(&bw->segments.v[ev->segment].uses, (BwUse){bw_guard_all(ev, s.guard), summary, values});
    return s;
}

/* What is known of a call that has returned. */
static Expr use_says(Backward *bw, const BwUse *u)
{
    const BwSummary *s = &bw->summaries.v[u->summary];
    const IrFn *f = &bw->program->fns.v[s->fn];
    if (expr_is_true(s->known))
        return EXPR_TRUE;
    ExprSubst *names = expr_subst_new(bw->pool);
    const Expr *at = u->values;
    for (uint32_t i = 0; i < f->nparams; i++)
        expr_subst_add(names, bw_reg_symbol(bw, s->instance, i), *at++);
    for (uint32_t i = 0; i < f->results.n; i++)
        expr_subst_add(names, s->results.v[i], *at++);
    for (uint32_t i = 0; i < s->globals.n; i++) {
        expr_subst_add(names, s->globals.v[i].before, *at++);
        expr_subst_add(names, s->globals.v[i].after, *at++);
    }
    Expr e = expr_subst_apply(names, s->known);
    expr_subst_free(names);
    return expr_implies(bw->pool, u->guard, e);
}

Expr bw_end_guard(Backward *bw, uint32_t segment, const BwEnd *end)
{
    Expr all = end->guard;
    for (uint32_t i = 0; i < end->nuses; i++)
        all = expr_and(bw->pool, all, use_says(bw, &bw->segments.v[segment].uses.v[i]));
    return all;
}

/* ---- candidates ------------------------------------------------------------------------------ */

Expr bw_summary_after(Backward *bw, uint32_t segment, const BwEnd *end, Expr candidate)
{
    const BwSummary *s = &bw->summaries.v[end->summary];
    uint32_t cut = bw->segments.v[segment].cut;
    bool entered = cut != IR_NONE && bw->cuts.v[cut].instance == s->instance && bw->cuts.v[cut].block == 0;
    ExprSubst *names = expr_subst_new(bw->pool);
    for (uint32_t i = 0; i < s->results.n; i++)
        expr_subst_add(names, s->results.v[i], end->results[i]);
    for (uint32_t i = 0; i < s->globals.n; i++) { /* behind a loop it is not known what was there before it */
        BwGlobalPair g = s->globals.v[i];
        Expr before =
            entered ? bw_start_read(bw, cut, g.address, g.bytes, true) : bw_fresh(bw, 8 * g.bytes, "before");
        expr_subst_add(names, g.before, before);
        expr_subst_add(names, g.after, bw_mem_read(bw, end->mem, g.address, g.bytes, true));
    }
    Expr e = expr_subst_apply(names, candidate);
    expr_subst_free(names);
    return e;
}

typedef struct Proposing {
    Backward *bw;
    ExprVec conditions; /* under which a candidate may hold; the first is true */
    void (*propose)(void *context, Expr candidate);
    void *context;
} Proposing;

static void propose(const Proposing *g, Expr e)
{
    for (uint32_t i = 0; i < g->conditions.n; i++)
        g->propose(g->context, expr_implies(g->bw->pool, g->conditions.v[i], e));
}

/* Conditions over the parameters on the ways to return, and their negations; what is returned there, written
 * over parameters. */
static void look_at_returns(Proposing *g, uint32_t summary, ExprVec *values)
{
    Backward *bw = g->bw;
    ExprPool *p = bw->pool;
    const BwSummary *s = &bw->summaries.v[summary];
    ExprSet params = EXPR_SET_EMPTY;
    for (uint32_t i = 0; i < bw->program->fns.v[s->fn].nparams; i++)
        params = expr_set_union(p, params, expr_symbols(p, bw_reg_symbol(bw, s->instance, i)));
    for (uint32_t n = 0; n < bw->segments.n; n++)
        for (uint32_t i = 0; i < bw->segments.v[n].ends.n; i++) {
            const BwEnd *end = &bw->segments.v[n].ends.v[i];
            ExprVec literals = {0};
            U32Vec cone = {0};
            if (end->kind != BW_END_RETURN || end->summary != summary)
                continue;
            expr_cone(p, end->results, s->results.n,
                      &cone); /* where ways to return were merged they are conditions of ite */
            for (uint32_t k = 0; k < cone.n; k++)
                if (expr_op(p, (Expr){cone.v[k]}) == EXPR_ITE)
                    vec_push(&literals, expr_child(p, (Expr){cone.v[k]}, 0));
            expr_split(p, end->guard, &literals);
            for (uint32_t k = 0; k < literals.n && g->conditions.n < 2 * LITERALS_MOST; k++)
                if (expr_is_symbolic(p, literals.v[k]) &&
                    expr_set_subset(p, expr_symbols(p, literals.v[k]), params)) {
                    vec_push(&g->conditions, literals.v[k]);
                    vec_push(&g->conditions, expr_not(p, literals.v[k]));
                }
            for (uint32_t k = 0; k < cone.n && values->n < 16; k++)
                if (expr_width(p, (Expr){cone.v[k]}) >= 8 &&
                    expr_set_subset(p, expr_symbols(p, (Expr){cone.v[k]}), params))
                    vec_push(values, (Expr){cone.v[k]});
            vec_free(&literals);
            vec_free(&cone);
        }
}

static void propose_pair(const Proposing *g, Expr y, Expr x)
{
    ExprPool *p = g->bw->pool;
    if (expr_width(p, x) != expr_width(p, y))
        return;
    propose(g, expr_eq(p, y, x));
    propose(g, expr_sle(p, y, x));
    propose(g, expr_sle(p, x, y));
    propose(g, expr_slt(p, x, y));
}

static void propose_sums(const Proposing *g, Expr y, const ExprVec *in)
{
    ExprPool *p = g->bw->pool;
    unsigned w = expr_width(p, y);
    for (uint32_t i = 0; i < in->n; i++)
        for (uint32_t k = 0; k < in->n; k++) {
            if (expr_width(p, in->v[i]) != w || expr_width(p, in->v[k]) != w)
                continue;
            if (k < i)
                propose(g, expr_eq(p, y, expr_add(p, in->v[i], in->v[k])));
            if (k != i)
                propose(g, expr_eq(p, y, expr_sub(p, in->v[i], in->v[k])));
        }
}

void bw_summary_propose(Backward *bw, uint32_t summary, const ExprVec *constants,
                        void (*add)(void *context, Expr candidate), void *context)
{
    ExprPool *p = bw->pool;
    const BwSummary *s = &bw->summaries.v[summary];
    Proposing g = {.bw = bw, .propose = add, .context = context};
    ExprVec in = {0}, out = {0}, values = {0};
    vec_push(&g.conditions, EXPR_TRUE);
    look_at_returns(&g, summary, &values);
    for (uint32_t i = 0; i < bw->program->fns.v[s->fn].nparams; i++)
        vec_push(&in, bw_reg_symbol(bw, s->instance, i));
    for (uint32_t i = 0; i < s->results.n; i++)
        vec_push(&out, s->results.v[i]);
    for (uint32_t i = 0; i < s->globals.n; i++) {
        vec_push(&in, s->globals.v[i].before);
        vec_push(&out, s->globals.v[i].after);
    }
    for (uint32_t o = 0; o < out.n; o++) {
        unsigned w = expr_width(p, out.v[o]);
        for (uint32_t i = 0; i < in.n; i++)
            propose_pair(&g, out.v[o], in.v[i]);
        for (uint32_t i = 0; i < values.n; i++)
            propose_pair(&g, out.v[o], values.v[i]);
        for (uint32_t i = 0; i < constants->n; i++)
            propose_pair(&g, out.v[o],
                         expr_const(p, w,
                                    (u128)bits_signed(expr_const_value(p, constants->v[i]),
                                                      expr_width(p, constants->v[i]))));
        for (unsigned k = 0; k < 2; k++) {
            propose_pair(&g, out.v[o], expr_const(p, w, k));
            propose(&g, expr_eq(p, expr_and(p, out.v[o], expr_const(p, w, 1)), expr_const(p, w, k)));
        }
        propose_sums(&g, out.v[o], &in);
        for (uint32_t i = 0; i < in.n; i++)
            if (expr_width(p, in.v[i]) == w)
                propose(&g, expr_eq(p, out.v[o], expr_and(p, in.v[i], expr_const(p, w, 1))));
    }
    vec_free(&g.conditions);
    vec_free(&in);
    vec_free(&out);
    vec_free(&values);
}
