/* backward_int.h - shared by the files of this module.
 *
 * The program is cut at the heads of loops (and wherever else control can return to). Between two cut points
 * there are no cycles, so all paths of such a segment are evaluated once, forwards, and merged at joins: its
 * ends are a guard, the registers of the frames, and a memory, as expressions over the state at its start.
 * Conditions are composed over segments backwards, by substitution.
 *
 * A state at a cut point is named by symbols: one for each register of each frame on the (static) call stack,
 * and one, M, that stands for memory as a whole. A load that no store decides is the application
 * ld_n(address, M). */
#ifndef SHEAF_BACKWARD_INT_H
#define SHEAF_BACKWARD_INT_H

#include "backward/backward.h"

/* ---- objects (object.c) ---------------------------------------------------------------------- */

typedef enum BwObjectKind {
    BW_GLOBAL,   /* index: of the global */
    BW_FUNCTION, /* index: of the function */
    BW_STACK,    /* index: the instance; reg: the alloca's result, IR_NONE: made by bw_object_make */
    BW_HEAP,
    BW_STDIN,  /* what can be read, as an object that only the models know */
    BW_CURSOR, /* how much of it was read: 8 bytes */
    BW_OTHER   /* argv and the like */
} BwObjectKind;

/* Memory has objects whose addresses are constants far apart, so that the rules for expressions decide most
 * questions of aliasing by themselves. */
typedef struct BwObject {
    BwObjectKind kind;
    uint32_t index, reg;
    uint32_t segment; /* in whose evaluation it was made, IR_NONE: it is there from the start. No state at the
                         start of that segment holds its address */
    uint32_t flow;    /* as `flow` names it; FLOW_OBJECT_ANY if it has no name there */
    Expr base;
    Expr size;        /* while its segment is evaluated or passed: over the state at its start */
    Expr size_symbol; /* everywhere else, if that is no constant: part of the state, like a register */
    const char *name;
} BwObject;

/* Objects are 2^32 apart, and an address may be half of that off on either side without being taken for
 * another's. */
static const uint64_t BW_FIRST = UINT64_C(1) << 44, BW_APART = UINT64_C(1) << 32,
                      BW_MIDDLE = UINT64_C(1) << 31;

/* ---- memory (memory.c) ----------------------------------------------------------------------- */

/* A memory is a chain of events over the memory at the start of the segment. Reading walks the chain. */
typedef enum BwMemKind {
    BW_MEM_START, /* M itself; id: at which cut, IR_NONE at the entry */
    BW_MEM_STORE, /* `bytes` bytes of value b at a */
    BW_MEM_JOIN,  /* a ? below : other */
    BW_MEM_FILL,  /* c bytes at a are b */
    BW_MEM_COPY,  /* c bytes at a are those that `other` has at b */
    BW_MEM_HAVOC, /* whatever `set` names is as in the memory a, of which nothing is known */
    BW_MEM_NEW,   /* object `id` came to life; its contents are those of a, or zero if a is none */
    BW_MEM_DEAD   /* the object at a, or object `id`, died */
} BwMemKind;

typedef struct BwMemNode {
    BwMemKind kind;
    uint8_t bytes;
    bool aligned; /* STORE: its address is a multiple of its size */
    bool deaths;  /* something may have died in it, or before */
    uint32_t below, other, id, set;
    uint32_t start; /* cut at which the chain begins, IR_NONE: the entry */
    Expr a, b, c;
} BwMemNode;

enum { BW_MEM_BASE = 0 }; /* the node BW_MEM_START of the entry */

/* ---- frames, guards and segments ------------------------------------------------------------- */

/* A function as called from a place: the static call stack. */
typedef struct BwInstance {
    uint32_t fn, parent;       /* parent: IR_NONE for the entry */
    uint32_t block, insn;      /* of the call, in the parent */
    uint32_t depth, recursion; /* calls below the entry; of the same function */
    uint32_t summary; /* any activation of a function that calls itself, from any call; IR_NONE: it is none */
} BwInstance;

/* A global of one word, with symbols for its value before and after a call. */
typedef struct BwGlobalPair {
    Expr address, before, after;
    unsigned bytes;
} BwGlobalPair;

/* A function that calls itself (summary.c). A call of it does two things: control comes to its entry, as to a
 * loop; and the caller goes on with results of which only `known` is known. */
