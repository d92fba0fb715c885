/* backward.h - conditions composed backwards: can this line be reached, can this program fail?
 *
 * A Backward holds one program as a graph of cut points (heads of loops, by call stack) and segments between
 * them. A condition starts as `true` at a target and is moved up, over all segments, until it speaks of the
 * entry's inputs; loops are fixpoints, strengthened by invariants.
 *
 * Conditions only ever say too much: whatever is not modelled (calls of unknown functions, inputs that were
 * projected away, pointers that could lead anywhere) makes them weaker. So "unsatisfiable at the entry" is a
 * proof that no run reaches the target. A model of a condition, on the other hand, is a proposal, that a run
 * of the machine has to confirm. */
#ifndef SHEAF_BACKWARD_H
#define SHEAF_BACKWARD_H

#include "flow/flow.h"
#include "solver/solver.h"
#include "vm/vm.h"

typedef struct Backward Backward;

struct BackwardAnswer;

/* How many elements there are behind a pointer of the entry: as many as a parameter says, or a constant. */
typedef struct BackwardRoom {
    const char *pointer, *parameter; /* parameter: NULL for a constant */
    uint64_t count;
} BackwardRoom;
typedef Vec(BackwardRoom) BackwardRooms;

typedef struct BackwardOptions {
    const VmInputs *inputs; /* entry and what is symbolic */
    const VmEnvironment *environment;
    SolverOptions solver;
    double max_seconds;   /* for one answer, 0: none; backward_limit changes it */
    double explain_until; /* of clock_seconds: an answer that was found in time may be explained until then;
                             0: within its time */
    double query_seconds; /* for one question to the solver, 0: 5 */
    uint64_t checks;      /* optional faults that count: bits of VmFaultKind */
    uint32_t max_cuts;    /* of the graph, 0: 256 */
    uint32_t max_iterations; /* of a fixpoint, 0: 24 */
    uint32_t max_steps;      /* instructions evaluated for one segment, 0: 200,000 */
    uint32_t max_unroll;     /* of these for one loop whose number of iterations is a constant, 0: 20,000 */
    uint32_t max_recursion;  /* calls of a function inside itself that are entered, 0: 3 */
    bool summaries; /* of functions that call themselves from the first call on, not only of deeper ones */
    uint32_t max_nodes;        /* expressions, 0: 20 million */
    BackwardRooms rooms;       /* behind pointers of the entry; the caller's */
    const volatile bool *stop; /* may be NULL */
    Ledger *ledger;            /* gets what answers assume of the environment; may be NULL */
    unsigned rules_off;        /* for tests: BACKWARD_OFF_... */
    /* Is an answer REACHABLE true? A run of the machine tells; if it is not, the search goes on. NULL: the
     * first model is the answer. */
    bool (*confirm)(void *context, const struct BackwardAnswer *answer);
    void *context;
} BackwardOptions;

/* Rules that a test can leave out, to see that its oracle notices. */
enum {
    BACKWARD_OFF_ALIAS = 1,       /* addresses that may be equal count as apart */
    BACKWARD_OFF_HAVOC = 2,       /* what is not modelled writes nothing */
    BACKWARD_OFF_UNKNOWN = 4,     /* an input read in a loop is the same in all iterations */
    BACKWARD_OFF_INDUCTION = 8,   /* an invariant need only hold when its loop is entered */
    BACKWARD_OFF_PATHS = 16,      /* no input is searched for: proofs alone, of what is reached, too */
    BACKWARD_OFF_DEATHS = 32,     /* objects are alive at every cut point */
    BACKWARD_OFF_CONSTANTS = 64,  /* what is a constant where a loop is entered is one in all iterations */
    BACKWARD_OFF_ESCAPES = 128,   /* control that is not followed reaches nothing */
    BACKWARD_OFF_ROOM = 256,      /* require: there is room behind every pointer */
    BACKWARD_OFF_DIRECTION = 512, /* require: what is not known is as it must be for a fault */
    BACKWARD_OFF_RANKING = 1024,  /* require: a generalised condition need only be inductive */
    BACKWARD_OFF_RETURNS =
        2048,                 /* what is said of a function that calls itself need not hold when it returns */
    BACKWARD_OFF_EVERY = 4096 /* what is said of all elements of an array need not hold */
};

/* The program, inputs and environment must outlive it. */
Backward *backward_new(const IrProgram *program, const BackwardOptions *options);
void backward_free(Backward *bw);
void backward_limit(Backward *bw, double seconds); /* for each answer from now on */

