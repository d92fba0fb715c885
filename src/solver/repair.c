/* repair.c - the hint violates one constraint, usually the last, negated: change the symbols that it needs
 * changed, and no others.
 *
 * The required value is pushed from the constraint down to symbols: each operator is inverted for one operand
 * while the others keep their values. Where there is a choice, a number decides that differs from attempt to
 * attempt. What comes out is only a candidate; the group's constraints judge it. */
#include "solver/repair.h"

enum { ATTEMPTS = 12, DEPTH = 200, STEPS = 400 };

static bool want(Repair *r, Expr e, u128 t, uint32_t depth);

static u128 value_of(const Repair *r, Expr e) { return expr_eval(r->values, e); }

/* ---- choices --------------------------------------------------------------------------------- */

typedef struct Option {
    Expr e;
    u128 target;
} Option;

/* Tries the options from one that the attempt picks on; what a failed one assigned is taken back. */
static bool any_of(Repair *r, const Option *o, uint32_t n, uint32_t depth)
{
    if (n == 0)
        return false;
    uint32_t start = r->choices % n;
    r->choices /= n;
    r->had_choice = r->had_choice || n > 1;
    for (uint32_t i = 0; i < n; i++) {
        const Option *x = &o[(start + i) % n];
        uint32_t before = r->n;
        if (want(r, x->e, x->target, depth + 1))
            return true;
        r->n = before;
    }
    return false;
}

static bool assign(Repair *r, Expr symbol, u128 value)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (expr_same(r->set[i].symbol, symbol))
            return r->set[i].value == value;
    uint32_t at = expr_symbol_at(r->s->pool, symbol);
    if (r->lenient)
        value = bytes_nearest(r->s, r->g, at, value);
    if (r->n == REPAIR_ASSIGNMENTS || !bytes_allows(r->s, r->g, at, value))
        return false;
    r->set[r->n].symbol = symbol;
    r->set[r->n++].value = value;
    return true;
}

/* ---- inverting operators --------------------------------------------------------------------- */

/* x with odd * x = 1 modulo 2^128, by Newton's iteration. */
static u128 inverse(u128 odd)
{
    u128 x = odd;
    for (int i = 0; i < 7; i++)
        x *= 2 - odd * x;
    return x;
}

/* Options for a two-operand operator: what each operand would have to be, the other one as hinted. */
static uint32_t invert_arithmetic(ExprOp op, u128 va, u128 vb, u128 t, unsigned w, Expr a, Expr b,
                                  bool lenient, Option *o)
{
    uint32_t n = 0;
    u128 mask = bits_mask(w);
    switch (op) {
    case EXPR_ADD:
        o[n++] = (Option){a, (t - vb) & mask};
        o[n++] = (Option){b, (t - va) & mask};
        break;
    case EXPR_XOR:
        o[n++] = (Option){a, t ^ vb};
        o[n++] = (Option){b, t ^ va};
        break;
    case EXPR_AND:
        if (!(t & ~vb))
            o[n++] = (Option){a, t | (va & ~vb)};
        if (!(t & ~va))
            o[n++] = (Option){b, t | (vb & ~va)};
        break;
    case EXPR_OR:
        if (!(vb & ~t))
            o[n++] = (Option){a, (t & ~vb) | (va & vb)};
        if (!(va & ~t))
            o[n++] = (Option){b, (t & ~va) | (vb & va)};
        break;
    case EXPR_MUL:
        if ((vb & 1) && !(lenient && vb < 1000 && t >= vb))
            o[n++] = (Option){a, t * inverse(vb) & mask};
        else if (vb && (lenient || t % vb == 0))
            o[n++] = (Option){a, t / vb};
        if ((va & 1) && !(lenient && va < 1000 && t >= va))
            o[n++] = (Option){b, t * inverse(va) & mask};
        else if (va && (lenient || t % va == 0))
            o[n++] = (Option){b, t / va};
        break;
    case EXPR_UDIV:
        if (vb && t <= mask / vb)
            o[n++] = (Option){a, t * vb};
        break;
    case EXPR_UREM:
        if (t < vb && va - va % vb <= mask - t) {
            u128 near = va - va % vb + t;
            o[n++] = (Option){a, near};
            if (near <= mask - vb)
                o[n++] = (Option){a, near + vb};
            if (near >= vb)
                o[n++] = (Option){a, near - vb};
        }
        break;
    case EXPR_SHL:
        if (vb < w && !(t & bits_mask((unsigned)vb)))
            o[n++] = (Option){a, t >> vb};
        break;
    case EXPR_LSHR:
        if (vb < w && t <= mask >> vb)
            o[n++] = (Option){a, t << vb & mask};
        break;
    default: break;
    }
    return n;
}

