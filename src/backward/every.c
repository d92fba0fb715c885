/* every.c - invariants about all elements of an array: for every k in a range, something holds of the element
 * k.
 *
 * k is one symbol, which no segment changes. A candidate with k in it is shown for a k of which nothing is
 * known, so it holds for every k, and may be used for any: a load from an array in a question names the
 * elements for which it is worth to be used (bw_instances). That is all that is ever done with the
 * quantifier.
 *
 * Each candidate speaks only of elements that are within their objects: an address outside means nothing. */
#include "backward/backward_int.h"

enum { PATTERNS = 12, RANGES = 10, INDICES = 12, TERMS = 8 };
static const uint64_t FAR =
    UINT64_C(1) << 31; /* bytes from the base of an object on that belong to no other object, see object.c */

Expr bw_every(Backward *bw)
{
    return expr_object_symbol(bw->pool,
                              expr_object_scalar(bw->pool, "k", "k", 64, (ExprCType){EXPR_C_INT, 0}));
}

static Expr replaced(Backward *bw, Expr e, Expr from, Expr to)
{
    ExprSubst *s = expr_subst_new(bw->pool);
    expr_subst_add(s, from, to);
    e = expr_subst_apply(s, e);
    expr_subst_free(s);
    return e;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* A sum as its parts, a constant among them; false: there are too many. */
static bool parts_of(Backward *bw, Expr e, Expr parts[TERMS], uint32_t *n)
{
    ExprPool *p = bw->pool;
    *n = 1;
    parts[0] = e;
    for (uint32_t i = 0; i < *n;) {
        if (expr_op(p, parts[i]) != EXPR_ADD) {
            i++;
            continue;
        }
        if (*n == TERMS)
            return false;
        parts[(*n)++] = expr_child(p, parts[i], 1);
        parts[i] = expr_child(p, parts[i], 0);
    }
    return true;
}

/* The constant factor of a part of a sum; at least 1. */
static int64_t factor_of(Backward *bw, Expr part)
{
    ExprPool *p = bw->pool;
    if (expr_op(p, part) == EXPR_MUL && expr_is_const(p, expr_child(p, part, 1)))
        return (int64_t)expr_const_value(p, expr_child(p, part, 1));
    return expr_op(p, part) == EXPR_NEG ? -1 : 1;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* A distance divided by a number, where its form shows that nothing is left; else EXPR_NONE. */
static Expr divided(Backward *bw, Expr e, int64_t by)
{
    ExprPool *p = bw->pool;
    Expr parts[TERMS], sum = bw_const(bw, 0);
    uint32_t n;
    if (!parts_of(bw, e, parts, &n))
        return EXPR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        bool constant = expr_is_const(p, parts[i]);
        int64_t f = constant ? (int64_t)expr_const_value(p, parts[i]) : factor_of(bw, parts[i]);
        if (f % by)
            return EXPR_NONE;
        Expr bare = constant ? bw_const(bw, 1) : f == 1 ? parts[i] : expr_child(p, parts[i], 0);
        sum = expr_add(p, sum, expr_mul(p, bare, bw_const(bw, (uint64_t)(f / by))));
    }
    return sum;
}

/* The address as an element of an array; *index: which. False if it is none, or always the same place. */
static bool element_at(Backward *bw, Expr address, unsigned bytes, BwPattern *out, Expr *index)
{
    ExprPool *p = bw->pool;
    Expr parts[TERMS];
    uint32_t n, object = bw_object_in(bw, address);
    uint64_t stride = 0, field = 0;
    if (object == IR_NONE || expr_is_const(p, address) || bytes > 8 ||
        !bw_is_lasting(bw, bw_base(bw, object)))
        return false;
    if (!parts_of(bw, expr_sub(p, address, bw_base(bw, object)), parts, &n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        int64_t f = expr_is_const(p, parts[i]) ? 0 : factor_of(bw, parts[i]);
        stride = gcd(stride, (uint64_t)(f < 0 ? -f : f));
        field += f ? 0 : (uint64_t)expr_const_value(p, parts[i]);
    }
    if (!stride || stride > 1 << 16)
        return false;
    field = (uint64_t)(((int64_t)field % (int64_t)stride + (int64_t)stride) % (int64_t)stride);
    *out = (BwPattern){object, (uint32_t)stride, (uint32_t)field, bytes};
    *index = divided(bw, expr_sub(p, expr_sub(p, address, bw_base(bw, object)), bw_const(bw, field)),
                     (int64_t)stride);
    return !expr_is_none(*index);
}

static bool is_same(const BwPattern *a, const BwPattern *b)
{
    return a->object == b->object && a->stride == b->stride && a->field == b->field && a->bytes == b->bytes;
}

static uint32_t pattern_index(Backward *bw, BwPattern pattern)
{
    for (uint32_t i = 0; i < bw->patterns.n; i++)
        if (is_same(&bw->patterns.v[i], &pattern))
            return i;
    if (bw->patterns.n == PATTERNS)
        return IR_NONE;
    vec_push(&bw->patterns, pattern);
    return bw->patterns.n - 1;
}

static Expr element(Backward *bw, const BwPattern *pattern, Expr index)
{
    ExprPool *p = bw->pool;
    Expr address = expr_add(
        p, expr_add(p, bw_base(bw, pattern->object), expr_mul(p, index, bw_const(bw, pattern->stride))),
        bw_const(bw, pattern->field));
    return bw_load(bw, address, pattern->bytes, bw_is_aligned(bw, address, pattern->bytes, true), bw->m);
}

/* Every load in it that has a name for its object is within it. */
static Expr within(Backward *bw, Expr e)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    Expr all = EXPR_TRUE;
    unsigned bytes;
    bool aligned;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr x = {cone.v[i]};
        if (!bw_is_load(bw, x, &bytes, &aligned))
            continue;
        uint32_t object = bw_object_in(bw, expr_child(p, x, 0));
        if (object == IR_NONE) { /* nothing is known of where that is */
            all = EXPR_FALSE;
            break;
        }
        Expr offset = expr_sub(p, expr_child(p, x, 0), bw_base(bw, object)),
             size = bw_object_size(bw, object);
        Expr room = expr_and(p, expr_ule(p, bw_const(bw, bytes), size),
                             expr_ule(p, offset, expr_sub(p, size, bw_const(bw, bytes))));
        all = expr_and(p, all, expr_and(p, room, expr_ult(p, offset, bw_const(bw, FAR))));
    }
    vec_free(&cone);
    return all;
}

