/* explore_int.h - private to explore: paths, tasks, the frontier, and what an explorer is. */
#ifndef SHEAF_EXPLORE_INT_H
#define SHEAF_EXPLORE_INT_H

#include "explore/explore.h"
#include "explore/explore_test.h"

#include <stdatomic.h>

static inline size_t map_bytes(const Map *m) { return m->cap * 2 * sizeof(uint64_t); }
static inline size_t marks_bytes(const Marks *m) { return m->cap * sizeof *m->slots; }

/* ---- paths: conjunctions that share their beginnings ----------------------------------------- */

/* The conditions from the entry up to here; NULL is none. Counted references; a node holds its parent. */
typedef struct Path {
    struct Path *parent;
    Expr condition;
    uint32_t refs;
    uint32_t length;
} Path;

Path *path_hold(Path *p);
void path_drop(Path *p);
/* The path with one more condition. Takes over the reference to p; a condition that is true adds nothing. */
Path *path_add(Path *p, Expr condition);
void path_list(const Path *p, ExprVec *out);  /* clears and fills, from the entry on */
Path *path_move(Path *p, ExprImport *import); /* the same in another pool; takes over the reference */

/* The input of a run, shared by the tasks that follow from it. */
typedef struct Origin {
    ExprInput input;
    uint32_t refs;
} Origin;
Origin *origin_new(const ExprInput *input);
Origin *origin_hold(Origin *o);
void origin_drop(Origin *o);

/* ---- tasks ----------------------------------------------------------------------------------- */

typedef struct Task {
    Path *path;         /* what the input must satisfy: the alternative is the last condition, but for the
                           blocking clauses of `tries` failure classes behind it */
    Origin *origin;     /* parent's input, the solver's hint; of a spilled task: the input itself */
    VmSnapshot *resume; /* where the run may begin, or NULL */
    uint64_t because;   /* index of the decision whose alternative this is; 0: the first task */
    uint32_t bound; /* decisions before it were expanded by an ancestor; UINT32_MAX: nothing is expanded */
    uint32_t depth; /* where its run parts, if the explorer says: for dfs */
    uint32_t site;
    uint32_t fn, block;   /* where the alternative leads, IR_NONE if unknown */
    bool redecide;        /* decision bound, and what follows, is decided anew within path, which says more
                             than the decisions before it: of a residual alternative */
    bool solved;          /* the origin's input satisfies it; if spilled, no path is left but to redecide */
    uint64_t fingerprint; /* by which the explorer knows it again */
    /* Of `dependence`: */
    uint64_t outcome; /* of use only while no run has taken this one; 0: not only then */
    uint64_t flip;    /* if so: fingerprint of the task for the same flip whose run must terminate normally */
    uint64_t choice;  /* asks for a value other than those that were chosen there so far; 0: it does not */
    uint32_t excluded; /* if so: conditions that exclude these, behind the others of the path */
    uint32_t tries;    /* how often it ended without a result and was filed again */
    uint32_t patience; /* its run was set aside and goes on for so many alternatives; 0: it begins */
    uint64_t weight;   /* its part of EXPLORE_WHOLE: the frontier says how it is split */
} Task;

Task task_first(void); /* asks for any input */
Task task_copy(const Task *task);
/* What is left of a task whose run was set aside: the same input, for twice as long. */
Task task_rest(const Explore *x, const Task *task, const VmTrace *trace, Origin *origin);

void task_release(Vm *vm, Task *task);
void task_from_entry(Vm *vm, Task *task); /* its run does not resume */

/* ---- the frontier ---------------------------------------------------------------------------- */

/* How much of the tree of executions is explored, estimated by weights (Kilby, Slaney, Thiebaux, Walsh,
 * "Estimating Search Tree Size", 2006). The first task has the whole. What a task that is taken has is in
 * hand; each new task that follows from it gets a part of that, and what is left in hand when the next one is
 * taken is explored. Weights are integers: at any time the weights of all pending tasks, what is in hand and
 * what is explored add up to the whole, though a task deep in the tree may have none. What is filed when
 * nothing was pending (Explorer.more) has no weight: then the whole is explored already. */
