/* ranges.c - fast reasoning over a group's cone: every node gets a Range, upwards from its operands and
 * downwards from the constraints, which are true. Nodes that a constraint equates share what is known of
 * either.
 *
 * An empty range refutes the group; each range carries which constraints it rests on, so that the core is
 * small. Otherwise the hint, moved into the ranges of its symbols, may satisfy the group. */
#include "solver/range.h"
#include "solver/solver_int.h"

enum {
    ROUNDS = 4,
    CONE_LIMIT = 3000,
    TABLE_LIMIT = 1024,
    FREE_LIMIT = 1 << 18, /* nodes whose range without constraints is remembered */
};

enum { NOTIFY_PARENTS = 1, NOTIFY_CHILDREN = 2 }; /* a range changed, and these do not know it yet */

struct Ranges {
    Vec(Range) free;     /* by node id: the range that holds without constraints */
    const U32Vec *cone;  /* of the group at hand */
    U32Vec where;        /* node id to its place in cone; valid if cone has that id there */
    Vec(Range) range;    /* by place in cone */
    U64Vec because;      /* by place: constraints that it rests on, one bit for those of equal
                            number modulo 64 */
    Vec(uint8_t) notify; /* by place: flags as above */
    U32Vec same;         /* place to a place known to be equal: union-find */
};

typedef struct Pass {
    Solver *s;
    ExprPool *p;
    Ranges *x;
    bool changed, empty;
    uint64_t why;     /* what a refutation rests on */
    uint64_t equated; /* what the classes of equal nodes rest on */
} Pass;

Ranges *ranges_new(void) { return mem_zalloc(sizeof(Ranges)); }

void ranges_free(Ranges *x)
{
    if (!x)
        return;
    vec_free(&x->where);
    vec_free(&x->range);
    vec_free(&x->because);
    vec_free(&x->free);
    vec_free(&x->notify);
    vec_free(&x->same);
    mem_free(x);
}

/* ---- access ---------------------------------------------------------------------------------- */

static Range *at(Pass *k, Expr e) { return &k->x->range.v[k->x->where.v[e.id]]; }

static uint64_t because(const Pass *k, Expr e) { return k->x->because.v[k->x->where.v[e.id]]; }

/* e is also within this range, for the given reasons. */
static void meet(Pass *k, Expr e, Range with, uint64_t why)
{
    bool changed = false;
    if (k->empty)
        return;
    if (!range_meet(at(k, e), &with, expr_width(k->p, e), &changed)) {
        k->empty = true;
        k->why = why | because(k, e);
    }
    if (changed) {
        k->changed = true;
        k->x->because.v[k->x->where.v[e.id]] |= why;
        k->x->notify.v[k->x->where.v[e.id]] = NOTIFY_PARENTS | NOTIFY_CHILDREN;
    }
}

static void refute(Pass *k, uint64_t why)
{
    k->empty = true;
    k->why = why;
}

static uint32_t class_of(Pass *k, Expr e)
{
    uint32_t i = k->x->where.v[e.id];
    while (k->x->same.v[i] != i)
        i = k->x->same.v[i];
    return i;
}

/* ---- upwards --------------------------------------------------------------------------------- */

static Range of_bool(int known) { return known < 0 ? range_all(1) : range_const((u128)known, 1); }

static Range compare_up(Pass *k, ExprOp op, Expr a, Expr b)
{
    if (class_of(k, a) == class_of(k, b))
        return range_const(op == EXPR_EQ, 1);
    const Range *x = at(k, a), *y = at(k, b);
    return of_bool(op == EXPR_EQ ? range_eq(x, y) : op == EXPR_ULT ? range_ult(x, y) : range_slt(x, y));
}

/* A read of a constant table: all that stands in the part that the index can reach. */
static Range select_up(Pass *k, Expr e)
{
    ExprArray array = {expr_child(k->p, e, 0).id};
    const Range *index = at(k, expr_child(k->p, e, 1));
    uint32_t size = expr_array_size(k->p, array);
    if (expr_op(k->p, expr_of_array(array)) != EXPR_ARRAY_CONST || size > TABLE_LIMIT)
        return range_all(8);
    const uint8_t *bytes = expr_array_bytes(k->p, array);
    Range r = range_const(0, 8);
    bool any = index->high >= size;
    for (u128 i = index->low; i <= index->high && i < size; i++) {
        Range b = range_const(bytes[i], 8);
        r = any ? range_join(&r, &b) : b;
        any = true;
    }
    return r;
}

