/* rules_concat.c - concat, extract, zext, sext.
 *
 * Normal forms: concat leans right and has no two neighbours that are parts of one value in sequence, so that
 * a word stored as bytes and loaded again is that word; zeros or copies of the sign at the top are an
 * extension around everything; an extract never stands on a concat, an extension or another extract.
 * Recursion follows parts of a word, at most 128. */
#include "expr/expr_int.h"

/* ---- extract --------------------------------------------------------------------------------- */

/* Would extracting from e give no more nodes than e has? Looks a few operators deep. */
static bool extract_is_free(const ExprPool *p, Expr e, unsigned width, unsigned depth)
{
    switch (op_of(p, e)) {
    case EXPR_CONST:
    case EXPR_EXTRACT: return true;
    case EXPR_ZEXT:
    case EXPR_SEXT: return width <= width_of(p, kid(p, e, 0));
    case EXPR_CONCAT: return width <= width_of(p, kid(p, e, 1));
    case EXPR_NEG:
    case EXPR_NOT: return depth > 0 && extract_is_free(p, kid(p, e, 0), width, depth - 1);
    case EXPR_ADD:
    case EXPR_MUL:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
        return depth > 0 && extract_is_free(p, kid(p, e, 0), width, depth - 1) &&
               extract_is_free(p, kid(p, e, 1), width, depth - 1);
    default: return false;
    }
}

/* The low bits of these operators depend on the low bits of their operands only. */
static Expr extract_low_bits(ExprPool *p, Expr a, unsigned width)
{
    Expr x = expr_extract(p, kid(p, a, 0), 0, width);
    switch (op_of(p, a)) {
    case EXPR_NEG: return expr_neg(p, x);
    case EXPR_NOT: return expr_not(p, x);
    default: break;
    }
    Expr y = expr_extract(p, kid(p, a, 1), 0, width);
    switch (op_of(p, a)) {
    case EXPR_ADD: return expr_add(p, x, y);
    case EXPR_MUL: return expr_mul(p, x, y);
    case EXPR_AND: return expr_and(p, x, y);
    case EXPR_OR: return expr_or(p, x, y);
    default: return expr_xor(p, x, y);
    }
}

static bool works_from_low_bits(ExprOp op)
{
    return op == EXPR_NEG || op == EXPR_NOT || op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND ||
           op == EXPR_OR || op == EXPR_XOR;
}

static Expr extract_concat(ExprPool *p, Expr a, unsigned low, unsigned width)
{
    Expr high_part = kid(p, a, 0), low_part = kid(p, a, 1);
    unsigned split = width_of(p, low_part);
    if (low >= split)
        return expr_extract(p, high_part, low - split, width);
    if (low + width <= split)
        return expr_extract(p, low_part, low, width);
    Expr upper = expr_extract(p, high_part, 0, low + width - split);
    return expr_concat(p, upper, expr_extract(p, low_part, low, split - low));
}

static Expr extract_extended(ExprPool *p, Expr a, unsigned low, unsigned width)
{
    Expr x = kid(p, a, 0);
    unsigned inner = width_of(p, x);
    if (low + width <= inner)
        return expr_extract(p, x, low, width);
    if (is(p, a, EXPR_ZEXT))
        return low >= inner ? expr_const(p, width, 0)
                            : expr_zext(p, expr_extract(p, x, low, inner - low), width);
    unsigned from = low >= inner ? inner - 1 : low; /* all above the top bit equals the top bit */
    return expr_sext(p, expr_extract(p, x, from, inner - from), width);
}

Expr expr_extract(ExprPool *p, Expr a, unsigned low, unsigned width)
{
    unsigned whole = width_of(p, a);
    if (width < 1 || low + width > whole)
        bug("bits %u to %u of a word of %u", low, low + width - 1, whole);
    if (width == whole)
        return a;
    switch (op_of(p, a)) {
    case EXPR_CONST:
        if (HIT(p, FOLD))
            return expr_const(p, width, value_of(p, a) >> low);
        break;
    case EXPR_EXTRACT:
        if (HIT(p, EXTRACT_EXTRACT))
            return expr_extract(p, kid(p, a, 0), low + low_of(p, a), width);
        break;
    case EXPR_CONCAT:
        if (HIT(p, EXTRACT_CONCAT))
            return extract_concat(p, a, low, width);
        break;
    case EXPR_ZEXT:
    case EXPR_SEXT:
        if (HIT(p, EXTRACT_EXTENDED))
            return extract_extended(p, a, low, width);
        break;
    case EXPR_ITE:
        if (is_const_ite(p, a) && HIT(p, EXTRACT_ITE))
            return expr_ite(p, kid(p, a, 0), expr_extract(p, kid(p, a, 1), low, width),
                            expr_extract(p, kid(p, a, 2), low, width));
        break;
    default:
        if (low == 0 && works_from_low_bits(op_of(p, a)) && extract_is_free(p, a, width, 4) &&
            HIT(p, EXTRACT_LOW))
            return extract_low_bits(p, a, width);
        break;
    }
    return raw_extract(p, a, low, width);
}

