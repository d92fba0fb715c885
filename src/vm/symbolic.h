/* symbolic.h - the part of vm.h for runs that keep expressions beside concrete words; vm.h includes it at its
 * end.
 *
 * A run follows one input from the entry to an ending and never asks the solver. Wherever another input could
 * have gone another way it leaves a decision: the condition that held, and alternatives that are disjoint
 * and, together with what held, exhaustive. What an explorer makes of them is not the machine's business.
 *
 * Names. Decisions, input objects and memory objects are named by execution index (call path, loop counters,
 * instruction), never by "the n-th so far": runs that differ in unrelated code name the same thing alike. */
#ifndef SHEAF_VM_SYMBOLIC_H
#define SHEAF_VM_SYMBOLIC_H

#include "expr/expr.h"
#include "vm/ledger.h"

struct Flow;
struct FlowSite;

/* ---- what is symbolic ------------------------------------------------------------------------ */

typedef struct VmSymbolicFile {
    const char *name;
    uint32_t size, optional; /* bytes; so many of them may be missing at the end */
} VmSymbolicFile;

/* From min to max arguments of up to `length` bytes each. */
typedef struct VmSymbolicArgs {
    uint32_t min, max, length;
} VmSymbolicArgs;
enum { VM_ARGUMENTS_MOST = 64 }; /* symbolic ones, in all */
/* The input that says how many arguments a group has: what is out of range counts as min. */
Expr vm_args_number(ExprPool *pool, uint32_t group);
/* Name and key of the input that the i-th of all symbolic arguments is, if it is of that group. */
void vm_argument_name(uint32_t i, uint32_t group, char name[16], char key[32]);

/* What is behind a pointer of the entry. */
typedef enum VmShape {
    VM_SHAPE_BYTES, /* as many bytes as the code uses; the object of any other pointer, too */
    VM_SHAPE_TYPES  /* what C's types and the names of lengths say; all are separate (sym_shape.c) */
} VmShape;

/* Inputs beside those that the program itself names (sheaf_symbolic, klee_..., __VERIFIER_nondet_...). */
/* How large the object behind a pointer is, by the name of the object: "*p". */
typedef struct VmInputExtent {
    const char *name;
    uint32_t bytes;
} VmInputExtent;

typedef struct VmInputs {
    bool stdin_symbolic;
    uint32_t stdin_size;      /* standard input has so many bytes, all symbolic */
    uint32_t stdin_optional;  /* so many of them may be missing at the end */
    Vec(VmSymbolicArgs) args; /* behind the concrete ones, one group after the other */
    Vec(VmSymbolicFile) files;
    const char *entry;        /* a function to call with symbolic arguments; NULL: main, or if there is none
                                 LLVMFuzzerTestOneInput */
    uint32_t environment;     /* bits of LedgerEnv that are inputs */
    uint32_t fuzz_size;       /* bytes of its data at most */
    uint32_t pointer_objects; /* objects made behind the entry's pointers, at most */
    uint32_t object_size;     /* elements of such an object where the type does not tell */
    const VmInputExtent *extents; /* with VM_SHAPE_BYTES: of these that is known; the caller's */
    uint32_t nextents;
    VmShape shape;                                   /* what those objects are */
    uint32_t string_most, elements_most, depth_most; /* with VM_SHAPE_TYPES: bounds, at least 1 */
    uint32_t calls_most; /* of an entry that is a driver: mutators that are called, at most */
    bool aliases; /* with VM_SHAPE_TYPES: a pointer may lead to the object of an earlier one of its type */
    bool alike;   /* such pointers would make no difference: they count as tried */
    bool all_globals; /* free every global that is not constant */
    StrVec globals;   /* or these */
} VmInputs;

/* A function that calls do not enter: the result is an application of `name` to the arguments. It has one
 * result, neither effects nor faults, and `call` evaluates it; `context` must outlive the pool. */
