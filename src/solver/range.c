/* range.c - see range.h. */
#include "solver/range.h"

static i128 signed_least(unsigned width) { return -((i128)1 << (width - 2)) * 2; }
static i128 signed_most(unsigned width) { return ~signed_least(width); }

Range range_all(unsigned width)
{
    u128 mask = bits_mask(width);
    if (width == 1)
        return (Range){0, 0, 0, 1, -1, 0};
    return (Range){0, 0, 0, mask, signed_least(width), signed_most(width)};
}

Range range_const(u128 v, unsigned width)
{
    return (Range){~v & bits_mask(width), v, v, v, bits_signed(v, width), bits_signed(v, width)};
}

bool range_is_const(const Range *r) { return r->low == r->high; }

bool range_has(const Range *r, u128 v, unsigned width)
{
    i128 sv = bits_signed(v, width);
    return !(v & r->zeros) && !(~v & r->ones) && v >= r->low && v <= r->high && sv >= r->slow &&
           sv <= r->shigh;
}

u128 range_near(const Range *r, u128 v, unsigned width)
{
    if (range_has(r, v, width))
        return v;
    u128 moved = (v | r->ones) & ~r->zeros;
    if (range_has(r, moved, width))
        return moved;
    i128 sv = bits_signed(v, width);
    u128 clamped = v < r->low ? r->low : v > r->high ? r->high : v;
    if (range_has(r, clamped, width))
        return clamped;
    return (u128)(sv < r->slow ? r->slow : sv > r->shigh ? r->shigh : sv) & bits_mask(width);
}

