/* depend.h - private to flow: dependences within one function, as a graph.
 *
 * Nodes are registers, memory versions (memory SSA, one variable for each class of places that may overlap),
 * the control of each block, branches, fault checks, and the ends of calls. An edge u -> v says that v may
 * depend on u by data, by control, or potentially (a branch decides which version a phi takes). SSA keeps
 * iterations apart.
 *
 * A call of a user's function has a node for each entrance of the callee (parameter, class, being called at
 * all) and for each of its exits (result, class, not coming back); edges between them are the callee's
 * summary, so that paths in this graph match calls with returns. Calls of runtime/, of unknown functions and
 * within a recursion are collapsed into one node: all that goes in reaches all that comes out.
 *
 * For each node the set of exits that it reaches is kept, shared where equal. */
#ifndef SHEAF_FLOW_DEPEND_H
#define SHEAF_FLOW_DEPEND_H

#include "flow/flow.h"

typedef enum DepKind {
    DEP_REG,     /* what: register; the first nodes, by number */
    DEP_CTL,     /* control of a block; follow the registers, by block */
    DEP_ENTRY,   /* the function is called */
    DEP_BRANCH,  /* the end of a block decides, or something in it may leave */
    DEP_LEAVE,   /* what: loop; which iteration is the last */
    DEP_ADDRESS, /* the address that an instruction accesses is chosen */
    DEP_CHECK,   /* a fault check of an instruction */
    DEP_MEM,     /* what: class; version made by an instruction */
    DEP_PHI,     /* what: class; version made by a block's joining */
    DEP_IN,      /* what: class; version at the entry */
    DEP_OUT,     /* what: number of the exit */
    DEP_CALL,    /* a call happens; of a collapsed one: all that goes in */
    DEP_ARG,     /* what: entrance of the callee */
    DEP_BACK     /* what: exit of the callee */
} DepKind;

typedef struct DepNode {
    DepKind kind;
    uint32_t block, insn, what; /* IR_NONE where there is none */
} DepNode;

/* A set of bytes that only this class's accesses touch: an interval of an object or of what a parameter
 * points into, or several of these. */
typedef struct DepClass {
    uint32_t root, nroots; /* into Depend.roots */
    bool unique;           /* a write to exactly these bytes leaves nothing of what was there */
} DepClass;
typedef FlowPlace DepRoot; /* object or param is IR_NONE; both: first is one of DependSet.many */
typedef Vec(FlowPlace) DepPlaceVec;

/* Many objects that a function does not tell apart: depend_many.c. */
typedef struct DepMany {
    uint32_t objects;    /* in DependSet.objects */
    uint32_t places;     /* the set of places that tells which bytes; 0: all of each */
    bool state, library; /* what they all are */
} DepMany;

typedef enum DepDoor { DOOR_ENTRY, DOOR_REG, DOOR_CLASS, DOOR_LEAVES } DepDoor;
typedef struct DepPortal { /* an entrance or exit of the function */
    DepDoor kind;
    uint32_t what; /* parameter or result; class */
    uint32_t node;
} DepPortal;

typedef struct DepLink {
    uint32_t node, portal;
} DepLink; /* of a call: node here, portal of the callee */
typedef struct DepCallee {
    uint32_t fn, call;
    uint32_t first_in, n_in, first_out, n_out; /* into Depend.links */
} DepCallee;
typedef struct DepCall {
    uint32_t block, insn, node;
    uint32_t collapsed; /* node of what comes out of callees that are not opened, else IR_NONE */
    uint32_t check;     /* of a collapsed call that may fail, else IR_NONE */
    bool described;     /* the table of effects has all callees of the collapsed call */
    bool fills;         /* the collapsed call writes memory of the user's: how much may be up to a stream */
    uint32_t first, n;  /* into Depend.callees: those that are opened */
} DepCall;

/* Why a function has no graph. */
typedef enum DepCut { CUT_NOT, CUT_SETJMP, CUT_BUDGET } DepCut;

