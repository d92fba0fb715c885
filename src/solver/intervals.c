/* intervals.c - conditions on one term as unions of intervals: read from comparisons, or found by bisection;
 * and written again in the shortest of four ways (signed or unsigned, what is in or what is out). */
#include "solver/intervals.h"

#include <stdlib.h>

enum { INTERVALS_MOST = 64, DEPTH_MOST = 64 };

void values_free(ValueSet *set) { vec_free(&set->in); }

/* ---- sets ------------------------------------------------------------------------------------ */

static void complement(Intervals *s, u128 greatest)
{
    Intervals out = {0};
    u128 from = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->v[i].low > from)
            vec_push(&out, (Interval){from, s->v[i].low - 1});
        from = s->v[i].high + 1;
    }
    if (from <= greatest)
        vec_push(&out, (Interval){from, greatest});
    vec_free(s);
    *s = out;
}

static void meet(Intervals *a, const Intervals *b)
{
    Intervals out = {0};
    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
        u128 low = a->v[i].low > b->v[k].low ? a->v[i].low : b->v[k].low;
        u128 high = a->v[i].high < b->v[k].high ? a->v[i].high : b->v[k].high;
        if (low <= high)
            vec_push(&out, (Interval){low, high});
        if (a->v[i].high < b->v[k].high)
            i++;
        else
            k++;
    }
    vec_free(a);
    *a = out;
}

static int by_low(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Every value plus k, around the end: an interval that crosses it becomes two. */
static void rotate(Intervals *s, u128 k, u128 greatest)
{
    Intervals out = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        u128 low = (s->v[i].low + k) & greatest, high = (s->v[i].high + k) & greatest;
        if (low <= high) {
            vec_push(&out, (Interval){low, high});
        } else {
            vec_push(&out, (Interval){0, high});
            vec_push(&out, (Interval){low, greatest});
        }
    }
    if (out.n)
        qsort(out.v, out.n, sizeof *out.v, by_low);
    for (uint32_t i = 0; i < out.n; i++)
        if (n && out.v[n - 1].high + 1 == out.v[i].low)
            out.v[n - 1].high = out.v[i].high;
        else
            out.v[n++] = out.v[i];
    out.n = n;
    vec_free(s);
    *s = out;
}

