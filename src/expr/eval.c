/* eval.c - inputs, and evaluation under an input: iterative, each node once for an input, only what is
 * needed. */
#include "expr/expr_int.h"

/* ---- inputs ---------------------------------------------------------------------------------- */

uint8_t expr_input_byte(const ExprInput *in, uint32_t at) { return at < in->n ? in->v[at] : 0; }

void expr_input_set_byte(ExprInput *in, uint32_t at, uint8_t value)
{
    if (at >= in->n) {
        vec_reserve(in, at + 1);
        memset(in->v + in->n, 0, at + 1 - in->n);
        in->n = at + 1;
    }
    in->v[at] = value;
}

u128 expr_input_get(const ExprPool *p, const ExprInput *in, Expr symbol)
{
    uint32_t at = expr_symbol_at(p, symbol);
    unsigned width = width_of(p, symbol);
    u128 value = 0;
    for (unsigned i = 0; i < (width + 7) / 8; i++)
        value |= (u128)expr_input_byte(in, at + i) << 8 * i;
    return value & bits_mask(width);
}

void expr_input_set(const ExprPool *p, ExprInput *in, Expr symbol, u128 value)
{
    uint32_t at = expr_symbol_at(p, symbol);
    unsigned width = width_of(p, symbol);
    value &= bits_mask(width);
    for (unsigned i = 0; i < (width + 7) / 8; i++)
        expr_input_set_byte(in, at + i, (uint8_t)(value >> 8 * i));
}

void expr_input_copy(ExprInput *to, const ExprInput *from)
{
    if (from->n == 0) {
        to->n = 0;
        return;
    }
    vec_reserve(to, from->n);
    memcpy(to->v, from->v, from->n);
    to->n = from->n;
}

/* Eight bytes at a time, as long as both have as many. */
uint32_t expr_input_differs(const ExprInput *a, const ExprInput *b, uint32_t from)
{
    uint32_t both = a->n < b->n ? a->n : b->n, n = a->n + b->n - both;
    while (from + 8 <= both && memcmp(a->v + from, b->v + from, 8) == 0)
        from += 8;
    while (from < n && expr_input_byte(a, from) == expr_input_byte(b, from))
        from++;
    return from < n ? from : UINT32_MAX;
}

void expr_input_free(ExprInput *in) { vec_free(in); }

/* ---- evaluation ------------------------------------------------------------------------------ */

struct ExprEval {
    const ExprPool *pool;
    const ExprInput *input;
    uint64_t *low, *high; /* values by node id; high exists once a wide node was met */
    uint32_t *stamp;      /* the epoch in which the value was computed */
    uint32_t cap, high_cap, epoch;
    uint64_t steps; /* of expr_eval, in all */
    U32Vec stack;
    Vec(u128) arguments;
};

ExprEval *expr_eval_new(const ExprPool *p)
{
    static const ExprInput zeros = {0};
    ExprEval *ev = mem_zalloc(sizeof *ev);
    ev->pool = p;
    ev->input = &zeros;
    ev->epoch = 1;
    return ev;
}

void expr_eval_free(ExprEval *ev)
{
    if (!ev)
        return;
    mem_free(ev->low);
    mem_free(ev->high);
    mem_free(ev->stamp);
    vec_free(&ev->stack);
    vec_free(&ev->arguments);
    mem_free(ev);
}

void expr_eval_input(ExprEval *ev, const ExprInput *in)
{
    ev->input = in;
    if (++ev->epoch == 0) { /* the counter came round: no old stamp may match */
        memset(ev->stamp, 0, ev->cap * sizeof *ev->stamp);
        ev->epoch = 1;
    }
}

static void make_room(ExprEval *ev)
{
    uint32_t need = ev->pool->nodes.n;
    if (need <= ev->cap)
        return;
    uint32_t cap = need + need / 2 + 64;
    ev->low = mem_realloc(ev->low, cap * sizeof *ev->low);
    ev->stamp = mem_realloc(ev->stamp, cap * sizeof *ev->stamp);
    memset(ev->stamp + ev->cap, 0, (cap - ev->cap) * sizeof *ev->stamp);
    ev->cap = cap;
}

static bool known(const ExprEval *ev, Expr e) { return ev->stamp[e.id] == ev->epoch; }

static u128 value(const ExprEval *ev, Expr e)
{
    u128 v = ev->low[e.id];
    return width_of(ev->pool, e) > 64 ? v | (u128)ev->high[e.id] << 64 : v;
}

static void put(ExprEval *ev, Expr e, u128 v)
{
    ev->low[e.id] = (uint64_t)v;
    ev->stamp[e.id] = ev->epoch;
    if (width_of(ev->pool, e) <= 64)
        return;
    if (ev->high_cap < ev->cap) {
        ev->high = mem_realloc(ev->high, ev->cap * sizeof *ev->high);
        ev->high_cap = ev->cap;
    }
    ev->high[e.id] = (uint64_t)(v >> 64);
}

/* True if e's value is known; else it goes onto the stack. */
static bool want(ExprEval *ev, Expr e)
{
    if (known(ev, e))
        return true;
    vec_push(&ev->stack, e.id);
    return false;
}