typedef struct Depend {
    uint32_t fn;
    bool collapsed; /* callers see one node, for this reason: */
    DepCut cut;
    Vec(DepNode) nodes;
    uint32_t entry;   /* node */
    uint32_t *branch; /* by block: node or IR_NONE */
    uint32_t *start;  /* by node: edges[start[u]] up to before edges[start[u + 1]] */
    uint32_t *edges;  /* heads */
    DepPlaceVec roots;
    Vec(DepClass) classes;
    Vec(DepPortal) ins, outs;
    Vec(DepCall) calls;
    Vec(DepCallee) callees;
    Vec(DepLink) links;
    Map call_at;         /* block << 32 | insn to call */
    Map node_at;         /* (block, insn, kind) to a node of kind ADDRESS or CHECK */
    uint32_t *component; /* by node */
    uint64_t **reach;    /* by component: bits by exit */
    uint32_t words;      /* of such a set */
    uint64_t **later;    /* by block: blocks that may follow in the same iteration; NULL: all may */
} Depend;

/* Everything under one policy. */
typedef struct DepSplit {
    FlowPlaces few, many;
} DepSplit;
typedef struct DependSet {
    Flow *flow;
    const IrProgram *program;
    FlowSliceOptions options;
    Arena *arena;
    Depend **fns;              /* by function; NULL: not analysed (declaration, runtime) */
    uint32_t *scc, components; /* by function, by group of calls: recursion it belongs to */
    bool *recursive;
    bool *calls_back; /* by function, by group: may enter the user's code */
    bool *aborts;     /* the same: may end the run with a fault by a call */
    bool wary;        /* what the library finds in streams and in memory of its own may fail too */
    bool big_frames;  /* fixed locals may overflow the stack without a recursion */
    U32Vec order;     /* functions with a Depend, callees first */
    uint64_t steps;   /* spent */
    size_t bytes;     /* held by graphs and port sets */
    uint32_t cut;     /* functions given up */
    struct ObjectRoots *object_roots; /* by object, for depend_class.c */
    Sets objects;                     /* sets of objects, for these: */
    Vec(DepMany) many;
    Map many_index, split_of, pointees;
    Vec(DepSplit) splits;
} DependSet;

DependSet *depend_new(Flow *flow, const IrProgram *program, const FlowSliceOptions *options);
void depend_free(DependSet *set);

/* ---- parts ----------------------------------------------------------------------------------- */

typedef struct MemTouch {
    uint32_t class_id;
    bool write, strong;
} MemTouch;
typedef struct RawEdge {
    uint32_t from, to;
} RawEdge;

/* One function under construction. */
typedef struct DependBuild {
    DependSet *set;
    Depend *d;
    const IrFn *fn;
    const FlowControl *control;
    Vec(RawEdge) edges;
    bool over;       /* the budget is spent: edges are missing, it will be collapsed */
    size_t bytes;    /* of its graph, once counted */
    uint32_t *leave; /* by loop: node or IR_NONE */
    uint8_t *sides;  /* by block: successors that are no dead ends, distinct, at most 2 */
    /* memory: classes that instructions touch, as lists in one pool, by ordinal of the instruction */
    uint32_t *ordinal; /* by block: ordinal of its first instruction */
    Vec(MemTouch) touches;
    uint32_t *touch_first; /* by ordinal, one more at the end */
    uint32_t *version;     /* by class: current node while renaming */
    bool *own;             /* by class: memory of the library itself, which only the library touches */
    struct ClassFinder *finder;
    U32Vec leaves; /* nodes of calls that may not come back, by the policy */
} DependBuild;

/* depend_many.c. What an instruction touches: few places, sets of many, places of parameters. */
enum { DEP_PLACE_LISTS = 3 };
typedef struct DepPlaces {
    FlowPlaces v[DEP_PLACE_LISTS];
} DepPlaces;
DepPlaces depend_places(DependSet *set, FlowSite at, bool write);
uint32_t depend_many(DependSet *set, DepMany many); /* its number */
/* Objects as sets of many, one for each sort; sorts the list. Only of objects that may be in such a set. */
void depend_bundle(DependSet *set, U32Vec *objects, uint32_t places, DepPlaceVec *out);
bool depend_may_bundle(const DependSet *set, uint32_t object);
static inline FlowPlace depend_many_place(uint32_t many)
{
    return (FlowPlace){IR_NONE, IR_NONE, many, FLOW_WHOLE};
}
static inline bool depend_is_many(const FlowPlace *p) { return p->object == IR_NONE && p->param == IR_NONE; }
/* Bytes of one of its objects. */
void depend_many_part(DependSet *set, uint32_t many, uint32_t object, DepPlaceVec *out);
/* Objects that a register may point to: as one of DependSet.objects, as places. */
uint32_t depend_pointees(DependSet *set, FlowList objects);
FlowPlaces depend_pointee_places(DependSet *set, FlowList objects);
/* Is it the state of objects, a stream? */
static inline bool depend_is_state(const DependSet *set, const FlowPlace *p)
{
    return depend_is_many(p) ? set->many.v[p->first].state : p->param == IR_NONE && flow_is_state(p->object);
}
static inline bool depend_is_stream(const DependSet *set, const FlowPlace *p)
{
    return p->object != IR_NONE && flow_object(set->flow, p->object)->kind == FLOW_STREAM;
}