/* ---- candidates ------------------------------------------------------------------------------ */

typedef struct Proposing {
    Backward *bw;
    uint32_t cut;
    const ExprVec *variables, *constants;
    void (*propose)(void *context, Expr candidate, uint32_t pattern);
    void *context;
} Proposing;

/* A range of k: from..to - 1, as signed numbers. */
typedef struct Range {
    Expr from, to;
} Range;
typedef struct Ranges {
    Range v[RANGES];
    uint32_t n;
} Ranges;

static void range_add(Ranges *r, Expr from, Expr to)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (expr_same(r->v[i].from, from) && expr_same(r->v[i].to, to))
            return;
    if (r->n < RANGES)
        r->v[r->n++] = (Range){from, to};
}

static bool is_of_cut(Backward *bw, const ExprVec *variables, Expr e)
{
    ExprSet state =
        expr_set_union(bw->pool, expr_symbols(bw->pool, bw->m), expr_symbols(bw->pool, bw_every(bw)));
    for (uint32_t i = 0; i < variables->n; i++)
        state = expr_set_union(bw->pool, state, expr_symbols(bw->pool, variables->v[i]));
    return expr_set_subset(bw->pool, expr_symbols(bw->pool, e), state);
}

/* Elements below or above where the loop is, those below a variable, and all. */
static void ranges_of(const Proposing *g, const BwPattern *pattern, Ranges *out)
{
    Backward *bw = g->bw;
    ExprPool *p = bw->pool;
    Expr zero = bw_const(bw, 0),
         all = expr_udiv(p, bw_object_size(bw, pattern->object), bw_const(bw, pattern->stride));
    range_add(out, zero, all);
    for (uint32_t i = 0; i < g->variables->n; i++) {
        Expr x = g->variables->v[i];
        if (expr_width(p, x) < 32 || bw_object_of(bw, x) != IR_NONE)
            continue;
        range_add(out, zero, expr_sext(p, x, 64));
    }
    for (uint32_t i = 0; i < g->variables->n; i++) {
        Expr x = g->variables->v[i];
        if (expr_width(p, x) < 32 || bw_object_of(bw, x) != IR_NONE)
            continue;
        range_add(out, expr_add(p, expr_sext(p, x, 64), bw_const(bw, 1)), all);
    }
}