void values_meet(ValueSet *a, const ValueSet *b)
{
    meet(&a->in, &b->in);
    a->below_signed += b->below_signed;
    a->below_unsigned += b->below_unsigned;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The values for which a comparison with a constant holds. The term is what is left when a constant addend is
 * moved to the other side. */
static bool read_comparison(ExprPool *p, Expr e, ValueSet *out)
{
    ExprOp op = expr_op(p, e);
    if ((op != EXPR_EQ && op != EXPR_SLT && op != EXPR_ULT) || !expr_is_const(p, expr_child(p, e, 1)))
        return false;
    Expr term = expr_child(p, e, 0);
    unsigned width = expr_width(p, term);
    u128 k = expr_const_value(p, expr_child(p, e, 1)), addend = 0, greatest = bits_mask(width),
         half = (u128)1 << (width - 1);
    if (width < 2 || width > 64)
        return false;
    if (expr_op(p, term) == EXPR_ADD && expr_is_const(p, expr_child(p, term, 1))) {
        addend = expr_const_value(p, expr_child(p, term, 1));
        term = expr_child(p, term, 0);
    }
    *out = (ValueSet){
        .term = term, .width = width, .below_signed = op == EXPR_SLT, .below_unsigned = op == EXPR_ULT};
    if (op == EXPR_EQ)
        vec_push(&out->in, (Interval){k, k});
    else if (op == EXPR_ULT && k)
        vec_push(&out->in, (Interval){0, k - 1});
    else if (op == EXPR_SLT &&
             k != half) { /* below k plus 2^(w-1) in the unsigned order, turned back by that */
        vec_push(&out->in, (Interval){0, (k ^ half) - 1});
        rotate(&out->in, half, greatest);
    }
    rotate(&out->in, (0 - addend) & greatest, greatest);
    return true;
}

static bool read_values(ExprPool *p, Expr e, ValueSet *out, unsigned depth)
{
    ValueSet other = {0};
    ExprOp op = expr_op(p, e);
    if (depth > DEPTH_MOST)
        return false;
    if (op == EXPR_NOT) {
        if (!read_values(p, expr_child(p, e, 0), out, depth + 1))
            return false;
        complement(&out->in, bits_mask(out->width));
        return true;
    }
    if (op != EXPR_AND || expr_width(p, e) != 1)
        return read_comparison(p, e, out);
    if (!read_values(p, expr_child(p, e, 0), out, depth + 1))
        return false;
    bool same = read_values(p, expr_child(p, e, 1), &other, depth + 1) && expr_same(other.term, out->term) &&
                out->in.n + other.in.n <= INTERVALS_MOST;
    if (same)
        values_meet(out, &other);
    values_free(&other);
    return same;
}

bool values_of_comparisons(ExprPool *p, Expr condition, ValueSet *out)
{
    if (read_values(p, condition, out, 0))
        return true;
    values_free(out);
    return false;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct Form {
    ExprPool *p;
    Expr term;
    unsigned width;
    bool is_signed;
} Form;

/* In a signed form intervals are of values plus 2^(w-1), so that both orders are one. */
static Expr below(const Form *f, u128 limit)
{
    u128 bias = f->is_signed ? (u128)1 << (f->width - 1) : 0;
    Expr k = expr_const(f->p, f->width, limit - bias);
    return f->is_signed ? expr_slt(f->p, f->term, k) : expr_ult(f->p, f->term, k);
}

static uint32_t literals(const Intervals *s, u128 greatest)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += s->v[i].low == s->v[i].high ? 1
                                         : (uint32_t)(s->v[i].low > 0) + (uint32_t)(s->v[i].high < greatest);
    return n;
}

static Expr write_form(const Form *f, const Intervals *s)
{
    u128 greatest = bits_mask(f->width), bias = f->is_signed ? (u128)1 << (f->width - 1) : 0;
    Expr any = EXPR_FALSE;
    for (uint32_t i = 0; i < s->n; i++) {
        Interval r = s->v[i];
        Expr e = EXPR_TRUE;
        if (r.low == r.high)
            e = expr_eq(f->p, f->term, expr_const(f->p, f->width, r.low - bias));
        else {
            if (r.low > 0)
                e = expr_not(f->p, below(f, r.low));
            if (r.high < greatest)
                e = expr_and(f->p, e, below(f, r.high + 1));
        }
        any = expr_or(f->p, any, e);
    }
    return any;
}

Expr values_condition(ExprPool *p, const ValueSet *set)
{
    u128 greatest = bits_mask(set->width), half = (u128)1 << (set->width - 1);
    bool read_signed = set->below_signed != set->below_unsigned ? set->below_signed > set->below_unsigned
                                                                : !expr_reads_unsigned(p, set->term);
    Expr best = EXPR_NONE;
    uint32_t fewest = UINT32_MAX;
    for (unsigned way = 0; way < 4; way++) {
        Form f = {p, set->term, set->width, read_signed == !(way & 1)};
        bool out = way & 2;
        Intervals s = {0};
        for (uint32_t i = 0; i < set->in.n; i++)
            vec_push(&s, set->in.v[i]);
        if (f.is_signed)
            rotate(&s, half, greatest);
        if (out)
            complement(&s, greatest);
        uint32_t n = literals(&s, greatest);
        if (n < fewest) {
            fewest = n;
            best = write_form(&f, &s);
            best = out ? expr_not(p, best) : best;
        }
        vec_free(&s);
    }
    return best;
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { CONE_MOST = 400, CHANGES_MOST = 8, GRID = 256 };

/* The variable as a scalar symbol of its own, so that its value can be set whatever the variable is. */
typedef struct Sampler {
    ExprPool *p;
    Expr variable, symbol, condition;
    unsigned width;
    ExprEval *eval;
    ExprInput input;
    U32Vec cone;
} Sampler;

/* Does C read these bytes of the object as one value, as far as is known? */
static bool is_one_value(const ExprObjectInfo *o, uint32_t offset, uint32_t n)
{
    bool one = !o->nfields;
    for (uint32_t i = 0; i < o->nfields && !one; i++)
        one = o->fields[i].low == 8 * (uint64_t)offset && o->fields[i].bits == 8 * n;
    return one && (o->nfields || !o->type.element || o->type.element == n);
}

/* The only application that the condition depends on, or the word of neighbouring input bytes; EXPR_NONE if
 * it has several variables. */
static Expr variable_of(Sampler *s, Expr condition)
{
    ExprPool *p = s->p;
    for (uint32_t i = s->cone.n; i-- > 0;) { /* outermost first */
        Expr e = {s->cone.v[i]};
        if (expr_op(p, e) == EXPR_APPLY)
            return e;
    }
    ExprSet symbols = expr_symbols(p, condition);
    uint32_t first = expr_set_next(p, symbols, 0), n = expr_set_size(p, symbols), offset, other;
    if (!n || n > 8)
        return EXPR_NONE;
    Expr symbol = expr_symbol_of(p, first);
    if (n == 1)
        return symbol;
    ExprObject object = expr_object_at(p, first, &offset);
    const ExprObjectInfo *info = expr_object_info(p, object);
    if (info->scalar || (n != 2 && n != 4 && n != 8) || !is_one_value(info, offset, n))
        return EXPR_NONE;
    for (uint32_t i = 1; i < n; i++)
        if (!expr_set_has(p, symbols, first + i) || expr_object_at(p, first + i, &other).id != object.id)
            return EXPR_NONE;
    return expr_object_word(p, object, offset, n);
}

static bool sampler_open(Sampler *s, Expr condition)
{
    ExprPool *p = s->p;
    char key[32];
    expr_cone(p, &condition, 1, &s->cone);
    if (s->cone.n > CONE_MOST)
        return false;
    s->variable = variable_of(s, condition);
    if (expr_is_none(s->variable) || (s->width = expr_width(p, s->variable)) < 2 || s->width > 64)
        return false;
    snprintf(key, sizeof key, "sample:%u", s->width);
    s->symbol = expr_object_symbol(p, expr_object_scalar(p, key, key, s->width, (ExprCType){EXPR_C_INT, 0}));
    ExprSubst *subst = expr_subst_new(p);
    if (expr_op(p, s->variable) == EXPR_CONCAT)
        for (unsigned k = 0; k < s->width; k += 8)
            expr_subst_add(subst, expr_extract(p, s->variable, k, 8), expr_extract(p, s->symbol, k, 8));
    else
        expr_subst_add(subst, s->variable, s->symbol);
    s->condition = expr_subst_apply(subst, condition);
    expr_subst_free(subst);
    if (!expr_set_subset(p, expr_symbols(p, s->condition), expr_symbols(p, s->symbol)))
        return false;
    s->eval = expr_eval_new(p);
    return true;
}

static void sampler_close(Sampler *s)
{
    if (s->eval)
        expr_eval_free(s->eval);
    expr_input_free(&s->input);
    vec_free(&s->cone);
}

static bool holds_at(Sampler *s, u128 value)
{
    expr_input_set(s->p, &s->input, s->symbol, value);
    expr_eval_input(s->eval, &s->input);
    return expr_eval_true(s->eval, s->condition);
}

typedef Vec(u128) Points;

static int by_value(const void *a, const void *b)
{
    u128 x = *(const u128 *)a, y = *(const u128 *)b;
    return x < y ? -1 : x > y;
}

/* Where to look: all values of a byte; else an even grid, powers of two and constants of the condition with
 * their neighbours and multiples. */
static void choose_points(Sampler *s, Points *points)
{
    u128 greatest = bits_mask(s->width);
    u128 step = s->width <= 8 ? 1 : (greatest / GRID) + 1;
    for (u128 v = 0; v <= greatest; v += step)
        vec_push(points, v);
    for (unsigned b = 0; b < s->width; b++)
        for (unsigned k = 0; k < 3; k++)
            vec_push(points, (((u128)1 << b) + k - 1) & greatest);
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        if (!expr_is_const(s->p, e))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            vec_push(points, (expr_const_value(s->p, e) + k - 1) & greatest);
            vec_push(points, (1 - expr_const_value(s->p, e) - k) & greatest);
        }
    }
    vec_push(points, greatest);
    qsort(points->v, points->n, sizeof *points->v, by_value);
}

