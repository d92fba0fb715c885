/* intervals.h - conditions on one term as sets of its values. Private to solver. */
#ifndef SHEAF_SOLVER_INTERVALS_H
#define SHEAF_SOLVER_INTERVALS_H

#include "expr/expr.h"

/* Disjoint intervals of unsigned values, ascending, with gaps between them. */
typedef struct Interval {
    u128 low, high;
} Interval;
typedef Vec(Interval) Intervals;

/* The values of a term of which a condition speaks. */
typedef struct ValueSet {
    Expr term;
    unsigned width; /* 2 to 64 */
    Intervals in;
    uint32_t below_signed,
        below_unsigned; /* comparisons that were read, by order: how it is written is how it is kept */
} ValueSet;

/* The set of a condition made of comparisons of one term (or of it plus a constant) with constants; false if
 * it is none. The set is zero-initialised. */
bool values_of_comparisons(ExprPool *p, Expr condition, ValueSet *out);
/* What both allow, kept in `a`. The same term. */
void values_meet(ValueSet *a, const ValueSet *b);
/* The shortest condition for the set. */
Expr values_condition(ExprPool *p, const ValueSet *set);
void values_free(ValueSet *set);

/* A guess: the set of a condition over one variable (neighbouring input bytes, a scalar, an application),
 * from its value at many points and by bisection between those where it changes. False if it has others, or
 * the set has many intervals. */
bool values_by_samples(ExprPool *p, Expr condition, ValueSet *out);

#endif