static void propose_all(const Proposing *g, uint32_t pattern, const Ranges *ranges, Expr holds)
{
    Backward *bw = g->bw;
    ExprPool *p = bw->pool;
    Expr k = bw_every(bw), room = within(bw, holds);
    if (expr_is_true(holds) || expr_is_false(holds) || expr_is_false(room))
        return;
    for (uint32_t i = 0; i < ranges->n; i++) {
        Expr range = expr_and(p, expr_sle(p, ranges->v[i].from, k), expr_slt(p, k, ranges->v[i].to));
        g->propose(g->context, expr_implies(p, expr_and(p, room, range), holds), pattern);
    }
}

static void propose_order(const Proposing *g, uint32_t pattern, const Ranges *ranges, Expr cell, Expr x)
{
    ExprPool *p = g->bw->pool;
    propose_all(g, pattern, ranges, expr_eq(p, cell, x));
    propose_all(g, pattern, ranges, expr_sle(p, cell, x));
    propose_all(g, pattern, ranges, expr_sle(p, x, cell));
    propose_all(g, pattern, ranges, expr_ne(p, cell, x));
}

/* What is stored in such an element somewhere, with k in place of its index. */
static void propose_stored(const Proposing *g, uint32_t pattern, const Ranges *ranges, Expr cell)
{
    Backward *bw = g->bw;
    ExprPool *p = bw->pool;
    Expr k = bw_every(bw);
    ExprVec seen = {0};
    for (uint32_t i = 0; i < bw->mems.n && seen.n < 4; i++) {
        BwMemNode s = bw->mems.v[i];
        BwPattern at;
        Expr index;
        if (s.kind != BW_MEM_STORE || !element_at(bw, s.a, s.bytes, &at, &index) ||
            !is_same(&at, &bw->patterns.v[pattern]))
            continue;
        Expr value = expr_is_const(p, s.b) || expr_size(p, s.b) > 60 ? s.b : replaced(bw, s.b, index, k);
        ExprOp op = expr_op(p, index); /* an index of 32 bits that was extended */
        if ((op == EXPR_SEXT || op == EXPR_ZEXT) && !expr_is_const(p, value))
            value = replaced(bw, value, expr_child(p, index, 0),
                             expr_trunc(p, k, expr_width(p, expr_child(p, index, 0))));
        bool known = expr_size(p, s.b) > 60 || !is_of_cut(bw, g->variables, value);
        for (uint32_t j = 0; j < seen.n; j++)
            known |= expr_same(seen.v[j], value);
        if (known)
            continue;
        vec_push(&seen, value);
        if (expr_is_const(p, value))
            propose_order(g, pattern, ranges, cell, value);
        else
            propose_all(g, pattern, ranges, expr_eq(p, cell, value));
    }
    vec_free(&seen);
}

/* Patterns of all accesses in the graph. */
static void find_patterns(Backward *bw)
{
    BwPattern pattern;
    Expr index;
    vec_clear(&bw->patterns);
    for (uint32_t i = 0; i < bw->mems.n; i++)
        if (bw->mems.v[i].kind == BW_MEM_STORE &&
            element_at(bw, bw->mems.v[i].a, bw->mems.v[i].bytes, &pattern, &index))
            pattern_index(bw, pattern);
}

