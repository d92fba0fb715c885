/* dependence.h - private to explore: the parts of `dependence`.
 *
 *     filed     what became of tasks
 *     sinks     which decisions and labels of a run are to be explored in all their ways
 *     ways      the tasks that follow from one of them
 *     runs      runs kept to serve later tasks
 *     paths     those of runs that failed, and the classes of inputs that are known to fail
 *     refuted   conditions that no input satisfies together
 *     sides     of branches that runs have taken, or not
 *
 * dependence.c is the algorithm that uses them. */
#ifndef SHEAF_EXPLORE_DEPENDENCE_H
#define SHEAF_EXPLORE_DEPENDENCE_H

#include "explore/explore_int.h"

#include "flow/flow.h"

/* ---- what became of tasks: dependence_filed.c ------------------------------------------------ */

/* Tasks by name. Names of tasks for a condition and for its opposite, under the same others, differ in the
 * last bit: what is known of both stands together, since who asks for one of them asks for the other. */
typedef struct DepFiled {
    Marks pairs;
} DepFiled;

void dep_filed_add(DepFiled *s, uint64_t name);                  /* no run has served it */
void dep_filed_serve(DepFiled *s, uint64_t name, bool survives); /* filed or not */
bool dep_filed_has(const DepFiled *s, uint64_t name);
bool dep_filed_survives(const DepFiled *s, uint64_t name); /* did the run that served it last? */
void dep_filed_prefetch(const DepFiled *s, uint64_t name); /* the others will be called with it */
void dep_filed_forget(DepFiled *s);                        /* all of them */
void dep_filed_free(DepFiled *s);

/* ---- runs: dependence_runs.c ----------------------------------------------------------------- */

/* Decisions of a kept run, behind those that it has in common with the run before. */
typedef struct DepPiece {
    uint32_t refs;
    struct DepPiece *before; /* has the first `shared`, and the first `nshared` alternatives; counted */
    uint32_t shared, nshared;
    uint32_t n, nalternatives; /* with those */
    VmAlternative *alternatives;
    VmDecision decisions[]; /* without snapshots */
} DepPiece;

/* A run, and what its sinks depend on. */
typedef struct DepRun {
    uint64_t number;
    Origin *origin;
    const VmDecision *decisions; /* while it is looked at: the trace's, or those listed from its piece */
    const VmAlternative *alternatives;
    uint32_t n, nalternatives;
    DepPiece *piece; /* NULL: it is not kept yet */
    Vec(VmSink) sinks;
    bool survives;  /* it ended as runs should */
    Expr denied;    /* else: true of all inputs that do not fail like this one */
    uint32_t phase; /* of the exploration in which it was expanded last */
} DepRun;

/* A condition of conjunctions that begin alike: those above it, and this one. */
typedef struct DepFork {
    Expr holds, denied;   /* and its opposite */
    uint32_t first, next; /* what follows it; what else follows the one above; 0: nothing */
    uint32_t end;         /* number of the conjunction that ends here, or UINT32_MAX */
} DepFork;
typedef Vec(DepFork) DepTree;

/* Does a condition hold under the input of a run? */
typedef struct DepTruth {
    uint64_t run; /* its number; 0: nothing is known */
    Expr condition;
    bool holds;
} DepTruth;

/* A bit for each condition of a set, by hash: what has a bit that another lacks is no part of it. */
typedef struct DepMask {
    uint64_t w[4];
} DepMask;

typedef struct DepRuns {
    ExprPool *pool;
    ExprEval *eval;
    Vec(DepRun *) all;     /* oldest first; NULL: dropped */
    uint32_t dropped;      /* so many of the first are */
    Map held;              /* condition to its place in lists */
    Map failed;            /* the same of what excludes a class, for runs that failed in it */
    Vec(U32Vec) lists;     /* places of the runs in which it held, ascending */
    uint32_t listed;       /* so many of the first are in them: the rest when somebody asks */
    Vec(DepMask) masks;    /* of what held in each of those */
    U32Vec wanted;         /* lists of the conditions of a task that is looked for */
    DepMask wanted_mask;   /* of these conditions */
    ExprVec conditions;    /* that a run must satisfy which is looked for */
    Map inputs;            /* hash of an input to its latest run */
    DepTruth truths[1024]; /* what was found out last, by hash */
    DepTree failing;       /* the paths of those that failed, of the first `traced` */
    uint32_t traced;
    size_t bytes;              /* of the runs, each with its places in lists */
    DepPiece *latest;          /* of the run that was looked at last */
    Vec(VmDecision) decisions; /* of the one that is */
    Vec(VmAlternative) alternatives;
} DepRuns;

