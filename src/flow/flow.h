/* flow.h - what can depend on what: static analysis of a program, sound over-approximation, computed on
 * demand.
 *
 * A Flow holds every analysis of one program. A result is computed when it is first asked for and lives until
 * flow_free; lists point into the Flow's memory. Points-to is whole-program and runs once, when something
 * first needs it; control of a function, mod/ref and side writes are computed one by one. Results are a
 * function of the program and the options, never of the order of questions.
 *
 * Three things are named by triples (fn, block, insn): instructions, call sites, allocation sites.
 *
 * Calls of runtime/ from the user's code are described by a table (runtime/effects.def) and, where the table
 * says nothing, by the function's body. Above the budget the points-to of the part concerned becomes
 * unification-based, and the statistics say so; nothing is ever left out. */
#ifndef SHEAF_FLOW_H
#define SHEAF_FLOW_H

#include "ir/ir.h"

typedef struct Flow Flow;

typedef struct FlowOptions {
    uint64_t max_steps;              /* of the points-to solver; 0: default */
    size_t max_memory;               /* bytes of the points-to solver; 0: default */
    uint32_t entry;                  /* function called with inputs; IR_NONE: the program's start, main */
    bool lazy_inputs;                /* the entry's pointers lead to objects made when they are followed */
    bool free_globals;               /* globals that are no constants hold inputs at the start */
    bool (*known)(const char *name); /* an undefined function: does it return, and do no more than that? NULL:
                                        all do. Of any other it is not known: it may exit, for all we know */
} FlowOptions;

typedef struct FlowStats {
#define COUNTER(NAME, key, text) uint64_t NAME;
#include "flow/counters.def"
#undef COUNTER
} FlowStats;

/* The program must be verified, must not change, and must outlive the Flow. NULL options: the defaults, from
 * main. */
Flow *flow_new(const IrProgram *program, const FlowOptions *options);
void flow_free(Flow *flow);

/* ---- lists ----------------------------------------------------------------------------------- */

typedef struct FlowList {
    const uint32_t *v;
    uint32_t n;
} FlowList;
typedef struct FlowSite {
    uint32_t fn, block, insn;
} FlowSite;
typedef struct FlowSites {
    const FlowSite *v;
    uint32_t n;
} FlowSites;
/* For maps. */
static inline uint64_t flow_site_key(FlowSite at) { return hash_mix(hash_mix(at.fn, at.block), at.insn); }

/* ---- control --------------------------------------------------------------------------------- */

/* Policy: which abnormal edges are real. `output` ties exits; `dependence` ties nothing. longjmp is always
 * real. */
enum { FLOW_TIE_FAULTS = 1, FLOW_TIE_EXITS = 2, FLOW_POLICIES = 4 };

#define FLOW_EXIT (IR_NONE - 1) /* stands where a block does: the end of the function */

/* Flags of a block. */
enum {
    FLOW_UNREACHABLE = 1, /* no path from the entry */
    FLOW_DEAD_END = 2,    /* reaches the exit only by an edge that the policy leaves out, or never */
    FLOW_EARLY = 4        /* ipdom is FLOW_EXIT, and something on the way may leave without returning */
};

/* All of this is about the branch at the end of a block: a call earlier in the block that may leave is not in
 * its region. Nothing in the caller post-dominates a call that may leave: an entry that a callee hands over
 * because of FLOW_EARLY waits for FLOW_EXIT in the caller's frame, early again. */

typedef struct FlowControl { /* of one function under one policy; arrays by block */
    const uint32_t *ipdom;   /* block, FLOW_EXIT, or IR_NONE: unreachable or a dead end */
    const uint32_t *idom;    /* immediate dominator; IR_NONE for the entry and what is unreachable */
    const uint8_t *flags;
    bool may_not_return; /* a call of it may end the run or jump out (by the policy's edges) */
    bool returns;        /* a call of it may come back */
} FlowControl;
const FlowControl *flow_control(Flow *flow, uint32_t fn, unsigned policy);

/* Control dependence, direct. Blocks whose branch decides whether `block` runs (the blocks that end with the
 * branch). Ascending; dead-end and unreachable blocks have none: a dead end depends on the branches into
 * it. */
FlowList flow_depends_on(Flow *flow, uint32_t fn, uint32_t block, unsigned policy);
/* Instructions that may leave the function otherwise than by returning (calls that may exit, longjmp). What
 * control can reach after one of them depends on it. */
FlowSites flow_leaves(Flow *flow, uint32_t fn, unsigned policy);
/* Registers that take the label of the branch at the end of `block` when its ipdom J is reached: phis of J,
 * and registers live into J with a definition reachable from the branch without passing J, unless what it is
 * computed from has none. Empty if the ipdom is FLOW_EXIT. */
FlowList flow_join_regs(Flow *flow, uint32_t fn, uint32_t block, unsigned policy);
/* Blocks that control may pass between the branch at the end of `block`, on the side of its successor `side`
 * (position in ir_block_successors), and its ipdom; neither the ipdom nor dead-end blocks. Ascending. */