void bw_every_propose(Backward *bw, uint32_t cut, const ExprVec *variables, const ExprVec *constants,
                      void (*propose)(void *context, Expr candidate, uint32_t pattern), void *context)
{
    ExprPool *p = bw->pool;
    Proposing g = {bw, cut, variables, constants, propose, context};
    find_patterns(bw);
    for (uint32_t i = 0; i < bw->patterns.n && !bw_out_of_time(bw); i++) {
        const BwPattern pattern = bw->patterns.v[i];
        Expr cell = element(bw, &pattern, bw_every(bw));
        Ranges ranges = {.n = 0};
        ranges_of(&g, &pattern, &ranges);
        propose_stored(&g, i, &ranges, cell);
        for (uint32_t v = 0; v < variables->n; v++)
            if (expr_width(p, variables->v[v]) == 8 * pattern.bytes &&
                bw_object_of(bw, variables->v[v]) == IR_NONE)
                propose_order(&g, i, &ranges, cell, variables->v[v]);
        propose_order(&g, i, &ranges, cell, expr_const(p, 8 * pattern.bytes, 0));
        for (uint32_t c = 0; c < constants->n; c++)
            if (expr_width(p, constants->v[c]) == 8 * pattern.bytes)
                propose_order(&g, i, &ranges, cell, constants->v[c]);
    }
}

/* ---- use ------------------------------------------------------------------------------------- */

/* Elements that are loaded in the conditions, by pattern. */
typedef struct Wanted {
    uint32_t pattern;
    Expr index;
} Wanted;
typedef Vec(Wanted) Wants;

static void wanted_in(Backward *bw, const Expr *conditions, uint32_t n, Wants *out)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    unsigned bytes;
    bool aligned;
    expr_cone(p, conditions, n, &cone);
    for (uint32_t i = 0; i < cone.n && out->n < INDICES; i++) {
        Expr x = {cone.v[i]};
        if (!bw_is_load(bw, x, &bytes, &aligned) || !expr_same(expr_child(p, x, 1), bw->m))
            continue;
        for (uint32_t k = 0; k < bw->patterns.n && out->n < INDICES; k++) {
            const BwPattern *pattern = &bw->patterns.v[k];
            if (pattern->bytes != bytes || bw_object_in(bw, expr_child(p, x, 0)) != pattern->object)
                continue;
            Expr offset = expr_sub(p, expr_sub(p, expr_child(p, x, 0), bw_base(bw, pattern->object)),
                                   bw_const(bw, pattern->field));
            Expr index = divided(bw, offset, pattern->stride);
            if (!expr_is_none(index) && !expr_same(index, bw_every(bw)))
                vec_push(out, (Wanted){k, index});
        }
    }
    vec_free(&cone);
}

Expr bw_instances(Backward *bw, const BwEvery *every, uint32_t nevery, const Expr *conditions, uint32_t n)
{
    Wants wants = {0};
    Expr all = EXPR_TRUE;
    if (nevery)
        wanted_in(bw, conditions, n, &wants);
    for (uint32_t w = 0; w < wants.n && !bw_out_of_time(bw); w++) /* fewer say less */
        for (uint32_t i = 0; i < nevery; i++)
            if (every[i].pattern == wants.v[w].pattern)
                all =
                    expr_and(bw->pool, all, replaced(bw, every[i].condition, bw_every(bw), wants.v[w].index));
    vec_free(&wants);
    return all;
}

Expr bw_cut_holds(Backward *bw, uint32_t cut, Expr a, Expr b)
{
    Expr about[2] = {a, b};
    const BwCut *c = &bw->cuts.v[cut];
    return expr_and(bw->pool, c->invariant, bw_instances(bw, c->every.v, c->every.n, about, 2));
}
