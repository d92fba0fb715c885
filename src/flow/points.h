/* points.h - private to flow: inclusion-based points-to analysis.
 *
 * Nodes hold sets of locations. A node is a register or a result of a function's instance, what may be stored
 * into or read from a part of an object (cells), or something temporary. Edges make one node's set a part of
 * another's, perhaps moved by an offset. What happens through a pointer is a use at the pointer's node,
 * applied to each location once.
 *
 * Instances. The user's functions, and functions of runtime/ that the table of effects does not describe,
 * have a plain instance. Bodies behind calls that the table describes have a shadow instance: arguments flow
 * into it, nothing flows out of it, but what it stores other shadow instances read. So pointers in those
 * bodies have sets too, and do not tie callers.
 *
 * Input bytes that are used as a pointer may lead anywhere: they hold FLOW_OBJECT_ANY, as long as they are
 * kept in words of 64 bits. A difference of two pointers points nowhere, and sums of less than 64 bits do not
 * either. */
#ifndef SHEAF_FLOW_POINTS_H
#define SHEAF_FLOW_POINTS_H

#include "flow/flow_int.h"

/* ---- sets of locations ----------------------------------------------------------------------- */

/* A location: bytes `offset + k * stride` of an object (its index, half its id); stride 0: exactly there.
 * Packed, so that a sorted set groups by object. */
typedef uint64_t Loc;
typedef struct Place {
    uint32_t object, stride;
    int64_t offset;
} Place;

enum { LOC_STRIDE_BITS = 15, LOC_OFFSET_BITS = 25, LOC_MOST = 4 };
Loc loc_make(uint32_t object, int64_t offset,
             uint64_t stride); /* normalised; widened where it does not fit */
static inline uint32_t loc_object(Loc l) { return (uint32_t)(l >> (LOC_STRIDE_BITS + LOC_OFFSET_BITS)); }
Place loc_place(Loc l);
static inline Loc loc_anywhere(uint32_t object) { return loc_make(object, 0, 1); }

uint64_t loc_gcd(uint64_t a, uint64_t b);
#define POINTS_EVERY (UINT64_C(1) << 40) /* a size beyond every object's: to its end */
typedef Vec(Loc) LocSet;                 /* ascending */
/* Adds locations (ascending) to a set; what is new, or became wider, goes into `fresh`, which is cleared
 * before. At most LOC_MOST locations of one object stay apart. Returns how much the set was changed. */
uint32_t set_add(LocSet *set, const Loc *v, uint32_t n, LocSet *fresh);
void set_widen(LocSet *set); /* to objects as wholes */

/* ---- the graph ------------------------------------------------------------------------------- */

/* How an edge changes locations. */
enum { MOVE_ANYWHERE = 1, MOVE_NO_INPUT = 2 }; /* to unknown offsets; without FLOW_OBJECT_ANY */
typedef struct Move {
    int32_t by;
    uint16_t stride;
    uint8_t flags;
} Move;

typedef struct Arrow {
    uint32_t to;
    Move move;
} Arrow;

typedef enum UseKind {
    USE_LOAD,      /* other: node that takes what is read; size in bytes */
    USE_STORE,     /* other: node of what is stored */
    USE_STORED,    /* the same store, at the value's node `value`: other is the address. Once */
    USE_COPY_FROM, /* other: hub */
    USE_COPY_TO,
    USE_CALL /* other: index of the call */
} UseKind;

typedef struct Use {
    UseKind kind;
    bool shadow;
    bool done; /* was applied to something */
    uint32_t other, value;
    uint64_t size;
} Use;

typedef struct Node {
    LocSet all, todo; /* todo: in all, not yet passed on */
    Vec(Arrow) arrows;
    Vec(Use) uses;
    bool queued;
    /* Once the budget is spent, see points_unify.c: */
    bool settled;
    bool whole[2];    /* what[] is to meet all that the node holds, not just todo */
    uint32_t what[2]; /* node of all that is read or stored through it, plain and shadow; 0: nothing */
    uint32_t ncalls;  /* of uses: the first are calls, each of its own kind */
} Node;

