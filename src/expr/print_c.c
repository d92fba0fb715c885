/* print_c.c - conditions as C over the program's names, and the texts that all of the C printer is made
 * of. */
#include "expr/print_c.h"

#include <ctype.h>

enum { DEFAULT_LIMIT = 2000, DEPTH_LIMIT = 100 };

/* ---- texts ----------------------------------------------------------------------------------- */

Text expr_c_new(int prec, Sig sig, unsigned bits, bool is_unsigned, const char *fmt, ...)
{
    Text t = {{0}, prec, sig, bits, is_unsigned, false};
    va_list args;
    va_start(args, fmt);
    str_vprintf(&t.s, fmt, args);
    va_end(args);
    return t;
}

static void surround(Text *t, const char *before, const char *after)
{
    Str s = {0};
    str_add(&s, before);
    str_add(&s, str_text(&t->s));
    str_add(&s, after);
    str_free(&t->s);
    t->s = s;
}

void expr_c_wrap(Text *t, int prec)
{
    if (t->prec >= prec)
        return;
    surround(t, "(", ")");
    t->prec = P_PRIMARY;
}

void expr_c_cast(Text *t, const char *type)
{
    char before[48];
    expr_c_wrap(t, P_UNARY);
    snprintf(before, sizeof before, "(%s)", type);
    surround(t, before, "");
    t->prec = P_UNARY;
}

Text expr_c_join(Text a, const char *op, Text b, int prec)
{
    expr_c_wrap(&a, prec);
    expr_c_wrap(&b, prec + 1);
    str_printf(&a.s, " %s %s", op, str_text(&b.s));
    str_free(&b.s);
    a.prec = prec;
    if (b.bits > a.bits) {
        a.bits = b.bits;
        a.is_unsigned = b.is_unsigned;
    } else if (b.bits == a.bits) {
        a.is_unsigned = a.is_unsigned || b.is_unsigned;
    }
    return a;
}

static Text truth(Text t) /* of a comparison or connective: an int, 0 or 1 */
{
    t.sig = SIG_BOTH;
    t.bits = 32;
    t.is_unsigned = t.loose = false;
    return t;
}

bool expr_c_enter(CPrint *c)
{
    if (c->left == 0 || c->depth >= DEPTH_LIMIT)
        return true;
    c->left--;
    c->depth++;
    return false;
}

void expr_c_leave(CPrint *c) { c->depth--; }

/* ---- comparisons ----------------------------------------------------------------------------- */

/* How readily a person reads this bound: digits that are not trailing zeros; powers of two are as good as one
 * digit. */
static unsigned awkwardness(u128 value, Style style)
{
    if (style == STYLE_CHAR && value < 127 && (value >= 32 || value == 0))
        return isalnum((int)value) ? 0 : 1;
    if (value == 0)
        return 0;
    if (!(value & (value - 1)))
        return 1;
    unsigned digits = 0;
    while (value % 10 == 0)
        value /= 10;
    for (; value; value /= 10)
        digits++;
    return digits;
}

static u128 magnitude(u128 value, unsigned width, Sig mode)
{
    return mode == SIG_SIGNED ? bits_apply(BITS_ABS, width, 0, value, 0, 0) : value;
}

/* x < k, or x >= k if negated; written with the neighbour of k where that reads better: x <= 10, not x <
 * 11. */
static Text less_text(Text x, u128 k, unsigned width, Sig mode, Style style, bool negated)
{
    u128 before = (k - 1) & bits_mask(width);
    bool step =
        awkwardness(magnitude(before, width, mode), style) < awkwardness(magnitude(k, width, mode), style);
    const char *op = negated ? step ? ">" : ">=" : step ? "<=" : "<";
    return truth(expr_c_join(x, op, expr_c_const(step ? before : k, width, mode, style), P_LESS));
}