DepRun *dep_run_new(const VmTrace *trace, Origin *origin, uint64_t number); /* looks at the trace */
size_t dep_run_free(DepRun *run);                                           /* how many bytes that frees */
Expr dep_run_holds(const DepRun *run, uint32_t k); /* what held at decision k of a kept run */

void dep_runs_init(DepRuns *s, ExprPool *pool);
void dep_runs_free(DepRuns *s);
/* Takes it over, and looks at it no more. `common`: so many decisions it shares with the run that was looked
 * at last. */
void dep_runs_add(DepRuns *s, DepRun *run, uint32_t common);
/* Looks at a kept run, one at a time; and no more. A glance does not make it the one that was looked at
 * last. */
void dep_runs_look(DepRuns *s, DepRun *run);
void dep_runs_glance(DepRuns *s, DepRun *run);
void dep_run_leave(DepRun *run);
/* Lets go of the oldest until those left take at most so many bytes. */
void dep_runs_limit(DepRuns *s, size_t bytes);
size_t dep_runs_bytes(const DepRuns *s); /* of all that is kept, and of what finds it */
size_t dep_map_bytes(const Map *m);
size_t dep_marks_bytes(const Marks *m);
/* The latest run whose input satisfies a task. `wanted`: the part of its path that ends with the
 * alternative it is for; runs are looked up by that, the rest is evaluated. NULL: none, or none among the
 * latest ones. *looked, 0 at first: so many were looked at, for those that fit after the first. */
DepRun *dep_runs_fit(DepRuns *s, const Task *task, const Path *wanted, bool survivors, uint32_t *looked);
/* The latest run whose input satisfies a path among those that failed in a class, given by what excludes
 * it. */
DepRun *dep_runs_failing(DepRuns *s, Expr denied, const Path *path);
DepRun *dep_runs_of_input(DepRuns *s, const ExprInput *input);
/* A run that failed and that decided all as the input would. */
DepRun *dep_runs_of_path(DepRuns *s, const ExprInput *input);
void dep_runs_move(DepRuns *s, ExprPool *to); /* drops all */

/* ---- paths and classes: dependence_paths.c --------------------------------------------------- */

void dep_path_add(DepTree *s, ExprPool *pool, const DepRun *run, uint32_t place);
/* The place of the run whose path the input takes, or UINT32_MAX. */
uint32_t dep_path_find(const DepTree *s, ExprEval *eval);

typedef struct DepClasses {
    Map known;      /* of those that follow, by expression */
    ExprVec denied; /* by class: true of all inputs outside it */
    DepTree tree;   /* what holds in each */
    ExprVec members;
    Stamps given; /* conditions of the query that is made */
    U32Vec stack;
    uint64_t looked; /* at forks, in all */
} DepClasses;

void dep_class_add(DepClasses *s, ExprPool *pool, Expr denied);
/* If the input lies in a known class, what excludes that; else EXPR_NONE. */
Expr dep_class_of(DepClasses *s, ExprEval *eval);
/* Adds what excludes each class to a query, but for those that single conditions of the query exclude. */
void dep_classes_exclude(DepClasses *s, Solver *solver, ExprVec *query);
void dep_classes_move(DepClasses *s, ExprPool *to, ExprImport *import);
size_t dep_classes_bytes(const DepClasses *s);
void dep_classes_free(DepClasses *s);

/* ---- sinks: dependence_sinks.c --------------------------------------------------------------- */

/* What is looked for in a phase. */
typedef struct DepSinks {
    Explore *x;
    FlowGuards *guards;
    FlowGuards *below; /* with a change: of faults, for the library's code under calls that it affects */
    bool checks;       /* every check is a sink */
    bool given_only;   /* of decisions that check, those at given sites, or under calls there */
    Map given;
    FlowSite *affected;    /* by a change */
    Vec(uint8_t) harmless; /* by activation: 1 it is below a call that holds no sink, 2 it is not */
} DepSinks;

