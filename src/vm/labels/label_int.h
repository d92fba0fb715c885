/* label_int.h - private to vm/labels: how labels are kept beside values in one forward pass.
 *
 * Registers hold theirs in the high half of the shadow, *relative to the context*: what the context contains
 * may be left out. The context is what the instruction under way depends on by control; it is a stack of
 * entries, one for each frame and post-dominator that waits. When a post-dominator begins, the entry is
 * popped, and the registers that the branch may have set (flow_join_regs) take its label; inside a region
 * nothing is added to registers. So code under a symbolic `if` runs on the fast path. Whatever is observed
 * takes the register's label and the context.
 *
 * Bytes of memory have theirs absolute. An object has one for all its bytes (in its stamp) or one for each
 * (LabelBytes). What a side of a branch might have written enters a log when the branch's entry is popped; an
 * object takes from the log what it has not seen yet when it is next touched. The stamp's high half says how
 * much it has seen; if its bytes have labels of their own, each run of them, or each byte, knows how much
 * that is and takes the rest when it is touched. So does its state, when it is read. */
#ifndef SHEAF_VM_LABEL_INT_H
#define SHEAF_VM_LABEL_INT_H

#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

#define LABEL_MIXED UINT32_MAX /* in a stamp: see the object's LabelBytes */

enum { LABEL_PAGE_LOG = 6, LABEL_PAGE = 1 << LABEL_PAGE_LOG };

typedef struct LabelPage {
    uint32_t refs;
    VmLabel common; /* part of all its bytes' labels */
    uint32_t label[LABEL_PAGE];
    uint32_t seen[LABEL_PAGE]; /* how much of the log the byte knows, at least */
} LabelPage;

/* Labels of an object's bytes, shared until a write. */
typedef struct LabelBytes {
    uint32_t refs, npages;
    struct LabelRun {
        uint32_t label, other; /* if page is NULL: of bytes whose bit in the mask is 0, is 1 */
        uint32_t seen;         /* the same for all, if page is NULL */
        uint64_t mask;
        LabelPage *page;
    } runs[];
} LabelBytes;

/* A branch that an entry of the context waits for, or a call through a pointer. */
typedef struct ContextPart {
    uint32_t block;             /* it ends */
    uint32_t insn;              /* of a call; PART_BRANCH, PART_CHECK */
    VmLabel label;              /* the decisions made there, and what they depend on */
    uint32_t address;           /* of a branch: the first of its addresses */
    struct LabelBranch *branch; /* what is known of it; NULL of what is none */
} ContextPart;

/* Where a register pointed when a branch was decided. */
typedef struct LabelAddress {
    uint64_t word;
    VmLabel own; /* what the context does not name of the decisions that it depends on */
    bool vague;  /* it may be another in a run with the same decisions */
    bool bad;    /* computing it fails */
} LabelAddress;
typedef Vec(LabelAddress) LabelAddressVec;

enum { PART_BRANCH = -1, PART_CHECK = -2 };
enum { LABEL_LAST_PATHS = 64, LABEL_DECIDED = 1024 }; /* powers of two */
enum { LABEL_SINKS = 256, LABEL_NEWS = 64 };

typedef struct Context {
    uint64_t frame;   /* its serial */
    uint32_t fn;      /* IR_NONE: the machine's own */
    uint32_t ipdom;   /* block, FLOW_EXIT, IR_NONE: nothing but the end of the run */
    uint32_t code;    /* first code of that block; IR_NONE if it is none */
    uint32_t part;    /* its first part */
    uint32_t address; /* addresses before those of its parts; there may be some of entries below behind it */
    bool early;       /* at the function's return it moves into the caller's frame */
    VmLabel all;      /* of this entry and all below */
} Context;

/* Bytes of objects of some classes that may have been written otherwise: label_log.c. */
typedef struct LabelLog {
    uint32_t group;
    uint32_t previous; /* entry of the same group, + 1 */
    VmLabel label;
    uint32_t born;   /* low half of Mem.serial: what exists when it is entered */
    uint32_t jump;   /* an earlier one, + 1, or 0 */
    VmLabel all;     /* of those between, and itself */
    uint32_t length; /* how many these are */
} LabelLog;

/* What the room on the stack depended on before a frame took some of variable size, or might have. */
typedef struct LabelRoom {
    uint64_t frame; /* its serial */
    VmLabel before;
} LabelRoom;
typedef Vec(LabelRoom) LabelRoomVec;

/* What a snapshot keeps of it. */
struct LabelLogEnd {
    uint32_t n;
    LabelLog entries[];
};

/* How far the log is about a group. */
typedef struct LabelHead {
    uint32_t head;   /* its latest entry, + 1 */
    uint32_t folded; /* how much of the log an object of its classes has seen */
} LabelHead;

/* Places that are written otherwise together. */
typedef struct LabelGroup {
    uint32_t streams; /* a bit for each */
    bool in_memory;   /* there are places in classes */
    bool params;      /* there are places behind parameters */
    bool links;       /* a pointer of an input may be followed */
    bool lasting;     /* no other object of its classes is made */
} LabelGroup;