/* x - low < n, unsigned, within the positive numbers: low <= x && x <= high. */
static bool range_text(CPrint *c, Expr e, bool negated, Text *out)
{
    const ExprPool *p = c->p;
    Expr sum = kid(p, e, 0), bound = kid(p, e, 1);
    if (!is_const(p, bound) || !is(p, sum, EXPR_ADD) || !is_const(p, kid(p, sum, 1)))
        return false;
    unsigned width = width_of(p, sum);
    u128 low = -value_of(p, kid(p, sum, 1)) & bits_mask(width), n = value_of(p, bound),
         half = (u128)1 << (width - 1);
    if (low == 0 || low >= half || n > half - low)
        return false;
    Expr x = kid(p, sum, 0);
    Text first = expr_c_word(c, x, SIG_MOD), second = expr_c_word(c, x, SIG_MOD);
    if (first.sig == SIG_MOD) {
        str_free(&first.s);
        str_free(&second.s);
        first = expr_c_word(c, x, SIG_UNSIGNED);
        second = expr_c_word(c, x, SIG_UNSIGNED);
    }
    if (negated && low == 1 && first.sig == SIG_UNSIGNED) /* below 1 there is only 0 */
        first = expr_c_join(first, "==", expr_c_const(0, width, SIG_UNSIGNED, STYLE_PLAIN), P_EQ);
    else
        first = less_text(first, low, width, SIG_SIGNED, expr_c_style(p, x, low, true), !negated);
    second = less_text(second, low + n, width, SIG_SIGNED, expr_c_style(p, x, low + n, true), negated);
    *out = truth(negated ? expr_c_join(first, "||", second, P_OROR)
                         : expr_c_join(first, "&&", second, P_ANDAND));
    return true;
}

static Text order_text(CPrint *c, Expr e, bool negated)
{
    const ExprPool *p = c->p;
    Sig mode = is(p, e, EXPR_SLT) ? SIG_SIGNED : SIG_UNSIGNED;
    Expr a = kid(p, e, 0), b = kid(p, e, 1);
    Text out;
    if (mode == SIG_SIGNED && width_of(p, a) == 1) { /* the one bit that is set is -1 */
        swap_exprs(&a, &b);
        mode = SIG_UNSIGNED;
    } else if (mode == SIG_UNSIGNED && range_text(c, e, negated, &out))
        return out;
    Style style = is_const(p, b) ? expr_c_style(p, a, value_of(p, b), true) : STYLE_PLAIN;
    if (is_const(p, b) && expr_c_address_const(p, value_of(p, b), width_of(p, a), &out))
        return truth(expr_c_join(expr_c_word(c, a, mode), negated ? ">=" : "<", out, P_LESS));
    if (is_const(p, b) && value_of(p, b) != (mode == SIG_SIGNED ? (u128)1 << (width_of(p, a) - 1) : 0))
        return less_text(expr_c_word(c, a, mode), value_of(p, b), width_of(p, a), mode, style, negated);
    if (negated && is_const(p, a)) /* !(k < x): x <= k */
        return truth(expr_c_join(expr_c_word(c, b, mode), "<=", expr_c_word(c, a, mode), P_LESS));
    Text x = expr_c_word(c, a, mode), y = expr_c_word(c, b, mode);
    return truth(expr_c_join(x, negated ? ">=" : "<", y, P_LESS));
}

/* Equal modulo 2^width, as C compares them: without casts if the readings agree or C's conversion does it. */
static Text equal_text(CPrint *c, Expr e, bool negated)
{
    const ExprPool *p = c->p;
    Expr a = kid(p, e, 0), b = kid(p, e, 1);
    unsigned width = width_of(p, a);
    const char *op = negated ? "!=" : "==";
    Text x, y;
    if (expr_c_pointer_equality(c, e, negated, &x))
        return truth(x);
    x = expr_c_word(c, a, SIG_MOD);
    if (is_const(p, b) && expr_c_address_const(p, value_of(p, b), width, &y))
        return truth(expr_c_join(x, op, y, P_EQ));
    if (is_const(p, b)) {
        if (x.sig == SIG_MOD) {
            str_free(&x.s);
            x = expr_c_word(c, a, SIG_UNSIGNED);
        }
        Sig mode = x.sig == SIG_UNSIGNED ? SIG_UNSIGNED : SIG_SIGNED;
        return truth(expr_c_join(
            x, op, expr_c_const(value_of(p, b), width, mode, expr_c_style(p, a, value_of(p, b), false)),
            P_EQ));
    }
    y = expr_c_word(c, b, SIG_MOD);
    bool exact =
        x.sig != SIG_MOD && y.sig != SIG_MOD && (x.sig == y.sig || x.sig == SIG_BOTH || y.sig == SIG_BOTH);
    bool converted = x.bits == width && y.bits == width && x.sig != SIG_MOD && y.sig != SIG_MOD;
    if (exact && !converted && (x.sig == SIG_SIGNED || y.sig == SIG_SIGNED)) {
        expr_c_force(&x, width, SIG_SIGNED);
        expr_c_force(&y, width, SIG_SIGNED);
    }
    if (!exact && !converted) {
        str_free(&x.s);
        str_free(&y.s);
        x = expr_c_word(c, a, SIG_UNSIGNED);
        y = expr_c_word(c, b, SIG_UNSIGNED);
    }
    return truth(expr_c_join(x, op, y, P_EQ));
}

