/* compose.c - a condition moved over a segment, by substitution. */
#include "backward/backward_int.h"

/* None: time was up, where that counts. */
static Expr rewrite(Backward *bw, Expr root, BwHook hook, void *context, bool timed)
{
    ExprPool *p = bw->pool;
    U32Vec cone = {0};
    Map memo = {0};
    ExprVec children = {0};
    bool late = false;
    expr_cone(p, &root, 1, &cone);
    for (uint32_t i = 0; i < cone.n && !late; i++) {
        Expr e = {cone.v[i]};
        uint32_t n = expr_child_count(p, e);
        bool same = true;
        late = timed && i % 1024 == 1023 && bw_out_of_time(bw);
        vec_clear(&children);
        for (uint32_t k = 0; k < n; k++) {
            Expr old = expr_child(p, e, k), now = {(uint32_t)map_get_or(&memo, old.id, old.id)};
            same &= expr_same(old, now);
            vec_push(&children, now);
        }
        map_put(&memo, e.id, hook(context, e, children.v, same ? e : expr_rebuild(p, e, children.v)).id);
    }
    Expr result = late ? EXPR_NONE : (Expr){(uint32_t)map_get_or(&memo, root.id, 0)};
    vec_free(&cone);
    vec_free(&children);
    map_free(&memo);
    return result;
}

/* When time is up the answer is one of which nothing is known, which says less than any other. */
Expr bw_rewrite(Backward *bw, Expr root, BwHook hook, void *context)
{
    Expr e = rewrite(bw, root, hook, context, true);
    return expr_is_none(e) ? bw_fresh(bw, expr_width(bw->pool, root), "late") : e;
}

/* Answers are printed when time may be up: a condition that was found is not lost for that. */
Expr bw_rewrite_answer(Backward *bw, Expr root, BwHook hook, void *context)
{
    return rewrite(bw, root, hook, context, false);
}

bool bw_is_unknown(const Backward *bw, Expr symbol)
{
    return expr_op(bw->pool, symbol) == EXPR_SYMBOL &&
           expr_set_has(bw->pool, bw->unknowns, expr_symbol_at(bw->pool, symbol));
}

/* ---- substitution ---------------------------------------------------------------------------- */

typedef struct Over {
    Backward *bw;
    uint32_t segment;
    const BwEnd *end;
} Over;

/* An object made on the way is in no pointer of before: nothing that was there at the start is its
 * address. */
static bool is_of_start(Backward *bw, Expr e)
{
    if (expr_set_meets(bw->pool, expr_symbols(bw->pool, e), bw->unknowns))
        return false;
    return bw_object_of(bw, e) == IR_NONE && expr_op(bw->pool, e) != EXPR_ITE;
}

static bool is_fresh_equality(const Over *o, Expr e)
{
    Backward *bw = o->bw;
    if (expr_op(bw->pool, e) != EXPR_EQ || expr_width(bw->pool, expr_child(bw->pool, e, 0)) != 64)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t object = bw_object_of(bw, expr_child(bw->pool, e, i));
        if (object != IR_NONE && bw->objects.v[object].segment == o->segment &&
            is_of_start(bw, expr_child(bw->pool, e, 1 - i)))
            return true;
    }
    return false;
}

/* What an address shows only as the number that it is here (see is_arbitrary of insn.c). */
static bool is_arbitrary(Backward *bw, Expr old, const Expr *children, Expr e)
{
    ExprPool *p = bw->pool;
    ExprOp op = expr_op(p, old);
    if (op == EXPR_ULT || op == EXPR_SLT)
        return bw_are_incomparable(bw, children[0], children[1]);
    if (op == EXPR_EQ || op == EXPR_ITE || op == EXPR_NEG || op == EXPR_APPLY)
        return false;
    if (op != EXPR_ADD) {
        for (uint32_t i = 0; i < expr_child_count(p, old); i++)
            if (expr_width(p, children[i]) == 64 && bw_shows_address(bw, children[i]))
                return true;
        return false;
    }
    if (expr_width(p, old) != 64)
        return false;
    for (uint32_t i = 0; i < 2; i++) /* a - b is a + neg b */
        if (bw_shows_address(bw, expr_neg(p, children[i])))
            return bw_are_incomparable(bw, children[1 - i], expr_neg(p, children[i]));
    return bw_is_far(bw, e, children[0], children[1]);
}

static Expr over_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Over *o = context;
    Backward *bw = o->bw;
    uint32_t instance, reg;
    uint64_t object;
    Expr base;
    if (bw_symbol_reg(bw, old, &instance, &reg))
        return bw_end_register(bw, o->segment, o->end, instance, reg);
    if (bw_is_offset(bw, old, &instance, &reg, &base))
        return expr_sub(bw->pool, bw_end_register(bw, o->segment, o->end, instance, reg), base);
    if (map_get(&bw->size_objects, old.id, &object))
        return bw_object_size(bw, (uint32_t)object);
    if (bw_is_pending(bw, old)) {
        bool here = expr_same(expr_child(bw->pool, old, expr_child_count(bw->pool, old) - 1), bw->m);
        return here ? bw_mem_resolve(bw, o->end->mem, old, children) : e;
    }
    if (is_arbitrary(bw, old, children, e))
        return bw_fresh(bw, expr_width(bw->pool, old), "address");
    return is_fresh_equality(o, e) ? EXPR_FALSE : e;
}