static bool want_equal(Repair *r, Expr a, Expr b, u128 va, u128 vb, bool t, uint32_t depth)
{
    u128 mask = bits_mask(expr_width(r->s->pool, a));
    if (t)
        return any_of(r, (Option[]){{a, vb}, {b, va}}, 2, depth);
    Option o[] = {
        {a, (va + 1) & mask}, {b, (vb + 1) & mask}, {a, (va - 1) & mask}, {a, va ^ (mask / 2 + 1)}, {a, 0},
        {b, (vb - 1) & mask}};
    return any_of(r, o, COUNT_OF(o), depth);
}

/* a < b in the order that `flip` makes unsigned: 0, or the sign bit for signed comparison. */
static bool want_less(Repair *r, Expr a, Expr b, u128 va, u128 vb, u128 flip, bool t, uint32_t depth)
{
    u128 most = bits_mask(expr_width(r->s->pool, a)) ^ flip, least = flip;
    Option o[6];
    uint32_t n = 0;
    if (t) {
        if (vb != least)
            o[n++] = (Option){a, ((vb ^ flip) - 1) ^ flip};
        if (va != most)
            o[n++] = (Option){b, ((va ^ flip) + 1) ^ flip};
        o[n++] = (Option){a, least};
        o[n++] = (Option){b, most};
        o[n++] = (Option){a, ((vb ^ flip) / 2) ^ flip};
    } else {
        o[n++] = (Option){a, vb};
        o[n++] = (Option){b, va};
        o[n++] = (Option){a, most};
        o[n++] = (Option){b, least};
    }
    return any_of(r, o, n, depth);
}

static bool want_concat(Repair *r, Expr high, Expr low, u128 t, uint32_t depth)
{
    unsigned w = expr_width(r->s->pool, low);
    u128 t_low = t & bits_mask(w), t_high = t >> w;
    return (value_of(r, low) == t_low || want(r, low, t_low, depth + 1)) &&
           (value_of(r, high) == t_high || want(r, high, t_high, depth + 1));
}

static bool want_ite(Repair *r, Expr e, u128 t, uint32_t depth)
{
    ExprPool *p = r->s->pool;
    Expr c = expr_child(p, e, 0);
    bool holds = value_of(r, c) != 0;
    Expr now = expr_child(p, e, holds ? 1 : 2), other = expr_child(p, e, holds ? 2 : 1);
    if (value_of(r, other) == t)
        return any_of(r, (Option[]){{c, !holds}, {now, t}}, 2, depth);
    return want(r, now, t, depth + 1);
}

/* A table without stores: an index where the required byte stands, the k-th such place for the k-th choice.
 */
static bool want_select(Repair *r, Expr e, u128 t, uint32_t depth)
{
    ExprPool *p = r->s->pool;
    ExprArray array = {expr_child(p, e, 0).id};
    if (expr_op(p, expr_of_array(array)) != EXPR_ARRAY_CONST)
        return false;
    const uint8_t *bytes = expr_array_bytes(p, array);
    uint32_t size = expr_array_size(p, array), n = 0;
    Option o[8];
    for (uint32_t i = 0; i < size && n < COUNT_OF(o); i++)
        if (bytes[i] == t)
            o[n++] = (Option){expr_child(p, e, 1), i};
    return any_of(r, o, n, depth);
}