typedef struct VmAbstract {
    uint32_t fn;
    uint32_t depth; /* entered while fewer activations of it are under way */
    const char *name;
    ExprFnCall call;
    void *context;
} VmAbstract;
enum { VM_ABSTRACT_ARGS = 8 }; /* of such a function, at most */

typedef struct VmSymbolicOptions {
    VmInputs inputs;
    const VmAbstract *abstract; /* the caller's, for as long as the machine */
    uint32_t nabstract;
    uint32_t loop_bound;         /* iterations of one loop with symbolic decisions, 0: none */
    uint32_t size_candidates;    /* sizes tried for one symbolic size */
    uint32_t pointer_candidates; /* objects tried for one symbolic pointer before the residual alternative */
    uint32_t max_decisions; /* of one run, 0: 2^20. Beyond, decisions are not varied; with labels it ends */
    size_t snapshot_bytes;  /* memory for snapshots; 0: none are made */
    bool labels;            /* keep for each value the decisions that it depends on; needs flow */
    struct Flow
        *flow; /* analyses of the program, by the same entry; must outlive the machine's symbolic mode */
    unsigned policy; /* FLOW_TIE_...: which abnormal ends are dependences */
    uint32_t watch_file,
        watch_line; /* with labels: a line whose value's label the trace is to tell; line 0: none */
    const struct FlowSite *sinks; /* with labels: instructions that are sinks besides fault checks (VmSink) */
    uint32_t nsinks;
    bool sinks_all;     /* every instruction is one */
    bool iterations;    /* with labels: decisions record the loops around them */
    bool reached;       /* with labels: what an entry shows includes libc's state, and what it made and can be
                           reached from there; and text that was written is told from text that waits */
    bool revisits;      /* runs may go on as one of the latest did, beyond what they are to resume */
    unsigned rules_off; /* for tests: rules of labels that are left out (label_int.h) */
    bool visits;        /* the trace lists blocks of the user's code as they are entered; without snapshots */
    bool keys;          /* the trace has a key of the state before each decision (VmTrace.keys) */
    bool renames;       /* with keys: states have inputs that calls make by number (VmState.inputs) */
    unsigned key_outputs; /* with labels: what was output so far is part of it, of the streams 1 << number (0:
                             what is named) */
    bool concrete;        /* inputs are the numbers that they are: no expressions, few decisions */
    bool verify;          /* hold every expression against its word: for tests, slow */
} VmSymbolicOptions;

/* Decisions of one run that are recorded. */
static inline uint32_t vm_decisions_most(const VmSymbolicOptions *o)
{
    return o->max_decisions ? o->max_decisions : UINT32_C(1) << 20;
}

/* ---- a run ----------------------------------------------------------------------------------- */

typedef enum VmDecisionKind {
    VM_DECISION_BRANCH,
    VM_DECISION_SWITCH,  /* one alternative for each distinct target */
    VM_DECISION_CHECK,   /* the alternative is a fault */
    VM_DECISION_POINTER, /* which object a symbolic pointer selects; where memory ends */
    VM_DECISION_CALL,    /* which function */
    VM_DECISION_SIZE,    /* which size of a symbolic allocation or block operation */
    VM_DECISION_VALUE,   /* a concretisation: expression == value; the residual alternative: another value */
    VM_DECISION_ASSUME,  /* no alternative: what was assumed */
    VM_DECISION_INPUT    /* shape of an input: number of arguments, null or object, ... */
} VmDecisionKind;

typedef struct VmAlternative {
    Expr condition; /* one bit; implies neither what held nor another alternative */
    bool is_fault;
    bool residual; /* stands for several: a run into it decides again */
    VmFaultKind fault;
    uint32_t fn, block; /* where it leads, for coverage; IR_NONE if unknown */
} VmAlternative;

typedef struct VmSnapshot VmSnapshot;

/* Positions in a run's list of decisions: expr_set_has, expr_set_next, expr_set_subset, ... of the machine's
 * pool. */
