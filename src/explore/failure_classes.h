/* failure_classes.h - private to explore: classes of inputs whose runs end without a result, and their
 * blocking clauses.
 *
 * Faults are isolated: nothing depends on a check that passed. So a run that fails says nothing about the
 * other inputs of its task. Those that fail as it did are a class: the inputs under which all goes the same
 * that its end depends on. The task is solved again with the blocking clause of the class, which is true of
 * all inputs outside of it. */
#ifndef SHEAF_EXPLORE_FAILURE_CLASSES_H
#define SHEAF_EXPLORE_FAILURE_CLASSES_H

#include "explore/condition_tree.h"

typedef struct FailureClasses {
    Map known;          /* of those that follow, by expression */
    ExprVec blocking;   /* by class: true of all inputs outside it */
    ConditionTree tree; /* what holds in each */
    ExprVec members;
    Stamps given; /* conditions of the query that is made */
    U32Vec stack;
} FailureClasses;

void failure_class_add(FailureClasses *s, ExprPool *pool, Expr blocking);
/* If the input lies in a known class, what excludes that; else EXPR_NONE. */
Expr failure_class_of(FailureClasses *s, ExprEval *eval);
/* Adds what excludes each class to a query, but for those that single conditions of the query exclude. */
void failure_classes_exclude(FailureClasses *s, Solver *solver, ExprVec *query);
void failure_classes_move(FailureClasses *s, ExprPool *to, ExprImport *import);
size_t failure_classes_bytes(const FailureClasses *s);
void failure_classes_free(FailureClasses *s);

/* An input that satisfies the task and lies in no known class, within the time: a model that falls into one
 * is excluded by its blocking clause (`all`: and by those of all others), and the solver is asked again.
 * *any: a model that fell into one, if there was one. The last query is in x->query. */
SolverStatus failure_classes_solve(FailureClasses *s, Explore *x, ExprEval *eval, const Task *task, bool all,
                                   ExprInput *any);

/* Does the run terminate normally, as far as the policy of its labels says? */
bool failure_is_none(const Explore *x, const VmResult *r);
/* The decisions that the end of a run depends on, which does not. */
ExprSet failure_label(ExprPool *p, const VmTrace *trace);
/* All that held at these decisions. */
Expr failure_condition(ExprPool *p, const VmTrace *trace, ExprSet decisions);

#endif
