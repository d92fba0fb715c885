/* script.h - SMT-LIB 2 scripts: what terms (script_term.c) and commands (script.c) share. Private to solver.
 *
 * Arrays are not expressions here but terms of the script's own, of any index and element width up to 128: a
 * read is pushed through stores, choices and constants down to declared arrays, where it becomes a fresh
 * symbol. That equal indices have equal elements is added when a model violates it; equalities of arrays hold
 * at every index in sight and at a fresh one each (see script_array.c). */
#ifndef SHEAF_SOLVER_SCRIPT_H
#define SHEAF_SOLVER_SCRIPT_H

#include "solver/sexpr.h"
#include "solver/solver.h"

typedef enum SortKind { SORT_BOOL, SORT_BITS, SORT_ARRAY } SortKind;
typedef struct Sort {
    SortKind kind;
    unsigned width; /* of bits; of an array's elements */
    unsigned index; /* of an array */
} Sort;

typedef enum ArrayKind { ARRAY_DECLARED, ARRAY_STORE, ARRAY_CHOICE, ARRAY_FILLED } ArrayKind;
typedef struct ArrayTerm {
    ArrayKind kind;
    uint32_t id;
    Sort sort;
    struct ArrayTerm *a, *b; /* of a store: what it stores into; of a choice: both arms */
    Expr index;              /* of a store; of a choice: its condition */
    Expr value;              /* of a store and of a filled array */
    const char *name;        /* of a declared one */
} ArrayTerm;

typedef struct Value {
    Sort sort;
    Expr e; /* of bits and Booleans */
    ArrayTerm *array;
} Value;

typedef struct Binding {
    const char *name;
    Value value;
    const Sexpr *params, *body; /* of a defined function with parameters */
    Sort result;
    uint32_t previous; /* the binding of the same name that this one hides, plus one */
} Binding;

typedef struct Read {
    ArrayTerm *array; /* a declared one */
    Expr index, symbol;
} Read;

typedef struct Equality {
    ArrayTerm *a, *b;
    Expr holds, witness; /* a fresh condition, and a fresh index at which they differ if it does not */
    uint32_t instances;  /* how many of the script's indices it was instantiated at */
} Equality;

typedef struct IndexTerm {
    Expr e;
    unsigned width;
} IndexTerm;

typedef struct Script {
    Arena *arena;
    ExprPool *pool;
    Solver *solver;
    FILE *out;
    double seconds;
    const char *error;
    bool done;

    Vec(Binding) bindings;
    StrMap newest;    /* name to its newest binding, plus one */
    uint32_t globals; /* bindings below this are global … */
    uint32_t floor;   /* … and those from here on are visible locals */
    StrMap sorts;     /* defined sorts: number in sort_table */
    Vec(Sort) sort_table;
    uint64_t steps; /* terms looked at: bounds what macros can expand to */
    uint32_t fresh;

    Vec(ArrayTerm *) arrays;
    Map read_of; /* (array id << 32 | index id) to the element read */
    Vec(Read) reads;
    Vec(Equality) equalities;
    Vec(IndexTerm) indices; /* every index that is read or stored at */
    Map index_seen;
    ExprVec lemmas; /* facts about arrays */

    ExprVec assertions;
    Vec(Value) declared;
    U32Vec levels; /* sizes of assertions, bindings, declared at each push */
    SolverAnswer answer;
} Script;

/* The first error stays. Returns false. */
bool script_fail(Script *s, uint32_t line, const char *fmt, ...) PRINTF_LIKE(3, 4);

bool script_sort(Script *s, const Sexpr *x, Sort *out);
bool script_term(Script *s, const Sexpr *x, Value *out);
void script_bind(Script *s, Binding b);
void script_unbind_to(Script *s, uint32_t n);
Expr script_fresh(Script *s, const char *what, unsigned width);

ArrayTerm *script_array(Script *s, ArrayTerm like);
/* The element at an index; false if the array's terms are nested too deeply. */
bool script_select(Script *s, ArrayTerm *a, Expr index, Expr *out);
Expr script_array_equal(Script *s, ArrayTerm *a, ArrayTerm *b);
void script_index(Script *s, Expr index, unsigned width);
/* Adds what equalities of arrays need; then, given a model, what it gets wrong about reads: returns how
 * many. */
bool script_complete_equalities(Script *s);
uint32_t script_repair_reads(Script *s, const ExprInput *model);

#endif
