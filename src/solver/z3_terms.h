/* z3_terms.h - expressions as terms of Z3, each node once. Private to solver.
 *
 * Floats are bit patterns here and numbers there. Wherever IEEE leaves bits open or Z3 has one NaN for all,
 * the result is left free as far as needed (see refine.c): what Z3 then calls unsatisfiable is so. */
#ifndef SHEAF_SOLVER_Z3_TERMS_H
#define SHEAF_SOLVER_Z3_TERMS_H

#include "solver/solver_int.h"

#include <z3.h>

typedef struct Z3Terms Z3Terms;

/* The context must be one that keeps all terms itself (Z3_mk_context, not ..._rc): terms are freed with
 * it. */
Z3Terms *z3_terms_new(ExprPool *p, Z3_context context);
void z3_terms_free(Z3Terms *t);
uint32_t z3_terms_count(const Z3Terms *t);
/* The term (a Bool for width 1), or NULL if the budget ran out. */
Z3_ast z3_terms_of(Z3Terms *t, Expr e, Budget *budget);

/* True if reads of this array become choices between its bytes; else Z3's theory of arrays gets them. */
bool z3_terms_spelt_out(const Z3Terms *t, Expr array);

#endif