/* ---- what is asked for ----------------------------------------------------------------------- */

/* An instruction, or if `to` is a block the edge to it from the end of the instruction's block. */
typedef struct BackwardPlace {
    uint32_t fn, block, insn, to;
} BackwardPlace;
typedef Vec(BackwardPlace) BackwardPlaces;

/* ---- answers --------------------------------------------------------------------------------- */

typedef enum BackwardStatus {
    BACKWARD_OPEN,
    BACKWARD_UNREACHABLE, /* proved */
    BACKWARD_REACHABLE    /* a model says so: `values` is to be tried */
} BackwardStatus;

/* A value of an input, in the order in which a run asks for them. */
typedef struct BackwardValue {
    u128 value;
    uint32_t bytes;
    bool continues; /* further bytes of the input before it */
} BackwardValue;

typedef struct BackwardClause {
    Expr condition;
    uint32_t site;
    const char *what; /* words before it; NULL: it is the condition of a branch on the way */
} BackwardClause;
typedef Vec(BackwardClause) BackwardClauses;

typedef struct BackwardAnswer {
    BackwardStatus status;
    uint32_t steps;            /* segments that conditions were moved over */
    uint32_t iterations;       /* of the fixpoint */
    Vec(BackwardValue) values; /* REACHABLE */
    ExprInput model;           /* REACHABLE: symbols of the entry by their keys in `backward_pool` */
    BackwardClauses core;      /* UNREACHABLE: conditions that contradict each other */
} BackwardAnswer;

/* Builds the graph, and looks for invariants, once for all questions about one of these places that follow,
 * within so many seconds. Without it each question builds its own, which is sharper where something is not
 * modelled. */
void backward_prepare(Backward *bw, const BackwardPlaces *places, double seconds);
/* Can a run come to one of these places? */
BackwardAnswer backward_reach(Backward *bw, const BackwardPlaces *places);
void backward_answer_free(BackwardAnswer *a);

/* A place where something can go wrong, and what is known of it. */
typedef struct BackwardCheck {
    uint32_t fn, block, insn, site;
    VmFaultKind fault;
    BackwardStatus status;
} BackwardCheck;
typedef Vec(BackwardCheck) BackwardChecks;
/* Can a run fail? The checks that were met, each with its own answer; true if no run can. With `confirm`
 * inputs are looked for as well, until one of them is confirmed. */
bool backward_prove(Backward *bw, BackwardChecks *checks);

/* ---- the condition under which code fails (require.c) ---------------------------------------- */

/* Conditions over the entry are expressions of `backward_pool` over its parameters (objects "param:..."),
 * globals ("global:NAME"), other inputs, and terms: ld_n(address, M) is what memory held at the address,
 * room(p) how many bytes there are behind the pointer. */
typedef struct BackwardFailure {
    VmFaultKind fault; /* VM_FAULT_COUNT: something that is not modelled, of which `escape` says what */
    const char *escape;
    uint32_t fn, site;
    Expr most, least; /* it happens at most, at least when this holds; the same if that is known exactly */
} BackwardFailure;

/* So many bytes are taken for granted behind a pointer. */
typedef struct BackwardNeed {
    Expr pointer;
    uint64_t bytes;
    bool string;
} BackwardNeed; /* string: and they end with a NUL; how many is not known */

typedef struct BackwardRequirement {
    Vec(BackwardFailure) failures; /* that can be, the shortest conditions first. One further down says
                                      nothing of what one above covers */
    Vec(BackwardNeed) needs;
    Expr most, least;  /* the code fails at most, at least when this holds */
    bool exact;        /* both are equivalent */
    uint32_t segments; /* that conditions were moved over */
    double seconds;
} BackwardRequirement;

void backward_require(Backward *bw, BackwardRequirement *out);
/* A condition, or a term of one, as C; bounded as expr_print_c. */
void backward_condition_text(Backward *bw, Expr e, uint32_t limit, Str *out);
/* To be compiled and run where `known` holds: it does not divide by zero, nor follow a null pointer. */
void backward_condition_c(Backward *bw, Expr e, Expr known, uint32_t limit, Str *out);
void backward_requirement_free(BackwardRequirement *r);

/* What an input must be for a failure to happen: values of the entry's symbols, and what the condition says
 * of the memory behind pointers. Pointers are distinguished by their values, which are no addresses of
 * anything. */
