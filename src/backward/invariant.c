/* invariant.c - what holds at the heads of loops whenever a run comes there.
 *
 * Candidates come from templates over the variables of a cut point (registers that change, cells of memory at
 * constant addresses) and from affine relations between their steps. Houdini keeps the greatest set of them
 * that holds when a loop is entered and is kept by every segment: a model of a violated obligation drops all
 * candidates that it violates. */
#include "backward/backward_int.h"

enum {
    VARIABLES = 14,
    CONSTANTS = 16,
    CANDIDATES = 2000,
    EVERY = 1500,
    MODELS = 400,
    STORES = 8,
    GUARDS = 24,
    LINEAR = 8,
    DECISIONS = 3
};

typedef struct Head {
    ExprVec variables, constants, candidates;
    Vec(bool) live;
    U32Vec patterns; /* by candidate: of which elements it speaks (every.c), IR_NONE: of none */
} Head;

typedef struct Houdini {
    Backward *bw;
    Head *heads;     /* by cut */
    Head *summaries; /* of functions that call themselves */
    bool late;       /* time was up before everything was looked at: nothing is known of any candidate */
} Houdini;

/* ---- variables ------------------------------------------------------------------------------- */

static bool listed(const ExprVec *v, Expr e)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (expr_same(v->v[i], e))
            return true;
    return false;
}

static void add_variable(Backward *bw, Head *h, Expr e)
{
    if (h->variables.n < VARIABLES && expr_width(bw->pool, e) >= 8 && expr_width(bw->pool, e) <= 64 &&
        !listed(&h->variables, e))
        vec_push(&h->variables, e);
}

static void add_constant(Head *h, Expr e)
{
    if (h->constants.n < CONSTANTS && !listed(&h->constants, e))
        vec_push(&h->constants, e);
}

static bool is_comparison(ExprOp op) { return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_SLT; }

/* Registers, loads at constant addresses and constants of comparisons in an expression over the state at the
 * cut. When time is up nothing is found, and no invariant is kept. */
static void look(Backward *bw, Head *h, Expr e)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    uint32_t instance, reg;
    unsigned bytes;
    bool aligned;
    Expr base;
    if (bw_out_of_time(bw))
        return;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr x = {cone.v[i]};
        if (bw_symbol_reg(bw, x, &instance, &reg) || bw_is_offset(bw, x, &instance, &reg, &base) ||
            (bw->require && map_get(&bw->entry_types, x.id, NULL)) || map_get(&bw->size_objects, x.id, NULL))
            add_variable(bw, h, x);
        else if (bw_is_load(bw, x, &bytes, &aligned) && expr_is_const(p, expr_child(p, x, 0)) &&
                 expr_same(expr_child(p, x, 1), bw->m))
            add_variable(bw, h, x);
        if (is_comparison(expr_op(p, x)))
            for (uint32_t k = 0; k < 2; k++)
                if (expr_is_const(p, expr_child(p, x, k)) && !bw_is_address(bw, expr_child(p, x, k)) &&
                    expr_width(p, expr_child(p, x, k)) >= 8)
                    add_constant(h, expr_child(p, x, k));
    }
    vec_free(&cone);
}

/* Phis of the block; parameters where all activations of a function begin. */
static void phis_of(Backward *bw, uint32_t cut, Head *h)
{
    const BwInstance *in = &bw->instances.v[bw->cuts.v[cut].instance];
    for (uint32_t i = 0;
         in->summary != IR_NONE && !bw->cuts.v[cut].block && i < bw->program->fns.v[in->fn].nparams; i++)
        if (!map_get(&bw->cuts.v[cut].registers, (uint64_t)bw->cuts.v[cut].instance << 32 | i, NULL))
            add_variable(bw, h, bw_reg_symbol(bw, bw->cuts.v[cut].instance, i));
    const IrFn *fn = &bw->program->fns.v[in->fn];
    const IrBlock *b = &fn->blocks.v[bw->cuts.v[cut].block];
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI; i++) {
        Expr varies;
        bw_cut_register(bw, cut, bw->cuts.v[cut].instance, b->insns.v[i].dst, &varies);
        if (!expr_is_none(varies))
            add_variable(bw, h, varies);
    }
}