static Expr over(Backward *bw, uint32_t segment, const BwEnd *end, Expr condition)
{
    uint32_t before = bw->current;
    bw->current = segment;
    Expr e = bw_rewrite(bw, condition, over_hook, &(Over){bw, segment, end});
    bw->current = before;
    return e;
}

/* ---- objects that are made on the way -------------------------------------------------------- */

/* A segment that is passed twice makes two objects under one name. So a condition at its start must not speak
 * of an object that it makes: nothing of before is that object's address, and what else a condition says of
 * it may be true or not. */
typedef struct Settling {
    Over over;
    BitSet made; /* expressions whose values may be addresses of such objects */
} Settling;

static bool is_made(Settling *s, Expr e)
{
    Backward *bw = s->over.bw;
    bool made = bw_is_address(bw, e) && bw->objects.v[bw_object_of(bw, e)].segment == s->over.segment;
    for (uint32_t i = 0; i < expr_child_count(bw->pool, e) && !made; i++)
        made = bitset_has(&s->made, expr_child(bw->pool, e, i).id);
    return made;
}

static Expr settle_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Settling *s = context;
    Backward *bw = s->over.bw;
    (void)old, (void)children;
    if (!is_made(s, e))
        return e;
    if (is_fresh_equality(&s->over, e))
        return EXPR_FALSE;
    if (expr_width(bw->pool, e) == 1)
        return bw_fresh(bw, 1, "address");
    bitset_add(&s->made, e.id);
    return e;
}

static Expr settle(Backward *bw, uint32_t segment, Expr e)
{
    Settling s = {.over = {bw, segment, NULL}};
    if (segment == bw->start || !bw->segments.v[segment].makes_objects)
        return e;
    e = bw_rewrite(bw, e, settle_hook, &s);
    bitset_free(&s.made);
    return e;
}

/* ---- names for each passage ------------------------------------------------------------------ */

typedef struct Renaming {
    Backward *bw;
    ExprSet kept; /* symbols that were in the condition before */
    Map names;
} Renaming;

static Expr rename_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Renaming *r = context;
    (void)children;
    uint64_t id;
    if (!bw_is_unknown(r->bw, old) || expr_set_has(r->bw->pool, r->kept, expr_symbol_at(r->bw->pool, old)))
        return e;
    if (map_get(&r->names, old.id, &id))
        return (Expr){(uint32_t)id};
    uint32_t offset;
    Expr fresh = bw_fresh(r->bw, expr_width(r->bw->pool, old),
                          expr_object_info(r->bw->pool, expr_symbol_object(r->bw->pool, old, &offset))->name);
    map_put(&r->names, old.id, fresh.id);
    return fresh;
}

void bw_compose_all(Backward *bw, uint32_t segment, const BwEnd *end, Expr *conditions, uint32_t n,
                    Expr *inputs, uint32_t ninputs)
{
    Renaming r = {.bw = bw};
    for (uint32_t i = 0; i < n; i++)
        r.kept = expr_set_union(bw->pool, r.kept, expr_symbols(bw->pool, conditions[i]));
    for (uint32_t i = 0; i < n && !bw_out_of_time(bw); i++) /* when time is up the result is not used */
        conditions[i] = settle(bw, segment, over(bw, segment, end, conditions[i]));
    for (uint32_t i = 0; i < ninputs; i++)
        inputs[i] = settle(bw, segment, inputs[i]);
    if (!(bw->options.rules_off & BACKWARD_OFF_UNKNOWN)) {
        for (uint32_t i = 0; i < n && !bw_out_of_time(bw); i++)
            conditions[i] = bw_rewrite(bw, conditions[i], rename_hook, &r);
        for (uint32_t i = 0; i < ninputs && !bw_out_of_time(bw); i++)
            inputs[i] = bw_rewrite(bw, inputs[i], rename_hook, &r);
    }
    map_free(&r.names);
    bw->steps++;
}

Expr bw_substitute(Backward *bw, uint32_t segment, const BwEnd *end, Expr condition)
{
    return over(bw, segment, end, condition);
}

Expr bw_compose(Backward *bw, uint32_t segment, const BwEnd *end, Expr condition)
{
    Renaming r = {.bw = bw, .kept = expr_symbols(bw->pool, condition)};
    if (expr_is_false(condition))
        return EXPR_FALSE;
    Expr e = settle(bw, segment,
                    expr_and(bw->pool, bw_end_guard(bw, segment, end), over(bw, segment, end, condition)));
    if (!(bw->options.rules_off & BACKWARD_OFF_UNKNOWN))
        e = bw_rewrite(bw, e, rename_hook, &r);
    map_free(&r.names);
    bw->steps++;
    return e;
}