/* Before the machine is made symbolic: it is told of sinks that the user names, or that a change makes. */
void dep_sinks_init(DepSinks *s, Explore *x);
/* The same for branches alone. */
void dep_sinks_branches(DepSinks *s, Explore *x, const FlowSite *branches, uint32_t n);
void dep_sinks_free(DepSinks *s);
void dep_sinks_forget(DepSinks *s); /* the machine numbers activations anew */
/* Must all ways be tried in which it comes to this decision? */
bool dep_is_sink(DepSinks *s, const VmDecision *d);
/* Adds to its sinks what a run shows at its end, if that is looked for. */
void dep_sinks_at_end(const DepSinks *s, const VmTrace *trace, DepRun *run);

/* Does it terminate normally, as far as the labels' policy says? */
bool dep_survives(const Explore *x, const VmResult *r);
/* The decisions that the end of a run depends on; none, if it terminates normally. */
ExprSet dep_ending(const Explore *x, const DepRun *run, const VmTrace *trace);

/* ---- ways: dependence_ways.c ----------------------------------------------------------------- */

/* A decision of the run that is looked at, and its label. Names are sums over members, so that sets are named
 * alike in whatever run, by the decisions and conditions in them. */
typedef struct DepStep {
    uint64_t index; /* what tells the decision from others, after equal ones: */
    Expr holds;
    VmLabel label;
    uint32_t kind, count, insn;
    bool sink, sides;        /* kept for who looks at the run: it is a sink; its sides are all to be taken */
    bool built;              /* the path is known */
    bool implied;            /* by its label: it has no alternative, whatever it offers */
    bool searched;           /* `fixed` is known */
    ExprSet fixed;           /* symbols to which its label leaves one value */
    Expr condition;          /* what it says beyond its label: what holds, or nothing */
    uint64_t serial;         /* of this step alone */
    ExprSet closed;          /* the label, and itself */
    ExprSet solid;           /* whose ways are all of these: if it has no alternative, that of the label */
    uint32_t same;           /* the decision before it with the same condition, or UINT32_MAX */
    uint32_t shorter;        /* the label is the closed set of this one, or UINT32_MAX */
    uint64_t key, label_key; /* of the decision; of its label: decisions, with what they depend on */
    uint64_t name, label_name; /* the same of conditions alone */
    Path *path;                /* of its label */
    Path *node;                /* the latest that was listed with its condition at the end, or NULL */
} DepStep;

/* Sums over the members of a set. */
typedef struct DepNamed {
    ExprSet set;
    uint32_t last; /* member; the sums hold while the step there has this serial */
    uint64_t serial;
    uint64_t key, name;
    bool expanded; /* for certain */
} DepNamed;

typedef struct DepWaiting {
    ExprSet set;
    uint32_t last; /* member */
} DepWaiting;

/* An alternative that is to be tried under conditions that stay: those of the members of a set, and of
 * decisions of the order that is under way. (All of them as a set would be one for each way, of which hardly
 * any comes twice.) */
typedef struct DepWay {
    uint32_t decision;
    ExprSet label;
    uint32_t nth;  /* so many of the order stand before it */
    uint64_t name; /* of the conditions */
    uint64_t key;  /* of the decisions: DepStep */
} DepWay;

/* What a run was made for: an alternative of a decision that stands behind others. The run that asked for it
 * has told of all ways before. */
typedef struct DepTold {
    uint64_t index; /* of the decision; 0: nothing was told */
    uint64_t key;   /* of those before it */
    Path *path;     /* their conditions; NULL: not known */
} DepTold;

typedef struct DepWays {
    ExprPool *pool;
    Fingerprints *names;
    bool in_order, alone; /* for tests: in the order of the run; under its label only */
    uint32_t phase;
    const DepRun *run;
    Sets *sets;           /* of the pool */
    Vec(DepStep) steps;   /* of `run`, shared with the one before as far as they agree */
    uint64_t serial;      /* of the latest step */
    U32Vec latest;        /* by condition: the last step that has it, or UINT32_MAX */
    DepNamed named[1024]; /* by set, modulo */
    Vec(ExprSet) singles; /* by member */
    Marks expanded;       /* keys of sets */
    DepTold told;
    Vec(DepWay) order; /* the set under way, as it was placed */
    U32Vec places;     /* by decision: its place there, if it is the one that stands there */
    BitSet placed;     /* decisions that stand there, or in the label of the first */
    uint32_t telling;  /* the one of these that is told of */
    U32Vec stack;
    Vec(DepWaiting) waiting;
    Path *path; /* what the first of order depends on, and the first `built` of order */
    uint32_t built;
    /* Called for each way, once for each set; may ask for its path. */
    void (*on_way)(void *context, const DepWay *way);
    void *context;
    /* A run of many decisions has millions of ways: time may be over before they are told. */
    bool (*is_late)(void *clock);
    void *clock;
    uint64_t looked; /* at decisions, in all */
    uint64_t nodes;  /* of paths that were listed for this run */
    bool stopped;    /* since it is late: nothing further is told */
} DepWays;