typedef struct BwSummary {
    uint32_t fn, instance;
    Vec(BwGlobalPair) globals; /* that it writes */
    ExprVec results;           /* symbols */
    Expr known; /* over parameters of the instance and these symbols: it holds whenever an activation
                 * returns */
} BwSummary;

/* A call in a segment that was passed over so. */
typedef struct BwUse {
    Expr guard;
    uint32_t summary;
    const Expr *values; /* parameters, results, each global before and after */
} BwUse;

/* Elements of an array: those of `bytes` bytes at the object's base + field + k * stride. */
typedef struct BwPattern {
    uint32_t object, stride, field;
    unsigned bytes;
} BwPattern;
/* A condition over k, the index of such an element, that holds for every k. */
typedef struct BwEvery {
    Expr condition;
    uint32_t pattern;
} BwEvery;

typedef struct BwCut {
    uint32_t instance, block;
    uint32_t segment; /* that starts here; IR_NONE: not evaluated yet */
    /* Registers and cells of memory that hold the same constant whenever a run comes here: constants
     * propagated over the graph. */
    Map registers; /* instance and register to constant */
    Vec(struct BwCell {
        Expr address;
        unsigned bytes;
        Expr value;
    }) cells;  /* that its segment has asked for; EXPR_NONE: no constant. 0 bytes: whether the object there is
                  dead */
    Map bases; /* require: instance and register to a pointer of the entry, from which it has a distance that
                  varies */
    uint32_t memory;     /* its BW_MEM_START */
    bool arrived, stale; /* an end leads here; its segment was evaluated with constants that are none */
    Expr invariant;      /* holds whenever a run comes here */
    Vec(BwEvery) every;  /* and so does this, for every k */
    Expr condition;      /* of the fixpoint under way */
} BwCut;

/* A frame at the end of a segment: its registers; EXPR_NONE: as at the start. */
typedef struct BwFrameEnd {
    uint32_t instance, n;
    const Expr *regs;
} BwFrameEnd;

typedef enum BwEndKind { BW_END_CUT, BW_END_TARGET, BW_END_RETURN } BwEndKind;

typedef struct BwEnd {
    BwEndKind kind;
    uint32_t cut;             /* CUT: where it leads */
    uint32_t target;          /* TARGET: index into Backward.targets */
    uint32_t summary;         /* RETURN: of which an activation returns */
    const Expr *results;      /* RETURN: what it returns */
    uint32_t nuses;           /* calls of the segment that have returned here, if they were made */
    Expr guard;               /* over the state at the start: this end is reached */
    const BwFrameEnd *frames; /* CUT: innermost first */
    uint32_t nframes;
    uint32_t mem;
    uint32_t site;
} BwEnd;

/* An input that the program asks for on the way: the machine names it by itself, so order is what tells. */
typedef struct BwInput {
    Expr guard; /* under which it is asked for */
    Expr value; /* a symbol */
    uint32_t bytes;
    bool continues; /* it is more of the input before it */
} BwInput;

typedef struct BwSegment {
    uint32_t cut; /* where it starts; IR_NONE: at the entry */
    Vec(BwEnd) ends;
    Vec(BwInput) inputs;  /* in the order of evaluation, which is that of any run */
    BackwardClauses way;  /* conditions on the way from its start to the first target in it; bounded */
    BackwardClauses lead; /* from the entry: on the way to the first cut point that is met */
    U64Vec unrolled;      /* heads of loops that were unrolled here: instance and block */
    Vec(BwUse) uses;      /* in the order of evaluation */
    bool makes_objects;
} BwSegment;

/* ---- targets --------------------------------------------------------------------------------- */

typedef struct BwTarget {
    uint32_t fn, block, insn;
    uint32_t to; /* edge to this block of the function; IR_NONE: the instruction is the target */
    uint32_t site;
    VmFaultKind fault;  /* VM_FAULT_COUNT: being there is all that is asked for */
    const char *escape; /* not NULL: here something happens that the evaluation does not follow, for this
                           reason. It may be a fault */
    bool anywhere;      /* and control may come to any target from there */
} BwTarget;

/* What was approximated, and where: for "open, because". */
typedef struct BwReason {
    uint32_t site;
    const char *text;
} BwReason;