/* Both conditions true, or one of them false. */
static bool want_and(Repair *r, Expr a, Expr b, bool t, uint32_t depth)
{
    if (!t)
        return any_of(r, (Option[]){{b, 0}, {a, 0}}, 2, depth);
    return (value_of(r, a) || want(r, a, 1, depth + 1)) && (value_of(r, b) || want(r, b, 1, depth + 1));
}

static bool want_unary(Repair *r, Expr e, ExprOp op, u128 t, unsigned w, uint32_t depth)
{
    ExprPool *p = r->s->pool;
    Expr a = expr_child(p, e, 0);
    unsigned source = expr_width(p, a);
    switch (op) {
    case EXPR_NEG: return want(r, a, -t & bits_mask(w), depth + 1);
    case EXPR_NOT: return want(r, a, ~t & bits_mask(w), depth + 1);
    case EXPR_ZEXT:
        if (r->lenient && t > bits_mask(source))
            t = t >> (w - 1) ? 0 : bits_mask(source); /* meant as negative, or just too large */
        return t <= bits_mask(source) && want(r, a, t, depth + 1);
    case EXPR_SEXT: {
        u128 low = t & bits_mask(source);
        return ((u128)bits_signed(low, source) & bits_mask(w)) == t && want(r, a, low, depth + 1);
    }
    case EXPR_EXTRACT: {
        unsigned low = expr_extract_low(p, e);
        return want(r, a, (value_of(r, a) & ~(bits_mask(w) << low)) | t << low, depth + 1);
    }
    default: return false;
    }
}

/* Finds assignments under which e would have the value t. */
static bool want(Repair *r, Expr e, u128 t, uint32_t depth)
{
    ExprPool *p = r->s->pool;
    ExprOp op = expr_op(p, e);
    unsigned w = expr_width(p, e);
    if (depth > DEPTH || ++r->steps > STEPS || op == EXPR_CONST)
        return false;
    if (op == EXPR_SYMBOL)
        return assign(r, e, t);
    uint32_t n = expr_child_count(p, e);
    if (n == 1)
        return want_unary(r, e, op, t, w, depth);
    if (op == EXPR_ITE)
        return want_ite(r, e, t, depth);
    if (op == EXPR_SELECT)
        return want_select(r, e, t, depth);
    if (n != 2 || expr_op_is_float(op) || op == EXPR_APPLY)
        return false;
    Expr a = expr_child(p, e, 0), b = expr_child(p, e, 1);
    if (op == EXPR_CONCAT)
        return want_concat(r, a, b, t, depth);
    if (op == EXPR_AND && w == 1)
        return want_and(r, a, b, t, depth);
    u128 va = value_of(r, a), vb = value_of(r, b);
    unsigned operand = expr_width(p, a);
    switch (op) {
    case EXPR_EQ: return want_equal(r, a, b, va, vb, t, depth);
    case EXPR_ULT: return want_less(r, a, b, va, vb, 0, t, depth);
    case EXPR_SLT: return want_less(r, a, b, va, vb, (u128)1 << (operand - 1), t, depth);
    default: {
        Option o[4];
        return any_of(r, o, invert_arithmetic(op, va, vb, t, w, a, b, r->lenient, o), depth);
    }
    }
}

bool repair_constraint(Repair *r, Expr c) { return want(r, c, 1, 0); }

void repair_apply(const Repair *r, ExprInput *in)
{
    for (uint32_t i = 0; i < r->n; i++)
        expr_input_set(r->s->pool, in, r->set[i].symbol, r->set[i].value);
}

bool layer_repair(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    for (uint32_t attempt = 0; attempt < ATTEMPTS && !budget_spent(budget); attempt++) {
        Repair r = {.s = s, .g = g, .values = s->hint_eval, .choices = attempt};
        bool found = true;
        for (uint32_t i = 0; i < g->n_failing && found; i++)
            found = value_of(&r, g->failing[i]) || want(&r, g->failing[i], 1, 0);
        if (found) {
            expr_input_copy(&a->model, &s->hint);
            repair_apply(&r, &a->model);
            if (group_holds(s, g, &a->model)) {
                a->status = SOLVER_SAT;
                return true;
            }
        }
        if (!r.had_choice)
            break;
    }
    expr_input_copy(&a->model, &s->hint);
    return false;
}