/* ---- where a loop is entered ----------------------------------------------------------------- */

/* Constants that variables have there, or that they were compared with before. */
static void constants_at(Backward *bw, uint32_t segment, const BwEnd *end, Head *h)
{
    Head other = {0};
    for (uint32_t v = 0; v < h->variables.n; v++) {
        Expr e = bw_substitute(bw, segment, end, h->variables.v[v]);
        if (expr_is_const(bw->pool, e) && !bw_is_address(bw, e))
            add_constant(h, e);
    }
    look(bw, &other, end->guard);
    for (uint32_t i = 0; i < other.constants.n; i++)
        add_constant(h, other.constants.v[i]);
    vec_free(&other.variables);
    vec_free(&other.constants);
}

static void propose(Head *h, Expr e);

/* An expression over the start of a segment, as one over variables at its end, if their values are in it. */
typedef struct Inverse {
    ExprSubst *names;
    ExprSet state;
} Inverse;

static Inverse inverse_of(Backward *bw, uint32_t segment, const BwEnd *end, const Head *h, uint32_t without)
{
    Inverse inv = {.names = expr_subst_new(bw->pool)};
    for (uint32_t k = 0; k < h->variables.n; k++) {
        Expr other = bw_substitute(bw, segment, end, h->variables.v[k]);
        inv.state = expr_set_union(bw->pool, inv.state, expr_symbols(bw->pool, h->variables.v[k]));
        if (k != without && expr_is_symbolic(bw->pool, other))
            expr_subst_add(inv.names, other, h->variables.v[k]);
    }
    return inv;
}

/* Does it name an object that may be made several times in a run? */
static bool names_passing(Backward *bw, Expr e)
{
    U32Vec cone = {0};
    bool found = false;
    expr_cone(bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && !found; i++)
        found = bw_is_address(bw, (Expr){cone.v[i]}) && !bw_is_lasting(bw, (Expr){cone.v[i]});
    vec_free(&cone);
    return found;
}

static Expr inverted(Backward *bw, const Inverse *inv, Expr e)
{
    if (expr_size(bw->pool, e) > 60 || names_passing(bw, e))
        return EXPR_NONE;
    e = expr_subst_apply(inv->names, e);
    return expr_set_subset(bw->pool, expr_symbols(bw->pool, e), inv->state) ? e : EXPR_NONE;
}

/* What a variable was computed from may still be in others: then the relation may last. */
static void relations_at(Backward *bw, uint32_t segment, const BwEnd *end, Head *h)
{
    for (uint32_t v = 0; v < h->variables.n; v++) {
        Inverse inv = inverse_of(bw, segment, end, h, v);
        Expr e = bw_substitute(bw, segment, end, h->variables.v[v]);
        e = expr_is_symbolic(bw->pool, e) ? inverted(bw, &inv, e) : EXPR_NONE;
        if (!expr_is_none(e))
            propose(h, expr_eq(bw->pool, h->variables.v[v], e));
        expr_subst_free(inv.names);
    }
}

/* What was stored last before a loop may stay there. */
static void stores_at(Backward *bw, uint32_t segment, const BwEnd *end, Head *h)
{
    Inverse inv = inverse_of(bw, segment, end, h, UINT32_MAX);
    uint32_t mem = end->mem;
    for (uint32_t i = 0;
         i < STORES && (bw->mems.v[mem].kind == BW_MEM_STORE || bw->mems.v[mem].kind == BW_MEM_DEAD);
         mem = bw->mems.v[mem].below) {
        BwMemNode s = bw->mems.v[mem];
        if (s.kind != BW_MEM_STORE)
            continue;
        i++;
        Expr address = inverted(bw, &inv, s.a), value = inverted(bw, &inv, s.b);
        if (!expr_is_none(address) && !expr_is_none(value))
            propose(h, expr_eq(bw->pool, bw_load(bw, address, s.bytes, s.aligned, bw->m), value));
    }
    expr_subst_free(inv.names);
}

/* Registers of the frames at an end, by what they are there: the first of several. `leaves`: only those
 * that are inputs, say, and not computed from them. */