/* A kind of terms that speak of M: loads of so many bytes ('l'), checks ('r', 'w', 'f', 'd', 'n'). */
typedef struct BwTerm {
    Backward *bw;
    char kind;
    uint8_t bytes;
} BwTerm;

struct Backward {
    const IrProgram *program;
    BackwardOptions options;
    Arena *arena;
    ExprPool *pool;
    Solver *solver;
    struct Flow *flow;
    uint32_t entry;  /* function */
    double deadline; /* of clock_seconds; 0: none */
    /* names */
    Vec(BwObject) objects;
    Map object_ids; /* hash of kind, index, reg to id */
    Vec(BwInstance) instances;
    Map instance_ids;
    Map reg_symbols;       /* instance and register to symbol */
    Map symbol_regs;       /* and back */
    Map load_regs;         /* load term to function and register whose points-to set holds it */
    Expr m;                /* M */
    BwTerm terms[32];      /* loads by their bytes; checks behind them */
    struct BwJudge *judge; /* a real state that is looked at; NULL: none */
    bool stable; /* conditions at cut points are a fixpoint: none leaves a run out that reaches the target */
    uint32_t current; /* segment that is evaluated or passed, IR_NONE if none */
    Map size_objects; /* size_symbol to object */
    uint32_t fresh;   /* symbols made so far that need no name */
    ExprSet unknowns; /* all of these */
    /* memory */
    Vec(BwMemNode) mems;
    Map mem_ids, reads; /* hash-consing; memo of reads: by hash to index into read_memo */
    Map dead_memo; /* memory and object to whether it has died; memory and address to whether it may have */
    Vec(struct BwRead {
        uint32_t mem;
        Expr address;
        unsigned bytes;
        Expr value;
    }) read_memo;
    Vec(FlowList)
        havocs; /* sets of HAVOC: objects of `flow`, contents and states; FLOW_OBJECT_ANY among them: all */
    Vec(BwPattern) patterns; /* of elements that invariants speak of */
    /* the graph */
    Vec(BwCut) cuts;
    Map cut_ids;
    Vec(BwSegment) segments;
    uint32_t start; /* segment from the entry */
    Vec(BwSummary) summaries;
    Map summary_ids; /* by function; UINT32_MAX: it cannot be summarised */
    Vec(BwTarget) targets;
    Map target_ids;       /* hash of position to index; of a check its kind is part of it */
    bool faults;          /* each fault check is a target */
    Map target_places;    /* positions that are targets: bw_place_key to 1 */
    Map target_blocks;    /* and the blocks in which they are */
    Map allocas;          /* function and register of an alloca of constant size to block and instruction */
    BitSet allocas_known; /* functions of which that is filled in */
    Map too_long;         /* instance and header of loops that were not unrolled for their length */
    /* what was left out */
    Vec(BwReason) reasons;
    BitSet written; /* objects of `flow` that a run may write */
    bool written_known;
    /* require */
    bool require;  /* conditions are to be exact where they can be; pointers of the entry have room */
    Map distances; /* symbol of a distance to index into distance_of */
    Vec(struct BwDistance {
        uint32_t instance;
        uint32_t reg;
        Expr base;
    }) distance_of;
    Map entry_types;         /* word that the entry is given to its C type, 0: not known */
    Vec(BackwardNeed) needs; /* room that is taken for granted */
    ExprSet entry_symbols;   /* inputs of the entry: each is the same in a whole run */
    bool built, prepared;    /* the graph; for several questions */
    bool invariants_known;
    const ExprInput *hint; /* for bw_check: where models come from; may be NULL */
    uint64_t queries, steps;
    Map reaches; /* function to: 1 may come to a target through calls, 2 not */
};

/* object.c */
Expr bw_const(Backward *bw, uint64_t value);
uint32_t bw_object(Backward *bw, BwObjectKind kind, uint32_t index, uint32_t reg);
const BwObject *
bw_object_new(Backward *bw, BwObject object); /* of its own, whatever its name; the pointer is short-lived */
/* The object whose address the constant is, IR_NONE if none; a constant part of a sum counts. */
uint32_t bw_object_in(Backward *bw, Expr address);
/* The same, or the only one that the static analysis lets it lead to. */
uint32_t bw_object_of(Backward *bw, Expr address);
Expr bw_object_size(Backward *bw, uint32_t object);
static inline Expr bw_base(const Backward *bw, uint32_t object) { return bw->objects.v[object].base; }
bool bw_is_address(const Backward *bw, Expr e); /* a constant in some object */
bool bw_shows_address(Backward *bw,
                      Expr e); /* its value is, in some case, an address of an object, or one and something */