/* A place of a class. */
typedef struct LabelMember {
    uint64_t first, size;
} LabelMember;

/* The places of a class in a group. */
typedef struct LabelShare {
    uint32_t group, n;
    const LabelMember *members;
    bool whole; /* one of them is all of an object */
} LabelShare;

/* What was entered about all of an object of a class, if nothing was about a part of one. */
typedef struct LabelNews {
    uint64_t version;     /* of the log */
    uint32_t class, seen; /* entered after that */
    VmLabel label;
} LabelNews;

typedef struct LabelClass {
    Vec(LabelShare) shares;
    Vec(uint64_t) named; /* a bit for each byte that is in one of them */
    bool all_named;      /* as good as all bytes are */
    uint64_t touched;    /* version of the log, when an object of it was last touched */
    uint64_t version;    /* of the log, when this was found: */
    uint32_t latest;     /* entry about it or FLOW_OBJECT_ANY (its state), + 1 */
} LabelClass;

/* Rules that a test can switch off, to see that it finds the difference. */
enum {
    LABEL_OFF_CONTROL = 1,
    LABEL_OFF_REGISTERS = 2,
    LABEL_OFF_MEMORY = 4, /* potential writes */
    LABEL_OFF_ADDRESS = 8,
    LABEL_OFF_FORCED = 16,
    LABEL_OFF_EARLY = 32,
    LABEL_OFF_RESULT = 64,
    LABEL_OFF_STATE = 128,  /* of objects, as something that checks depend on */
    LABEL_OFF_WINDOWS = 256 /* of strings: what might have been looked at */
};

struct Labels {
    unsigned policy, off;
    bool renames; /* descriptors may be given to other files: flow_descriptors_change */
    Vec(Context) contexts;
    Vec(ContextPart) parts;
    LabelAddressVec addresses, found; /* of branches that are pushed; of the one under way */
    Vec(LabelLog) log;
    uint64_t version; /* of the log; another one after each entry */
    uint32_t frozen;  /* how much of it a snapshot has */
    Map group_of;     /* list of places to its group */
    Vec(LabelGroup) groups;
    Vec(LabelHead) heads; /* by group */
    Vec(LabelClass) classes;
    LabelNews news[LABEL_NEWS];    /* as last asked for, by hash */
    VmLabel streams[FLOW_STREAMS]; /* contents and cursor */
    LabelRoomVec rooms;            /* of frames that have changed Vm.now.room, the latest last */
    VmLabel links;                 /* which pointers of inputs were followed, and where they led */
    /* Of the instruction under way (sym_instant), besides Vm.now: */
    VmLabel call;                     /* of a call through a pointer: to be pushed for the callee's frame */
    int stream;                       /* that the primitive under way touches; FLOW_STREAMS: none */
    bool output;                      /* it sends to standard output or error */
    VmLabel descriptor;               /* of its first argument */
    bool untaken;                     /* what is touched is where an untaken side would write: no access */
    uint32_t sinks_seen[LABEL_SINKS]; /* labels of sinks that the trace has, by hash */
    const Reg *watch_regs;            /* the last execution of the watched line */
    int64_t watch_left;
    Map sinks;    /* instructions that are some besides checks */
    Map operands; /* function and register to the places that its label is read from, in slots */
    Map leaving;  /* call through a pointer to whether it may not come back */
    Vec(U32Vec) slots;
    Vec(struct LabelBranch **) branches; /* by function, by block; NULL: not asked for yet */
    Map path_of;                         /* name of an activation to its place in paths */
    Vec(VmPath) paths;
    struct LabelLastPath {
        uint64_t name; /* of activations asked for lately, by hash, */
        uint32_t path; /* and their places */
    } last_paths[LABEL_LAST_PATHS];
    struct LabelAsked asked[LABEL_ASKED];
    Vec(VmLabel) singles; /* by decision: the set of it alone */
    struct LabelDecided {
        VmLabel own, context; /* of decisions made lately, by hash: what they depend on, */
        uint32_t position;
        VmLabel before, with; /* together, and with the decision itself */
    } decided[LABEL_DECIDED];
    Arena *arena;    /* of these */
    Expr bytes[256]; /* constants, once they were asked for */
};

/* ---- sets ------------------------------------------------------------------------------------ */

VmLabel label_roots(Vm *vm, const Reg *regs,
                    uint32_t reg); /* of what it is computed from, if its own is not kept */

/* ---- memory: label.c ------------------------------------------------------------------------- */

void label_state_add(Vm *vm, Object *o, VmLabel l); /* it may have changed */
/* These bytes may have been written otherwise, by the frame of regs in the function fn. */
void label_potential(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l);
/* The same of a list that is asked about again and again: *group as in label_log_places. */
void label_potential_group(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, uint32_t *group,
                           VmLabel l);

/* ---- what may have been written otherwise: label_log.c --------------------------------------- */

/* All these places may have been, but for those behind parameters. Are there such? The list must stay where
 * it is. *known: its group, + 1; 0: not asked for yet. */