typedef ExprSet VmLabel;

/* How often a loop's back edge had been taken, since the loop was entered. */
typedef struct VmLoopCount {
    uint32_t loop; /* of the function: index into IrFn.loops */
    uint32_t count;
} VmLoopCount;

/* An activation of a function: the call that made it, in the activation that called. Numbers hold for a
 * machine. */
typedef struct VmPath {
    uint32_t parent;                   /* IR_NONE: the machine's own first frame */
    uint32_t fn;                       /* that runs in it */
    uint32_t at_fn, at_block, at_insn; /* of the call; IR_NONE in the first */
    uint32_t nloops;
    VmLoopCount *loops; /* around the call, outermost first */
} VmPath;

/* A run copies those before the snapshot that it goes on from: it is one cache line. */
typedef struct VmDecision {
    uint64_t index;           /* its name: hash of the execution index */
    uint32_t fn, block, insn; /* IR function, block, instruction */
    uint32_t site;
    Expr holds;            /* EXPR_TRUE: nothing symbolic */
    uint32_t first, count; /* its alternatives, in the trace's list */
    uint32_t took;         /* block that followed, IR_NONE if it is no branch */
    VmLabel label;         /* with labels: earlier decisions that it depends on */
    uint32_t path;         /* with labels: where, for vm_path */
    VmDecisionKind kind : 6;
    bool forced : 1;      /* with labels: concrete, but it depends on decisions that its
                             context does not name */
    bool counts : 1;      /* with it an iteration, or a recursion, counted for the bound of loops */
    bool entailed : 1;    /* with labels: earlier decisions imply it, and exclude the others */
    uint32_t nloops : 23; /* with labels, if asked for: iterations of the loops around it in
                             its function, in the trace's list, outermost first */
    uint32_t first_loop;
    VmSnapshot *snapshot; /* state before it (or before an earlier one), or NULL, as of a forced one; held by
                             the trace */
} VmDecision;

/* Where an input object comes from. */
typedef enum VmInputOrigin {
    VM_INPUT_CALL,     /* sheaf_symbolic, klee_..., __VERIFIER_nondet_... */
    VM_INPUT_ARGUMENT, /* a word of the command line */
    VM_INPUT_STDIN,
    VM_INPUT_FILE,      /* `of`: its name */
    VM_INPUT_FUZZ,      /* data of LLVMFuzzerTestOneInput, as long as `size` */
    VM_INPUT_PARAMETER, /* of the entry function */
    VM_INPUT_POINTEE,   /* behind a pointer of another input, named by its access path */
    VM_INPUT_GLOBAL,
    VM_INPUT_CALLBACK, /* a function behind such a pointer; `of`: what it returns, a letter of
                          IrFn.native, or b: _Bool */
    VM_INPUT_RESULT,   /* what a call of one returned */
    VM_INPUT_STREAM    /* what can be read from a FILE behind such a pointer */
} VmInputOrigin;

/* An input object in the order in which the run met it, for tests. */
typedef struct VmInputUse {
    ExprObject object;
    VmInputOrigin origin;
    const char
        *of; /* of a file its name, of a call the function; NULL if neither. Lives as long as the machine */
    uint32_t size; /* bytes of the object that are part of the input (fuzz data: fewer than it has; an
                      argument ends at its NUL) */
    uint32_t site;
} VmInputUse;

/* The 8 bytes at `offset` of one input (indices into the trace's inputs) hold the address of another plus
 * `delta`. */
typedef struct VmInputLink {
    uint32_t input, offset, target, delta;
    VmLabel label; /* that it leads there; with labels */
} VmInputLink;

/* How printf shows a value. */
typedef struct VmFormat {
    char conversion;          /* d i u o x X c p e E f F g G a A; 0: none, plain bytes */
    uint8_t flags;            /* a bit for each of "-+ #0'", in this order */
    int32_t width, precision; /* 0: no width; -1: no precision */
} VmFormat;