/* The byte that the array holds at the evaluated index; false if other values are wanted first. */
static bool select_byte(ExprEval *ev, Expr array, u128 index, u128 *out)
{
    const ExprPool *p = ev->pool;
    if (index >= expr_array_size(p, (ExprArray){array.id})) {
        *out = 0;
        return true;
    }
    bool ready = true;
    for (Expr a = array; is(p, a, EXPR_STORE); a = kid(p, a, 0))
        ready = want(ev, kid(p, a, 1)) && ready;
    if (!ready)
        return false;
    for (; is(p, array, EXPR_STORE); array = kid(p, array, 0))
        if (value(ev, kid(p, array, 1)) == index) {
            if (!want(ev, kid(p, array, 2)))
                return false;
            *out = value(ev, kid(p, array, 2));
            return true;
        }
    const ExprNode *base = node_of(p, array);
    switch (base->op) {
    case EXPR_ARRAY_CONST: *out = p->blobs.v[base->child[0]].bytes[(uint32_t)index]; return true;
    case EXPR_ARRAY_INPUT:
        *out = expr_input_byte(ev->input, p->objects.v[base->child[0]].at + (uint32_t)index);
        return true;
    default: break;
    }
    Expr byte = expr_child(p, array, (uint32_t)index);
    if (!want(ev, byte))
        return false;
    *out = value(ev, byte);
    return true;
}

static bool apply_fn(ExprEval *ev, Expr e, u128 *out)
{
    const ExprPool *p = ev->pool;
    uint32_t n = expr_child_count(p, e);
    bool ready = true;
    for (uint32_t i = 0; i < n; i++)
        ready = want(ev, expr_child(p, e, i)) && ready;
    if (!ready)
        return false;
    vec_clear(&ev->arguments);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&ev->arguments, value(ev, expr_child(p, e, i)));
    *out = expr_fn_call(p, expr_apply_fn(p, e), ev->arguments.v, n);
    return true;
}

/* An operator all of whose children are needed. */
static bool apply_op(ExprEval *ev, Expr e, u128 *out)
{
    const ExprPool *p = ev->pool;
    BitsOp op = expr_op_bits(op_of(p, e));
    unsigned arity = bits_op_arity(op), source = width_of(p, kid(p, e, 0));
    u128 v[3] = {0};
    bool ready = true;
    for (unsigned i = 0; i < arity; i++)
        ready = want(ev, kid(p, e, i)) && ready;
    if (!ready)
        return false;
    for (unsigned i = 0; i < arity; i++)
        v[i] = value(ev, kid(p, e, i));
    unsigned width = bits_op_result(op) == BITS_RESULT_BIT ? source : width_of(p, e);
    *out = bits_apply(op, width, source, v[0], v[1], v[2]);
    return true;
}

/* Of conditions one that is false says it all. The second is asked first: it is a single one where the first
 * is all those before it. */
static bool both_hold(ExprEval *ev, Expr a, Expr b, u128 *out)
{
    *out = 0;
    if ((known(ev, a) && !value(ev, a)) || (known(ev, b) && !value(ev, b)))
        return true;
    *out = 1;
    return want(ev, b) && want(ev, a);
}

/* Computes e if all that it needs is known; else puts what is missing onto the stack. */
static bool step(ExprEval *ev, Expr e, u128 *out)
{
    const ExprPool *p = ev->pool;
    Expr a = kid(p, e, 0), b = kid(p, e, 1);
    u128 mask = bits_mask(width_of(p, e));
    if (is(p, e, EXPR_AND) && width_of(p, e) == 1)
        return both_hold(ev, a, b, out);
    switch (op_of(p, e)) {
    case EXPR_CONST: *out = value_of(p, e); return true;
    case EXPR_SYMBOL: *out = expr_input_get(p, ev->input, e); return true;
    case EXPR_NEG:
    case EXPR_NOT:
        if (!want(ev, a))
            return false;
        *out = (is(p, e, EXPR_NOT) ? ~value(ev, a) : -value(ev, a)) & mask;
        return true;
    case EXPR_EXTRACT:
        if (!want(ev, a))
            return false;
        *out = value(ev, a) >> low_of(p, e) & mask;
        return true;
    case EXPR_CONCAT: {
        bool ready = want(ev, a);
        if (!want(ev, b) || !ready)
            return false;
        *out = value(ev, a) << width_of(p, b) | value(ev, b);
        return true;
    }
    case EXPR_ITE:
        if (!want(ev, a))
            return false;
        b = kid(p, e, value(ev, a) ? 1 : 2);
        if (!want(ev, b))
            return false;
        *out = value(ev, b);
        return true;
    case EXPR_SELECT: return want(ev, b) && select_byte(ev, a, value(ev, b), out);
    case EXPR_APPLY: return apply_fn(ev, e, out);
    default: return apply_op(ev, e, out);
    }
}

u128 expr_eval(ExprEval *ev, Expr e)
{
    if (width_of(ev->pool, e) == 0)
        bug("an array has no value");
    make_room(ev);
    vec_clear(&ev->stack);
    want(ev, e);
    while (ev->stack.n) {
        Expr top = {vec_last(&ev->stack)};
        u128 v;
        ev->steps++;
        if (known(ev, top)) {
            ev->stack.n--;
        } else if (step(ev, top, &v)) {
            put(ev, top, v);
            ev->stack.n--;
        }
    }
    return value(ev, e);
}

uint64_t expr_eval_steps(const ExprEval *ev) { return ev->steps; }

bool expr_eval_true(ExprEval *ev, Expr e) { return expr_eval(ev, e) != 0; }

u128 expr_eval_once(const ExprPool *p, const ExprInput *in, Expr e)
{
    ExprEval *ev = expr_eval_new(p);
    expr_eval_input(ev, in);
    u128 v = expr_eval(ev, e);
    expr_eval_free(ev);
    return v;
}