typedef Vec(Task) TaskVec;
typedef struct Frontier {
    ExploreSearch search;
    Rng rng;
    TaskVec tasks;       /* random: all; bfs: from `head` on; coverage: tasks without promise */
    Vec(TaskVec) levels; /* dfs: by depth, up to a bound; mixed: tasks without promise */
    uint32_t top;        /* levels up to the last one that has a task */
    TaskVec fresh;       /* coverage, mixed: tasks that lead, when filed, to a block not covered */
    uint64_t turn;       /* mixed: depth-first tasks since the last other one */
    uint64_t vain;       /* mixed: tasks taken by chance since coverage grew */
    TaskVec aside;       /* in any order: runs that were set aside, the earliest from `aside_head` on */
    uint32_t aside_head;
    uint64_t credit; /* alternatives that other runs met since one of them was taken */
    uint32_t head;
    uint64_t deep;  /* tasks in levels */
    bool samples;   /* dfs: some of the first tasks are the shallowest, so that runs which are looked at to
                       judge the others do not all lie in one corner of the program */
    uint32_t taken; /* if so: up to a bound */
    uint64_t hand;  /* weight of the task taken last that no task which follows from it has */
    uint64_t explored;
    const Vm *vm;
} Frontier;

void frontier_init(Frontier *f, ExploreSearch search, uint64_t seed, const Vm *vm);
void frontier_file(Frontier *f, Task task); /* takes it over, with its weight */
/* The same of a task that follows from the one taken last, or is what is left of it: its weight is one of so
 * many equal parts of what is in hand. 1: all of it. */
void frontier_file_part(Frontier *f, Task task, uint32_t parts);
void frontier_file_first(Frontier *f);                 /* a task for any input, with the whole weight */
void frontier_drop(Frontier *f, Vm *vm, Task *task);   /* releases it: its weight is explored */
uint64_t frontier_explored(const Frontier *f);         /* with what is in hand */
uint64_t frontier_weight(Frontier *f);                 /* of all pending tasks */
void frontier_explored_set(Frontier *f, uint64_t sum); /* nothing is in hand */
void frontier_ran(Frontier *f, bool grew); /* the run of the task taken last has ended; has coverage grown? */
bool frontier_take(Frontier *f, Task *out); /* hands it over; false if empty */
uint64_t frontier_size(const Frontier *f);
/* Every pending task, one after the other; NULL behind the last. Begin with a place of zeros; file and take
 * none meanwhile. */
typedef struct FrontierPlace {
    uint32_t list, i;
} FrontierPlace;
Task *frontier_next(Frontier *f, FrontierPlace *at);
void frontier_clear(Frontier *f); /* its tasks have another owner now */
void frontier_free(Frontier *f, Vm *vm);

/* ---- explorers ------------------------------------------------------------------------------- */

struct Saving;
struct Loading;
typedef struct FactPlace {
    uint32_t rows, failures;
} FactPlace;