/* A check that passed, or another sink, and what it depends on beyond being reached. Checks of addresses are
 * not here: where an address depends on something, that is a decision. Seldom one label twice. */
typedef struct VmSink {
    VmLabel label;
    uint32_t at; /* decisions made before it */
} VmSink;

enum { VM_OUTPUT_ENTRY = -1, VM_OUTPUT_GIVEN = 3 };
/* How the names of outputs begin that are objects of the caller which the entry freed. Shown with
 * VmSymbolicOptions.reached. */
#define VM_OUTPUT_FREED "free("

/* Something that the program showed, in the order of its calls. */
typedef struct VmOutput {
    uint64_t index;   /* its name: hash of the execution index */
    int stream;       /* 1, 2: standard output, error; 0: sheaf_output; VM_OUTPUT_ENTRY: what the entry
                         function returned, and what it may write ("": that there is no more of it);
                         VM_OUTPUT_GIVEN and above: a stream of the caller */
    const char *name; /* but of 1, 2; lives as long as the machine */
    VmFormat format;  /* of a printed value */
    Expr value;       /* of a printed value, EXPR_NONE if it is concrete */
    int waits; /* with `reached`, of text: 1 + the descriptor in whose FILE's buffer it is; 0: in none */
    uint32_t written;  /* with `reached`, of text: when it left its buffer, counted from 1; 0: it waits */
    bool unchanged;    /* VM_OUTPUT_ENTRY: the bytes are as they were at first */
    uint32_t first, n; /* bytes, in the trace's list (of a printed value those of the value) */
    uint32_t site;
    uint64_t call; /* of the library: outputs of one call have the same; 0: of none */
    VmLabel label;
} VmOutput;

/* A block that was entered. Blocks without code of their own are entered together with the one behind
 * them. */
typedef struct VmVisit {
    uint32_t fn, block;
    uint32_t decisions; /* made before */
} VmVisit;

/* A fingerprint of a state of the machine: all that decides how a run goes on, and nothing of how it came
 * there. Equal keys: the same expressions in the same places, up to the addresses of objects. */
typedef struct VmKey {
    uint64_t a, b;
} VmKey;

/* A state, with its inputs that calls have made (sheaf_symbolic, __VERIFIER_nondet_int): two states with one
 * key are one state whose inputs have other names. */
typedef struct VmState {
    VmKey key;
    uint32_t inputs; /* for vm_state_inputs */
} VmState;

typedef struct VmTrace {
    Vec(VmDecision) decisions;
    Vec(VmState) keys; /* if asked for: of the state before each decision */
    Vec(VmAlternative) alternatives;
    Vec(VmInputUse) inputs;
    Vec(VmInputLink) links;
    VmResult result;        /* its stack belongs to the trace */
    Expr status;            /* of the exit status, 32 bits; EXPR_NONE if it is concrete */
    Vec(VmLoopCount) loops; /* of decisions */
    Vec(VmOutput) outputs;  /* with labels only, as all that follows */
    Vec(Expr) output_bytes;
    U32Vec
        uninitialised; /* with VM_FAULT_UNINIT: those of output_bytes, in order, that the entry left unset */
    Vec(VmSink) sinks;
    VmLabel ending; /* what the run's ending where it ended depends on */
    VmLabel status_label;
    VmLabel watched;       /* of what the watched line computed when it last ran */
    uint64_t watched_runs; /* how often it began */
    VmLabel streams[5];    /* that nothing else was written to 1 or 2 (read from 0), and nothing less; 3: to
                              files; 4: given to sheaf_output */
    Vec(VmVisit) visits;   /* if asked for */
    uint64_t own_steps;    /* instructions of this run, without those before the snapshot it began with */
    uint32_t writes;       /* with `reached`: how often text has left a buffer */
    bool spilled;          /* with `reached`: a part of what waited has, and how much depends on its length */
    uint32_t applied;      /* calls that were not entered (VmAbstract) */
    bool resumed;
    bool endless;   /* it came to a state that it was in before, and ends there (VM_END_LIMIT): what follows
                       would follow again */
    bool repeats;   /* it did so at its last decision, which it has not taken; with keys */
    bool set_aside; /* it is not over: it ran out of patience (vm_patience) */
} VmTrace;

