/* bits_int.h - private to bits: the operators on floats, called by bits_apply for the operators where
 * bits_op_is_float. */
#ifndef SHEAF_BITS_INT_H
#define SHEAF_BITS_INT_H

#include "bits/bits.h"

u128 bits_float_apply(BitsOp op, unsigned width, unsigned source, u128 a, u128 b, u128 c);

#endif
