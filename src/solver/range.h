/* range.h - what can be known cheaply about a word: bits, an unsigned and a signed interval. Private to
 * solver.
 *
 * A Range stands for all values that satisfy all three descriptions. range_tighten lets each profit from the
 * others. */
#ifndef SHEAF_SOLVER_RANGE_H
#define SHEAF_SOLVER_RANGE_H

#include "bits/bits.h"

typedef struct Range {
    u128 zeros, ones; /* bits known to be 0 and 1 */
    u128 low, high;   /* unsigned, inclusive */
    i128 slow, shigh; /* signed, inclusive */
} Range;

Range range_all(unsigned width);
Range range_const(u128 value, unsigned width);
Range range_between(u128 low, u128 high, unsigned width); /* unsigned; low <= high */
bool range_is_const(const Range *r);
bool range_has(const Range *r, u128 value, unsigned width);
/* The member nearest to a value that is easily found; not always a member, since the descriptions may
 * disagree. */
u128 range_near(const Range *r, u128 value, unsigned width);
/* False if the range turned out empty. */
bool range_tighten(Range *r, unsigned width);
/* *r becomes what both have; false if that is nothing. *changed is set if it shrank. */
bool range_meet(Range *r, const Range *o, unsigned width, bool *changed);
Range range_join(const Range *a, const Range *b);

/* Ranges of results. */
Range range_not(const Range *a, unsigned width);
Range range_and(const Range *a, const Range *b, unsigned width);
Range range_or(const Range *a, const Range *b, unsigned width);
Range range_xor(const Range *a, const Range *b, unsigned width);
Range range_add(const Range *a, const Range *b, unsigned width);
Range range_neg(const Range *a, unsigned width);
Range range_mul(const Range *a, const Range *b, unsigned width);
Range range_udiv(const Range *a, const Range *b, unsigned width);
Range range_urem(const Range *a, const Range *b, unsigned width);
Range range_lshr(const Range *a, const Range *b, unsigned width);
Range range_zext(const Range *a, unsigned source, unsigned width);
Range range_sext(const Range *a, unsigned source, unsigned width);
Range range_concat(const Range *high, const Range *low, unsigned low_width, unsigned width);
Range range_extract(const Range *a, unsigned low, unsigned width);
/* Comparisons: 1, 0, or -1 if both are possible. */
int range_eq(const Range *a, const Range *b);
int range_ult(const Range *a, const Range *b);
int range_slt(const Range *a, const Range *b);

#endif
