/* sym_int.h - private to vm: what symbolic mode adds to the machine, and what its files share.
 *
 * A register's shadow (its low half) is the id of an expression whose value under the run's input is the
 * register's word. A value of two registers has the whole expression on the low one and that of its high word
 * on the high one: so for every register the word is the low 64 bits of the expression's value. Bytes of
 * objects have cells (SymBytes).
 *
 * Uninitialised bits (--check uninit) use the same half of the shadow, marked by SHADOW_UNDEF. Where both
 * meet in one value, the expression is given up for its value by a decision: nothing is lost, it only costs
 * runs. */
#ifndef SHEAF_VM_SYM_INT_H
#define SHEAF_VM_SYM_INT_H

#include "vm/symbolic/sym.h"

/* ---- symbolic bytes of an object: sym_bytes.c ------------------------------------------------ */

enum { SYM_PAGE_LOG = 6, SYM_PAGE = 1 << SYM_PAGE_LOG };

/* Cells, shared until a write. A cell is 0 for a concrete byte, else an expression of whole bytes
 * (low half) and which of its bytes this is (high half). */
typedef struct SymPage {
    uint32_t refs;
    uint64_t cells[SYM_PAGE];
} SymPage;

struct SymBytes {
    uint32_t refs;
    uint32_t npages;
    uint32_t count;   /* cells that are not 0 */
    ExprArray array;  /* if it has an id: what bytes without a cell are, by index */
    SymPage *pages[]; /* NULL: all 0 */
};

/* The object's cells, its own to write. */
SymBytes *sym_bytes_own(Object *o);
static inline uint64_t sym_cell(const Object *o, uint64_t offset)
{
    const SymPage *page = o->sym->pages[offset >> SYM_PAGE_LOG];
    return page ? page->cells[offset & (SYM_PAGE - 1)] : 0;
}
void sym_cell_set(Object *o, uint64_t offset, uint64_t cell); /* 0: concrete */
/* The expression of a byte; EXPR_NONE if it is concrete. */
Expr sym_byte(Vm *vm, const Object *o, uint64_t offset);
/* The same, with a constant for a concrete one. */
Expr sym_byte_or_const(Vm *vm, const Object *o, uint64_t offset);
bool sym_any(const Object *o, uint64_t offset, uint64_t n);     /* is a byte of these symbolic? */
void sym_clear(Vm *vm, Object *o, uint64_t offset, uint64_t n); /* bytes are what the payload says */
/* n bytes from `offset` on become the bytes of e (8 * n bits); the payload is the caller's to set. */
void sym_set(Vm *vm, Object *o, uint64_t offset, unsigned n, Expr e);
Expr sym_word(Vm *vm, const Object *o, uint64_t offset,
              unsigned n);                   /* EXPR_NONE if all are concrete; n <= 16 */
void sym_become(Object *o, ExprArray array); /* its bytes are those of the array; none has a cell */
/* Moves symbolic bytes with concrete ones: blocks of any objects, overlap allowed. Payloads are the
 * caller's. */
void sym_copy(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n);

/* ---- values: sym_value.c --------------------------------------------------------------------- */

/* The value of an expression under the run's input. */
u128 sym_eval(const Vm *vm, Expr e);

/* A copy of what a function of that name evaluates with, made once and kept as long as the machine lives. */
void *sym_keep(Vm *vm, const char *name, const void *context, size_t size);

/* ---- addresses: sym_access.c ----------------------------------------------------------------- */

/* The object that an access of n bytes at a symbolic address is made to, by decisions; false: it faults, the
 * run ended. */
bool sym_resolve(Vm *vm, Expr address, uint64_t word, uint64_t n, bool write, Object **object);
bool sym_load(Vm *vm, Expr address, uint64_t word, unsigned width, Reg *out);
bool sym_store(Vm *vm, Expr address, uint64_t word, unsigned width, const Reg *value);

uint32_t sym_root(Vm *vm); /* register that the address under way is computed from, or IR_NONE */
/* Decides the shapes of input pointers in an address (sym_lazy.c). False: the run ended. */
bool sym_pointers(Vm *vm, Expr address, uint64_t n);
bool sym_passed(Vm *vm, Expr address); /* the same of one that is passed on (sym_lazy_passed) */