Expr expr_trunc(ExprPool *p, Expr a, unsigned width) { return expr_extract(p, a, 0, width); }

/* ---- extensions ------------------------------------------------------------------------------ */

Expr expr_zext(ExprPool *p, Expr a, unsigned width)
{
    unsigned inner = width_of(p, a);
    if (width < inner || width > 128)
        bug("zext from %u to %u bits", inner, width);
    if (width == inner)
        return a;
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_const(p, width, value_of(p, a));
    if (is(p, a, EXPR_ZEXT) && HIT(p, ZEXT_ZEXT))
        return raw1(p, EXPR_ZEXT, width, kid(p, a, 0));
    if (is_const_ite(p, a) && HIT(p, ZEXT_ITE))
        return expr_ite(p, kid(p, a, 0), expr_zext(p, kid(p, a, 1), width),
                        expr_zext(p, kid(p, a, 2), width));
    return raw1(p, EXPR_ZEXT, width, a);
}

Expr expr_sext(ExprPool *p, Expr a, unsigned width)
{
    unsigned inner = width_of(p, a);
    if (width < inner || width > 128)
        bug("sext from %u to %u bits", inner, width);
    if (width == inner)
        return a;
    if (is_const(p, a) && HIT(p, FOLD))
        return expr_const(p, width, (u128)bits_signed(value_of(p, a), inner));
    if (is(p, a, EXPR_SEXT) && HIT(p, SEXT_SEXT))
        return raw1(p, EXPR_SEXT, width, kid(p, a, 0));
    if (is(p, a, EXPR_ZEXT) && HIT(p, SEXT_ZEXT))
        return expr_zext(p, kid(p, a, 0), width);
    if (is_const_ite(p, a) && HIT(p, SEXT_ITE))
        return expr_ite(p, kid(p, a, 0), expr_sext(p, kid(p, a, 1), width),
                        expr_sext(p, kid(p, a, 2), width));
    if (is(p, a, EXPR_CONCAT) && is_const(p, kid(p, a, 0)) && HIT(p, SEXT_CONCAT))
        return expr_concat(p, expr_sext(p, kid(p, a, 0), width - width_of(p, kid(p, a, 1))), kid(p, a, 1));
    return raw1(p, EXPR_SEXT, width, a);
}

/* ---- concat ---------------------------------------------------------------------------------- */

/* Extracting from these may give something else than an extract node. */
static bool extract_may_change(const ExprPool *p, Expr e)
{
    return works_from_low_bits(op_of(p, e)) || is(p, e, EXPR_ITE) || is(p, e, EXPR_CONCAT) ||
           is(p, e, EXPR_ZEXT) || is(p, e, EXPR_SEXT);
}

/* high and low are neighbouring parts of one value: its wider part. A part may have been simplified on its
 * own, so that it is found only by asking what extracting it gives now. */
static bool merge_extracts(ExprPool *p, Expr high, Expr low, Expr *out)
{
    unsigned wh = width_of(p, high), wl = width_of(p, low);
    if (is(p, high, EXPR_EXTRACT)) {
        Expr v = kid(p, high, 0);
        unsigned at = low_of(p, high);
        if (at < wl)
            return false;
        bool adjacent = is(p, low, EXPR_EXTRACT) && kid(p, low, 0).id == v.id && low_of(p, low) == at - wl;
        if (!adjacent && !(extract_may_change(p, v) && expr_extract(p, v, at - wl, wl).id == low.id))
            return false;
        *out = expr_extract(p, v, at - wl, wh + wl);
        return true;
    }
    if (is(p, low, EXPR_EXTRACT)) {
        Expr v = kid(p, low, 0);
        unsigned at = low_of(p, low);
        if (at + wl + wh > width_of(p, v) || !extract_may_change(p, v) ||
            expr_extract(p, v, at + wl, wh).id != high.id)
            return false;
        *out = expr_extract(p, v, at, wh + wl);
        return true;
    }
    return false;
}

/* high repeats the top bit of low. */
static bool merge_sign(ExprPool *p, Expr high, Expr low, Expr *out)
{
    unsigned wh = width_of(p, high), wl = width_of(p, low);
    Expr bit = is(p, high, EXPR_SEXT) ? kid(p, high, 0) : high;
    if (width_of(p, bit) != 1 || is_const(p, bit) || expr_extract(p, low, wl - 1, 1).id != bit.id)
        return false;
    *out = expr_sext(p, low, wh + wl);
    return true;
}

static bool ite_or_const(const ExprPool *p, Expr e) { return is_const(p, e) || is_const_ite(p, e); }