/* depend_class.c: finds the classes; fills touches. False: too many places, the function is collapsed. */
bool depend_classes(DependBuild *b);
void depend_classes_free(DependBuild *b);
/* What class `k` of a callee is at a call, as classes of this function, ascending. */
void depend_call_classes(DependBuild *b, const IrInsn *call, const Depend *callee, uint32_t k, U32Vec *out);
bool depend_is_own_stack(DependSet *set, const Depend *d, const DepClass *k);
/* Register taken apart: a known object or parameter plus a constant; size: of a global, the global's. False:
 * something else. */
bool depend_address(DependBuild *b, uint32_t reg, FlowPlace *place);

/* depend_mem.c: versions of memory, phis, and what reads and writes them. */
void depend_memory(DependBuild *b);

/* depend_call.c: nodes of calls, made before memory is linked; links by class while renaming. */
bool depend_opens(const DependSet *set, uint32_t caller, uint32_t callee);
bool depend_is_collapsed(DependSet *set, FlowSite call);                /* none of its callees is opened */
bool depend_is_collapsed_in_part(DependSet *set, FlowSite call);        /* some is not */
bool depend_is_library(const DependSet *set, const FlowObject *object); /* memory of the library itself */
void depend_calls(DependBuild *b);

/* depend_check.c: which instructions may fail, and on what that depends; chosen addresses. */
void depend_checks(DependBuild *b);

/* order.c: recursion of the call graph; callees first. Blocks that may follow in one iteration. */
void depend_recursion(DependSet *set);
/* What can fail in this program that in most cannot: fills wary and big_frames. */
void depend_dangers(DependSet *set);
void depend_order(DependBuild *b);

/* depend_reach.c: compact edges, which exits a node reaches. False: above the budget. */
bool depend_reach(DependBuild *b);
static inline bool depend_reaches(const Depend *d, uint32_t node, uint32_t exit)
{
    return d->reach[d->component[node]][exit / 64] >> exit % 64 & 1;
}

/* depend.c, for the others. */
uint32_t depend_node(DependBuild *b, DepKind kind, uint32_t block, uint32_t insn, uint32_t what);
void depend_edge(DependBuild *b, uint32_t from, uint32_t to);
/* An edge from a node made in block `made` to a user in block `used`: a value that leaves a loop depends on
 * which iteration was the last. */
void depend_use(DependBuild *b, uint32_t node, uint32_t made, uint32_t used, uint32_t to);
void depend_use_reg(DependBuild *b, uint32_t reg, uint32_t used, uint32_t to);
/* What decides whether control comes from `pred` goes to a phi. */
void depend_join(DependBuild *b, uint32_t pred, uint32_t phi);
static inline uint32_t depend_ctl(const DependBuild *b, uint32_t block) { return b->fn->regs.n + block; }
static inline uint64_t depend_at(uint32_t block, uint32_t insn) { return (uint64_t)block << 32 | insn; }
uint32_t depend_node_at(const Depend *d, uint32_t block, uint32_t insn, DepKind kind);
/* May an instruction in block `a` run before one in block `b` within one iteration of the loops around
 * both? */
bool depend_later(const DependSet *set, const Depend *d, uint32_t a, uint32_t b);
/* Innermost loop around both blocks, or IR_NONE. */
uint32_t depend_common_loop(const IrFn *fn, uint32_t a, uint32_t b);
bool depend_in_loop(const IrFn *fn, uint32_t block, uint32_t loop);

#endif