Expr bw_offset(Backward *bw, Expr a, Expr distance); /* a + distance; an unknown where that is far */
bool bw_is_far(Backward *bw, Expr sum, Expr a,
               Expr b); /* a + b is so far from the object that a or b names that it looks like another's */
/* Addresses of different objects: which is greater, and by how much, is not to be said. */
bool bw_are_incomparable(Backward *bw, Expr a, Expr b);
/* An address that is c ? a : b plus something, taken apart, so that both sides say more; false if it is
 * none. */
bool bw_address_split(Backward *bw, Expr address, Expr *c, Expr *a, Expr *b);
Expr bw_fresh(Backward *bw, unsigned width, const char *name);
Expr bw_reg_symbol(Backward *bw, uint32_t instance, uint32_t reg);
bool bw_symbol_reg(const Backward *bw, Expr symbol, uint32_t *instance, uint32_t *reg);
Expr bw_offset_symbol(Backward *bw, uint32_t instance, uint32_t reg,
                      Expr base); /* of a register from a base, as a symbol of the state */
/* The register and base of such a symbol; false: it is none. */
bool bw_is_offset(const Backward *bw, Expr symbol, uint32_t *instance, uint32_t *reg, Expr *base);
/* Objects that an address may lead to, by the static analysis; false: any. */
bool bw_pointees(Backward *bw, Expr address, FlowList *out);

/* pointer.c */
typedef struct BwRoot {
    Expr root, offset; /* a pointer that the entry was given, or that was in memory then; a distance */
    uint32_t pointee;  /* its C type, 0: not known */
} BwRoot;
bool bw_root(Backward *bw, Expr address,
             BwRoot *out); /* of an address; false: it is of none, or that is not to be said */
uint32_t bw_type_of(Backward *bw, Expr e);            /* C type of a word of the entry */
void bw_entry_object(Backward *bw, ExprObject input); /* it is an input of the entry */
bool bw_is_of_entry(const Backward *bw, Expr e);      /* over inputs of the entry alone */
Expr bw_room(Backward *bw, const BwRoot *r);
bool bw_is_room(const Backward *bw, Expr e);
/* A check, as far as the root of the address tells; EXPR_NONE: it has none. kind: as in the term "bad:k". */
Expr bw_entry_bad(Backward *bw, char kind, Expr address, Expr bytes);
bool bw_entry_apart(Backward *bw, Expr a, uint64_t n, Expr b,
                    uint64_t m); /* can n bytes at one, m bytes at the other not overlap? */
Expr bw_entry_equal(Backward *bw, Expr a,
                    Expr b); /* of two addresses with roots; EXPR_NONE: nothing is known */

/* Equivalent; comparisons of what is behind a pointer say that it is not null, unless that is among what is
 * known. */
Expr bw_guarded(Backward *bw, Expr condition, Expr known);
void bw_note_string(Backward *bw, Expr root); /* it is taken for one that leads to a string */
uint64_t bw_least_room(const Backward *bw,
                       uint32_t pointee); /* bytes that are there behind a pointer that is not null */

/* string.c */
Expr bw_strlen(Backward *bw, Expr address); /* of a string in M */
bool bw_is_strlen(const Backward *bw, Expr e);

/* memory.c */
Expr bw_mem_strlen(Backward *bw, uint32_t mem,
                   Expr address); /* EXPR_NONE: something may have written there */
uint32_t bw_mem_add(Backward *bw, BwMemNode node);
uint32_t bw_mem_join(Backward *bw, Expr condition, uint32_t yes, uint32_t no);
/* Is the address a multiple of an access's size? What the compiler promised is what the program did, so where
 * the address is known to be in an object it must be so. */
bool bw_is_aligned(Backward *bw, Expr address, unsigned bytes, bool promised);
Expr bw_mem_read(Backward *bw, uint32_t mem, Expr address, unsigned bytes, bool promised);
/* The same of a memory that is named by a symbol. */
Expr bw_load(Backward *bw, Expr address, unsigned bytes, bool aligned, Expr memory);
bool bw_is_load(const Backward *bw, Expr e, unsigned *bytes, bool *aligned);
/* Is an access of `bytes` bytes there a fault? As far as that is known; else a term that is decided further
 * up. */