/* A technique. What is not there may be NULL but `expand`. */
typedef struct Explorer {
    const char *name;
    bool sets_aside;               /* runs that meet many alternatives are set aside for a while */
    bool keys;                     /* needs keys of states */
    bool renames;                  /* and renames inputs that calls make */
    const struct Explorer *beside; /* begins beside it, in a lane of its own, without labels: portfolio.c */
    /* It needs labels, of this policy: FLOW_TIE_... */
    unsigned (*policy)(const ExploreOptions *options);
    /* State of its own, at Lane.state. Before the machine is made: may tell it more. */
    void (*begin)(Explore *x);
    void (*end)(Explore *x);
    /* The same as bytes: explore_save, explore_load; behind the frontier. Without them it cannot be saved, if
     * it has state of its own. */
    void (*save)(Explore *x, struct Saving *s);
    void (*load)(Explore *x, struct Loading *l); /* bad bytes: Loading.in is */
    /* What it has found and must not lose, each as the input of a run that shows it: the next one behind
     * those told so far; NULL: that was all. And learnt from such a run of any process: nothing follows
     * from it. */
    const ExprInput *(*next_fact)(const Explore *x, FactPlace *at, uint64_t *number);
    void (*learn)(Explore *x, const VmTrace *trace, Origin *origin, uint64_t number);
    /* What is left out depends on all runs before: processes that explore share what was filed, and make
     * their checkpoints together (pause.c). Without these, what one leaves out depends on its own runs. */
    bool (*share)(Explore *x);   /* before others are forked; false: there is no memory for it */
    void (*keep)(Explore *x);    /* of the process that forked them, while all pause: copies what is shared */
    void (*unshare)(Explore *x); /* of the same, when they have ended: goes on with what was kept last */
    void (*tell)(Explore *x, struct Saving *s);  /* what was learnt since it was told last, as bytes */
    void (*hear)(Explore *x, struct Loading *l); /* learns what another process told */
    void (*move)(Explore *x, ExprPool *to,
                 ExprImport *import); /* keeps its expressions when the pool is left */
    /* An input for a task that is taken; false: none is needed any more, or there is none, or the ledger says
     * why none is known. Without it: explore_input. */
    bool (*input)(Explore *x, Task *task, ExprInput *input);
    /* Files the tasks that follow from a run, and what is left of one that was set aside. Never calls the
     * solver. */
    void (*expand)(Explore *x, const Task *task, const VmTrace *trace, Origin *origin);
    /* Did the run do what an earlier one did, so that it is no test of its own? Asked once of each run. */
    bool (*repeats)(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input);
    /* Nothing is pending. Files what is still missing; false: all is done. May call the solver. */
    bool (*more)(Explore *x);
} Explorer;

#define EXPLORER(name) extern const Explorer explorer_##name;
#include "explore/explorers.def"
#undef EXPLORER
extern const Explorer explorer_joint; /* for ExploreOptions.joint: no word of --explore names it */

/* ---- fingerprints: fingerprint.c ------------------------------------------------------------- */

/* Hashes of expressions by their structure, the same in every pool of an exploration. An expression and its
 * negation differ in the last bit. */
typedef struct Fingerprints {
    const ExprPool *pool;
    U64Vec of; /* by node */
} Fingerprints;

uint64_t fingerprint_new(Fingerprints *s, Expr e);
static inline uint64_t fingerprint_of(Fingerprints *s, Expr e)
{
    return LIKELY(e.id < s->of.n) ? s->of.v[e.id] : fingerprint_new(s, e);
}
void fingerprints_move(Fingerprints *s, const ExprPool *to); /* the pool is another */
/* Of an outcome of a branch, whenever and in whatever run: the block that follows or, if that is not known,
 * the condition. Not 0. */
uint64_t fingerprint_outcome(Fingerprints *s, const VmDecision *d, uint32_t block, Expr condition);
/* Zeros behind the last byte that is not one are no part of it. */
uint64_t fingerprint_input(const ExprInput *input);
/* Of what a run decided, and how it ended. */
uint64_t fingerprint_path(Fingerprints *s, const VmTrace *trace);

/* Does the decision tell the path from others? Not if those before it imply what held. */
static inline bool decision_parts_paths(const VmDecision *d)
{
    return !d->entailed && !expr_is_true(d->holds);
}

/* peso_order.c: adds the decisions of a set to the order, behind those that are placed already, and places
 * them: each behind those of the set that it depends on. */
void peso_order_beyond(const ExprPool *pool, VmLabel set, const VmDecision *decisions, BitSet *placed,
                       U32Vec *order);

/* ---- lanes: portfolio.c ---------------------------------------------------------------------- */

/* A run that becomes a test if its lane finishes first. */
typedef struct HeldRun {
    Origin *origin;
    VmSnapshot *resume; /* or NULL */
    uint64_t number;
} HeldRun;

/* An explorer with all that is its own. */
typedef struct Lane {
    const Explorer *explorer; /* NULL: the lane has not begun */
    void *state;              /* the explorer's own */
    Frontier frontier;
    Vm *vm;
    bool labels;    /* of its machine */
    Ledger *ledger; /* what it has left open */
    uint64_t cost;  /* estimate of what it has spent */
    size_t bytes;   /* of the explorer's own, as it says: they count against the budget */
    bool active;    /* it has not been given up */
    bool finished;  /* its frontier was empty */
    bool prunes;    /* the explorer says: a run of it may stand for several paths */
    Vec(HeldRun) held;
    size_t held_bytes;
    Marks faults; /* that a run of this lane has shown */
} Lane;