static ExprSubst *registers_at(Backward *bw, const BwEnd *end, bool leaves, ExprSet *state)
{
    ExprSubst *names = expr_subst_new(bw->pool);
    Map seen = {0};
    for (uint32_t i = 0; i < end->nframes; i++)
        for (uint32_t r = 0; r < end->frames[i].n; r++) {
            Expr value = end->frames[i].regs[r];
            if (expr_is_none(value) || !expr_is_symbolic(bw->pool, value) || expr_width(bw->pool, value) < 8)
                continue;
            Expr name = bw_reg_symbol(bw, end->frames[i].instance, r);
            bool leaf = expr_op(bw->pool, value) == EXPR_SYMBOL || expr_op(bw->pool, value) == EXPR_APPLY;
            *state = expr_set_union(bw->pool, *state, expr_symbols(bw->pool, name));
            if (!expr_same(name, value) && (leaf || !leaves) && map_add(&seen, value.id, 1))
                expr_subst_add(names, value, name);
        }
    map_free(&seen);
    return names;
}

static void guard_at(Backward *bw, const BwEnd *end, bool leaves, Head *h)
{
    ExprSet state = expr_symbols(bw->pool, bw->m);
    ExprSubst *names = registers_at(bw, end, leaves, &state);
    ExprVec literals = {0};
    expr_split(bw->pool, end->guard, &literals);
    for (uint32_t i = 0; i < literals.n && i < GUARDS; i++) {
        if (expr_size(bw->pool, literals.v[i]) > 60 || names_passing(bw, literals.v[i]))
            continue;
        Expr e = expr_subst_apply(names, literals.v[i]);
        if (!expr_set_subset(bw->pool, expr_symbols(bw->pool, e), state))
            continue;
        propose(h, e);
        look(bw, h, e);
    }
    vec_free(&literals);
    expr_subst_free(names);
}

/* What had to hold on the way, written over registers that are still there: a bound that was checked before
 * the loop, the exit condition of the loop before. */
static void guards_at(Backward *bw, uint32_t segment, const BwEnd *end, Head *h)
{
    (void)segment;
    guard_at(bw, end, false, h);
    guard_at(bw, end, true, h);
}

/* Of all ends that lead to the cut. */
static void look_at_ends(Backward *bw, uint32_t cut, Head *h,
                         void (*at)(Backward *, uint32_t, const BwEnd *, Head *))
{
    for (uint32_t s = 0; s < bw->segments.n; s++)
        for (uint32_t i = 0; i < bw->segments.v[s].ends.n && !bw_out_of_time(bw); i++) {
            BwEnd end = bw->segments.v[s].ends.v[i];
            if (end.kind == BW_END_CUT && end.cut == cut)
                at(bw, s, &end, h);
        }
}

/* ---- templates ------------------------------------------------------------------------------- */

static void propose(Head *h, Expr e)
{
    if (h->candidates.n >= CANDIDATES || expr_is_true(e) || expr_is_false(e) || listed(&h->candidates, e))
        return;
    vec_push(&h->candidates, e);
    vec_push(&h->live, true);
    vec_push(&h->patterns, IR_NONE);
}

static void propose_every(void *context, Expr e, uint32_t pattern)
{
    Head *h = context;
    if (h->candidates.n >= CANDIDATES + EVERY || expr_is_true(e) || expr_is_false(e) ||
        listed(&h->candidates, e))
        return;
    vec_push(&h->candidates, e);
    vec_push(&h->live, true);
    vec_push(&h->patterns, pattern);
}

static void propose_order(Backward *bw, Head *h, Expr x, Expr y)
{
    ExprPool *p = bw->pool;
    propose(h, expr_eq(p, x, y));
    propose(h, expr_sle(p, x, y));
    propose(h, expr_sle(p, y, x));
    propose(h, expr_ule(p, x, y));
    propose(h, expr_ule(p, y, x));
    propose(h, expr_slt(p, x, y));
    propose(h, expr_slt(p, y, x));
}