static Text float_compare_text(CPrint *c, Expr e, bool negated)
{
    const ExprPool *p = c->p;
    Expr a = kid(p, e, 0), b = kid(p, e, 1);
    if (is(p, e, EXPR_FOEQ) && a.id == b.id) {
        Text x = expr_c_float(c, a);
        Text t = expr_c_new(P_UNARY, SIG_BOTH, 32, false, "%sisnan(%s)", negated ? "" : "!", str_text(&x.s));
        str_free(&x.s);
        return t;
    }
    Text x = expr_c_float(c, a), y = expr_c_float(c, b);
    if (is(p, e, EXPR_FOEQ))
        return truth(expr_c_join(x, negated ? "!=" : "==", y, P_EQ));
    Text t = truth(expr_c_join(x, is(p, e, EXPR_FOLT) ? "<" : "<=", y, P_LESS));
    if (negated) { /* not the opposite comparison: there are NaNs */
        expr_c_wrap(&t, P_PRIMARY);
        surround(&t, "!", "");
        t.prec = P_UNARY;
    }
    return t;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Members of a conjunction (or of a disjunction, negated) in one line without inner parentheses. */
static Text chain_text(CPrint *c, Expr e, ExprOp op, bool negated)
{
    bool any = (op == EXPR_AND) == negated;
    Text right = {0};
    ExprVec members = {0};
    Expr rest = e;
    while (is(c->p, rest, op) && members.n < c->left) { /* leans left: the last member is on top */
        vec_push(&members, kid(c->p, rest, 1));
        rest = kid(c->p, rest, 0);
    }
    Text all = expr_c_bool(c, rest, negated);
    while (members.n) {
        right = expr_c_bool(c, vec_pop(&members), negated);
        if (right.prec == (any ? P_OROR : P_ANDAND)) /* associative: no parentheses on the right either */
            right.prec++;
        all = truth(expr_c_join(all, any ? "||" : "&&", right, any ? P_OROR : P_ANDAND));
    }
    vec_free(&members);
    return all;
}

/* One bit: of an element of an object if it is, else of the word that it stands in. */
static Text bit_text(CPrint *c, Expr e, bool negated)
{
    Slice slice;
    Expr x = kid(c->p, e, 0);
    unsigned at = low_of(c->p, e), width = width_of(c->p, x);
    Text word;
    if (expr_c_slice(c->p, e, &slice) && slice.kind != EXPR_C_FLOAT) {
        at = (unsigned)(slice.low - slice.start);
        width = slice.element;
        word = expr_c_element(&slice);
        expr_c_force(&word, width, at == width - 1 ? SIG_SIGNED : SIG_MOD);
    } else {
        word = expr_c_word(c, x, at == width - 1 ? SIG_SIGNED : SIG_MOD);
    }
    if (at == width - 1)
        return truth(
            expr_c_join(word, negated ? ">=" : "<", expr_c_const(0, width, SIG_SIGNED, STYLE_PLAIN), P_LESS));
    Text t =
        truth(expr_c_join(word, "&", expr_c_const((u128)1 << at, width, SIG_UNSIGNED, STYLE_MASK), P_AND));
    if (negated)
        return truth(expr_c_join(t, "==", expr_c_const(0, 1, SIG_UNSIGNED, STYLE_PLAIN), P_EQ));
    t.loose = at > 0;
    return t;
}

static Text choice_text(CPrint *c, Expr e, bool negated)
{
    Text condition = expr_c_bool(c, kid(c->p, e, 0), false);
    Text then = expr_c_bool(c, kid(c->p, e, 1), negated),
         otherwise = expr_c_bool(c, kid(c->p, e, 2), negated);
    expr_c_wrap(&condition, P_COND + 1);
    str_printf(&condition.s, " ? %s : %s", str_text(&then.s), str_text(&otherwise.s));
    str_free(&then.s);
    str_free(&otherwise.s);
    condition.prec = P_COND;
    bool loose = then.loose || otherwise.loose;
    condition = truth(condition);
    condition.loose = loose;
    return condition;
}

static Text same_truth_text(CPrint *c, Expr e, bool negated)
{
    Text x = expr_c_truth(c, kid(c->p, e, 0)), y = expr_c_truth(c, kid(c->p, e, 1));
    expr_c_wrap(&x, P_UNARY); /* C would not need them, but a < b == c < d is hard to read */
    expr_c_wrap(&y, P_UNARY);
    return truth(expr_c_join(x, negated ? "!=" : "==", y, P_EQ));
}

static Text bool_node(CPrint *c, Expr e, bool negated)
{
    const ExprPool *p = c->p;
    Text t;
    switch (op_of(p, e)) {
    case EXPR_CONST:
        return expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "%d", (value_of(p, e) != 0) != negated);
    case EXPR_NOT: return expr_c_bool(c, kid(p, e, 0), !negated);
    case EXPR_AND:
    case EXPR_OR: return chain_text(c, e, op_of(p, e), negated);
    case EXPR_ULT:
    case EXPR_SLT: return order_text(c, e, negated);
    case EXPR_ITE: return choice_text(c, e, negated);
    case EXPR_FOEQ:
    case EXPR_FOLT:
    case EXPR_FOLE: return float_compare_text(c, e, negated);
    case EXPR_EXTRACT: return bit_text(c, e, negated);
    case EXPR_EQ:
        if (width_of(p, kid(p, e, 0)) > 1)
            return equal_text(c, e, negated);
        return same_truth_text(c, e, negated);
    default: break;
    }
    t = expr_c_word(c, e, SIG_UNSIGNED);
    if (negated) {
        expr_c_wrap(&t, P_UNARY);
        surround(&t, "!", "");
        t.prec = P_UNARY;
    }
    return t;
}