static Range node_up(Pass *k, Expr e)
{
    ExprPool *p = k->p;
    unsigned w = expr_width(p, e);
    ExprOp op = expr_op(p, e);
    uint32_t n = expr_child_count(p, e);
    if (op == EXPR_CONST)
        return range_const(expr_const_value(p, e), w);
    if (op == EXPR_SELECT)
        return select_up(k, e);
    if (n == 0 || op == EXPR_APPLY || expr_op_is_float(op))
        return range_all(w);
    Expr a = expr_child(p, e, 0), b = n > 1 ? expr_child(p, e, 1) : EXPR_NONE;
    const Range *x = at(k, a), *y = n > 1 ? at(k, b) : NULL;
    switch (op) {
    case EXPR_NOT: return range_not(x, w);
    case EXPR_NEG: return range_neg(x, w);
    case EXPR_AND: return range_and(x, y, w);
    case EXPR_OR: return range_or(x, y, w);
    case EXPR_XOR: return range_xor(x, y, w);
    case EXPR_ADD: return range_add(x, y, w);
    case EXPR_MUL: return range_mul(x, y, w);
    case EXPR_UDIV: return range_udiv(x, y, w);
    case EXPR_UREM: return range_urem(x, y, w);
    case EXPR_LSHR: return range_lshr(x, y, w);
    case EXPR_ZEXT: return range_zext(x, expr_width(p, a), w);
    case EXPR_SEXT: return range_sext(x, expr_width(p, a), w);
    case EXPR_CONCAT: return range_concat(x, y, expr_width(p, b), w);
    case EXPR_EXTRACT: return range_extract(x, expr_extract_low(p, e), w);
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT: return compare_up(k, op, a, b);
    case EXPR_ITE: {
        const Range *z = at(k, expr_child(p, e, 2));
        return range_is_const(x) ? (x->low ? *y : *z) : range_join(y, z);
    }
    default: return range_all(w);
    }
}

/* ---- downwards ------------------------------------------------------------------------------- */

/* The values of a range that are not v, as far as its ends show. */
static Range without(Range r, u128 v, unsigned w)
{
    if (range_is_const(&r) && r.low == v)
        r.zeros = r.ones = bits_mask(w); /* empty */
    else if (r.low == v)
        r.low++;
    else if (r.high == v)
        r.high--;
    return r;
}

static void compare_down(Pass *k, ExprOp op, Expr a, Expr b, bool holds, uint64_t why)
{
    unsigned w = expr_width(k->p, a);
    Range x = *at(k, a), y = *at(k, b), all = range_all(w), rx = all, ry = all;
    uint64_t for_a = why | because(k, b), for_b = why | because(k, a);
    if (op == EXPR_EQ && holds) {
        meet(k, a, y, for_a);
        meet(k, b, *at(k, a), for_b);
        k->x->same.v[class_of(k, a)] = class_of(k, b);
        k->equated |= why;
        return;
    }
    if (op == EXPR_EQ) {
        if (range_is_const(&y))
            meet(k, a, without(x, y.low, w), for_a);
        if (range_is_const(&x))
            meet(k, b, without(y, x.low, w), for_b);
        return;
    }
    if (op == EXPR_ULT) {
        if (holds && (y.high == 0 || x.low == all.high)) {
            refute(k, for_a | for_b);
            return;
        }
        *(holds ? &rx.high : &ry.high) = holds ? y.high - 1 : x.high;
        *(holds ? &ry.low : &rx.low) = holds ? x.low + 1 : y.low;
    } else {
        if (holds && (y.shigh == all.slow || x.slow == all.shigh)) {
            refute(k, for_a | for_b);
            return;
        }
        *(holds ? &rx.shigh : &ry.shigh) = holds ? y.shigh - 1 : x.shigh;
        *(holds ? &ry.slow : &rx.slow) = holds ? x.slow + 1 : y.slow;
    }
    meet(k, a, rx, for_a);
    meet(k, b, ry, for_b);
}

/* a + c is within r, c constant. */
static void add_down(Pass *k, Expr a, u128 c, const Range *r, unsigned w, uint64_t why)
{
    u128 mask = bits_mask(w);
    if (r->low >= c)
        meet(k, a, range_between(r->low - c, r->high - c, w), why);
    else if (r->high < c)
        meet(k, a, range_between((r->low - c) & mask, (r->high - c) & mask, w), why);
}