bool sym_is_settled(Vm *vm, Expr address); /* has it one value on this path, as far as that shows? */

/* ---- strings: sym_window.c, as prim.def has them ---------------------------------------------- */

bool sym_prim_window(PrimCall *call);
bool sym_prim_window_pair(PrimCall *call);
bool sym_prim_peek(PrimCall *call, Expr *byte);

/* ---- pointers of inputs: sym_lazy.c ---------------------------------------------------------- */

bool sym_lazy_is(Vm *vm, Expr e);
/* An access of n bytes, `constant` behind what may be such a pointer, one with bits altered, or an ite of
 * some: its shape is decided, and it has one value from then on. *done: it was one. False: the run ended. */
bool sym_lazy(Vm *vm, Expr term, uint64_t constant, uint64_t n, bool *done);
/* A call through such a pointer: it is null, or leads to a stub. False: the run ended. */
bool sym_lazy_call(Vm *vm, Expr e);
/* Such a pointer is passed to unknown code: an array has the length that its shape says, if it is
 * there. False: the run ended. */
bool sym_lazy_passed(Vm *vm, Expr term);
bool sym_lazy_is_number(Vm *vm, Expr e); /* as wide as a pointer, but its type says that it is none */
/* If e is an ite with such pointers among its leaves: the leaf that the input selects, by decisions; else
 * e. */
Expr sym_lazy_leaf(Vm *vm, Expr e);
void sym_lazy_finish(Vm *vm); /* end of a run: pointers into those objects that were not followed */

/* ---- shapes of what is behind them, by C's types: sym_shape.c -------------------------------- */

typedef enum SymShapeKind {
    SHAPE_ONE,
    SHAPE_STRING,
    SHAPE_COUNTED,
    SHAPE_USED,
    SHAPE_CALLBACK,
    SHAPE_STREAM
} SymShapeKind;

typedef struct SymShape {
    SymShapeKind kind;
    uint32_t type, unit;   /* C's, of an element, 0: not known; bytes of one */
    uint32_t path;         /* interned: the way to it, by offsets */
    uint32_t name, clause; /* interned: the pointer as C writes it; and where it stands for those of a list */
    uint32_t length, used; /* interned, of a counted one: its length; what else is at most that, 0: nothing */
    uint32_t bounds, sensible;     /* interned: "n <= 3"; "n >= 0" */
    uint32_t parent, depth, first; /* shape that holds the pointer, 0: a parameter; objects of its type on the
                                      way, and the first of them */
    uint32_t size, filled, most;   /* bytes; as many of them as are symbolic; elements or characters */
    bool is_told; /* the function can know where it ends; of a string, where to stop reading */
    bool lone;    /* a member says how much of it is used: there may be room behind that */
    bool bounded, trailing, fits, noted; /* fits: it is not too deep */
    bool grows;                          /* with the bound, and only an access beyond its end shows that */
    bool reached;       /* of a string or stream: an access came to its last byte; of what grows: beyond it */
    bool nonnull;       /* it is never NULL: an attribute says so */
    bool handle;        /* a driver makes it: here it is NULL */
    bool given, beyond; /* by a harness (sym_given.c); it stands for one of more elements than are tried */
    const char *opaque; /* it cannot be made: what it is; else NULL */
    uint32_t returns;   /* of a callback: the type of its result, 0: none */
    uint32_t result; /* 1 + the input that the way to it begins with, if a callback returned that; else 0 */
    ExprObject object;
    Expr limit, range; /* EXPR_NONE: its size; what is assumed of its length */
    Expr tame;         /* of rows and columns: no more of them than are tried; else EXPR_NONE */
    Expr negative; /* of an array whose length is a signed parameter: that is less than 0; else EXPR_NONE */
} SymShape;

bool sym_shape_typed(const Vm *vm); /* are shapes by types asked for? */
/* The shape of what the pointer at `offset` of an input leads to, a number from 1 on. */
uint32_t sym_shape_of(Vm *vm, uint32_t input, uint32_t offset);
/* Of a parameter that leads to an array of rows and columns; 0: it does not. */
uint32_t sym_shape_of_area(Vm *vm, uint32_t input);
const SymShape *sym_shape_at(const Vm *vm, uint32_t shape);
void sym_shape_assumed(Vm *vm, uint32_t shape); /* an answer depends on it from now on */
/* Are n bytes from the offset on inside of the object's limit? Of a limited one, if they are inside of its
 * payload. */