static void propose_constants(Backward *bw, Head *h, Expr x)
{
    ExprPool *p = bw->pool;
    unsigned w = expr_width(p, x);
    uint32_t object = bw_object_of(bw, x);
    if (object != IR_NONE) { /* a pointer: within its object */
        Expr base = bw->objects.v[object].base, size = bw_object_size(bw, object);
        propose(h, expr_ule(p, base, x));
        propose(h, expr_ule(p, x, expr_add(p, base, size)));
    }
    for (uint32_t i = 0; i < h->constants.n; i++) {
        u128 value =
            (u128)bits_signed(expr_const_value(p, h->constants.v[i]), expr_width(p, h->constants.v[i]));
        propose_order(bw, h, x, expr_const(p, w, value));
        propose(h, expr_sle(p, x, expr_const(p, w, value + 1)));
        propose(h, expr_ule(p, x, expr_const(p, w, value - 1)));
    }
    propose(h, expr_sle(p, expr_const(p, w, 0), x));
    for (unsigned m = 2; m <= 4; m *= 2)
        for (unsigned r = 0; r < m; r++)
            propose(h, expr_eq(p, expr_and(p, x, expr_const(p, w, m - 1)), expr_const(p, w, r)));
}

/* Linear relations of two variables with small factors: y == k x, x + y == z. */
static void propose_linear(Backward *bw, Head *h, uint32_t i, uint32_t k)
{
    ExprPool *p = bw->pool;
    Expr x = h->variables.v[i], y = h->variables.v[k];
    unsigned w = expr_width(p, x);
    for (unsigned f = 2; f <= 4; f++) {
        propose(h, expr_eq(p, expr_mul(p, x, expr_const(p, w, f)), y));
        propose(h, expr_eq(p, expr_mul(p, y, expr_const(p, w, f)), x));
    }
    for (uint32_t z = 0; z < h->variables.n && z < LINEAR; z++)
        if (z != i && z != k && expr_width(p, h->variables.v[z]) == w) {
            propose(h, expr_eq(p, expr_add(p, x, y), h->variables.v[z]));
            propose(h, expr_sle(p, expr_add(p, x, y), h->variables.v[z]));
        }
    for (uint32_t c = 0; c < h->constants.n; c++)
        if (expr_width(p, h->constants.v[c]) == w) {
            propose(h, expr_eq(p, expr_add(p, x, y), h->constants.v[c]));
            propose(h, expr_eq(p, expr_sub(p, x, y), h->constants.v[c]));
        }
}

/* What the loop decides by, as far as it is about the state at its head: not where it goes on, but which
 * way. */
static void decisions(Backward *bw, uint32_t cut, const Head *h, ExprVec *out)
{
    ExprSet state = EXPR_SET_EMPTY;
    uint32_t segment = bw->cuts.v[cut].segment;
    U32Vec cone = {0};
    for (uint32_t i = 0; i < h->variables.n; i++)
        state = expr_set_union(bw->pool, state, expr_symbols(bw->pool, h->variables.v[i]));
    for (uint32_t i = 0; i < bw->segments.v[segment].ends.n && out->n < DECISIONS; i++) {
        BwEnd end = bw->segments.v[segment].ends.v[i];
        for (uint32_t v = 0; v < h->variables.n && end.kind == BW_END_CUT && end.cut == cut; v++) {
            Expr after = bw_substitute(bw, segment, &end, h->variables.v[v]);
            expr_cone(bw->pool, &after, 1, &cone);
            for (uint32_t k = 0; k < cone.n && out->n < DECISIONS; k++) {
                Expr c = expr_op(bw->pool, (Expr){cone.v[k]}) == EXPR_ITE
                             ? expr_child(bw->pool, (Expr){cone.v[k]}, 0)
                             : EXPR_TRUE;
                if (expr_is_symbolic(bw->pool, c) && expr_size(bw->pool, c) < 20 &&
                    expr_set_subset(bw->pool, expr_symbols(bw->pool, c), state) && !listed(out, c))
                    vec_push(out, c);
            }
        }
    }
    vec_free(&cone);
}