/* Parts that are constant, or chosen among constants by one condition. */
static bool merge_ites(ExprPool *p, Expr high, Expr low, Expr *out)
{
    if (!ite_or_const(p, high) || !ite_or_const(p, low))
        return false;
    Expr c = kid(p, is_const(p, high) ? low : high, 0);
    if (!is_const(p, high) && !is_const(p, low) && kid(p, low, 0).id != c.id)
        return false;
    Expr arm[2];
    for (unsigned i = 0; i < 2; i++)
        arm[i] = expr_concat(p, is_const(p, high) ? high : kid(p, high, 1 + i),
                             is_const(p, low) ? low : kid(p, low, 1 + i));
    *out = expr_ite(p, c, arm[0], arm[1]);
    return true;
}

static bool merge(ExprPool *p, Expr high, Expr low, Expr *out)
{
    unsigned wl = width_of(p, low), width = width_of(p, high) + wl;
    if (is_const(p, high) && is_const(p, low) && HIT(p, FOLD)) {
        *out = expr_const(p, width, value_of(p, high) << wl | value_of(p, low));
        return true;
    }
    if (p->on[EXPR_RULE_CONCAT_EXTRACT] && merge_extracts(p, high, low, out) && HIT(p, CONCAT_EXTRACT))
        return true;
    if (p->on[EXPR_RULE_CONCAT_SIGN] && merge_sign(p, high, low, out) && HIT(p, CONCAT_SIGN))
        return true;
    return p->on[EXPR_RULE_CONCAT_ITE] && !(is_const(p, high) && is_const(p, low)) &&
           merge_ites(p, high, low, out) && HIT(p, CONCAT_ITE);
}

Expr expr_concat(ExprPool *p, Expr high, Expr low)
{
    unsigned wl = width_of(p, low), width = width_of(p, high) + wl;
    if (width > 128)
        bug("concat of %u bits", width);
    if (is(p, high, EXPR_CONCAT) && HIT(p, CONCAT_LEAN))
        return expr_concat(p, kid(p, high, 0), expr_concat(p, kid(p, high, 1), low));
    Expr merged;
    if (merge(p, high, low, &merged))
        return merged;
    if (is_zero(p, high) && HIT(p, CONCAT_ZERO))
        return expr_zext(p, low, width);
    if (is(p, high, EXPR_ZEXT) && HIT(p, CONCAT_ZEXT))
        return expr_zext(p, expr_concat(p, kid(p, high, 0), low), width);
    if (is(p, high, EXPR_SEXT) && !is_const(p, kid(p, high, 0)) && HIT(p, CONCAT_SEXT))
        return expr_sext(p, expr_concat(p, kid(p, high, 0), low), width);
    if (is(p, low, EXPR_CONCAT) && p->on[EXPR_RULE_CONCAT_NEIGHBOUR] &&
        merge(p, high, kid(p, low, 0), &merged) && HIT(p, CONCAT_NEIGHBOUR))
        return expr_concat(p, merged, kid(p, low, 1));
    if (is_const(p, high) && is(p, low, EXPR_ZEXT) && HIT(p, CONCAT_CONST_ZEXT)) {
        unsigned inner = width_of(p, kid(p, low, 0));
        return expr_concat(p, expr_const(p, width - inner, value_of(p, high) << (wl - inner)),
                           kid(p, low, 0));
    }
    return raw2(p, EXPR_CONCAT, width, high, low);
}

Expr expr_concat_bytes(ExprPool *p, const Expr *bytes, unsigned n)
{
    Expr all = bytes[0];
    for (unsigned i = 1; i < n; i++)
        all = expr_concat(p, bytes[i], all);
    return all;
}

/* ---- disjoint parts -------------------------------------------------------------------------- */

static unsigned trailing_zeros(const ExprPool *p, Expr e)
{
    unsigned below = 0;
    for (;;) {
        if (is(p, e, EXPR_CONST))
            return below + (unsigned)bits_apply(BITS_CTTZ, 128, 0,
                                                value_of(p, e) | (u128)1 << (width_of(p, e) - 1), 0, 0);
        if (is(p, e, EXPR_ZEXT)) {
            e = kid(p, e, 0);
        } else if (is(p, e, EXPR_CONCAT)) {
            if (is_zero(p, kid(p, e, 1))) {
                below += width_of(p, kid(p, e, 1));
                e = kid(p, e, 0);
            } else {
                e = kid(p, e, 1);
            }
        } else {
            return below;
        }
    }
}

static bool join_above(ExprPool *p, Expr above, Expr below, Expr *out)
{
    if (!is(p, below, EXPR_ZEXT))
        return false;
    unsigned width = width_of(p, above), split = width_of(p, kid(p, below, 0));
    if (trailing_zeros(p, above) < split)
        return false;
    *out = expr_concat(p, expr_extract(p, above, split, width - split), kid(p, below, 0));
    return true;
}

bool expr_join_disjoint(ExprPool *p, Expr a, Expr b, Expr *out)
{
    return join_above(p, a, b, out) || join_above(p, b, a, out);
}