static void logic_down(Pass *k, ExprOp op, Expr a, Expr b, const Range *r, unsigned w, uint64_t why)
{
    Range x = *at(k, a), y = *at(k, b), all = range_all(w), rx = all, ry = all;
    switch (op) {
    case EXPR_AND:
        rx.ones = ry.ones = r->ones;
        rx.zeros = r->zeros & y.ones;
        ry.zeros = r->zeros & x.ones;
        break;
    case EXPR_OR:
        rx.zeros = ry.zeros = r->zeros;
        rx.ones = r->ones & y.zeros;
        ry.ones = r->ones & x.zeros;
        break;
    default:
        rx.ones = (r->ones & y.zeros) | (r->zeros & y.ones);
        rx.zeros = (r->zeros & y.zeros) | (r->ones & y.ones);
        ry.ones = (r->ones & x.zeros) | (r->zeros & x.ones);
        ry.zeros = (r->zeros & x.zeros) | (r->ones & x.ones);
        break;
    }
    uint64_t for_a = why | because(k, b), for_b = why | because(k, a);
    meet(k, a, rx, for_a);
    meet(k, b, ry, for_b);
}

static void concat_down(Pass *k, Expr high, Expr low, const Range *r, uint64_t why)
{
    unsigned lw = expr_width(k->p, low), hw = expr_width(k->p, high);
    u128 low_mask = bits_mask(lw);
    Range h = range_between(r->low >> lw, r->high >> lw, hw), l = range_all(lw);
    h.zeros |= r->zeros >> lw;
    h.ones |= r->ones >> lw;
    l.zeros = r->zeros & low_mask;
    l.ones = r->ones & low_mask;
    if (r->low >> lw == r->high >> lw) {
        l.low = r->low & low_mask;
        l.high = r->high & low_mask;
    }
    meet(k, high, h, why);
    meet(k, low, l, why);
}

static void ite_down(Pass *k, Expr e, const Range *r, uint64_t why)
{
    Expr c = expr_child(k->p, e, 0), then = expr_child(k->p, e, 1), other = expr_child(k->p, e, 2);
    const Range *known = at(k, c);
    if (!range_is_const(known)) {
        if (range_eq(at(k, then), r) == 0)
            meet(k, c, range_const(0, 1), why | because(k, then));
        else if (range_eq(at(k, other), r) == 0)
            meet(k, c, range_const(1, 1), why | because(k, other));
    }
    known = at(k, c);
    if (range_is_const(known))
        meet(k, known->low ? then : other, *r, why | because(k, c));
}

static void cast_down(Pass *k, Expr e, ExprOp op, Expr a, const Range *r, uint64_t why)
{
    unsigned source = expr_width(k->p, a);
    Range x = range_all(source);
    switch (op) {
    case EXPR_ZEXT:
        if (r->low > x.high) {
            refute(k, why);
            return;
        }
        x.low = r->low;
        x.high = r->high < x.high ? r->high : x.high;
        x.zeros = r->zeros & bits_mask(source);
        x.ones = r->ones & bits_mask(source);
        break;
    case EXPR_SEXT:
        x.slow = r->slow > x.slow ? r->slow : x.slow;
        x.shigh = r->shigh < x.shigh ? r->shigh : x.shigh;
        x.zeros = r->zeros & bits_mask(source);
        x.ones = r->ones & bits_mask(source);
        break;
    default: { /* EXTRACT */
        unsigned low = expr_extract_low(k->p, e);
        x.zeros = r->zeros << low;
        x.ones = r->ones << low;
        break;
    }
    }
    meet(k, a, x, why);
}

static void node_down(Pass *k, Expr e)
{
    ExprPool *p = k->p;
    ExprOp op = expr_op(p, e);
    unsigned w = expr_width(p, e);
    uint32_t n = expr_child_count(p, e);
    if (w == 0 || n == 0 || op == EXPR_SELECT || op == EXPR_APPLY || expr_op_is_float(op))
        return;
    Range r = *at(k, e);
    uint64_t why = because(k, e);
    Expr a = expr_child(p, e, 0), b = n > 1 ? expr_child(p, e, 1) : EXPR_NONE;
    switch (op) {
    case EXPR_NOT: meet(k, a, range_not(&r, w), why); break;
    case EXPR_NEG: meet(k, a, range_neg(&r, w), why); break;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: logic_down(k, op, a, b, &r, w, why); break;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT:
        if (range_is_const(&r))
            compare_down(k, op, a, b, r.low, why);
        break;
    case EXPR_ADD:
        if (range_is_const(at(k, b)))
            add_down(k, a, at(k, b)->low, &r, w, why | because(k, b));
        if (range_is_const(at(k, a)))
            add_down(k, b, at(k, a)->low, &r, w, why | because(k, a));
        break;
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_EXTRACT: cast_down(k, e, op, a, &r, why); break;
    case EXPR_CONCAT: concat_down(k, a, b, &r, why); break;
    case EXPR_ITE: ite_down(k, e, &r, why); break;
    default: break;
    }
}