Expr sym_limit_inside(Vm *vm, const Object *o, Expr offset, uint64_t n);
void sym_shape_reached(Vm *vm, uint32_t shape);           /* its last byte may be accessed */
bool sym_shape_negative(const Vm *vm, const SymShape *s); /* is its length negative under the run's input? */
/* A byte of it as people see it: the NUL that ends the longest string is an input like those before it. */
Expr sym_shape_byte(Vm *vm, const Object *o, uint64_t offset);
Expr sym_limit(Vm *vm, const Object *o);                         /* of a limited object: its bytes */
Expr sym_string_limit(Vm *vm, ExprObject object, uint32_t most); /* 1 + the place of its first NUL */
void sym_need_call(Vm *vm, uint32_t input, uint32_t offset);     /* of a call through the pointer there */
uint32_t sym_lazy_shape(Vm *vm, Expr e); /* of what the pointer leads to; 0: it is none of an input's */
/* sym_lazy.c: the way to what a pointer leads to, without types */
void sym_pointee_path(Vm *vm, uint32_t input, uint32_t offset, Str *out);
/* sym_area.c: a product of parameters, times a constant: how many bytes an index goes over. */
enum { SYM_AREA_MOST = 3 };
typedef struct SymArea {
    uint32_t factors[SYM_AREA_MOST], n;      /* parameters of the function; none: nothing is known */
    uint32_t beside[SYM_AREA_MOST], nbeside; /* those that bound what is added: columns */
    uint64_t scale;
    bool unclear; /* it is a product, but of what is not known */
} SymArea;
SymArea sym_area_of(const IrProgram *program, const IrFn *ir, uint32_t index, uint64_t unit);
/* What a callee's area is in terms of the caller's parameters. */
SymArea sym_area_passed(const IrProgram *program, const IrFn *ir, const SymArea *inside, const uint32_t *args,
                        uint32_t nargs);
void sym_area_join(SymArea *to, SymArea by);
bool sym_area_is_loose(
    const SymArea *a); /* does something else than its factors say how far an index goes? */
bool sym_area_is_bound(const IrFn *ir, uint32_t param); /* does something stay below this parameter? */
bool sym_area_name(const char *name);                   /* `rows`, `width`: of an array in two dimensions */
/* sym_extent.c: how far a register of a function is used as a pointer: bytes at constant offsets, and where
 * an index is variable; is it kept somewhere; is what is behind it written before it is read; does the code
 * go to what stands before it? */
typedef struct SymExtent {
    uint32_t need, guess;
    uint32_t step, far; /* the largest step from its start; the furthest offset where something variable is */
    bool kept, filled, back;
    bool text, ends; /* it goes to a function that reads a string there; a byte of it is compared with NUL */
    SymArea area;    /* over which an index goes from its start */
} SymExtent;
SymExtent sym_extent(Vm *vm, uint32_t fn, uint32_t reg);
uint64_t sym_extent_elements(const Vm *vm);                       /* where their number is unknown */
void sym_extent_raise(uint32_t *to, uint64_t offset, uint64_t n); /* n bytes there are within it, too */
/* sym_given.c: what a harness makes, as runtime/prim.h has it */
typedef enum SymGiven { SYM_GIVEN_LIMIT, SYM_GIVEN_STRING, SYM_GIVEN_BEYOND } SymGiven;
bool sym_prim_given(PrimCall *call);
bool sym_prim_nullness(PrimCall *call);
bool sym_prim_bound(PrimCall *call, bool asked);
/* sym_stream.c: streams of the caller. */
uint32_t sym_stream_bytes(const Vm *vm);             /* of an object for one; 0: the program has no streams */
bool sym_stream_make(Vm *vm, Object *o);             /* a FILE before its first use; false: the run ended */
uint32_t sym_stream_size(Vm *vm, const SymShape *s); /* bytes to read in this run */
const char *sym_stream_output(const Vm *vm,
                              int fd); /* what is written there, by its name; NULL: it is none */
/* A primitive on the descriptor of one: decides what the stream is. *done: that is all. False: the run ended.
 */