Expr bw_mem_bad(Backward *bw, uint32_t mem, Expr address, Expr bytes, bool write);
Expr bw_mem_bad_free(Backward *bw, uint32_t mem, Expr address);
Expr bw_mem_null(Backward *bw, uint32_t mem, Expr address,
                 Expr bytes);                                  /* is it one through a null pointer? */
Expr bw_mem_dead(Backward *bw, uint32_t mem, uint32_t object); /* has it died? */
/* The value of an application that is none of the program's (a load, a check) in a memory. */
bool bw_is_pending(const Backward *bw, Expr e);
Expr bw_mem_resolve(Backward *bw, uint32_t mem, Expr application, const Expr *children);

static inline uint64_t bw_place_key(uint32_t fn, uint32_t block, uint32_t insn, uint32_t to)
{
    return hash_mix(hash_mix(fn, block), hash_mix(insn, to));
}

/* backward.c */
void bw_build_faults(Backward *bw); /* the graph, with all checks as targets */

/* graph.c */
bool bw_graph_build(Backward *bw); /* for bw->target_places or bw->faults; false: a budget was used up */
void bw_graph_clear(Backward *bw);
/* A constant, and no address of an object that may be made several times in a run: one name would mean
 * several. */
bool bw_is_lasting(Backward *bw, Expr e);
/* A register at a cut: a constant, a base and a distance, or a symbol. *varies: the symbol in it, EXPR_NONE
 * if none. */
Expr bw_cut_register(Backward *bw, uint32_t cut, uint32_t instance, uint32_t reg, Expr *varies);
/* A register at an end, over the state at the start of its segment. */
Expr bw_end_register(Backward *bw, uint32_t segment, const BwEnd *end, uint32_t instance, uint32_t reg);
Expr bw_start_read(Backward *bw, uint32_t cut, Expr address, unsigned bytes,
                   bool aligned);                                /* of the memory at a cut */
Expr bw_start_dead(Backward *bw, uint32_t cut, uint32_t object); /* had it died there? EXPR_NONE: at times */
Expr bw_global_read(Backward *bw, uint32_t global, Expr offset,
                    unsigned bytes); /* as it is initialised; EXPR_NONE: not to be said */

/* eval.c, insn.c, call.c: see eval.h */
uint32_t bw_segment(Backward *bw,
                    uint32_t cut); /* evaluates it if that was not done yet; IR_NONE: from the entry */

bool bw_reaches(Backward *bw, uint32_t fn); /* may running it come to a target? */

/* compose.c */
/* What must hold at the start of the segment so that `condition` holds at this end, which is reached. */
Expr bw_compose(Backward *bw, uint32_t segment, const BwEnd *end, Expr condition);
Expr bw_substitute(Backward *bw, uint32_t segment, const BwEnd *end,
                   Expr condition); /* the same within one passage, the guard left out */
/* The same for several, the guard not added: a symbol that means something else in each passage gets one new
 * name for all. */
void bw_compose_all(Backward *bw, uint32_t segment, const BwEnd *end, Expr *conditions, uint32_t n,
                    Expr *inputs, uint32_t ninputs);
typedef Expr (*BwHook)(void *context, Expr old, const Expr *children, Expr rebuilt); /* children: rewritten */
Expr bw_rewrite(Backward *bw, Expr e, BwHook hook, void *context);
Expr bw_rewrite_answer(Backward *bw, Expr e, BwHook hook, void *context);
/* Symbols that mean nothing at a cut point: inputs read on the way, what was havocked, memories of which
 * nothing is known. */
bool bw_is_unknown(const Backward *bw, Expr symbol);

/* fixpoint.c */
Expr bw_before(
    Backward *bw, uint32_t segment,
    const BitSet *which); /* what must hold where the segment starts, given the conditions of cuts */
/* Conditions at all cuts, under which one of the targets in `which` (bits by target) is reached; true if they
 * are a fixpoint, in which case none is left out. *entry: at the entry. */
bool bw_fixpoint(Backward *bw, const BitSet *which, Expr *entry, BackwardAnswer *answer, uint32_t iterations);

/* require.c */
Expr bw_directed(Backward *bw, Expr e, bool least); /* without symbols that mean nothing at a cut point: never
                                                       weaker (least), or never stronger */