/* Puts a machine into symbolic mode. The pool, ledger and environment must outlive it. Functions prepared
 * before are prepared again. */
void vm_symbolic(struct Vm *vm, ExprPool *pool, Ledger *ledger, const VmEnvironment *environment,
                 const VmSymbolicOptions *options);

/* Runs the input to an ending. `resume` (may be NULL) is a hint: the machine goes on from the deepest of its
 * chain of snapshots (with `revisits`, of those of the latest runs too) whose decisions all hold under the
 * input, else from the entry. The result is the same with and without. The trace belongs to the caller:
 * vm_trace_free. */
VmTrace *vm_run_input(struct Vm *vm, const ExprInput *input, VmSnapshot *resume);
void vm_trace_free(struct Vm *vm, VmTrace *trace);
/* Ids of ExprObjects, in the order of the state. Until the machine's next state. */
typedef struct VmInputList {
    const uint32_t *v;
    uint32_t n;
} VmInputList;
/* Runs from now on that come to a state they were in end there only if they have made so many decisions. */
void vm_endure(struct Vm *vm, uint32_t decisions);
VmInputList vm_state_inputs(const struct Vm *vm, const VmState *state);
/* What a pointer of the entry leads to by C's types (VM_SHAPE_TYPES), whether or not the run followed it. */
typedef enum VmOutlineKind {
    VM_OUTLINE_ONE,     /* an object of its type; trailing: with `most` elements in the array at its end */
    VM_OUTLINE_STRING,  /* of up to `most` characters */
    VM_OUTLINE_COUNTED, /* as many elements as `length` says */
    VM_OUTLINE_USED,    /* `most` elements */
    VM_OUTLINE_STREAM   /* a FILE, of up to `most` bytes */
} VmOutlineKind;
typedef struct VmOutline {
    VmOutlineKind kind;
    uint32_t type;             /* C's, of an element; 0: not known */
    uint32_t most, size, unit; /* elements; bytes, and of one element */
    bool trailing, nonnull;
    const char *name, *length; /* as C writes them, length: NULL if there is none */
    const char *used;          /* what else is at most the length: ", b->len <= b->cap"; NULL: nothing */
    const char *opaque;        /* no object of it can be made: what it is; else NULL */
    uint32_t behind;           /* the input that it leads to, whose pointers can be asked for in turn */
} VmOutline;
/* Of two machines on one pool, which run versions of a program: a pointer, as C writes it, behind which they
 * have objects of different shapes; NULL: none. */
const char *vm_shapes_differ(const struct Vm *a, const struct Vm *b);
/* Of the pointer at `offset` of an input of the trace, to which the objects behind are added. */
VmOutline vm_outline(struct Vm *vm, VmTrace *trace, uint32_t input, uint32_t offset);
/* From now on a run that meets so many alternatives after the place where it began is set aside there. 0:
 * none is. */
void vm_patience(struct Vm *vm, uint32_t alternatives);

/* Snapshots are counted references; under the memory budget the machine may empty one at any time (it then
 * only names its parent), which costs re-execution and never changes a result. */
VmSnapshot *vm_snapshot_hold(VmSnapshot *s);
void vm_snapshot_drop(struct Vm *vm, VmSnapshot *s);
size_t vm_snapshot_bytes(const struct Vm *vm);
size_t vm_path_bytes(
    const struct Vm *vm); /* with labels: what activations take (vm_path), until the next vm_symbolic */