/* The last value at which it is as at `low`, between two where it differs. */
static u128 last_like(Sampler *s, u128 low, u128 high, bool at_low)
{
    while (high - low > 1) {
        u128 middle = low + (high - low) / 2;
        if (holds_at(s, middle) == at_low)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool find_intervals(Sampler *s, Intervals *out)
{
    Points points = {0};
    uint32_t changes = 0;
    choose_points(s, &points);
    bool now = holds_at(s, 0);
    u128 since = 0;
    for (uint32_t i = 1; i < points.n && changes <= CHANGES_MOST; i++) {
        if (points.v[i] == points.v[i - 1] || holds_at(s, points.v[i]) == now)
            continue;
        u128 last = last_like(s, points.v[i - 1], points.v[i], now);
        if (now)
            vec_push(out, (Interval){since, last});
        since = last + 1;
        now = !now;
        changes++;
        if (holds_at(s, points.v[i]) !=
            now) /* several changes between two points: this is no set of few intervals */
            changes = CHANGES_MOST + 1;
    }
    if (now)
        vec_push(out, (Interval){since, bits_mask(s->width)});
    vec_free(&points);
    return changes <= CHANGES_MOST;
}

bool values_by_samples(ExprPool *p, Expr condition, ValueSet *out)
{
    Sampler s = {.p = p};
    bool found = sampler_open(&s, condition) && find_intervals(&s, &out->in);
    if (found) {
        out->term = s.variable;
        out->width = s.width;
    } else {
        values_free(out);
    }
    sampler_close(&s);
    return found;
}