bool sym_stream_prim(PrimCall *call, PrimFn prim, bool *done);
bool sym_prim_stream(PrimCall *call);
/* sym_types.c: the places of an input whose type is known */
void sym_type_fields(Vm *vm, ExprObject object, Arena *a, IrCFieldVec *out);
bool sym_type_is_number(Vm *vm, ExprObject object, uint32_t offset); /* is what is there known to be one? */

/* ---- decisions: sym_decide.c ----------------------------------------------------------------- */

/* Alternatives are added first, then the decision is made. Impossible alternatives are dropped; a decision
 * whose condition is true or known to hold leaves nothing. */
void sym_add_alternative(Vm *vm, VmAlternative alternative);
void sym_decide(Vm *vm, VmDecisionKind kind, Expr holds, uint32_t took);
void sym_force_beyond(Vm *vm, VmDecisionKind kind,
                      uint32_t took); /* sym_force, if they are known to depend on more */
/* A fault check: true if the input faults, which the caller then reports. */
bool sym_check(Vm *vm, Expr faulty, VmFaultKind kind);
/* A choice among sizes, as above but with its own budget. */
u128 sym_concretise_size(Vm *vm, Expr e);
bool sym_known(const Vm *vm,
               Expr condition); /* of one that is true under the input: is it so on the whole path? */
/* What e is known to equal, a constant, or e itself. */
Expr sym_resolved(const Vm *vm, Expr e);
void sym_learn(Vm *vm, Expr condition);       /* it holds on this path */
void sym_learn_again(Vm *vm, Expr condition); /* it did before the snapshot that the run goes on from */
uint32_t sym_next_epoch(struct Sym *s);       /* what was known is not known any more */
const CodePlace *sym_place_new(Vm *vm);
static inline const CodePlace *sym_place(Vm *vm) /* of the instruction under way */
{
    const FnCode *fn = FRAME(vm->regs)->fn;
    uint64_t at = (uint64_t)(vm->pc - fn->start);
    const CodePlace *known = fn->places && at < fn->ncode ? fn->places[at] : NULL;
    return LIKELY(known != NULL) ? known : sym_place_new(vm);
}
/* Leaves of nested ites that are constants, distinct, at most `most`; false if there are others or more. */
bool sym_leaves(const ExprPool *p, Expr e, u128 *out, uint32_t *n, uint32_t most);

/* ---- the state of symbolic mode -------------------------------------------------------------- */

typedef struct SymRange {
    uint64_t low, high; /* low > high: not computed */
} SymRange;

enum { SYM_RECENT = 64 }; /* a power of two */

/* Of the search for a state that repeats: sym_endless.c. */
struct SymWatch {
    uint64_t decisions;
    uint64_t wait, at; /* instructions, until the state is kept; when that is */
    uint32_t pauses;   /* that are left; 0: none is kept */
    uint32_t compared;
    const Code *pc;
    const Reg *regs;
    uint64_t state;
};