/* Linear equalities of the variables of one width. */
static void propose_affine(Backward *bw, uint32_t cut, Head *h, unsigned width)
{
    ExprVec same = {0}, found = {0}, ways = {0};
    for (uint32_t i = 0; i < h->variables.n; i++)
        if (expr_width(bw->pool, h->variables.v[i]) == width &&
            bw_object_of(bw, h->variables.v[i]) == IR_NONE)
            vec_push(&same, h->variables.v[i]);
    if (same.n)
        decisions(bw, cut, h, &ways);
    if (same.n)
        bw_affine(bw, cut, same.v, same.n, ways.v, ways.n, &found);
    for (uint32_t i = 0; i < found.n; i++)
        propose(h, found.v[i]);
    vec_free(&same);
    vec_free(&found);
    vec_free(&ways);
}

static bool has_frame(const BwEnd *end, uint32_t instance)
{
    for (uint32_t i = 0; i < end->nframes; i++)
        if (end->frames[i].instance == instance)
            return true;
    return false;
}

/* Registers that matter at one of two loops, and are the same at the other: `to` is entered from `from`. */
static void inherit(Backward *bw, uint32_t segment, const BwEnd *end, const Head *of, Head *h)
{
    uint32_t instance, reg;
    for (uint32_t v = 0; v < of->variables.n; v++) {
        Expr x = of->variables.v[v];
        if (bw_symbol_reg(bw, x, &instance, &reg) && has_frame(end, instance) &&
            expr_same(bw_end_register(bw, segment, end, instance, reg), x))
            add_variable(bw, h, x);
    }
}

/* On the way there, and back. */
static void inherit_all(Backward *bw, Head *heads)
{
    for (uint32_t back = 0; back < 2; back++)
        for (uint32_t n = 0; n < bw->segments.n; n++) {
            uint32_t s = back ? bw->segments.n - 1 - n : n, from = bw->segments.v[s].cut;
            for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++) {
                BwEnd end = bw->segments.v[s].ends.v[i];
                if (end.kind == BW_END_CUT && from != IR_NONE && from != end.cut)
                    inherit(bw, s, &end, &heads[back ? end.cut : from], &heads[back ? from : end.cut]);
            }
        }
}

/* What candidates at the cut may speak of. */
static void head_variables(Backward *bw, uint32_t cut, const Head *all, Head *h)
{
    uint32_t segment = bw->cuts.v[cut].segment;
    phis_of(bw, cut, h);
    for (uint32_t i = 0; i < bw->segments.v[segment].ends.n; i++)
        look(bw, h, bw->segments.v[segment].ends.v[i].guard);
    look_at_ends(bw, cut, h, guards_at);
    look_at_ends(bw, cut, h, constants_at);
    for (uint32_t i = 0; i < all->constants.n; i++)
        add_constant(h, all->constants.v[i]);
}

static void head_candidates(Backward *bw, uint32_t cut, Head *h)
{
    look_at_ends(bw, cut, h, relations_at);
    look_at_ends(bw, cut, h, stores_at);
    for (unsigned w = 8; w <= 64; w *= 2)
        propose_affine(bw, cut, h, w);
    for (uint32_t i = 0; i < h->variables.n && !bw_out_of_time(bw); i++) {
        propose_constants(bw, h, h->variables.v[i]);
        for (uint32_t k = 0; k < i; k++)
            if (expr_width(bw->pool, h->variables.v[i]) == expr_width(bw->pool, h->variables.v[k]))
                propose_order(bw, h, h->variables.v[i], h->variables.v[k]);
    }
    for (uint32_t i = 0; i < h->variables.n && i < LINEAR; i++)
        for (uint32_t k = 0; k < i; k++)
            if (expr_width(bw->pool, h->variables.v[i]) == expr_width(bw->pool, h->variables.v[k]))
                propose_linear(bw, h, i, k);
    bw_every_propose(bw, cut, &h->variables, &h->constants, propose_every, h);
}

/* ---- Houdini --------------------------------------------------------------------------------- */

static Expr conjunction(Backward *bw, const Head *h)
{
    Expr all = EXPR_TRUE;
    for (uint32_t i = 0; i < h->candidates.n; i++)
        if (h->live.v[i])
            all = expr_and(bw->pool, all, h->candidates.v[i]);
    return all;
}

