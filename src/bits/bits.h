/* bits.h - concrete arithmetic on words of 1 to 128 bits and on IEEE floats: the one definition of what an
 * operator means, shared by constant folding, by evaluation of expressions and by the machine.
 *
 * A value of width w is a u128 (or, for w <= 64, a uint64_t) whose bits from w on are zero. */
#ifndef SHEAF_BITS_H
#define SHEAF_BITS_H

#include "base/base.h"

typedef enum BitsOp {
#define BITS(NAME, text, arity, result) BITS_##NAME,
#include "bits/bits.def"
#undef BITS
    BITS_COUNT
} BitsOp;

typedef enum BitsResult { BITS_RESULT_SAME, BITS_RESULT_BIT, BITS_RESULT_CAST } BitsResult;

const char *bits_op_text(BitsOp op);
unsigned bits_op_arity(BitsOp op);
BitsResult bits_op_result(BitsOp op);
bool bits_op_is_float(BitsOp op); /* operands or result are floats */

static inline u128 bits_mask(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
static inline uint64_t bits_mask64(unsigned width)
{
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}
static inline i128 bits_signed(u128 a, unsigned width) { return (i128)(a << (128 - width)) >> (128 - width); }
static inline int64_t bits_signed64(uint64_t a, unsigned width)
{
    return (int64_t)(a << (64 - width)) >> (64 - width);
}

/* Applies an operator. `width` is the result's width for SAME and CAST and the operands' width for BIT;
 * `source` is the operand's width for CAST and ignored otherwise. Unused operands are ignored.
 * Requires: operands reduced to their width. The result is reduced to its width. */
u128 bits_apply(BitsOp op, unsigned width, unsigned source, u128 a, u128 b, u128 c);

/* Between bit patterns and the host's floats. */
float bits_to_float(u128 a);
double bits_to_double(u128 a);
long double bits_to_ldouble(u128 a);
u128 bits_of_float(float f);
u128 bits_of_double(double d);
u128 bits_of_ldouble(long double l);

/* True if the operator on these widths has a meaning (bswap on whole bytes, floats only 32, 64, 80, ...). */
bool bits_widths_ok(BitsOp op, unsigned width, unsigned source);

#endif