FlowList flow_side_blocks(Flow *flow, uint32_t fn, uint32_t block, uint32_t side, unsigned policy);

/* ---- abstract objects ------------------------------------------------------------------------ */

/* Dense ids. An even id is an object's contents, the id after it the object's state: whether it lives, its
 * size; of a stream whether it is open. */
typedef enum FlowObjectKind {
    FLOW_ANY,       /* all memory */
    FLOW_GLOBAL,    /* index: of the global */
    FLOW_CONSTANTS, /* all constant globals that hold no address, strings above all: never written */
    FLOW_FN,        /* index: of the function */
    FLOW_STACK,     /* at: the alloca */
    FLOW_HEAP,      /* at: the call in the user's code that made it (none: libc's own); of a wrapper also its
                       caller */
    FLOW_VARARGS,   /* index: function whose variable arguments lie there */
    FLOW_ARGS,      /* argv, envp and the words they point to */
    FLOW_LAZY,      /* behind the pointers of the entry's inputs */
    FLOW_STREAM,    /* index: descriptor 0, 1, 2; FLOW_FILES: every other file, and the file system;
                       FLOW_NAMED: what was given to sheaf_output */
    FLOW_ROOM,      /* the stack; its state: how much of it is left, if the calls that
                       are under way do not tell (locals of variable size) */
    FLOW_LINKS      /* pointers of the entry's inputs; its state: which of them were followed, and
                       where they led. An access that may follow one reads and writes it */
} FlowObjectKind;

typedef struct FlowObject {
    FlowObjectKind kind;
    uint32_t index;
    FlowSite at, caller; /* fn is IR_NONE if there is none */
    uint64_t size;       /* in bytes; FLOW_WHOLE if unknown */
} FlowObject;

#define FLOW_WHOLE UINT64_MAX
enum { FLOW_OBJECT_ANY = 0, FLOW_STDIN = 0, FLOW_FILES = 3, FLOW_NAMED = 4, FLOW_STREAMS = 5 };

uint32_t flow_object_of_room(Flow *flow);
uint32_t flow_object_of_links(Flow *flow);
bool flow_has_links(const Flow *flow); /* are there inputs whose pointers may be followed? */
bool flow_compares_inputs(Flow *flow); /* and does the program compare two of them, or compute with two? */
/* May it make a difference to the entry of the options whether two of its pointers lead to one object? False
 * only if it is certain that it does not: nothing behind them is written or freed, nothing looks at an
 * address. */
bool flow_tells_aliases(Flow *flow, uint32_t entry);
const FlowObject *flow_object(Flow *flow, uint32_t object); /* of a state: of what it is the state */
static inline uint32_t flow_state_of(uint32_t object) { return object | 1; }
static inline bool flow_is_state(uint32_t object) { return object & 1; }

/* For the machine: what an object of a run is. Never fails: what the analysis did not foresee is
 * FLOW_OBJECT_ANY. */
uint32_t flow_object_of_global(Flow *flow, uint32_t global);
uint32_t flow_object_of_fn(Flow *flow, uint32_t fn);
uint32_t flow_object_of_alloca(Flow *flow, FlowSite at);
uint32_t flow_object_of_varargs(Flow *flow, uint32_t fn);
/* at: the call under way in the innermost frame of the user's code (fn IR_NONE: there is none, start-up);
 * caller: the call under way in the frame that called that frame (whose ever; fn IR_NONE if there is
 * none). */
uint32_t flow_object_of_heap(Flow *flow, FlowSite at, FlowSite caller);
uint32_t flow_object_of_args(Flow *flow);
uint32_t flow_object_of_lazy(Flow *flow);
uint32_t flow_object_of_stream(Flow *flow, uint32_t descriptor);

/* ---- points-to and the call graph ------------------------------------------------------------ */

/* Objects that the register may point into, ascending, even ids. FLOW_OBJECT_ANY alone: everything. */
FlowList flow_points_to(Flow *flow, uint32_t fn, uint32_t reg);
/* The same for a register that is used as an address: FLOW_OBJECT_ANY too where no address is known to make
 * it, since it may be put together from numbers; empty only where it can but be null. */
FlowList flow_pointees(Flow *flow, uint32_t fn, uint32_t reg);
/* Functions that a CALL or CALLPTR may enter, ascending; declarations included. */
FlowList flow_callees(Flow *flow, FlowSite call);
/* Calls from which the function may be entered; those out of runtime/ included (callbacks). */
FlowSites flow_callers(Flow *flow, uint32_t fn);

/* ---- places ---------------------------------------------------------------------------------- */

/* Bytes that an instruction or a part of the program may touch. If param is not IR_NONE, then what is meant
 * is the object into which parameter `param` of this very frame points (exact by the run's own value; object
 * is IR_NONE, and flow_points_to of that register is the static answer), and first counts from the
 * parameter's address. */
