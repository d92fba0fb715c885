/* literals.h - shorter comparisons that a comparison may be equivalent to: guesses, for the solver to
 * confirm. Private to solver. */
#ifndef SHEAF_SOLVER_LITERALS_H
#define SHEAF_SOLVER_LITERALS_H

#include "expr/expr.h"

/* 8 * i + 16 < 64 as i + 2 < 8: a power of two that all terms have is divided out. EXPR_NONE if there is
 * none. */
Expr literal_divided(ExprPool *p, Expr comparison);
/* (long)(n - 1) + 1 as (long)n: sums of two widths drawn together, from the `from`-th extension on; *from:
 * where to go on. EXPR_NONE at the end. */
Expr literal_widened(ExprPool *p, Expr comparison, uint32_t *from);
/* Two parts of a conjunction, x >= b and x - b >= y, as x >= y + b. EXPR_NONE if they are none. */
Expr literal_joined(ExprPool *p, Expr a, Expr b);

#endif
