/* flow_int.h - private to flow: the state behind the face. */
#ifndef SHEAF_FLOW_INT_H
#define SHEAF_FLOW_INT_H

#include "flow/effects.h"
#include "flow/flow.h"
#include "flow/graph.h"

/* How a call of a function may end. */
enum { ENDS_RETURN = 1, ENDS_EXIT = 2, ENDS_JUMP = 4, ENDS_FAULT = 8 };

/* Control of one function under one policy. A block in which a call may leave is two nodes, so that such a
 * call ties what comes behind it and not the branch that follows it in the same block. */
typedef struct Control {
    FlowControl face;
    const IrFn *fn;
    unsigned policy;
    Graph blocks, blocks_back; /* edges that are taken, dead-end blocks included */
    Tree dominators;           /* of blocks */
    bool depends_made;
    FlowList *depends, *dependents; /* by block, once asked for */
    FlowList *dead_end_by;          /* the same */
    FlowSites leaves;               /* v is NULL while not asked for */
    FlowList *join;                 /* by block; v is NULL while not asked for */
    const IrLive *live;             /* NULL while not asked for */
} Control;

typedef struct Calls Calls;
struct Points;

struct Flow {
    const IrProgram *program;
    FlowOptions options;
    FlowStats stats;
    Arena *arena;             /* results */
    const Effects **effects;  /* by function; NULL where the table has no line */
    uint8_t *ends;            /* by function; NULL until needed */
    uint8_t (*group_ends)[2]; /* by group of calls: as code of runtime/ sees it, as the user's does */
    Control **control;        /* by policy and function */
    struct Points *points;    /* NULL until needed */
    Calls *calls;
    const struct Base **bases;   /* by function; NULL until needed */
    struct Summaries *summaries; /* NULL until needed */
    Map object_lists;            /* number of a points-to set to index in lists */
    Vec(FlowList) lists;
    struct PlaceTable *places; /* NULL until needed */
    struct Wanted *wanted;     /* NULL until needed */
    Vec(FlowObject) objects;   /* contents only: object id / 2 */
    uint32_t *global_objects;  /* by global: its object's index */
    bool stack_varies;         /* a function of the user's has locals of variable size */
    enum {
        FLOW_UNKNOWN,
        FLOW_NO,
        FLOW_YES
    } inputs_mixed; /* does the program compare pointers of inputs, or compute with two? */
};

static inline const IrFn *flow_fn(const Flow *flow, uint32_t fn) { return &flow->program->fns.v[fn]; }
static inline const IrInsn *flow_insn(const Flow *flow, FlowSite at)
{
    return &flow->program->fns.v[at.fn].blocks.v[at.block].insns.v[at.insn];
}
/* Copies a list into the Flow's memory; v is never NULL. */
FlowList flow_keep(Flow *flow, const U32Vec *list);

/* calls.c: calls through pointers that may enter the same functions are one group. Sites are given by
 * position. */
void calls_free(Calls *calls);                /* NULL is allowed */
uint32_t call_group(Flow *flow, FlowSite at); /* of a CALLPTR */
uint32_t call_group_count(Flow *flow);
FlowList call_group_members(Flow *flow, uint32_t group);
FlowList call_groups_of(Flow *flow, uint32_t fn);
FlowList call_sites_of_group(Flow *flow, uint32_t group);
FlowList call_sites_of_fn(Flow *flow, uint32_t fn); /* direct calls */
FlowSite call_site(Flow *flow, uint32_t i);

/* How the instruction may end by something else than going on, and whether it may go on (ENDS_RETURN). */
uint8_t flow_insn_ends(Flow *flow, FlowSite at);
uint8_t flow_fn_ends(Flow *flow, uint32_t fn);
/* It is undefined, the table has no line for it, and it is not known to be harmless. */
bool flow_is_unknown(const Flow *flow, uint32_t fn);
/* order.c: what the library finds in streams may fail too; fixed locals may overflow the stack without a
 * recursion. */
bool flow_makes_pipes(Flow *flow);
bool flow_has_big_frames(const IrProgram *program);
/* modref_call.c: could the format have one of these conversions? One that is not known could. */
bool flow_format_takes(const IrProgram *program, const IrFn *fn, uint32_t reg, const char *conversions);
/* given.c: could a function of the library fail by these arguments? effects: its line, or NULL. Not by text
 * that it reads up to the end; nor by constants alone: then it fails whenever it is called. */
bool flow_given_fails(Flow *flow, uint32_t fn, const IrCall *call, const Effects *effects);
/* fails.c: a function under inspection, and by register the instruction that defines it. */
typedef struct FlowBody {
    const IrProgram *program;
    const IrFn *fn;
    const IrInsn **definitions;
    bool dies; /* one of its stack objects may die before the frame does */
} FlowBody;
FlowBody flow_body(const Flow *flow, uint32_t fn);
void flow_body_free(FlowBody *body);
/* Of an instruction that accesses memory: may the access fail? */
bool flow_access_fails(const FlowBody *body, const IrInsn *insn);
/* Operands on which it depends whether a pure operator fails: 1 a, 2 b, 3 both; 0: it cannot. */
unsigned flow_operator_fails(const IrFn *fn, const IrInsn *insn, unsigned checks);
/* Policy to the endings that are real edges. */
static inline uint8_t flow_real_ends(unsigned policy)
{
    return (uint8_t)(ENDS_JUMP | (policy & FLOW_TIE_EXITS ? ENDS_EXIT : 0) |
                     (policy & FLOW_TIE_FAULTS ? ENDS_FAULT : 0));
}
Control *control_of(Flow *flow, uint32_t fn, unsigned policy);

/* Drops registers that are set in the branch's region and have the same value whatever side is taken
 * (branch.c). */
void region_drop_known(Flow *flow, uint32_t fn, uint32_t block, unsigned policy, U32Vec *regs);
void flow_sort_unique(U32Vec *list); /* ascending, each once (join.c) */

/* For the module itself and its tests. */
/* flow_depends_on the other way round: blocks that depend on the branch at the end of `branch`. */
FlowList flow_dependents(Flow *flow, uint32_t fn, uint32_t branch, unsigned policy);
/* Blocks that are no dead ends, from whose end control can enter the dead-end part in which `block` lies.
 * Empty if it is no dead end. */
FlowList flow_dead_end_by(Flow *flow, uint32_t fn, uint32_t block, unsigned policy);
/* May what `to` computes, or whether it runs, depend on what `from` computed or decided, directly or through
 * others, in some context? Slices are kept: asking for many `to` of one `from` is cheap. */
bool flow_may_depend(FlowSlices *slices, FlowSite from, FlowSite to);
uint32_t flow_object_count(Flow *flow); /* ids are below it */
/* "global x", "heap f.c:12:5", "state of stack buf". */
const char *flow_object_text(Flow *flow, uint32_t object, char *out, size_t size);
uint32_t flow_slices_cut(const FlowSlices *slices); /* functions given up: all in them depends on all */
const FlowStats *flow_stats(const Flow *flow);

#endif