bool label_log_places(Vm *vm, FlowPlaces places, uint32_t *known, VmLabel l);
/* Who has seen that much of the log has seen all about a class (or the state of one) and FLOW_OBJECT_ANY. */
uint32_t label_latest_found(struct Labels *lab, uint32_t class);
static inline bool label_latest_known(const struct Labels *lab, uint32_t class)
{
    return class < lab->classes.n && lab->classes.v[class].version == lab->version;
}
static inline uint32_t label_latest(struct Labels *lab, uint32_t class)
{
    bool known = label_latest_known(lab, class);
    return LIKELY(known) ? lab->classes.v[class].latest : label_latest_found(lab, class);
}
/* May the log tell something of these bytes, all in one run of labels? Else they are as they are. */
static inline bool label_is_named(const struct Labels *lab, uint32_t class, uint64_t offset, uint64_t n)
{
    if (class >= lab->classes.n)
        return true; /* not asked yet */
    const LabelClass *c = &lab->classes.v[class];
    uint64_t run = offset >> LABEL_PAGE_LOG, bits = bits_mask64((unsigned)n) << (offset & (LABEL_PAGE - 1));
    return c->all_named || lab->classes.v[FLOW_OBJECT_ANY].shares.n ||
           (run < c->named.n && c->named.v[run] & bits);
}
/* The next of the class's shares, after one or NULL, about which something was entered since then; NULL:
 * there is none. The caller is about to make an object of that class. */
static inline const LabelShare *label_next_news(struct Labels *lab, uint32_t class, uint64_t seen,
                                                const LabelShare *after)
{
    if (class >= lab->classes.n)
        return NULL;
    const LabelShare *first = lab->classes.v[class].shares.v, *end = first + lab->classes.v[class].shares.n;
    LabelHead *heads = lab->heads.v;
    for (const LabelShare *share = after ? after + 1 : first; share < end; share++)
        if (heads[share->group].head > seen) {
            heads[share->group].folded = lab->log.n;
            return share;
        }
    return NULL;
}
/* An object of the class has seen all that was entered. */
void label_touch(struct Labels *lab, uint32_t class);
VmLabel label_older_news(Vm *vm, const LabelLog *head, uint64_t seen);
/* What that is. */
static inline VmLabel label_news(Vm *vm, const LabelShare *share, uint64_t seen)
{
    const LabelLog *head = &vm->lab->log.v[vm->lab->heads.v[share->group].head - 1];
    return head->previous > seen ? label_older_news(vm, head, seen) : head->label;
}
void label_log_reset(Vm *vm);
void label_log_free(Vm *vm);

/* ---- the instruction under way: label_insn.c ------------------------------------------------- */

FlowSite label_site_of(const Code *pc,
                       const Reg *regs); /* label_site of another; no frame: no place at all */
void label_sink(Vm *vm, VmLabel own);    /* a sink that depends on this beyond being reached */

/* ---- what a trace says: label_trace.c -------------------------------------------------------- */

VmLabel
label_descriptors(const Vm *vm); /* of where standard output and error lead: what close and its like tell */

/* ---- what the sides of a branch may write: label_branch.c ------------------------------------ */

typedef struct LabelBranch {
    uint32_t ipdom, code; /* as in Context */
    bool early;
    bool room;                  /* a side may take room on the stack, or give it back */
    uint32_t join;              /* in slots: registers that its sides may set, + 1; 0: not asked for yet */
    const FlowBranch *flow;     /* what its sides may write */
    uint32_t group;             /* of the places that they may write, + 1; 0: not asked for yet */
    struct KnownAddress *known; /* where they do, and how that is computed */
    uint32_t nknown;
    struct Step *steps;
} LabelBranch;

BitSet label_region(Vm *vm, const FnCode *fn, uint32_t block); /* blocks of its sides */
LabelBranch *label_branch_new(Vm *vm, const FnCode *fn, uint32_t block);
/* The branch at the end of the block. */
static inline LabelBranch *label_branch(Vm *vm, const FnCode *fn, uint32_t block)
{
    LabelBranch **all = fn->index < vm->lab->branches.n ? vm->lab->branches.v[fn->index] : NULL;
    return LIKELY(all && all[block]) ? all[block] : label_branch_new(vm, fn, block);
}
/* The addresses that it may write to, as they are before it is decided. */
void label_branch_find(Vm *vm, const Reg *regs, const LabelBranch *b, LabelAddressVec *out);
/* So many bytes from there on may have been written; FLOW_WHOLE: anything in it; 0: its state. */
void label_object_written(Vm *vm, Object *o, uint64_t at, uint64_t size, VmLabel l);
/* It is over: what it might have written takes the label. */
void label_branch_written(Vm *vm, const Reg *regs, const ContextPart *part);

/* ---- the context: label_context.c ------------------------------------------------------------ */

struct LabelSaved {
    Vec(Context) contexts;
    Vec(ContextPart) parts;
    LabelAddressVec addresses;
    VmLabel streams[FLOW_STREAMS];
    VmLabel room;
    LabelRoomVec rooms;
    VmLabel links;
};

void label_push_branch(Vm *vm, VmLabel l); /* by the instruction under way, which ends its block */
void label_push_check(Vm *vm, VmLabel l);  /* by the instruction under way, which might not go on */

#endif
