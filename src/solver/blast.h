/* blast.h - expressions as circuits in one CaDiCaL instance, each node once. Private to solver.
 *
 * Arrays: a read becomes a chain of selections over the stores (read over write) on top of a read of the
 * base. A base of more than a few bytes is not built: its read is free at first, and blast_refine adds what a
 * wrong model shows to be missing. Operators that have no circuit (apply, rounding of floats) stay free; see
 * refine.c. */
#ifndef SHEAF_SOLVER_BLAST_H
#define SHEAF_SOLVER_BLAST_H

#include "solver/circuit.h"
#include "solver/solver_int.h"

typedef struct Blast Blast;

Blast *blast_new(ExprPool *p);
void blast_free(Blast *b);
Gates *blast_gates(Blast *b);

/* Makes sure that these nodes have literals; symbols that are new take their first guess from the hint. False
 * if the budget ran out: what was built stays and is whole. */
bool blast_nodes(Blast *b, const Expr *roots, uint32_t n, const ExprInput *hint, Budget *budget);
/* The literals of a node, least significant first; NULL if it has none. Valid until the next blast_nodes. */
const Lit *blast_word(const Blast *b, Expr e);
/* Variables that belong to the cone of these nodes, all of which have literals. */
uint32_t blast_cone_vars(Blast *b, const Expr *roots, uint32_t n);

/* After SAT: adds the facts about reads of bases, within the cone, that the solver's values contradict; ev
 * evaluates under the input that was read from the solver. Returns how many; 0 also if the budget ran out. */
uint32_t blast_refine(Blast *b, const Expr *roots, uint32_t n, ExprEval *ev, const ExprInput *hint,
                      Budget *budget);

#endif