typedef struct BackwardCell {
    uint64_t pointer, offset;
    uint8_t value;
} BackwardCell;
typedef struct BackwardExtent {
    uint64_t pointer, bytes;
} BackwardExtent;
typedef struct BackwardModel {
    ExprInput input; /* symbols of the entry by their keys in `backward_pool` */
    Vec(BackwardCell) cells;
    Vec(BackwardExtent) extents;
} BackwardModel;
/* How much else is asked of a model: that nothing but this failure happens, that none above it does, or
 * nothing. */
typedef enum BackwardAlone { BACKWARD_ALONE, BACKWARD_FIRST, BACKWARD_ANYHOW } BackwardAlone;
/* A model of the failure (of what is known to lead to it; if nothing is, of what may) with objects of a
 * modest size; false: there is none, or it was not found. */
bool backward_failure_model(Backward *bw, const BackwardRequirement *r, uint32_t which, BackwardAlone alone,
                            double seconds, BackwardModel *out);
void backward_model_free(BackwardModel *m);

/* Why an answer is open: what was not modelled, with its place. */
uint32_t backward_reasons(const Backward *bw);
const char *backward_reason(const Backward *bw, uint32_t i, uint32_t *site);

/* Loops and what was found to hold at their heads, as C. */
typedef struct BackwardInvariant {
    uint32_t fn, block, site;
    const char *text;
} BackwardInvariant;
uint32_t backward_invariants(Backward *bw, Arena *a, const BackwardInvariant **out);

/* ---- conditions on real states (judge.c) ----------------------------------------------------- */

/* A run of the machine that is under way, as its observer sees it (vm_observe). */
typedef struct BackwardSight {
    Vm *vm;
    const ExprPool *pool; /* the machine's names of inputs, and the run's values; NULL: none are known */
    const ExprInput *input;
} BackwardSight;

typedef enum BackwardClaim {
    BACKWARD_CONDITION, /* of the last question: a run that reaches one of its targets from here satisfies it
                         */
    BACKWARD_INVARIANT,
    BACKWARD_CONSTANTS /* registers that were taken for constants */
} BackwardClaim;
typedef enum BackwardVerdict { BACKWARD_UNJUDGED, BACKWARD_HOLDS, BACKWARD_FAILS } BackwardVerdict;

/* Where a run is among the segments; zero when it begins. */
typedef struct BackwardTrack {
    uint32_t segment;
    bool begun, lost;
} BackwardTrack;

/* ---- the search on real values (near.c, search.c) -------------------------------------------- */

/* How near a run came. */
typedef struct BackwardNear {
    bool reached;          /* set by the caller, which runs it */
    uint32_t level;        /* blocks from a target at the least, over calls and returns */
    long double condition; /* how far the condition of the nearest cut point was from holding */
    long double turn;      /* how far the branch at `site` was from going nearer */
    uint32_t site;         /* IR_NONE: it came to none */
    uint32_t held, lost;   /* the first cut point at which the condition did not hold, and the one before it
                              (IR_NONE: the entry); IR_NONE */
} BackwardNear;
bool backward_is_nearer(const BackwardNear *a, const BackwardNear *b);

/* Measures runs for the last question to `bw`, which was of these places. What it has to observe at
 * blocks is for vm_observe. */
typedef struct BackwardGauge BackwardGauge;
BackwardGauge *backward_gauge_new(Backward *bw, const BackwardPlaces *places);
void backward_gauge_free(BackwardGauge *g);
const VmBlocks *backward_gauge_blocks(const BackwardGauge *g);
void backward_gauge_begin(BackwardGauge *g);
void backward_gauge_tell(BackwardGauge *g, const BackwardSight *sight, VmBlock at);
BackwardNear backward_gauge_end(const BackwardGauge *g);

/* A word of an input, to be moved up and down as a number. */
typedef struct BackwardWord {
    uint32_t at, bytes;
} BackwardWord;
typedef Vec(BackwardWord) BackwardWords;
typedef struct BackwardClimb {
    bool (*run)(void *context, const ExprInput *input,
                BackwardNear *near);                    /* false: there is no time for more */
    void (*words)(void *context, BackwardWords *words); /* of the last run's input; cleared and filled */
    void *context;
    uint32_t most; /* runs */
} BackwardClimb;
/* From this input on to one from which no step of a single word comes nearer, or that reaches a target. The
 * input becomes the nearest. Returns the number of runs. */
uint32_t backward_climb(const BackwardClimb *climb, ExprInput *input, BackwardNear *near);

ExprPool *backward_pool(Backward *bw);
uint64_t backward_queries(const Backward *bw);

#endif