/* What those of the candidates that are left say of elements that are loaded in these conditions. */
static Expr instances(Backward *bw, const Head *h, const Expr *conditions, uint32_t n)
{
    Vec(BwEvery) every = {0};
    for (uint32_t i = 0; i < h->candidates.n; i++)
        if (h->live.v[i] && h->patterns.v[i] != IR_NONE)
            vec_push(&every, (BwEvery){h->candidates.v[i], h->patterns.v[i]});
    Expr all = bw_instances(bw, every.v, every.n, conditions, n);
    vec_free(&every);
    return all;
}

/* What is assumed where a segment starts, for a question about `after` at its end. */
static Expr assumed(Houdini *h, uint32_t segment, Expr guard, const ExprVec *after)
{
    Backward *bw = h->bw;
    uint32_t from = bw->segments.v[segment].cut;
    ExprVec about = {0};
    if (from == IR_NONE)
        return EXPR_TRUE;
    vec_push(&about, guard);
    for (uint32_t i = 0; i < after->n; i++)
        vec_push(&about, after->v[i]);
    Expr all = expr_and(bw->pool, conjunction(bw, &h->heads[from]),
                        instances(bw, &h->heads[from], about.v, about.n));
    vec_free(&about);
    return all;
}

/* Drops what a model violates; what nothing is known of is dropped as well. False: it violates none. */
static bool drop(Backward *bw, Head *to, const ExprVec *plain, SolverStatus status, const ExprInput *model)
{
    ExprEval *ev = expr_eval_new(bw->pool);
    bool some = false;
    expr_eval_input(ev, model);
    for (uint32_t i = 0; i < plain->n; i++)
        if (to->live.v[i] && (status == SOLVER_UNKNOWN || !expr_eval_true(ev, plain->v[i])))
            to->live.v[i] = false, some = true;
    expr_eval_free(ev);
    return some;
}

/* Summaries say what is left of their candidates. */
static void suppose(Houdini *h)
{
    for (uint32_t i = 0; i < h->bw->summaries.n; i++)
        h->bw->summaries.v[i].known = conjunction(h->bw, &h->summaries[i]);
}

/* For tests: is this candidate taken for granted? */
static bool is_granted(const Backward *bw, const BwEnd *end, uint32_t pattern)
{
    return (bw->options.rules_off & BACKWARD_OFF_RETURNS && end->kind == BW_END_RETURN) ||
           (bw->options.rules_off & BACKWARD_OFF_EVERY && pattern != IR_NONE);
}

/* Candidates at the end's cut that the segment does not establish are dropped; true if there was one. When
 * time is up nothing is said, and no candidate is kept at all. */
static bool filter(Houdini *h, uint32_t segment, const BwEnd *end)
{
    Backward *bw = h->bw;
    Head *to = end->kind == BW_END_CUT ? &h->heads[end->cut] : &h->summaries[end->summary];
    bool dropped = false;
    ExprVec after = {0}, plain = {0};
    if (bw->segments.v[segment].cut != IR_NONE && (bw->options.rules_off & BACKWARD_OFF_INDUCTION))
        return false;
    for (uint32_t i = 0; i < to->candidates.n && !bw_out_of_time(bw); i++) {
        Expr c = to->candidates.v[i];
        bool known = !to->live.v[i] || is_granted(bw, end, to->patterns.v[i]);
        vec_push(&after, known                     ? EXPR_TRUE
                         : end->kind == BW_END_CUT ? bw_substitute(bw, segment, end, c)
                                                   : bw_summary_after(bw, segment, end, c));
        vec_push(&plain, bw_plain(bw, after.v[i]));
    }
    h->late |= after.n < to->candidates.n;
    for (uint32_t round = 0; !h->late; round++) {
        Expr all = EXPR_TRUE;
        SolverAnswer a = {0};
        for (uint32_t i = 0; i < after.n; i++)
            if (to->live.v[i])
                all = expr_and(bw->pool, all, after.v[i]);
        suppose(h);
        Expr guard = bw_end_guard(bw, segment, end);
        Expr query[3] = {guard, expr_is_true(all) ? EXPR_TRUE : assumed(h, segment, guard, &after),
                         expr_not(bw->pool, all)};
        SolverStatus status = expr_is_true(all) ? SOLVER_UNSAT : bw_check(bw, query, 3, &a);
        bool some = status != SOLVER_UNSAT &&
                    drop(bw, to, &plain, round > MODELS ? SOLVER_UNKNOWN : status, &a.model);
        solver_answer_free(&a);
        h->late = status == SOLVER_UNKNOWN && bw_out_of_time(bw);
        if (status == SOLVER_UNSAT || h->late)
            break;
        dropped |= some;
        for (uint32_t i = 0; i < after.n && !some;
             i++) /* a model that violates none is none: nothing can be said */
            dropped |= to->live.v[i], to->live.v[i] = false;
    }
    vec_free(&after);
    vec_free(&plain);
    return dropped;
}