static unsigned bit_length(u128 v)
{
    uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
    return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* The bits that two bounds of an interval have in common, from the top. */
static u128 common_prefix(u128 low, u128 high, unsigned width)
{
    return bits_mask(width) & ~bits_mask(bit_length(low ^ high));
}

static u128 max_u(u128 a, u128 b) { return a > b ? a : b; }
static u128 min_u(u128 a, u128 b) { return a < b ? a : b; }
static i128 max_s(i128 a, i128 b) { return a > b ? a : b; }
static i128 min_s(i128 a, i128 b) { return a < b ? a : b; }

bool range_tighten(Range *r, unsigned width)
{
    u128 mask = bits_mask(width);
    if (r->zeros & r->ones)
        return false;
    r->low = max_u(r->low, r->ones);
    r->high = min_u(r->high, mask & ~r->zeros);
    if (r->low > r->high || r->slow > r->shigh)
        return false;
    /* One sign throughout makes the signed and the unsigned order agree. */
    if ((bits_signed(r->low, width) >= 0) == (bits_signed(r->high, width) >= 0)) {
        r->slow = max_s(r->slow, bits_signed(r->low, width));
        r->shigh = min_s(r->shigh, bits_signed(r->high, width));
    }
    if (r->slow > r->shigh)
        return false;
    if ((r->slow >= 0) == (r->shigh >= 0)) {
        r->low = max_u(r->low, (u128)r->slow & mask);
        r->high = min_u(r->high, (u128)r->shigh & mask);
    }
    if (r->low > r->high)
        return false;
    u128 prefix = common_prefix(r->low, r->high, width);
    r->ones |= r->low & prefix;
    r->zeros |= ~r->low & prefix;
    return !(r->zeros & r->ones);
}

/* A description by one kind of knowledge, completed by the others. Never empty: it comes from a set with
 * members. */
static Range completed(Range r, unsigned width)
{
    if (!range_tighten(&r, width))
        return range_all(width);
    return r;
}

static Range of_bits(u128 zeros, u128 ones, unsigned width)
{
    Range r = range_all(width);
    r.zeros = zeros & bits_mask(width);
    r.ones = ones & bits_mask(width);
    return completed(r, width);
}

Range range_between(u128 low, u128 high, unsigned width)
{
    Range r = range_all(width);
    r.low = low;
    r.high = high;
    return completed(r, width);
}

bool range_meet(Range *r, const Range *o, unsigned width, bool *changed)
{
    Range before = *r;
    r->zeros |= o->zeros;
    r->ones |= o->ones;
    r->low = max_u(r->low, o->low);
    r->high = min_u(r->high, o->high);
    r->slow = max_s(r->slow, o->slow);
    r->shigh = min_s(r->shigh, o->shigh);
    if (!range_tighten(r, width))
        return false;
    if (memcmp(&before, r, sizeof before) != 0)
        *changed = true;
    return true;
}

Range range_join(const Range *a, const Range *b)
{
    return (Range){a->zeros & b->zeros,     a->ones & b->ones,       min_u(a->low, b->low),
                   max_u(a->high, b->high), min_s(a->slow, b->slow), max_s(a->shigh, b->shigh)};
}

/* ---- operators ------------------------------------------------------------------------------- */

Range range_not(const Range *a, unsigned width)
{
    u128 mask = bits_mask(width);
    return completed((Range){a->ones, a->zeros, mask - a->high, mask - a->low, ~a->shigh, ~a->slow}, width);
}

Range range_and(const Range *a, const Range *b, unsigned width)
{
    Range r = of_bits(a->zeros | b->zeros, a->ones & b->ones, width);
    r.high = min_u(r.high, min_u(a->high, b->high));
    return completed(r, width);
}

Range range_or(const Range *a, const Range *b, unsigned width)
{
    Range r = of_bits(a->zeros & b->zeros, a->ones | b->ones, width);
    r.low = max_u(r.low, max_u(a->low, b->low));
    return completed(r, width);
}

Range range_xor(const Range *a, const Range *b, unsigned width)
{
    return of_bits((a->zeros & b->zeros) | (a->ones & b->ones), (a->zeros & b->ones) | (a->ones & b->zeros),
                   width);
}

Range range_add(const Range *a, const Range *b, unsigned width)
{
    u128 mask = bits_mask(width);
    /* A sum bit is known where both operand bits and the carry into it are. */
    u128 most = (mask & ~a->zeros) + (mask & ~b->zeros), least = a->ones + b->ones;
    u128 carry_zero = ~(most ^ a->zeros ^ b->zeros), carry_one = least ^ a->ones ^ b->ones;
    u128 known = (a->zeros | a->ones) & (b->zeros | b->ones) & (carry_zero | carry_one);
    Range r = of_bits(~most & known, least & known, width);
    if (a->high <= mask - b->high) {
        r.low = max_u(r.low, a->low + b->low);
        r.high = min_u(r.high, a->high + b->high);
    } else if (a->low > mask - b->low) { /* always wraps, once */
        r.low = max_u(r.low, (a->low + b->low) & mask);
        r.high = min_u(r.high, (a->high + b->high) & mask);
    }
    i128 low, high;
    if (!__builtin_add_overflow(a->slow, b->slow, &low) &&
        !__builtin_add_overflow(a->shigh, b->shigh, &high)) {
        Range all = range_all(width);
        if (low >= all.slow && high <= all.shigh) {
            r.slow = max_s(r.slow, low);
            r.shigh = min_s(r.shigh, high);
        }
    }
    return completed(r, width);
}

Range range_neg(const Range *a, unsigned width)
{
    Range flipped = range_not(a, width), one = range_const(1, width);
    return range_add(&flipped, &one, width);
}

static unsigned known_zeros_below(const Range *r, unsigned width)
{
    unsigned n = 0;
    while (n < width && (r->zeros >> n & 1))
        n++;
    return n;
}

Range range_mul(const Range *a, const Range *b, unsigned width)
{
    unsigned low_zeros = known_zeros_below(a, width) + known_zeros_below(b, width);
    Range r = of_bits(bits_mask(low_zeros < width ? low_zeros : width), 0, width);
    u128 most;
    if (!__builtin_mul_overflow(a->high, b->high, &most) && most <= bits_mask(width)) {
        r.low = max_u(r.low, a->low * b->low);
        r.high = min_u(r.high, most);
    }
    return completed(r, width);
}

Range range_udiv(const Range *a, const Range *b, unsigned width)
{
    if (b->low == 0)
        return range_all(width);
    return range_between(a->low / b->high, a->high / b->low, width);
}

Range range_urem(const Range *a, const Range *b, unsigned width)
{
    if (b->low == 0)
        return range_between(0, a->high, width); /* by zero the dividend itself */
    if (a->high < b->low)
        return *a;
    return range_between(0, min_u(a->high, b->high - 1), width);
}

Range range_lshr(const Range *a, const Range *b, unsigned width)
{
    return range_between(b->high < width ? a->low >> b->high : 0, b->low < width ? a->high >> b->low : 0,
                         width);
}

Range range_zext(const Range *a, unsigned source, unsigned width)
{
    Range r = range_between(a->low, a->high, width);
    r.zeros |= a->zeros | (bits_mask(width) & ~bits_mask(source));
    r.ones |= a->ones;
    return completed(r, width);
}

Range range_sext(const Range *a, unsigned source, unsigned width)
{
    Range r = range_all(width);
    r.slow = a->slow;
    r.shigh = a->shigh;
    u128 top = bits_mask(width) & ~bits_mask(source), sign = (u128)1 << (source - 1);
    r.zeros = a->zeros | (a->zeros & sign ? top : 0);
    r.ones = a->ones | (a->ones & sign ? top : 0);
    return completed(r, width);
}

Range range_concat(const Range *high, const Range *low, unsigned low_width, unsigned width)
{
    Range r = range_between(high->low << low_width | low->low, high->high << low_width | low->high, width);
    r.zeros |= high->zeros << low_width | low->zeros;
    r.ones |= high->ones << low_width | low->ones;
    return completed(r, width);
}

Range range_extract(const Range *a, unsigned low, unsigned width)
{
    Range r = of_bits(a->zeros >> low, a->ones >> low, width);
    if (a->high >> low <= bits_mask(width)) {
        r.low = max_u(r.low, a->low >> low);
        r.high = min_u(r.high, a->high >> low);
    }
    return completed(r, width);
}

int range_eq(const Range *a, const Range *b)
{
    if ((a->ones & b->zeros) || (a->zeros & b->ones) || a->high < b->low || b->high < a->low ||
        a->shigh < b->slow || b->shigh < a->slow)
        return 0;
    return range_is_const(a) && range_is_const(b) ? 1 : -1; /* not 0 above: the same constant */
}

int range_ult(const Range *a, const Range *b) { return a->high < b->low ? 1 : a->low >= b->high ? 0 : -1; }
int range_slt(const Range *a, const Range *b)
{
    return a->shigh < b->slow ? 1 : a->slow >= b->shigh ? 0 : -1;
}