/* Objects behind the entry's pointers, and whether a run that has one came to its end: through.c. */
typedef struct ThroughObject {
    char *name;
    bool through;
} ThroughObject;
typedef struct Through {
    Vec(ThroughObject) objects;
    StrMap index; /* of their names */
    bool any;     /* a run came to its end */
} Through;

/* Counters when the cost of a lane was last added up. */
typedef struct ExploreCost {
    uint64_t runs, steps, decisions, work;
} ExploreCost;

struct Explore {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    ExploreTest test;
    ExprPool *pool;
    Solver *solver;
    Lane lanes[2]; /* of the explorer that was asked for, and of another that may begin beside it */
    Lane *lane;    /* whose task is under way; in the end the one that finished */
    ExploreCost cost;
    Fingerprints fingerprints;
    SharedMarks paths;       /* of runs, by themselves or with their inputs: explore_path_is_known */
    Marks reported_paths;    /* of runs that were reported, though what they follow from is still pending */
    struct Explain *explain; /* NULL: nothing is to be explained */
    Vm *checker;             /* initialised.c; NULL: not needed, or not known yet */
    bool checker_known;
    Ledger *checker_ledger; /* of what that machine gives up, which is not reported */
    struct Flow *flow;      /* made here for labels; else NULL */
    SolverAnswer answer;
    ExprVec query;
    uint64_t counters[EXPLORE_COUNTER_COUNT];
    uint64_t work;         /* of the solver (solver_work) and the explorer, in about nanoseconds */
    double started, ended; /* ended: 0 while it runs */
    double solver_seconds, machine_seconds, static_seconds, guidance_seconds;
    Through through;
    double residual_seconds; /* of `states`, for residual questions, with the solver's */
    double prepared;         /* seconds before `started` */
    Vec(Origin *) witnesses; /* inputs of runs that applied functions first: save.c */
    uint32_t functions;      /* of the pool when the last run had ended */
    bool loaded;             /* it goes on with what was saved */
    bool torn;               /* time was up in the middle of something, and what follows from it is lost */
    bool unanswered;         /* the task under way has no answer since time is up: it stays */
    const void *last_run;    /* for ExploreTest.on_task */
    bool alone;              /* it has had workers, and has none any more: parallel.c */
    bool ranks;              /* since it has had workers, runs come in no certain order: ExploreRun.rank */
    uint32_t lost;           /* workers that were killed, and are not begun again */
    struct Beside *beside;   /* the process of the second lane, or NULL: beside.c */
    struct Team *team;       /* while it has: */
    uint64_t elsewhere;      /* tasks that workers have */
    uint64_t runs_elsewhere; /* of a coordinator: that workers have made since they last reported; of a
                                worker: that all had made then */
    uint64_t explored_elsewhere;   /* weight that workers have explored since they last reported */
    _Atomic uint64_t *runs_of_all; /* of a worker: those of all count for --max-runs; else NULL */
    const uint64_t *allowed;       /* of a worker of a board: so many until it checks in; else NULL */
    size_t spill_at;               /* memory at which tasks are spilled next; 0: the budget */
    double reported;               /* when on_progress was called last */
    bool over;                     /* explore_end was called, with this reason: */
    LedgerKind over_why;
    char over_detail[64];
};

void lane_begin(Explore *x, Lane *lane, const Explorer *explorer, bool labels);
void lane_free(Explore *x, Lane *lane);
bool lane_is_out_of_memory(
    const Lane *lane);            /* something was cut off for that: the other may still be complete */
void portfolio_begin(Explore *x); /* files the first task */
bool portfolio_next(Explore *x);  /* chooses the lane that takes the next task; false: all is done */
/* Is the run of the task no test yet? Its input is kept then. */
bool portfolio_holds_back(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input);
void portfolio_stop(Explore *x);        /* no further run is made, whether a lane has finished or not */
void portfolio_save_memory(Explore *x); /* goes on with the first lane alone */
size_t portfolio_bytes(const Explore *x);

/* For workers and their coordinator. */
bool explore_take(Explore *x,
                  Task *task); /* finds an input, runs and expands it; false: it stays to be done */