/* A part of an object: bytes from offset on, repeated at the stride. */
typedef struct Cell {
    int64_t offset;
    uint64_t size;
    uint32_t stride, node;
    bool shadow;
} Cell;

/* Contents that go elsewhere: size bytes from a location to a location of another object. */
typedef struct Transfer {
    int64_t from, to;
    uint64_t size;
    uint32_t from_stride, to_stride, object;
    bool shadow;
} Transfer;

typedef struct Memory { /* of one object */
    Vec(Cell) written, read;
    Vec(Transfer) transfers;
    bool whole;          /* too many parts: all of it is one */
    uint32_t unified[2]; /* node that all of it is one with, plain and shadow; 0: none */
} Memory;

/* A call as a set of nodes; direct, through a pointer, or a callback that the table describes. */
typedef struct CallNodes {
    FlowSite at;
    bool shadow, callback;
    bool merged; /* stands for several calls through one pointer, see call_merge */
    uint32_t nargs, nvar, ndst;
    uint32_t *args, *var, *dst; /* nodes */
    uint64_t *byval;            /* of var: size if it is a structure, else 0 */
} CallNodes;

/* A call of an allocating function in a function that returns the fresh memory itself. */
typedef struct Fresh {
    FlowSite at;
    uint32_t result;
} Fresh;

typedef struct Instance { /* of a function, plain and shadow */
    uint32_t first[2];    /* first node: registers, then results; 0 while there is none */
} Instance;

typedef struct Points {
    Flow *flow;
    const IrProgram *program;
    Arena *arena;
    Vec(Node) nodes;
    U32Vec parent;        /* union-find over nodes */
    Vec(Memory) memory;   /* by object index */
    Vec(Memory) hubs;     /* of block copies: what is between source and destination */
    Vec(Edge) cells_todo; /* (object or hub, written cell) not yet passed on by transfers */
    bool passing_on;
    Map edges;    /* hash of an edge */
    U32Vec later; /* nodes to be visited in the next round */
    U64Vec work;  /* those of this round, by rank */
    U32Vec rank;  /* by node: sources of edges after their targets, as of the last look for cycles */
    Vec(CallNodes) calls;
    Instance *instances; /* by function */
    U32Vec pending;      /* instances to be translated: function * 2 + shadow */
    Map heap;
    Vec(Fresh) * fresh; /* by function */
    U32Vec *entered;    /* by function: calls from which its plain instance is entered; IR_NONE: a root */
    uint8_t *allocates; /* by function: reaches __sheaf_alloc */
    FlowList taken;
    EdgeVec targets; /* (call through a pointer, as index into at; callee) */
    Vec(FlowSite) target_at;
    U32Vec target_parent; /* union-find over target_at: calls that were merged */
    Map target_seen, target_index, entered_seen;
    uint32_t universe;  /* node: what is stored through FLOW_OBJECT_ANY */
    uint32_t hidden[2]; /* nodes: memory that runtime/ allocates for itself, plain and shadow */
    Graph contents;     /* once solved: from objects to sets that they hold, from sets to objects */
    BitSet kept;        /* heap objects that runtime/ keeps for itself */
    uint64_t steps, bytes, since_collapse;
    bool unify;
    LocSet scratch, fresh_locs;
    /* Once solved, equal sets are one: numbers, 0 is the empty set. */
    Vec(struct PointsSet {
        LocSet locs;
        uint32_t next;
    }) sets;
    Map set_index, set_pairs; /* hash of a set to the first such; numbers of two to that of their union */
    uint32_t *set_of;         /* by node */
    uint32_t set_any;
    Map made_of_nothing; /* register whose set is empty, to the set that its uses as an address mean */
} Points;

static inline uint32_t node_find(Points *p, uint32_t n)
{
    while (p->parent.v[n] != n)
        n = p->parent.v[n] = p->parent.v[p->parent.v[n]];
    return n;
}
uint32_t node_new(Points *p);
void node_add(Points *p, uint32_t node, const Loc *v, uint32_t n);
static inline void node_add_one(Points *p, uint32_t node, Loc l) { node_add(p, node, &l, 1); }
void node_add_all(Points *p, uint32_t node, LocSet *set); /* in any order; sorts them */
void node_edge(Points *p, uint32_t from, uint32_t to, Move move);
void node_use(Points *p, uint32_t node, Use use); /* applied to what the node holds already */
void node_queue(Points *p, uint32_t node);
void node_requeue(Points *p, uint32_t node);            /* all that it holds is to be passed on again */
uint32_t node_unite(Points *p, uint32_t a, uint32_t b); /* makes two nodes one, which is returned */
void points_solve(Points *p);