struct Sym {
    ExprPool *pool;
    Ledger *ledger;
    const VmEnvironment *environment;
    VmEnvironment merged; /* with symbolic arguments */
    VmSymbolicOptions options;
    ExprEval *eval; /* under the input of the run */
    const ExprInput *input;
    VmTrace *trace; /* of the run under way */
    VmTrace *spare; /* one that was freed: the next run's has room in it. NULL: none */
    struct SymLengths {
        uint32_t decisions, alternatives, loops, outputs, output_bytes, sinks;
    } last;                          /* of the last one's trace: the next is often as long */
    Vec(VmAlternative) alternatives; /* of the decision about to be made */
    U32Vec known; /* by expression id: epoch (of a run, with labels of an instruction) in which it holds */
    uint32_t epoch, run_epoch; /* now, and when the run began */
    ExprSet path_fixed;        /* symbols that have one value on this path */
    ExprSet fixed;             /* the same; with labels: by what the instruction decided */
    Map equal;                 /* expression id to the constant it equals on this path */
    Map tries;                 /* decision to how often it had a residual alternative, over all runs */
    Map extent_of;             /* function and register to how far it is used as a pointer: */
    Vec(SymExtent) extents;
    StrMap contexts; /* name of a function that is applied to its copy in Vm.keep */
    Map units;       /* of input objects behind pointers: size of the one place used, 0: several */
    Map ctypes;      /* of input objects: C's type, behind a pointer of one element */
    Vec(SymShape) shapes;
    Map bounds;                 /* of input objects: the most that they can be (sheaf_size) */
    Map shape_of, shape_behind; /* of pointers, by input object and offset; of the objects behind them */
    Map numbers;                /* sym_type_is_number, by input object and offset */
    uint32_t last_shape;        /* of the pointer that the instruction under way followed, 0: none */
    Map untried;                /* input objects that a pointer could have led to, but for their size */
    U32Vec variables;           /* the user's that code from the entry on can name, once they are known */
    bool variables_known;
    const char *state;    /* what is assumed of the variables that the entry finds, once that is known */
    Map tables;           /* base of a constant object to its contents as an array */
    Vec(SymRange) ranges; /* by expression id */
    uint8_t *stdin_bytes; /* symbolic standard input under the run's input */
    uint32_t *stdin_syms;
    VmSnapshot *newest, *oldest;    /* snapshots with a state, by use */
    VmSnapshot *current;            /* the last one of the run, held; NULL: none yet */
    VmSnapshot *recent[SYM_RECENT]; /* the same of the runs before, if options say so; the latest at nrecent -
                                       1, modulo */
    uint32_t nrecent;
    size_t snapshot_bytes, shell_bytes; /* of states; of what stays of snapshots without one */
    struct SavedFiles *files_now;       /* what vm->files was copied to or from last */
    struct SavedInput *input_now;       /* of the run, for its snapshots; NULL: it has none yet */
    uint32_t places_seen;               /* nodes of the pool among which addresses were looked for */
    uint64_t slow, slow_mark, steps_mark, start_cost;
    uint32_t graves_mark;
    uint32_t busy;              /* an instruction has effects already: no snapshot */
    uint32_t main, entry, init; /* functions; entry: IR_NONE if it is main */
    bool fuzz;
    uint32_t first_param; /* among the inputs of the run: the entry's first */
    const Code *main_pc;  /* call of main while LLVMFuzzerInitialize runs */
    Code glue[2];
    /* The instant of the last decision, to tell several of one instruction apart. */
    CodePlace nowhere; /* of code without a source, the last one asked for */
    const Code *last_pc;
    const Reg *last_regs;
    int64_t last_left;
    bool counted;                    /* an iteration was counted, and the decision that did so is to come */
    uint32_t patience, patience_end; /* alternatives: of any run; of this one, 0: without end */
    uint32_t ordinal;
    struct Keys *keys; /* NULL: none are asked for */
    struct SymWatch watch;
    uint64_t decided; /* decisions of all runs that earlier ones did not imply */
};

static inline bool sym_is_instant(const Vm *vm)
{
    const struct Sym *s = vm->sym;
    return s->last_pc == vm->pc && s->last_regs == vm->regs && s->last_left == vm->left;
}
void sym_next_instant(Vm *vm); /* sym_decide.c */
static inline void
sym_instant(Vm *vm) /* tells whether another instruction (or the same once more) is under way */
{
    if (!sym_is_instant(vm))
        sym_next_instant(vm);
}

/* sym_input.c: how long an input is, as a symbol that people know by `name`; a length outside of least..most
 * counts as the least */
Expr sym_length(Vm *vm, const char *key, const char *name);
uint32_t sym_length_now(Vm *vm, Expr length, uint32_t least, uint32_t most);    /* under the run's input */
uint32_t sym_decide_length(Vm *vm, Expr length, uint32_t least, uint32_t most); /* the same, as a decision */

/* sym_callback.c: the letter of IrFn.native for a result of that type */
const char *sym_callback_letter(const Vm *vm, uint32_t returns);

/* sym_types.c: what C calls the places of an input, if it is known and was not said before */
void sym_describe(Vm *vm, ExprObject object, uint32_t type);
void sym_describe_pointee(Vm *vm, ExprObject object, ExprObject parent, uint32_t offset, uint64_t address);
/* sym_places.c: reports to the pool what the addresses in expressions and outputs are, for people */
void sym_places_note(Vm *vm);

