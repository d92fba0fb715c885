/* solver_int.h - what the layers share: the group under work, the budget of a call, the interface of back
 * ends. */
#ifndef SHEAF_SOLVER_INT_H
#define SHEAF_SOLVER_INT_H

#include "solver/solver.h"

/* ---- the budget of one call ------------------------------------------------------------------ */

typedef struct Budget {
    double deadline;              /* clock_seconds: not before this is a limit met; infinite without one */
    double until;                 /* clock_seconds; infinite without a limit */
    double processor_end;         /* clock_processor_seconds; infinite without a limit */
    size_t bytes_at_start, bytes; /* resident memory then; allowed growth, 0 without a limit */
    double memory_looked;         /* when memory was last looked at */
    const volatile bool *stop;
    SolverReason spent; /* what ran out; SOLVER_REASON_NONE while all is well */
} Budget;

/* seconds: of processor time, so that answers do not depend on the machine's load; until: a moment
 * (clock_seconds). 0: none. */
void budget_start(Budget *b, double seconds, double until, size_t bytes, const volatile bool *stop);
/* True once time or memory ran out or the caller wants to stop. Cheap enough for every node of an
 * expression. */
bool budget_spent(Budget *b);
/* Part of what is left, for a step that another may follow. */
Budget budget_part(const Budget *b, double share);

/* ---- a group: constraints that are solved together ------------------------------------------- */

typedef struct Group {
    Expr *c; /* constraints, no conjunctions, ascending ids, none twice, none constant */
    uint32_t n;
    Expr *failing; /* those of c that the hint violates */
    uint32_t n_failing;
    uint32_t *symbols; /* input positions of their symbols, ascending */
    uint32_t n_symbols;
} Group;

/* What a layer finds out about a group. A layer that answers SOLVER_SAT has put the values of the group's
 * symbols into `model`, which otherwise equals the hint. For SOLVER_UNSAT, core holds expressions of the
 * group. */
typedef struct GroupAnswer {
    SolverStatus status;
    ExprInput model;
    ExprVec core;
    SolverReason reason;
    char detail[160];
} GroupAnswer;

typedef struct Backend Backend;
struct Backend {
    const char *name;
    /* Decides the group's constraints together with the lemmas (facts that hold for every input; cores leave
     * them out). */
    void (*check)(Backend *b, const Group *g, const ExprVec *lemmas, const ExprInput *hint, Budget *budget,
                  GroupAnswer *answer);
    void (*forget)(Backend *b);
    void (*free)(Backend *b);
};

Backend *backend_cadical_new(Solver *s);
Backend *backend_z3_new(Solver *s, const char *mode); /* mode: "guards", "stack", "fresh"; NULL: the best */
Backend *backend_child_new(Solver *s, const char *command);

/* ---- the solver ------------------------------------------------------------------------------ */

typedef struct Splitter Splitter;
typedef struct Reuse Reuse;
typedef struct Cache Cache;
typedef struct Bytes Bytes;
typedef struct Boxes Boxes;
typedef struct Ranges Ranges;
typedef struct QueryLog QueryLog;

struct Solver {
    ExprPool *pool;
    uint32_t without;
    Backend *backend, *z3; /* z3 is made when first needed, and is backend itself if that was asked for */
    bool backend_is_cadical;

    ExprInput hint;      /* the current hint, copied; hint_eval evaluates under it */
    ExprEval *hint_eval; /* keeps its values as long as the hint stays the same */
    ExprEval *eval;      /* for candidates */
    U32Vec cone;         /* of the group under work; see group_cone */
    const Group *cone_of;
    ExprVec conjuncts; /* of the last query: room for those of the next */

    Splitter *splitter;
    Reuse *reuse;
    Cache *cache;
    Bytes *bytes;
    Boxes *boxes;
    Ranges *ranges;
    QueryLog *log;