/* Everything that an end could violate is looked at until nothing is. */
static void houdini(Houdini *h)
{
    Backward *bw = h->bw;
    for (bool again = true; again && !h->late;) {
        again = false;
        for (uint32_t s = 0; s < bw->segments.n && !h->late; s++)
            for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++) {
                BwEnd end = bw->segments.v[s].ends.v[i];
                if (end.kind != BW_END_TARGET)
                    again |= filter(h, s, &end);
            }
    }
}

static Expr all_but(Backward *bw, const ExprVec *v, uint32_t without)
{
    Expr all = EXPR_TRUE;
    for (uint32_t i = 0; i < v->n; i++)
        if (i != without)
            all = expr_and(bw->pool, all, v->v[i]);
    return all;
}

/* How well people can read it: it speaks of variables of the program only; of memory, too; of what has no
 * name. */
typedef enum Readable { READABLE_NAMES, READABLE_MEMORY, READABLE_HARDLY } Readable;

static Readable readable(Backward *bw, Expr e)
{
    U32Vec cone = {0};
    Readable worst = READABLE_NAMES;
    uint32_t instance, reg;
    expr_cone(bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && worst != READABLE_HARDLY; i++) {
        Expr x = {cone.v[i]};
        bool symbol = expr_op(bw->pool, x) == EXPR_SYMBOL && !expr_same(x, bw->m) && !bw_is_address(bw, x);
        if (symbol && !(bw_symbol_reg(bw, x, &instance, &reg) &&
                        bw->program->fns.v[bw->instances.v[instance].fn].regs.v[reg].name))
            worst = READABLE_HARDLY;
        else if (bw_is_pending(bw, x) || bw_is_address(bw, x))
            worst = READABLE_MEMORY;
    }
    vec_free(&cone);
    return worst;
}

/* Without those that the others imply: conditions stay small, and people read them. */
static Expr essential(Backward *bw, const Head *h)
{
    ExprVec kept = {0};
    for (uint32_t i = 0; i < 3 * h->candidates.n && !bw_out_of_time(bw);
         i++) { /* first those that people can read */
        uint32_t k = i % h->candidates.n;
        if (h->live.v[k] && h->patterns.v[k] == IR_NONE &&
            readable(bw, h->candidates.v[k]) == i / h->candidates.n &&
            !bw_unsat(bw, all_but(bw, &kept, UINT32_MAX), expr_not(bw->pool, h->candidates.v[k]), EXPR_TRUE))
            vec_push(&kept, h->candidates.v[k]);
    }
    for (uint32_t i = kept.n; i-- > 0 && !bw_out_of_time(bw);)
        if (bw_unsat(bw, all_but(bw, &kept, i), expr_not(bw->pool, kept.v[i]), EXPR_TRUE)) {
            for (uint32_t k = i; k + 1 < kept.n; k++)
                kept.v[k] = kept.v[k + 1];
            kept.n--;
        }
    Expr all = all_but(bw, &kept, UINT32_MAX);
    vec_free(&kept);
    return all;
}

/* The same of those that speak of elements, given the others. */
static void keep_every(Backward *bw, uint32_t cut, const Head *h)
{
    Expr known = bw->cuts.v[cut].invariant;
    for (uint32_t i = 0; i < h->candidates.n && !bw_out_of_time(bw); i++) {
        if (!h->live.v[i] || h->patterns.v[i] == IR_NONE ||
            bw_unsat(bw, known, expr_not(bw->pool, h->candidates.v[i]), EXPR_TRUE))
            continue;
        known = expr_and(bw->pool, known, h->candidates.v[i]);
        vec_push(&bw->cuts.v[cut].every, (BwEvery){h->candidates.v[i], h->patterns.v[i]});
    }
}