/* ---- the layer ------------------------------------------------------------------------------- */

/* The range of a node that holds whatever the input is: computed once for each node. */
static Range free_range(Pass *k, Expr e)
{
    Ranges *x = k->x;
    unsigned width = expr_width(k->p, e);
    if (e.id < x->free.n && x->free.v[e.id].low <= x->free.v[e.id].high)
        return x->free.v[e.id];
    Range r = width ? node_up(k, e) : (Range){0};
    if (e.id >= FREE_LIMIT)
        return r;
    while (x->free.n <= e.id)
        vec_push(&x->free, (Range){.low = 1, .high = 0}); /* not known yet */
    x->free.v[e.id] = r;
    return r;
}

static void open_cone(Pass *k, const Group *g)
{
    Ranges *x = k->x;
    uint32_t count = expr_pool_count(k->p);
    vec_reserve(&x->where, count);
    x->where.n = count;
    vec_clear(&x->range);
    vec_clear(&x->because);
    vec_clear(&x->notify);
    vec_clear(&x->same);
    for (uint32_t i = 0; i < x->cone->n; i++) {
        Expr e = {x->cone->v[i]};
        x->where.v[e.id] = i;
        vec_push(&x->same, i);
        vec_push(&x->because, 0);
        vec_push(&x->notify, 0);
        vec_push(&x->range, (Range){0});
        x->range.v[i] = free_range(k, e);
    }
    for (uint32_t i = 0; i < g->n; i++)
        meet(k, g->c[i], range_const(1, 1), (uint64_t)1 << (i % 64));
}

/* Recomputes a node if a child's range changed. */
static void node_again(Pass *k, uint32_t place)
{
    Expr e = {k->x->cone->v[place]};
    ExprOp op = expr_op(k->p, e);
    if (expr_width(k->p, e) == 0)
        return;
    uint64_t why = k->equated;
    uint8_t news = 0;
    for (uint32_t i = 0; i < expr_child_count(k->p, e); i++) {
        Expr c = expr_child(k->p, e, i);
        news |= k->x->notify.v[k->x->where.v[c.id]];
        why |= because(k, c);
    }
    bool compares = op == EXPR_EQ || op == EXPR_ULT || op == EXPR_SLT; /* classes may have been joined */
    if (!(news & NOTIFY_PARENTS) && !compares)
        return;
    meet(k, e, node_up(k, e), why);
    k->x->notify.v[place] |= NOTIFY_CHILDREN; /* what it says of one child depends on the other */
}

/* Rounds of both directions until nothing changes; false if the group is refuted. */
static bool propagate(Pass *k)
{
    Ranges *x = k->x;
    for (int round = 0; round < ROUNDS && !k->empty; round++) {
        k->changed = false;
        for (uint32_t i = x->cone->n; i-- > 0 && !k->empty;) {
            if (!(x->notify.v[i] & NOTIFY_CHILDREN))
                continue;
            x->notify.v[i] &= (uint8_t)~NOTIFY_CHILDREN;
            node_down(k, (Expr){x->cone->v[i]});
        }
        if (!k->changed)
            break;
        for (uint32_t i = 0; i < x->cone->n && !k->empty; i++)
            node_again(k, i);
        for (uint32_t i = 0; i < x->cone->n; i++)
            x->notify.v[i] &= (uint8_t)~NOTIFY_PARENTS;
    }
    return !k->empty;
}

bool layer_ranges(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    (void)budget;
    Pass k = {.s = s, .p = s->pool, .x = s->ranges};
    k.x->cone = group_cone(s, g);
    if (k.x->cone->n > CONE_LIMIT)
        return false;
    open_cone(&k, g);
    if (k.empty || !propagate(&k)) {
        a->status = SOLVER_UNSAT;
        for (uint32_t i = 0; i < g->n; i++)
            if (k.why >> (i % 64) & 1)
                vec_push(&a->core, g->c[i]);
        return true;
    }
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(s->pool, g->symbols[i]);
        if (symbol.id >= k.x->where.n || k.x->where.v[symbol.id] >= k.x->cone->n ||
            k.x->cone->v[k.x->where.v[symbol.id]] != symbol.id)
            continue; /* a byte of an array that no node names */
        unsigned w = expr_width(s->pool, symbol);
        expr_input_set(s->pool, &a->model, symbol,
                       range_near(at(&k, symbol), expr_input_get(s->pool, &s->hint, symbol), w));
    }
    if (group_holds(s, g, &a->model)) {
        a->status = SOLVER_SAT;
        return true;
    }
    expr_input_copy(&a->model, &s->hint);
    return false;
}