    uint64_t counter[SOLVER_COUNTER_COUNT];
    uint64_t hits[SOLVER_LAYER_COUNT];
    double seconds[SOLVER_LAYER_COUNT];
};

static inline void solver_bump(Solver *s, SolverCounter c) { s->counter[c]++; }

/* All nodes of the group's constraints, as expr_cone gives them. Computed once for each group; valid while it
 * is the one under work. */
const U32Vec *group_cone(Solver *s, const Group *g);

/* Do all of these hold under the input? The failing ones first, since they are the likely ones to refuse. */
bool group_holds(Solver *s, const Group *g, const ExprInput *in);

/* How far the input of s->eval is from satisfying a constraint, about in bits: 0 if and only if it does. */
double constraint_distance(Solver *s, Expr c);
/* Floats in order as signed integers, and back. */
i128 float_ordinal(u128 bits, unsigned width);
u128 float_from_ordinal(i128 ordinal, unsigned width);

/* ---- layers: each returns true if it decided the group --------------------------------------- */

typedef bool LayerFn(Solver *s, const Group *g, Budget *b, GroupAnswer *a);
LayerFn layer_cache, layer_reuse, layer_bytes, layer_boxes, layer_repair, layer_ranges, layer_walk,
    layer_cases, layer_floats;
LayerFn layer_backend; /* always decides, if only as unknown */

Cache *cache_new(void);
void cache_free(Cache *c);
void cache_clear(Cache *c);
void cache_learn(Solver *s, const Group *g, const GroupAnswer *a);

Reuse *reuse_new(void);
void reuse_free(Reuse *r);
void reuse_clear(Reuse *r);
void reuse_learn(Solver *s, const ExprInput *model); /* a whole model */

Ranges *ranges_new(void);
void ranges_free(Ranges *x);

Boxes *boxes_new(void);
void boxes_free(Boxes *b);
void boxes_clear(Boxes *b);

Bytes *bytes_new(ExprPool *p);
void bytes_free(Bytes *b);
void bytes_clear(Bytes *b);
void bytes_leave_group(Bytes *b);         /* a group may lie where another one lay that is gone */
uint64_t bytes_evaluated(const Bytes *b); /* steps of evaluation, for its tables */
/* Do the constraints over the symbol at this position alone allow the value? Of the group last given to
 * layer_bytes. */
bool bytes_allows(const Solver *s, const Group *g, uint32_t at, u128 value);
u128 bytes_nearest(const Solver *s, const Group *g, uint32_t at, u128 value);

/* ---- splitting (group.c) --------------------------------------------------------------------- */

typedef Vec(Group) GroupVec;
Splitter *splitter_new(void);
void splitter_free(Splitter *x);
/* Groups of constraints connected by shared symbols, until the next call; only those with a failing member,
 * since the others keep the hint. With `whole`, all constraints are one group. The constraints are ascending,
 * and each has a symbol. */
const GroupVec *group_split(Solver *s, const ExprVec *constraints, const BitSet *failing, bool whole);

/* ---- shared by back ends --------------------------------------------------------------------- */

/* True if the cone has an operator on floats that rounds or otherwise has no circuit. */
bool group_has_applications(Solver *s, const Group *g); /* refine.c */
bool group_has_floats(Solver *s, const Group *g);
/* Adds lemmas "these operands, that result" for the operators that back ends treat loosely (apply, floats)
 * with their values under the model. Returns how many are new. */
uint32_t refine_by_values(Solver *s, const Group *g, const ExprInput *model, ExprVec *lemmas);
bool refine_is_loose(const ExprPool *p, Expr e);

QueryLog *log_new(const char *dir);
void log_free(QueryLog *l);
void log_query(Solver *s, const char *backend, const Group *g, const ExprVec *lemmas, const GroupAnswer *a,
               double seconds);

/* For the module itself and its tests. */
/* Forgets everything learned, as if new; counters stay. */
void solver_forget(Solver *s);

#endif
