/* gates.h - a CNF under construction: Boolean gates with sharing over one CaDiCaL instance. Private to
 * solver.
 *
 * A literal is a variable or its negation; variable 1 is the constant true. Equal gates over equal literals
 * are the same literal (structural hashing), and gates over constants fold away.
 *
 * CaDiCaL's C interface has no call that sets a variable's phase. The effect is had by choosing signs: a
 * literal is positive if and only if it was true under the hint when it was made. Every variable is then true
 * under the hint, which is the value that CaDiCaL tries first. */
#ifndef SHEAF_SOLVER_GATES_H
#define SHEAF_SOLVER_GATES_H

#include "base/base.h"

#include <ccadical.h>

typedef int32_t Lit;
enum { LIT_TRUE = 1, LIT_FALSE = -1 };

typedef struct Gates Gates;

Gates *gates_new(void);
void gates_free(Gates *g);
CCaDiCaL *gates_sat(Gates *g);
uint32_t gates_vars(const Gates *g);
size_t gates_bytes(const Gates *g); /* an estimate of the memory of gates, clauses and their watches */

/* A fresh variable as a literal whose value under the hint is `hinted`. */
Lit gates_fresh(Gates *g, bool hinted);
static inline bool lit_hinted(Lit a) { return a > 0; }
static inline Lit lit_const(bool value) { return value ? LIT_TRUE : LIT_FALSE; }
static inline bool lit_is_const(Lit a) { return a == LIT_TRUE || a == LIT_FALSE; }

Lit gates_and(Gates *g, Lit a, Lit b);
static inline Lit gates_or(Gates *g, Lit a, Lit b) { return -gates_and(g, -a, -b); }
Lit gates_xor(Gates *g, Lit a, Lit b);
Lit gates_ite(Gates *g, Lit c, Lit t, Lit e);
Lit gates_xor3(Gates *g, Lit a, Lit b, Lit c);
Lit gates_majority(Gates *g, Lit a, Lit b, Lit c);
Lit gates_and_n(Gates *g, const Lit *v, uint32_t n); /* one gate for the lot */

/* Adds a clause for good; constants fold away. */
void gates_clause(Gates *g, const Lit *v, uint32_t n);

#endif