/* Appends what printf prints for a value of `size` bytes. */
void vm_format_render(const VmFormat *format, unsigned size, u128 value, Str *out);
/* Of `reached`: the name of what the pointer at `offset` of the output `name` leads to. */
void vm_reached_name(const char *name, uint32_t offset, char *out, size_t size);
/* What the program wrote to a descriptor (1, 2) in the last run, rendered with the run's input. Bounded. */
void vm_output_text(struct Vm *vm, int fd, Str *out);

/* A function of libm applied, as the machine does it: an operator, or an application that is evaluated
 * natively. EXPR_NONE if it is no such function, writes through a pointer, or takes other arguments. The
 * arena must last as long as the pool. */
Expr vm_pure_apply(ExprPool *p, Arena *keep, const char *name, const Expr *values, uint32_t n);

/* A kind of C's types, and a place, as the printer of expressions knows them. */
ExprCKind vm_c_kind(IrCKind kind);
/* The C type of an input object, of one element of it; 0: it is not known. */
uint32_t vm_input_ctype(const Vm *vm, ExprObject object);
ExprField vm_field(const IrProgram *program, const IrCField *field);
/* The name of a variable as its source has it: "f.buf.1" is buf. `n`: how long it is. */
const char *vm_plain_name(const char *name, size_t *n);

/* An activation by the number that a decision has. */
const VmPath *vm_path(const struct Vm *vm, uint32_t path);

/* ---- coverage of the user's code, over all runs of a machine --------------------------------- */

typedef struct VmCoverage {
    uint32_t blocks, blocks_covered;
    uint32_t branches, branches_covered; /* sides of conditional branches and switches */
    uint32_t lines, lines_covered;
} VmCoverage;
/* Of an entry other than main: of the functions that it can come to. */
VmCoverage vm_coverage(const struct Vm *vm);
void vm_coverage_add(struct Vm *vm,
                     const struct Vm *from); /* what another machine has covered of the same program */
/* Did the last run execute a block, or take a branch outcome, that no run did that was kept? Runs are kept as
 * tests or not: one that is not counts as if it had executed nothing. vm_coverage counts all of them. */
bool vm_coverage_is_new(const struct Vm *vm);
void vm_coverage_keep(struct Vm *vm); /* the last run is kept; before the next one */
void vm_coverage_kept_add(
    struct Vm *vm,
    const struct Vm *from); /* what runs of another machine cover that were kept; between runs */
/* As bytes, and added to what a machine of the same program has covered, between runs; if so, also to what
 * runs cover that were kept. */
void vm_coverage_write(struct Vm *vm, Str *out);
bool vm_coverage_read(struct Vm *vm, Wire *in, bool kept);
bool vm_coverage_grew(const struct Vm *vm); /* did the last run execute a block, or take a branch outcome,
                                               that no run had before? */
/* Blocks and branch outcomes, as numbers that all machines of a program share, of the last run and of the
 * runs that were kept: of the run alone on a machine that keeps none. Adds to out. */
void vm_coverage_last(const struct Vm *vm, BitSet *out);
/* Those of the last run alone that no run covers that was kept. Clears and fills out. */
void vm_coverage_added(const struct Vm *vm, U32Vec *out);
void vm_coverage_keep_cells(struct Vm *vm, const BitSet *cells); /* as if runs were kept that cover these */
bool vm_block_covered(const struct Vm *vm, uint32_t fn, uint32_t block);
/* Did the last run execute the block, or if `to` is a block take the edge to it? Blocks that runs executed
 * that were kept count as well: for a machine whose runs are not. False of models. */
bool vm_run_executed(const struct Vm *vm, uint32_t fn, uint32_t block, uint32_t to);
bool vm_edge_kept(const struct Vm *vm, uint32_t fn, uint32_t block,
                  uint32_t to); /* did a run take it that was kept? */
/* The branch at the end of the block has been decided, and one of its sides was never taken. */
bool vm_branch_open(const struct Vm *vm, uint32_t fn, uint32_t block);

#endif
