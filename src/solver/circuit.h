/* circuit.h - bit-vector operators as circuits of gates. Private to solver.
 *
 * A word is an array of literals, least significant bit first. Words are at most CIRCUIT_MAX bits wide. */
#ifndef SHEAF_SOLVER_CIRCUIT_H
#define SHEAF_SOLVER_CIRCUIT_H

#include "bits/bits.h"
#include "solver/gates.h"

enum { CIRCUIT_MAX = 256 }; /* products of two 128-bit words are computed exactly */

void circuit_const(u128 value, unsigned width, Lit *out);
/* The value of a word under the hint (see gates.h). */
u128 circuit_hinted(const Lit *a, unsigned width);
bool circuit_is_const(const Lit *a, unsigned width, u128 *value);

/* The `from` bits of a, filled up to `to` bits. */
void circuit_extend(const Lit *a, unsigned from, unsigned to, Lit fill, Lit *out);

Lit circuit_eq(Gates *g, const Lit *a, const Lit *b, unsigned width);
Lit circuit_ult(Gates *g, const Lit *a, const Lit *b, unsigned width);
Lit circuit_slt(Gates *g, const Lit *a, const Lit *b, unsigned width);
void circuit_ite(Gates *g, Lit c, const Lit *t, const Lit *e, unsigned width, Lit *out);
/* out = a + b + carry; the result is the carry out. out may be a or b. */
Lit circuit_add(Gates *g, const Lit *a, const Lit *b, Lit carry, unsigned width, Lit *out);
/* out = a - b; the result is true if a >= b, unsigned. */
Lit circuit_sub(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *out);
void circuit_neg(Gates *g, const Lit *a, unsigned width, Lit *out);
/* out (width bits) = the product modulo 2^width of a and b, both `width` bits. out must be neither. */
void circuit_mul(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *out);
/* SMT-LIB's bvudiv and bvurem. */
void circuit_divide(Gates *g, const Lit *a, const Lit *b, unsigned width, Lit *quotient, Lit *remainder);

/* True if the operator on this width has a circuit: every integer operator, those on floats that do not
 * round. */
bool circuit_has(BitsOp op, unsigned width);
/* out = op(a, b, c), with widths as in bits_apply; out is none of the operands. Requires: circuit_has(op,
 * width). */
void circuit_apply(Gates *g, BitsOp op, unsigned width, unsigned source, const Lit *a, const Lit *b,
                   const Lit *c, Lit *out);

#endif