static void head_free(Head *h)
{
    vec_free(&h->variables);
    vec_free(&h->constants);
    vec_free(&h->candidates);
    vec_free(&h->live);
    vec_free(&h->patterns);
}

static void propose_summary(void *context, Expr e) { propose(context, e); }

static void find_candidates(Houdini *h)
{
    Backward *bw = h->bw;
    Head all = {0}; /* constants of the whole program: a bound is checked in one loop and used in another */
    for (uint32_t s = 0; s < bw->segments.n; s++)
        for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++)
            look(bw, &all, bw->segments.v[s].ends.v[i].guard);
    for (uint32_t c = 0; c < bw->cuts.n; c++)
        if (bw->cuts.v[c].arrived && bw->cuts.v[c].segment != IR_NONE)
            head_variables(bw, c, &all, &h->heads[c]);
    inherit_all(bw, h->heads);
    for (uint32_t c = 0; c < bw->cuts.n; c++)
        if (bw->cuts.v[c].arrived && bw->cuts.v[c].segment != IR_NONE && !bw_out_of_time(bw))
            head_candidates(bw, c, &h->heads[c]);
    for (uint32_t i = 0; i < bw->summaries.n; i++)
        bw_summary_propose(bw, i, &all.constants, propose_summary, &h->summaries[i]);
    head_free(&all);
}

void bw_invariants(Backward *bw)
{
    if (bw->invariants_known)
        return;
    Houdini h = {.bw = bw,
                 .heads = mem_zalloc((bw->cuts.n + 1) * sizeof(Head)),
                 .summaries = mem_zalloc((bw->summaries.n + 1) * sizeof(Head))};
    find_candidates(&h);
    houdini(&h);
    bool done = !h.late && !bw_out_of_time(bw);
    for (uint32_t i = 0; i < bw->summaries.n; i++)
        bw->summaries.v[i].known = done ? essential(bw, &h.summaries[i]) : EXPR_TRUE;
    for (uint32_t c = 0; c < bw->cuts.n && done && !bw_out_of_time(bw); c++) {
        bw->cuts.v[c].invariant = essential(bw, &h.heads[c]);
        keep_every(bw, c, &h.heads[c]);
    }
    bw->invariants_known = !bw_out_of_time(bw) || bw->prepared;
    for (uint32_t c = 0; c < bw->cuts.n; c++)
        head_free(&h.heads[c]);
    for (uint32_t i = 0; i < bw->summaries.n; i++)
        head_free(&h.summaries[i]);
    mem_free(h.heads);
    mem_free(h.summaries);
}

static void invariant_text(Backward *bw, Expr invariant, Str *out)
{
    ExprVec parts = {0};
    Expr all = EXPR_TRUE;
    expr_split(bw->pool, invariant, &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        if (readable(bw, parts.v[i]) == READABLE_NAMES)
            all = expr_and(bw->pool, all, parts.v[i]);
    if (!expr_is_true(all))
        expr_print_c(bw->pool, all, 0, out);
    vec_free(&parts);
}

uint32_t backward_invariants(Backward *bw, Arena *a, const BackwardInvariant **out)
{
    Vec(BackwardInvariant) list = {0};
    for (uint32_t c = 0; c < bw->cuts.n; c++) {
        const BwCut *cut = &bw->cuts.v[c];
        Str text = {0};
        bool loop = cut->block || bw->instances.v[cut->instance].summary == IR_NONE;
        if (cut->arrived && loop)
            invariant_text(bw, cut->invariant, &text);
        uint32_t fn = bw->instances.v[cut->instance].fn;
        const IrBlock *b = &bw->program->fns.v[fn].blocks.v[cut->block];
        if (text.n)
            vec_push(&list, (BackwardInvariant){fn, cut->block, b->insns.v[b->insns.n - 1].site,
                                                arena_strdup(a, str_text(&text))});
        str_free(&text);
    }
    BackwardInvariant *kept = arena_alloc(a, (list.n + 1) * sizeof *kept);
    if (list.n)
        memcpy(kept, list.v, list.n * sizeof *kept);
    *out = kept;
    uint32_t n = list.n;
    vec_free(&list);
    return n;
}