/* What ExploreRun.rank is from now on: not 0. */
uint64_t explore_rank(Explore *x, const VmTrace *trace);
/* A worker's run, run again here. */
void explore_report_foreign(Explore *x, const VmTrace *trace, const ExprInput *input, uint64_t number);
void explore_progress(Explore *x);
bool explore_ends_session(LedgerKind kind); /* what ended this session, and not the exploration */
Vm *explore_machine_new(Explore *x, Lane *lane);
bool explore_out_of_time(Explore *x); /* the ledger says why */
/* Runs the input of an earlier run once more, and reports that as the run of this number; nothing follows
 * from it. */
void explore_report_again(Explore *x, const ExprInput *input, VmSnapshot *resume, uint64_t number);

/* The first decision of a run that --max-depth leaves as it is: those count that could go another way.
 * UINT32_MAX: none. */
uint32_t explore_depth_end(const Explore *x, const VmDecision *decisions, uint32_t n);
/* Files a task for each alternative of a decision of the run. `prefix`: the conditions that stay; `position`:
 * the decision's place in the order in which the explorer expands. */
void explore_file_alternatives(Explore *x, const VmTrace *trace, const VmDecision *d, Path *prefix,
                               uint32_t position, Origin *origin);
struct Flow *
explore_flow(Explore *x); /* the analysis of the program as runs begin it, made if it is not there */
/* full.c: the path up to the first decision of the run that its task expands: all that held before it and,
 * where it is decided anew, the condition within which it is. And what that condition says already (by id),
 * where the alternatives lie outside. */
Path *explore_prefix(const Task *task, const VmTrace *trace);
void explore_given(const Task *task, Map *given);
/* Asks the solver for an input that satisfies x->query, within the bounds of the exploration. */
SolverStatus explore_solve(Explore *x, const ExprInput *hint);
SolverStatus explore_solve_within(Explore *x, const ExprInput *hint,
                                  double seconds); /* and of so many seconds */

/* Any input that satisfies the task. */
bool explore_input(Explore *x, Task *task, ExprInput *input);
/* The model of the last query, if there is one; else the task is counted as infeasible or undecided. */
bool explore_answer(Explore *x, const Task *task, SolverStatus status, ExprInput *input);

/* The solver's last answer is "unknown": enters the reason into the ledger. `question`: what is open beside a
 * place, "" if nothing is. */
void explore_note_unknown(Explore *x, uint32_t site, const char *question);
/* The same where a task is left open by it, which is counted. */
void explore_undecided(Explore *x, const Task *task);

/* Has a run decided all as this one, and if the path alone does not count, on the same input? From now on one
 * has. */
bool explore_path_is_known(Explore *x, const VmTrace *trace, const ExprInput *input, bool path_counts);
void explore_drop_pending(Explore *x);  /* all of it: what it was for is done otherwise, or given up */
bool explore_is_late(const Explore *x); /* time is over, or there is an interrupt */
static inline void explore_bump(Explore *x, ExploreCounter counter) { x->counters[counter]++; }

void explore_machines_begin(Explore *x); /* anew, with the pool */

/* through.c: a run is over; no further one is made, and the ledger says what did not come to its end. */
void through_observe(Explore *x, const VmTrace *trace, const ExprInput *input);
void through_settle(Explore *x);
void through_write(const Explore *x, Str *out); /* for a later session, or another process */
void through_read(Explore *x, Wire *in);        /* adds to what is known */
void through_free(Explore *x);
/* handles.c: the value of a parameter in a run; 0 if there is none of that name */
uint64_t explore_parameter(const ExprPool *pool, const VmTrace *trace, const ExprInput *input,
                           const char *name);

/* initialised.c: enters into the ledger where the run of this input depends on an uninitialised value. */
void explore_initialised(Explore *x, const ExprInput *input, const VmResult *result);
void explore_initialised_begin(Explore *x); /* anew, with the pool */
void explore_initialised_free(Explore *x);

/* spill.c: when memory passes the budget, gives up snapshots, then turns tasks into inputs and starts a fresh
 * pool. */
void explore_keep_within_memory(Explore *x);

#endif