/* points_unify.c */
void unify_visit(Points *p, uint32_t node);
void unify_nodes(Points *p, uint32_t a, uint32_t b); /* b's parent is a: what b had goes to a */

/* points_mem.c */
void mem_load(Points *p, Loc at, uint64_t size, uint32_t to, bool shadow);
void mem_store(Points *p, Loc at, uint64_t size, uint32_t value, bool shadow);
/* Contents go from a location to a hub, or from a hub to a location. */
void mem_to_hub(Points *p, Loc from, uint32_t hub, uint64_t size, bool shadow);
void mem_from_hub(Points *p, uint32_t hub, Loc to, uint64_t size, bool shadow);
uint32_t mem_hub(Points *p); /* an object of no address; never in a set */
enum { HUB = 1 << 24 };      /* hubs are numbered from here on: beyond every object */

/* The contents of the object there and `what`, which is read or stored through a pointer to it, are one. */
void mem_unify(Points *p, Loc at, uint32_t what, bool shadow);
uint32_t mem_hub_node(Points *p, uint32_t hub, bool shadow);

/* points.c: translation of functions into nodes */
uint32_t points_reg(Points *p, uint32_t fn, uint32_t reg, bool shadow);
uint32_t points_instance(Points *p, uint32_t fn, bool shadow); /* its first node; made and queued if new */
void points_translate(Points *p);                              /* what is pending */
void points_store(Points *p, uint32_t address, uint32_t value, uint64_t size, bool shadow);
void points_copy(Points *p, uint32_t to, uint32_t from, uint64_t size, bool shadow);

/* points_call.c */
void call_insn(Points *p, FlowSite at, bool shadow);
void call_enter(Points *p, uint32_t call, uint32_t callee); /* a target of calls.v[call] */
void call_pointer(Points *p, uint32_t call, Loc at);        /* the same, from a location */
/* May the two calls, both through a pointer, stand for each other? And: makes them one, which is returned;
 * what their arguments and results hold is the same from now on. The pointer is one already, and the call is
 * to be applied to it. */
bool call_alike(const Points *p, uint32_t a, uint32_t b);
uint32_t call_merge(Points *p, uint32_t a, uint32_t b);
void call_root(Points *p, uint32_t fn);       /* entered from nowhere in the program */
void call_translated(Points *p, uint32_t fn); /* what the function returns fresh is now known */

/* objects.c */
void objects_begin(Flow *flow);
uint32_t object_new(Flow *flow, FlowObject object); /* its index */
uint32_t object_varargs(Points *p, uint32_t fn);
uint32_t object_heap(Points *p, FlowSite at, FlowSite caller);
/* Order of the objects that are always there. */
enum {
    OBJECT_ANY,
    OBJECT_ARGS,
    OBJECT_LAZY,
    OBJECT_CONSTANTS,
    OBJECT_STREAMS,
    OBJECT_ROOM = OBJECT_STREAMS + FLOW_STREAMS,
    OBJECT_LINKS,
    OBJECT_FNS
};
static inline uint32_t object_global(const Flow *flow, uint32_t global)
{
    return flow->global_objects[global];
}
static inline uint32_t object_fn(uint32_t fn) { return OBJECT_FNS + fn; }

Points *points_of(Flow *flow); /* solves when first asked */
void points_free(Points *p);   /* NULL is allowed */
/* The set of locations that the register may hold, of all its instances, by number; equal sets have equal
 * numbers. */
uint32_t points_set(Points *p, uint32_t fn, uint32_t reg);
static inline const LocSet *points_locs(const Points *p, uint32_t set) { return &p->sets.v[set].locs; }
bool points_reached(Points *p, uint32_t fn);

#endif