typedef struct FlowPlace {
    uint32_t object;
    uint32_t param;
    uint64_t first, size; /* size FLOW_WHOLE: all of the object, first is 0 */
} FlowPlace;
typedef struct FlowPlaces {
    const FlowPlace *v;
    uint32_t n;
} FlowPlaces;

/* A register whose value is known when a branch is decided although its instruction comes later: what that
 * one reads is known there too, and nothing on the way changes it. */
typedef struct FlowStep {
    uint32_t reg;
    const IrInsn *insn; /* pure, an address, a phi of one operand, or a load of bytes that are not written */
    uint32_t base;      /* of a load: */
    uint64_t offset;    /* the address is base + offset */
} FlowStep;

/* Bytes that are known in the same way: behind a register that is set before the branch and read after it, or
 * that is a step. The offset may stand for a negative number. */
typedef struct FlowKnown {
    uint32_t reg;
    uint32_t with[2];      /* other operands that say what is written; IR_NONE: none. Known as well */
    uint64_t offset, size; /* size FLOW_WHOLE: all of the object, 0: its state */
    FlowPlaces otherwise;  /* what it may be in any run */
} FlowKnown;

/* What may be written between a branch and its ipdom, on any side, callees included. A branch in between
 * knows what this one knows. */
typedef struct FlowBranch {
    FlowPlaces places;
    const FlowKnown *known;
    const FlowStep *steps; /* in the order of computation */
    uint32_t nknown, nsteps;
} FlowBranch;
const FlowBranch *flow_branch_writes(Flow *flow, uint32_t fn, uint32_t block, unsigned policy);
/* May the program give the descriptor of standard output or error to another file, or close it? */
bool flow_descriptors_change(Flow *flow);
/* Is this a store, copy or fill into memory that a call of the same function has made? Then where in it:
 * behind the register of that call's result, as far as that is known. It writes nowhere else, in no run. Else
 * reg is IR_NONE. */
FlowKnown flow_made_write(Flow *flow, FlowSite at);
/* What an instruction may write, read; calls: their callees included. Object state and streams are places
 * like others: every access reads the state of what it accesses; alloca, life, dead, ret and heap calls write
 * it. */
FlowPlaces flow_insn_writes(Flow *flow, FlowSite at);
FlowPlaces flow_insn_reads(Flow *flow, FlowSite at);
/* What a call of the function may write, read, as its caller sees it: params are the callee's. */
FlowPlaces flow_fn_writes(Flow *flow, uint32_t fn);
FlowPlaces flow_fn_reads(Flow *flow, uint32_t fn);
/* All that bytes behind the register may be; size FLOW_WHOLE: whatever it points into, as a whole. */
FlowPlaces flow_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t first, uint64_t size);
/* The register that a call hands over for the callee's parameter (IR_NONE: none), and if that is an address
 * made of one parameter of the caller's and nothing else, that parameter, and how far away (FLOW_WHOLE: not
 * known). */
typedef struct FlowArgument {
    uint32_t reg, param;
    uint64_t offset;
} FlowArgument;
FlowArgument flow_argument(Flow *flow, FlowSite call, uint32_t param);
bool flow_is_recursive(Flow *flow, uint32_t fn); /* callers know what it writes without parameters */
bool flow_call_each_other(Flow *flow, uint32_t a, uint32_t b); /* is each below calls of the other? */
bool flow_is_described(Flow *flow, uint32_t fn); /* is of runtime/, and has a line in the table */
/* Of places of objects that code below a call of such a function writes: those that the call may write, and
 * the body's own. In the answer parameters are those of the frame that calls. `body` is one of the answers
 * above; its parameters are left out. */
FlowPlaces flow_within(Flow *flow, FlowPlaces body, FlowSite call);
/* May the two places share a byte, both resolved to objects (params by their points-to sets)? `fn` is the
 * frame's. */
bool flow_places_meet(Flow *flow, uint32_t fn, const FlowPlace *a, const FlowPlace *b);

/* ---- memory that is read again --------------------------------------------------------------- */

typedef struct FlowBytes {
    uint64_t first, end;
} FlowBytes;
/* Of a local or a global: the bytes that may be read before they are written. */
typedef struct FlowWanted {
    uint32_t frame; /* place in the list; IR_NONE: a global */
    uint32_t index; /* register of the alloca, which is IR_FIXED; of the global */
    const FlowBytes *v;
    uint32_t n;
} FlowWanted;
typedef struct FlowWantedList {
    const FlowWanted *v;
    uint32_t n;
} FlowWantedList;
/* Frames are given innermost first, those of runtime/ too: the instruction that comes next, or the call that
 * is under way. Of what is not in the list all bytes may be read. That a leak is looked for at the end does
 * not count. */
FlowWantedList flow_wanted(Flow *flow, const FlowSite *frames, uint32_t n);

#include "flow/makers.h"
#include "flow/slice.h"

#endif
