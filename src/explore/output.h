/* output.h - private to explore: the algorithm of `output`, apart from the machine that makes the runs.
 *
 * A run is seen as decisions with labels and a criterion: the label of what is observed. The relevant slice
 * condition of a run is the conjunction of the conditions of the decisions in the criterion, in the order of
 * Algorithm 1. */
#ifndef SHEAF_EXPLORE_OUTPUT_H
#define SHEAF_EXPLORE_OUTPUT_H

#include "explore/failure_classes.h"
#include "explore/slice.h"

typedef struct OutputRun {
    const VmTrace *trace;
    VmLabel criterion; /* of the output; of a run without one: what its ending depends on */
    bool has_output;
    const ExprInput *input;
    uint64_t number;
} OutputRun;

/* Rows and classes found so far. */
typedef struct Output {
    Signature signature;
    ExprPool *pool;
    ExprEval *eval;
    Map rows;               /* hash of a condition to 1 + the row */
    U32Vec next;            /* by row: 1 + the next of the same hash, or 0 */
    FailureClasses classes; /* of the failures */
    bool cut;               /* decisions beyond the depth limit were not varied */
    bool probing;           /* an input outside all rows and classes was found: */
    ExprInput probe;        /* the last one */
} Output;

void output_init(Output *o, ExprPool *pool);
void output_free(Output *o);
/* Everything kept moves into another pool. */
void output_move(Output *o, ExprPool *to, ExprImport *import);

/* Adds what C's types name in an output that is memory. `entry`: the function that is run, NULL: main. */
void output_fields(Output *o, const IrProgram *program, const char *entry, SignatureOutput *to,
                   const VmOutput *out, const Expr *bytes);

/* Adds what is observed of a run that returned or exited. */
void output_fill_row(Output *o, const IrProgram *program, const char *entry, const ExploreCriteria *c,
                     const VmTrace *t, SignatureRow *row);

/* Assumptions that every run makes are given for every row. */
void output_note_assumptions(Output *o, const VmTrace *t);

/* What the explorer `states` has found, if it was asked for that; else NULL. */
const Signature *states_signature(const Explore *x);

/* Files the tasks that follow from a run and records its row or class. Returns the row if it is new, for the
 * caller to fill in the outputs; short-lived. NULL: a known row, or none. */
SignatureRow *output_expand(Output *o, Explore *x, const Task *task, const OutputRun *run, Origin *origin);

/* Rows have different conditions, as sets: takes the condition over if it is new, else NULL. */
SignatureRow *output_row_add(Output *o, ExprVec *condition, const ExprInput *input, uint64_t run);
uint32_t output_row_find(const Output *o, const ExprVec *condition); /* UINT32_MAX: none */
uint32_t output_row_of(Output *o, const ExprInput *input); /* that the input satisfies; UINT32_MAX: none */
/* Takes the condition over. */
void output_class_add(Output *o, const IrProgram *program, ExprVec *condition, const OutputRun *run);
SignatureEnd output_ending(Output *o, const IrProgram *program, const VmResult *result);

/* If the input lies in a known class without output: its blocking clause, else EXPR_NONE. */
Expr output_class_of(Output *o, const ExprInput *input);

/* The conditions that only an input outside all rows and classes satisfies. Clears and fills out. */
void output_outside(Output *o, ExprVec *out);

/* ---- shared with `joint`, whose state is an Output as well: see joint.c -------------------------- */

void output_begin(Explore *x);
void output_end(Explore *x);
void output_moved(Explore *x, ExprPool *to, ExprImport *import);
/* An input of the task outside the known classes, if there is one. */
bool output_input(Explore *x, Task *task, ExprInput *input);
/* The run of the task has no output: files the task again; it will not meet the classes known by then. */
void output_try_again(Explore *x, const Task *task, Origin *origin);
/* Is there an input outside all rows and classes? Then a probe of it is filed: a task whose run adds a row or
 * a class, and from which nothing follows. But not where a limit leaves some out on purpose. */
bool output_more(Explore *x);
bool output_is_probe(const Task *task);

#endif