Text expr_c_bool(CPrint *c, Expr e, bool negated)
{
    if (expr_c_enter(c))
        return expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "...");
    Text t = bool_node(c, e, negated);
    expr_c_leave(c);
    return t;
}

Text expr_c_truth(CPrint *c, Expr e)
{
    Text t = expr_c_bool(c, e, false);
    return t.loose ? truth(expr_c_join(t, "!=", expr_c_const(0, 1, SIG_UNSIGNED, STYLE_PLAIN), P_EQ)) : t;
}

/* A word as such: read as C would, with a cast if only its low bits are right. */
static Text whole_word(CPrint *c, Expr e)
{
    Text t = expr_c_word(c, e, SIG_MOD);
    if (t.sig == SIG_MOD)
        expr_c_force(&t, width_of(c->p, e), SIG_SIGNED);
    return t;
}

static void give_text(Text t, uint32_t most, Str *out)
{
    str_add_n(out, str_text(&t.s), t.s.n < most ? t.s.n : most);
    if (t.s.n > most)
        str_add(out, "...");
    str_free(&t.s);
}

void expr_print_c(const ExprPool *p, Expr e, uint32_t limit, Str *out)
{
    uint32_t most = limit ? limit : DEFAULT_LIMIT;
    CPrint c = {.p = p, .left = most / 4 + 1};
    give_text(width_of(p, e) == 1        ? expr_c_bool(&c, e, false)
              : expr_c_looks_float(p, e) ? expr_c_float(&c, e)
                                         : whole_word(&c, e),
              most, out);
}

/* A number with this reading. What C computes as a signed number and is never negative needs no cast. */
static Text number_text(CPrint *c, Expr e, Sig sig)
{
    unsigned width = width_of(c->p, e);
    Text t = expr_c_word(c, e, SIG_MOD);
    if (!(t.sig == SIG_UNSIGNED && sig == SIG_SIGNED && !t.is_unsigned && t.bits <= width))
        expr_c_force(&t, width, sig);
    return t;
}

void expr_print_c_kind(const ExprPool *p, Expr e, ExprCKind kind, uint32_t limit, Str *out)
{
    uint32_t most = limit ? limit : DEFAULT_LIMIT;
    unsigned width = width_of(p, e);
    CPrint c = {.p = p, .left = most / 4 + 1};
    bool is_float = kind == EXPR_C_FLOAT && (width == 32 || width == 64 || width == 80);
    Sig sig = kind == EXPR_C_INT || kind == EXPR_C_CHAR ? SIG_SIGNED : SIG_UNSIGNED;
    if (width == 1 || (!is_float && expr_c_looks_float(p, e)))
        expr_print_c(p, e, limit, out);
    else if (is_float)
        give_text(expr_c_float(&c, e), most, out);
    else if (kind == EXPR_C_POINTER && width == 64)
        give_text(expr_c_pointer(&c, e), most, out);
    else if (is_const(p, e) && !expr_is_address(p, e))
        give_text(expr_c_const(value_of(p, e), width, sig, kind == EXPR_C_CHAR ? STYLE_CHAR : STYLE_PLAIN),
                  most, out);
    else
        give_text(number_text(&c, e, sig), most, out);
}

bool expr_reads_unsigned(const ExprPool *p, Expr e)
{
    CPrint c = {.p = p, .left = DEFAULT_LIMIT / 4};
    Text t = expr_c_word(&c, e, SIG_MOD);
    bool reads = t.sig == SIG_UNSIGNED;
    str_free(&t.s);
    return reads;
}