/* general.c */
/* A condition at the head of a loop for any number of iterations: never weaker (least), or never stronger
 * than when one of the targets is reached, as long as the conditions of other cuts are so. EXPR_NONE: none
 * was found. */
Expr bw_generalise(Backward *bw, uint32_t cut, const BitSet *which, bool least);

/* require.c */
Expr bw_simplified(Backward *bw, Expr e, Expr context,
                   uint32_t queries); /* equivalent wherever the context holds; queries: asked at most */

/* core.c */
void bw_find_core(Backward *bw, BackwardAnswer *answer);

/* path.c */
/* A path of segments from the entry to one of the targets, with values for the inputs on it. */
bool bw_find_path(Backward *bw, const BitSet *which, BackwardAnswer *answer,
                  uint32_t most); /* most: paths that are extended */

/* query.c */
SolverStatus bw_check(Backward *bw, const Expr *conditions, uint32_t n, SolverAnswer *answer);
bool bw_unsat(Backward *bw, Expr a, Expr b, Expr c);
u128 bw_value(Backward *bw, const ExprInput *model, Expr e); /* under a model of bw_check */
Expr bw_plain(Backward *bw, Expr e); /* as it is in such a question: loads are symbols */
bool bw_out_of_time(Backward *bw);
void bw_reason(Backward *bw, uint32_t site, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* project.c */
Expr bw_project(Backward *bw, Expr e); /* without symbols that mean nothing at a cut point; never stronger */

/* judge.c */
u128 bw_term_value(void *context, const u128 *arguments,
                   uint32_t n); /* of a BwTerm, in the state that is looked at */

long double bw_condition_distance(Backward *bw,
                                  uint32_t cut); /* how far the state that is looked at is from satisfying the
                                                    condition; -1: not to be said */

/* near.c */
long double bw_distance(Backward *bw, const ExprInput *values,
                        Expr e); /* how far values are from satisfying a condition; 0: they do */

/* affine.c */
/* Linear equalities that variables of one width seem to keep at the cut, all the time or while one of these
 * conditions holds, and remainders. */
void bw_affine(Backward *bw, uint32_t cut, const Expr *variables, uint32_t n, const Expr *conditions,
               uint32_t nconditions, ExprVec *out);

/* summary.c */
/* The summary of a function that calls itself; IR_NONE: there cannot be one. */
uint32_t bw_summary_of(Backward *bw, uint32_t fn);
void bw_summaries_clear(Backward *bw);
Expr bw_end_guard(Backward *bw, uint32_t segment,
                  const BwEnd *end); /* with what is known of the calls before it */
/* A candidate for a summary where an activation returns. */
Expr bw_summary_after(Backward *bw, uint32_t segment, const BwEnd *end, Expr candidate);
void bw_summary_propose(Backward *bw, uint32_t summary, const ExprVec *constants,
                        void (*propose)(void *context, Expr candidate), void *context);

/* every.c */
Expr bw_every(Backward *bw); /* k */
/* Candidates about elements of arrays at a cut. */
void bw_every_propose(Backward *bw, uint32_t cut, const ExprVec *variables, const ExprVec *constants,
                      void (*propose)(void *context, Expr candidate, uint32_t pattern), void *context);
/* What they say of the elements that are loaded in these conditions, which are over the state at the same
 * cut. */
Expr bw_instances(Backward *bw, const BwEvery *every, uint32_t nevery, const Expr *conditions, uint32_t n);
Expr bw_cut_holds(Backward *bw, uint32_t cut, Expr a,
                  Expr b); /* the invariant there, as far as it matters for conditions a and b */

/* invariant.c */
void bw_invariants(Backward *bw); /* of all cuts of the graph */

/* For the module itself and its tests. */
void backward_cut_blocks(const Backward *bw, VmBlocks *out); /* where its cut points are */
BackwardVerdict backward_judge(Backward *bw, uint32_t cut, BackwardClaim claim);
/* Is the run, which has come to this block, at a cut point of the last question? Until backward_watch_end it
 * can be judged there. To be asked whenever a run comes to one of these blocks. */
bool backward_watch(Backward *bw, const BackwardSight *sight, BackwardTrack *track, uint32_t fn,
                    uint32_t block, uint32_t *cut);
void backward_watch_end(Backward *bw);

#endif
