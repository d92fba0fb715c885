/* bytes.h - sets of values of one byte, and those of constraints over one symbol. Private to solver. */
#ifndef SHEAF_SOLVER_BYTES_H
#define SHEAF_SOLVER_BYTES_H

#include "solver/solver_int.h"

typedef struct Values {
    uint64_t w[4];
} Values; /* which of 256 values */

static inline bool values_has(const Values *v, unsigned x) { return v->w[x / 64] >> (x % 64) & 1; }
static inline bool values_empty(const Values *v) { return !(v->w[0] | v->w[1] | v->w[2] | v->w[3]); }

static inline void values_meet(Values *v, const Values *o)
{
    for (int i = 0; i < 4; i++)
        v->w[i] &= o->w[i];
}

/* The member nearest to a value; there must be one. */
unsigned values_nearest(const Values *v, unsigned value);

/* Is it a constraint over one symbol of at most 8 bits? Then which one, and the values that satisfy it. */
bool bytes_table(Solver *s, Expr c, uint32_t *at, Values *values);
/* What the constraints over one symbol leave to the i-th symbol of the group last given to layer_bytes; NULL:
 * it is another group. */
const Values *bytes_domain(const Solver *s, const Group *g, uint32_t i);

#endif
