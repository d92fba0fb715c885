/* sym_range.c - a quick look at what values an expression can have, to leave out decisions that are none.
 *
 * Unsigned intervals, bottom up, remembered for each node of the pool. No more than a filter: the solver
 * decides the rest. */
#include "vm/symbolic/sym_int.h"

enum { DEPTH_MOST = 48 };

typedef struct Range {
    uint64_t low, high;
} Range;

static Range full(unsigned width) { return (Range){0, bits_mask64(width)}; }

static Range range(struct Sym *s, Expr e, unsigned depth);

static Range unite(Range a, Range b)
{
    return (Range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* A byte of a table that is known, wherever in it; behind its end there are zeros. */
static Range table_range(const ExprPool *p, Expr e)
{
    ExprArray table = {expr_child(p, e, 0).id};
    Range r = {0, 0};
    if (expr_op(p, expr_of_array(table)) != EXPR_ARRAY_CONST)
        return full(8);
    const uint8_t *bytes = expr_array_bytes(p, table);
    for (uint32_t i = 0; i < expr_array_size(p, table); i++)
        r.high = bytes[i] > r.high ? bytes[i] : r.high;
    return r;
}

/* A chain of choices is as long as the table that it reads. */
static Range choice_range(struct Sym *s, Expr e, unsigned depth)
{
    const ExprPool *p = s->pool;
    Range r = range(s, expr_child(p, e, 1), depth);
    for (e = expr_child(p, e, 2); expr_op(p, e) == EXPR_ITE; e = expr_child(p, e, 2))
        r = unite(r, range(s, expr_child(p, e, 1), depth));
    return unite(r, range(s, e, depth));
}

static Range compute(struct Sym *s, Expr e, unsigned depth)
{
    const ExprPool *p = s->pool;
    unsigned width = expr_width(p, e);
    uint64_t most = bits_mask64(width), high;
    switch (expr_op(p, e)) {
    case EXPR_CONST: return (Range){(uint64_t)expr_const_value(p, e), (uint64_t)expr_const_value(p, e)};
    case EXPR_ZEXT: return range(s, expr_child(p, e, 0), depth);
    case EXPR_SEXT: {
        Range r = range(s, expr_child(p, e, 0), depth);
        return r.high >> (expr_width(p, expr_child(p, e, 0)) - 1) ? full(width) : r;
    }
    case EXPR_ITE: return choice_range(s, e, depth);
    case EXPR_SELECT: return table_range(p, e);
    case EXPR_ADD: {
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        if (__builtin_add_overflow(a.high, b.high, &high) || high > most)
            return full(width);
        return (Range){a.low + b.low, high};
    }
    case EXPR_MUL: {
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        if (__builtin_mul_overflow(a.high, b.high, &high) || high > most)
            return full(width);
        return (Range){a.low * b.low, high};
    }
    case EXPR_AND: {
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        return (Range){0, a.high < b.high ? a.high : b.high};
    }
    case EXPR_UREM: {
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        high = b.low && b.high - 1 < a.high ? b.high - 1 : a.high;
        return (Range){0, high};
    }
    case EXPR_UDIV: {
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        return b.low ? (Range){a.low / b.high, a.high / b.low} : full(width);
    }
    case EXPR_EXTRACT: {
        Expr x = expr_child(p, e, 0);
        unsigned low = expr_extract_low(p, e);
        if (expr_width(p, x) > 64)
            return full(width);
        Range r = range(s, x, depth);
        return r.high >> low <= most ? (Range){r.low >> low, r.high >> low} : full(width);
    }
    case EXPR_CONCAT: {
        unsigned shift = expr_width(p, expr_child(p, e, 1));
        Range a = range(s, expr_child(p, e, 0), depth), b = range(s, expr_child(p, e, 1), depth);
        return (Range){a.low << shift | b.low, a.high << shift | b.high};
    }
    default: return full(width);
    }
}

static Range range(struct Sym *s, Expr e, unsigned depth)
{
    unsigned width = expr_width(s->pool, e);
    if (width > 64 || width == 0)
        return full(64);
    if (expr_op(s->pool, e) == EXPR_SYMBOL || depth >= DEPTH_MOST)
        return full(width);
    if (e.id < s->ranges.n && s->ranges.v[e.id].low <= s->ranges.v[e.id].high)
        return (Range){s->ranges.v[e.id].low, s->ranges.v[e.id].high};
    Range r = compute(s, e, depth + 1);
    if (depth == 0 || r.low || r.high != bits_mask64(width)) {
        while (s->ranges.n <= e.id)
            vec_push(&s->ranges, (SymRange){1, 0});
        s->ranges.v[e.id] = (SymRange){r.low, r.high};
    }
    return r;
}

static int decided(struct Sym *s, Expr e, unsigned depth)
{
    const ExprPool *p = s->pool;
    if (depth > DEPTH_MOST)
        return -1;
    switch (expr_op(p, e)) {
    case EXPR_CONST: return expr_is_true(e);
    case EXPR_NOT: {
        int d = decided(s, expr_child(p, e, 0), depth + 1);
        return d < 0 ? d : !d;
    }
    case EXPR_AND: {
        int a = decided(s, expr_child(p, e, 0), depth + 1),
            b = a ? decided(s, expr_child(p, e, 1), depth + 1) : 0;
        return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1;
    }
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT: break;
    default: return -1;
    }
    Expr x = expr_child(p, e, 0), y = expr_child(p, e, 1);
    unsigned width = expr_width(p, x);
    if (width > 64)
        return -1;
    Range a = range(s, x, 0), b = range(s, y, 0);
    uint64_t sign = (uint64_t)1 << (width - 1);
    if (expr_op(p, e) == EXPR_EQ)
        return a.high < b.low || b.high < a.low ? 0 : -1;
    if (expr_op(p, e) == EXPR_SLT) {
        bool a_sure = (a.low & sign) == (a.high & sign), b_sure = (b.low & sign) == (b.high & sign);
        if (!a_sure || !b_sure)
            return -1;
        a.low ^= sign, a.high ^= sign, b.low ^= sign, b.high ^= sign;
    }
    return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
}

int sym_decided(Vm *vm, Expr condition) { return decided(vm->sym, condition, 0); }