/* sym_input.c */
bool sym_prim_environment(PrimCall *p);
bool sym_make_input(Vm *vm, uint64_t address, uint64_t size, const char *name);
const char *sym_input_caller(const Vm *vm); /* the function that asks for an input: sheaf_symbolic, ... */
/* Enters an object into the trace's inputs, once. `size`: how much of it is input. */
uint32_t sym_input_use(Vm *vm, ExprObject object, VmInputOrigin origin, const char *of, uint32_t size);
void sym_fill_input(Vm *vm, Object *o, uint64_t offset, ExprObject input,
                    uint32_t size); /* the first bytes of it */
void sym_begin(Vm *vm);             /* the state before the first instruction, symbolic inputs included */

/* sym_entry.c */
void sym_entry_find(Vm *vm);
/* The register of the entry that an input is all of, or IR_NONE. */
uint32_t sym_entry_register(const Vm *vm, uint32_t input);
/* What a register of the entry is if that is a driver (ir/drive.h); NULL: it is none. */
const IrDriveParam *sym_drive_param(const Vm *vm, uint32_t reg);
void sym_handles_assumed(Vm *vm); /* by which functions they are made goes into the ledger */
void sym_globals(Vm *vm);         /* those that are freed become symbolic */

/* sym_block.c */
void sym_alloc_size(Vm *vm, Expr size);
bool sym_alloca_size(Vm *vm, Expr size);

/* sym_key.c */
void sym_keys_new(Vm *vm);
void sym_keys_free(Vm *vm);
void sym_key_here(Vm *vm, uint64_t index);   /* of the decision that is about to be appended to the trace */
void sym_key_made(Vm *vm, ExprObject input); /* a call has made a word that is input */
void sym_key_primitive(Vm *vm);              /* one begins, or ends: what it changes is not known before */
void sym_key_begin(Vm *vm);                  /* a run begins: nothing is decided of its pointers */
void sym_key_fact(Vm *vm, const VmDecision *d); /* a decision was appended */
Expr sym_key_resolved(const Vm *vm, Expr e);    /* what e equals by that, or e itself */
void sym_key_start(Vm *vm, bool on); /* the run begins (decisions about its inputs); it has begun */
VmKey sym_key_started(const Vm *vm); /* what it has decided then, for a snapshot */
void sym_key_restart(Vm *vm, VmKey start);

/* sym_snapshot.c */
void sym_snapshot_here(Vm *vm); /* before a decision: takes one if that is worth it */
/* `hint` may be NULL. False: nothing to go on from. */
bool sym_resume(Vm *vm, VmSnapshot *hint);
void sym_keep_recent(Vm *vm);       /* the run's last snapshot, with those before it */
void sym_input_done(struct Sym *s); /* the run has ended: no other snapshot is made of its input */
void sym_snapshots_free(Vm *vm);
/* sym_save_files.c */
VmFiles *sym_files_copy(const VmFiles *from, size_t *bytes);
bool sym_files_evaluate(Vm *vm); /* bytes and texts under the run's input; false: nothing is symbolic */

/* sym_files.c: primitives that know symbolic bytes */
void sym_files_begin(Vm *vm);
void sym_files_input(Vm *vm); /* standard input under the run's input */
bool sym_prim_read(PrimCall *call);
bool sym_prim_write(PrimCall *call);
bool sym_prim_put(PrimCall *call);
bool sym_prim_emit(PrimCall *call, Expr *length); /* *length: of what it returns, if that is symbolic */

/* sym_written.c: text on its way through the buffers of FILEs. Before and after something is printed; and a
 * primitive that may empty a buffer. */
typedef struct SymBuffer {
    int fd;
    bool through;     /* a FILE's buffer, and not by write() */
    uint32_t outputs; /* in the trace so far */
    uint64_t delivered;
} SymBuffer;
SymBuffer sym_buffer_before(Vm *vm, uint64_t descriptor);
void sym_buffer_after(Vm *vm, const SymBuffer *before);
bool sym_prim_control(PrimCall *call);
bool sym_goes_to_output(Vm *vm, int fd);
VmOutput sym_output_to(Vm *vm, int fd); /* what is written there is an output of this stream */

/* sym_range.c: 1 or 0 if the condition surely is, -1 if that does not show. */
int sym_decided(Vm *vm, Expr condition);

#endif