/* Looks at a run: returns how many decisions it has in common with the one before, whose sets were
 * expanded. */
uint32_t dep_ways_begin(DepWays *s, const DepRun *run, uint32_t phase);
/* All ways in which what depends on this set can come about. */
void dep_ways_expand(DepWays *s, ExprSet set);
/* The ways of one decision under its label alone. */
DepWay dep_way_of(const DepWays *s, uint32_t decision);
/* Is this decision among those that stay; are all of these? */
bool dep_way_keeps(const DepWays *s, const DepWay *way, uint32_t decision);
bool dep_way_keeps_all(const DepWays *s, const DepWay *way, ExprSet decisions);
/* Is a decision with this condition among those of the way? `latest`: the last step that has it. A condition
 * that is asked in each of many rounds is not looked for in all of them: whoever is told "no" asks the
 * solver. */
bool dep_way_has(const DepWays *s, const DepWay *way, uint32_t latest);
/* The conditions of a way, in the order in which they were decided; to be held by whoever keeps it. */
Path *dep_way_path(DepWays *s, const DepWay *way);
void dep_ways_forget(DepWays *s); /* the pool is another, or what was expanded is to be again */
void dep_ways_free(DepWays *s);

/* ---- refuted: dependence_refuted.c ----------------------------------------------------------- */

/* Conditions under which no input takes an alternative. */
typedef struct DepCore {
    uint32_t before;  /* the core for the same alternative that was found before this one */
    uint32_t from, n; /* in members */
} DepCore;

typedef struct DepRefuted {
    Map latest; /* alternative to its place in cores */
    Vec(DepCore) cores;
    U32Vec members; /* ids of conditions */
    Stamps marks;   /* of the path that is asked about */
} DepRefuted;

/* The solver refuted the query for the alternative; `core`: the places in it that are to blame. */
void dep_refuted_add(DepRefuted *s, Expr alternative, const ExprVec *query, const U32Vec *core);
/* Is it known that no input satisfies the path, which has the alternative? */
bool dep_is_refuted(DepRefuted *s, Expr alternative, const Path *path);
/* The same of the conditions of a way, which need not be listed for that. */
bool dep_way_is_refuted(const DepRefuted *s, Expr alternative, const DepWays *ways, const DepWay *way);
size_t dep_refuted_bytes(const DepRefuted *s);
void dep_refuted_free(DepRefuted *s); /* and begins anew: the pool is another */

/* ---- sides of branches: dependence_sides.c --------------------------------------------------- */

typedef struct DepSides {
    Map taken;         /* to the first run that took it, by fingerprint_outcome */
    Map sought;        /* branches whose ways are looked for, since a side was not taken */
    uint32_t covered;  /* when the phase began */
    uint64_t searched; /* runs of the first phase, in later ones */
    bool left;         /* some are left open */
} DepSides;

typedef Vec(FlowSite) DepBranches;

bool dep_has_sides(const Explore *x, const VmDecision *d); /* that are to be taken */
void dep_side_take(DepSides *s, Fingerprints *names, const VmDecision *d, uint64_t run);
bool dep_side_is_taken(const DepSides *s, uint64_t side);
void dep_sides_seek(DepSides *s, const VmDecision *d); /* all ways to this branch are looked for */
/* Branches of the user's code with a side that no run has taken, but those that guard sinks. */
void dep_sides_open(const Explore *x, FlowGuards *guards, DepBranches *out);
/* Where a side that no input takes depends on much, its ways are without end, and all that can fail has been
 * seen. */
bool dep_sides_enough(const DepSides *s, const Explore *x);
void dep_sides_leave(DepSides *s, Explore *x, FlowGuards *guards); /* open, and all that is pending */
void dep_sides_free(DepSides *s);

#endif
