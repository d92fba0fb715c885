/* repair.h - inverting operators: which symbols must change for a constraint to hold? Private to solver. */
#ifndef SHEAF_SOLVER_REPAIR_H
#define SHEAF_SOLVER_REPAIR_H

#include "solver/solver_int.h"

enum { REPAIR_ASSIGNMENTS = 16 };

typedef struct Repair {
    Solver *s;
    const Group *g;
    ExprEval *values; /* under the input to be repaired */
    uint32_t choices; /* a number whose digits make the choices; what is left of it */
    bool lenient;     /* where a required value is out of reach, the nearest will do */
    bool had_choice;  /* another number may give another repair */
    uint32_t steps;
    struct {
        Expr symbol;
        u128 value;
    } set[REPAIR_ASSIGNMENTS];
    uint32_t n;
} Repair;

/* Finds assignments under which the constraint may hold. */
bool repair_constraint(Repair *r, Expr c);
void repair_apply(const Repair *r, ExprInput *in);

#endif
