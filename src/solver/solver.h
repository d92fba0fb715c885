/* solver.h - is a set of constraints satisfiable? If so by which input, if not because of which constraints?
 *
 * A Solver belongs to one ExprPool and one thread, and dies before the pool. It remembers what it learned
 * from one query for the next within bounds of its own: its memory does not grow with the number of queries.
 * It has layers over a back end (solver.def, docs/solver.md); every answer "satisfiable" was checked by
 * evaluating the model, whatever layer gave it.
 *
 * The hint is the input from which the caller comes (the parent's input). A model differs from it only where
 * a group of constraints that it violates needs that, so that little of the caller's run changes. */
#ifndef SHEAF_SOLVER_H
#define SHEAF_SOLVER_H

#include "expr/expr.h"

typedef struct Solver Solver;

typedef enum SolverLayer {
#define LAYER(NAME, text, help) SOLVER_LAYER_##NAME,
#include "solver/solver.def"
    SOLVER_LAYER_COUNT
} SolverLayer;

typedef enum SolverCounter {
#define COUNTER(NAME, text) SOLVER_##NAME##_COUNT,
#include "solver/solver.def"
    SOLVER_COUNTER_COUNT
} SolverCounter;

typedef enum SolverStatus { SOLVER_UNKNOWN, SOLVER_SAT, SOLVER_UNSAT } SolverStatus;

typedef enum SolverReason {
    SOLVER_REASON_NONE,
    SOLVER_REASON_TIME,       /* the time limit */
    SOLVER_REASON_MEMORY,     /* the memory limit */
    SOLVER_REASON_STOPPED,    /* the caller's stop flag */
    SOLVER_REASON_INCOMPLETE, /* the back end gave up: floats, external functions */
    SOLVER_REASON_BACKEND,    /* the child process died, talks garbage or gave a wrong model */
} SolverReason;
const char *solver_reason_text(SolverReason reason);

typedef struct SolverOptions {
    /* "cadical" (or NULL), "z3" ("z3:guards", "z3:stack", "z3:fresh" for how it is incremental), or the
     * command line of an SMT-LIB 2 solver. */
    const char *backend;
    const char *log_dir; /* each back-end query as DIR/NNNNNN.smt2; NULL: no log */
    uint32_t without;    /* layers switched off: bits 1 << SOLVER_LAYER_... (not BACKEND) */
} SolverOptions;

/* For a user's choice of back end: die()s if it is a command that the shell cannot start. */
void solver_backend_check(const char *backend);

/* Options may be NULL. die()s if log_dir cannot be made. A child process is started with the first query it
 * gets. */
Solver *solver_new(ExprPool *pool, const SolverOptions *options);
void solver_free(Solver *s); /* NULL is allowed */

typedef struct SolverQuery {
    const Expr *constraints; /* conditions; all shall hold */
    uint32_t n;
    Expr value;                /* an expression to value in the model; EXPR_NONE: none */
    const ExprInput *hint;     /* NULL: all zero */
    double seconds;            /* limit of processor time (of a child process: of time); 0: none */
    double until;              /* a moment by clock_seconds; 0: none */
    size_t bytes;              /* by how much the process may grow in this call; 0: no limit */
    const volatile bool *stop; /* becoming true ends the call soon; may be NULL */
} SolverQuery;

typedef struct SolverAnswer {
    SolverStatus status;
    ExprInput model;     /* if SOLVER_SAT */
    u128 value;          /* if SOLVER_SAT and the query has an expression to value */
    U32Vec core;         /* if SOLVER_UNSAT: indices into constraints, ascending */
    SolverReason reason; /* if SOLVER_UNKNOWN */
    char detail[160];    /* more about the reason, one line; may be empty */
    SolverLayer by;      /* the innermost layer that was needed */
} SolverAnswer;

/* `a` is zero-initialised or was used before; solver_answer_free releases what it holds. */
SolverStatus solver_check(Solver *s, const SolverQuery *q, SolverAnswer *a);
void solver_answer_free(SolverAnswer *a);

/* Supposes conditions, in place of those supposed before; then: is no value left to a byte that satisfies
 * another condition? Only conditions over one byte each count: false says nothing. No search: a look at a
 * table. */
void solver_suppose(Solver *s, const Expr *conditions, uint32_t n);
bool solver_contradicts(Solver *s, Expr condition);

/* What its answers have cost so far, in about nanoseconds: weighed from what it did, not timed, so that it is
 * the same each time. */
uint64_t solver_work(const Solver *s);
uint64_t solver_count(const Solver *s, SolverCounter counter);
uint64_t solver_layer_hits(const Solver *s, SolverLayer layer); /* groups (queries, for HINT) it decided */
double solver_layer_seconds(const Solver *s, SolverLayer layer);
const char *solver_layer_name(SolverLayer layer);
bool solver_layer_parse(const char *name, SolverLayer *layer);
void solver_stats(const Solver *s, JsonOut *json);

/* ---- simplification of conditions ------------------------------------------------------------ */

typedef struct SolverSimplify {
    /* Is it sure that no state satisfies all of them? False says nothing. */
    bool (*unsat)(void *context, const Expr *conditions, uint32_t n);
    void *context;
    uint32_t queries;          /* most that are asked; 0: the condition stays as it is */
    double deadline;           /* a moment by clock_seconds; 0: none */
    const volatile bool *stop; /* may be NULL */
    ExprSet common;  /* symbols that connect nothing by themselves, as one that stands for all of memory */
    uint32_t *asked; /* the queries that were asked are added here; may be NULL */
} SolverSimplify;

/* A condition that is equivalent wherever the context holds, and never larger (by expr_size): see simplify.c.
 * What the budget leaves undone stays as it is. */
Expr solver_simplify(ExprPool *pool, Expr condition, Expr context, const SolverSimplify *options);

/* For `unsat`: asks a solver; the context is a SolverRefute. */
typedef struct SolverRefute {
    Solver *solver;
    double seconds;
    const volatile bool *stop;
} SolverRefute;
bool solver_refutes(void *context, const Expr *conditions, uint32_t n);

/* ---- SMT-LIB 2 files ------------------------------------------------------------------------- */

/* Runs the commands of a QF_ABV script, answers to `out` as the standard says. The pool must be fresh.
 * Returns NULL or, in the arena, a one-line error ("line 7: unknown function 'foo'") at which the script
 * stopped. */
const char *solver_run_script(Arena *a, ExprPool *pool, Solver *s, const char *text, size_t size,
                              double seconds, FILE *out);

#endif
