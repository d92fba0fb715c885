/* vm_int.h - private to vm: prepared code, frames, and the machine itself.
 *
 * A function is translated on its first call (prepare.c) into an array of Code. The step loop (step.inc) is
 * built twice: vm_step_plain never looks at shadows; vm_step_shadow does, and leaves the fast path where one
 * is set. */
#ifndef SHEAF_VM_INT_H
#define SHEAF_VM_INT_H

#include "vm/core/mem.h"
#include "vm/core/prim.h"

/* A register. Values of more than 64 bits take two in a row, low word first. The shadow is what a value is
 * beyond its bits: 0 for a plain one. */
typedef struct Reg {
    uint64_t word;
    uint64_t shadow;
} Reg;

/* The low half of a shadow: an index into Vm.undefs with this bit set means that bits of the word are
 * uninitialised; else the id of an expression, or 0. The high half is for labels. */
#define SHADOW_UNDEF ((uint64_t)1 << 31)

typedef enum CodeOp {
#define CODE(NAME) CODE_##NAME,
#include "vm/core/code.def"
#undef CODE
    CODE_COUNT
} CodeOp;

typedef struct Vm Vm;
typedef struct Code Code;
typedef struct CallInfo CallInfo;
typedef struct FnCode FnCode;

/* What an OUT instruction calls. False: the run ended. */
typedef bool (*OutFn)(Vm *vm, const Code *pc, Reg *regs);

/* One instruction. Registers are byte offsets from the frame's first one; jump targets are byte offsets from
 * this instruction. Which field means what is said beside the handler in step.inc. */
struct Code {
    const void *go; /* address of the handler */
    uint32_t d, a, b, c;
    union {
        uint64_t imm;
        struct {
            uint32_t x, y;
        };
        Object *object; /* guess, or the global itself */
        CallInfo *call;
        const void *info;
        OutFn out;
    };
};

/* Where an instruction comes from. */
typedef struct CodeSource {
    uint32_t block, insn; /* IR_NONE: a piece of glue */
    uint32_t steps;       /* IR instructions since the last count, this one included */
} CodeSource;

/* What all decisions that an instruction makes have in common (sym_decide.c). */
typedef struct CodePlace {
    const IrInsn *ir;     /* NULL: a piece of glue */
    uint32_t block, insn; /* IR_NONE: glue */
    uint32_t site;        /* if it is code of the user's: his */
    bool users;
    uint64_t name;                  /* the instruction's tag */
    const struct RegList *counters; /* of the loops around it, innermost first; NULL: none is kept */
    const uint32_t *loops;          /* which these are, innermost first */
    bool exits, only_exit;          /* its branch may leave the innermost; and nothing else does */
} CodePlace;

/* With labels, what a comparison with its branch has in d: steps, then a bit if the targets changed places,
 * then its first cell in FnCode.sides. */
enum { BRANCH_STEPS = 12 };

/* A list of registers: loop counters. */
typedef struct RegList {
    uint32_t n;
    uint32_t reg[];
} RegList;

typedef struct CallArg {
    uint32_t reg;
    uint8_t width;
    bool is_const;         /* value instead of reg */
    uint32_t byval, align; /* of a variable argument: size of the structure that it points to, or 0 */
    u128 value;
} CallArg;

typedef struct CallMove {
    uint32_t from, to;
} CallMove;

struct CallInfo {
    FnCode *target;   /* NULL: through a pointer */
    uint32_t advance; /* from the caller's registers to the callee's */
    uint32_t nmoves;
    CallMove *moves;         /* register arguments of a call whose signature fits */
    uint64_t cached_address; /* of a call through a pointer: the last function that fitted */
    FnCode *cached;
    uint64_t signature;
    uint64_t id;            /* the instruction's tag, for names */
    const RegList *loops;   /* counters of the loops around the call */
    const RegList *results; /* words of the results, if the signature fits */
    uint32_t nargs, nvar, ndst;
    CallArg *args; /* nargs fixed ones, then nvar variable ones */
    CallArg *dst;
    uint32_t pointer; /* register of the function pointer */
};

/* A local that every call makes. */
typedef struct LocalInfo {
    uint32_t reg;
    uint32_t made_by; /* register of the alloca */
    uint64_t size, align, id;
    unsigned k;
    uint32_t class; /* with labels, as Object.class */
    uint32_t limits[SIZES];
    uint32_t name, site;
    Object *pool;
} LocalInfo;

typedef struct EnterInfo {
    uint32_t nconsts, nlocals;
    struct ConstInit {
        uint32_t reg;
        uint64_t word, shadow;
    } * consts;
    LocalInfo *locals;
} EnterInfo;

typedef struct SwitchInfo {
    uint64_t least; /* dense: value of targets[0] */
    uint32_t n;
    uint32_t otherwise; /* jump, as the others */
    u128 *values;       /* sparse: ascending */
    uint32_t *targets;
    uint8_t *covered;                /* in symbolic mode: cells of its sides */
    uint32_t *sides, otherwise_side; /* which of them a target is */
} SwitchInfo;

typedef struct GotoInfo {
    uint64_t base; /* address of block 0 */
    uint32_t n;
    uint32_t *targets; /* by block; 0: not among the targets */
} GotoInfo;

/* Liveness of the registers in a frame (prepare_live.c). */
typedef struct FnLive {
    const IrFn *ir;
    const IrLive *regs;       /* NULL: every register may be read again anywhere */
    const RegList **lists[2]; /* by code: what vm_live has found */
} FnLive;

struct FnCode {
    Code *code;  /* where calls enter; a stub until prepared */
    Code *start; /* the whole array */
    uint32_t ncode;
    uint32_t frame_bytes; /* registers, and the header of the next frame */
    uint32_t need;        /* bytes that must be free for a frame of it, outgoing arguments included */
    uint32_t index;       /* IrFn, or IR_NONE for the machine's own first frame */
    uint64_t signature;
    uint64_t hash; /* its tag */
    CodeSource *sources;
    const CodePlace **places; /* by code, in symbolic mode: once a decision was made there */
    uint32_t *slots;          /* IR register to byte offset; IR_NONE: not in the frame */
    Vec(CallInfo *) calls;
    const RegList **loops;  /* by block, in symbolic mode: counters of the loops around it */
    FnLive *live;           /* if states have keys */
    const void **originals; /* by code: handlers that MARK stands for; NULL: none */
    uint32_t *labels;       /* by block, with originals: its first code */
    uint32_t *waiting;      /* with labels: by code, entries of the context that wait for it */
    uint8_t *sides;         /* with labels: cells of its branches' sides */
    uint8_t
        *watched; /* with labels: by code, why it is watched (label_trace.c), 0 if it is not; NULL: none is */
    EnterInfo enter;
    PrimFn prim;                       /* of an undefined function; NULL: external */
    const void *pure;                  /* entry in pure.def */
    const struct VmAbstract *abstract; /* calls are not entered; NULL: they are */
    void *host;                        /* where the host has it, once it was looked up */
    Arena *arena;                      /* of everything above */
    bool prepared;
};

/* ADAPT: the call's results differ from what the function returns. CONTEXT: entries of the context wait in
 * it. DECIDED: a decision was made in it. */
enum {
    FRAME_OBJECTS = 1,
    FRAME_ADAPT = 2,
    FRAME_CONTEXT = 4,
    FRAME_DECIDED = 8,
    FRAME_ROOM = 16,
    FRAME_COUNTED = 32
}; /* the iterations around its call count for --loop-bound */

/* Stands right before its registers. */
typedef struct Frame {
    const Code *call; /* instruction under way in the caller; NULL in the first frame */
    Reg *caller;      /* its registers */
    FnCode *fn;
    uint64_t path;   /* name of this activation, 0: not computed yet */
    Object *objects; /* stack objects, latest first */
    Object *varargs;
    uint64_t serial;
    uint32_t depth;
    uint32_t flags;
} Frame;

#define FRAME(regs)       ((Frame *)(regs)-1)
#define REG(regs, offset) ((Reg *)((char *)(regs) + (offset)))

/* The process in which undefined functions are called (native.c). */
typedef struct NativeChild {
    int pid; /* 0: none */
    int fd;
} NativeChild;

/* Labels of the instruction under way, and what they are made with. The rest is Vm.lab (labels/label_int.h).
 */
typedef struct LabelNow {
    struct Flow *flow; /* analyses of the program */
    Sets *sets;        /* of the pool */
    VmLabel own;       /* of its operands, as far as they decide something */
    VmLabel made;      /* decisions that it made, and what they depend on */
    VmLabel flowing;   /* what it has read from memory and files */
    VmLabel checked;   /* checks that it made, which are no part of `made` */
    VmLabel room;      /* how much is left of the stack, beyond what its frames tell */
    bool is_forced;    /* a decision without an alternative was entered for it */
    struct LabelAsked *asked;
} LabelNow;

struct Vm {
    const IrProgram *program;
    VmOptions options;
    double deadline; /* by clock_seconds; 0: none */
    bool shadows;    /* which step loop runs */
    Mem mem;
    FnCode *fns; /* by IrFn */
    FnCode boot;
    Code stub;                    /* code of all functions that are not prepared yet */
    Object *globals, *fn_objects; /* by IrGlobal, IrFn */
    Payload **images;             /* initial bytes of globals, by IrGlobal; shared by the runs */
    U32Vec variables;             /* those of globals that are not constant, which are few */
    VmFiles *files;
    NativeChild native;
    bool files_touched; /* a primitive asked for them since this was last set to false */
    Object *none;       /* a guess that always fails */
    char *stack, *stack_end;
    uint64_t frame_serial;
    const void *const *labels; /* CodeOp to handler, of the step loop in use */
    /* State of the step loop, valid whenever it is outside. */
    const Code *pc;
    Reg *regs;
    int64_t left; /* of the instructions granted */
    uint32_t pauses;
    size_t resident; /* bytes of the process when the machine was made */
    uint64_t granted;
    VmResult result;
    bool ended;
    const VmEnvironment *environment;
    uint64_t argv, envp; /* addresses in the run */
    U64Vec undefs;       /* masks of uninitialised bits that shadows refer to */
    Map undef_index;
    uint64_t ticks;        /* of the modelled clock */
    Intern *names;         /* that the machine gives, beside those of the program (vm_name_add) */
    uint32_t varargs_name; /* what variable arguments are called in messages */
    struct Sym *sym;       /* NULL: no symbolic mode */
    struct Labels *lab;    /* NULL: no labels */
    LabelNow now;          /* with labels */
    struct Cover *cover;
    struct Observer *observer; /* NULL: none (view.c) */
    uint8_t uncounted[2];      /* cells of branches whose coverage is not counted */
    Arena *keep;               /* what symbolic mode hands out for as long as the machine lives */
};

/* step_plain.c, step_shadow.c. With vm NULL: only returns the handlers. */
const void *const *vm_step_plain(Vm *vm);
const void *const *vm_step_shadow(Vm *vm);
const void *const *vm_step_labels(Vm *vm);

/* view.c */
void vm_observer_free(Vm *vm);

/* prepare.c */
void vm_prepare(Vm *vm, FnCode *fn);
uint64_t vm_signature(const uint8_t *args, uint32_t nargs, const uint8_t *results, uint32_t nresults);
uint64_t vm_fn_signature(const IrFn *fn);

/* globals.c: what is there before the first instruction. */
void vm_globals_make(Vm *vm);  /* images and structs, once */
void vm_globals_enter(Vm *vm); /* at the start of each run */
void vm_globals_free(Vm *vm);
void vm_environment_enter(Vm *vm, const VmEnvironment *environment);
uint64_t vm_const_address(const Vm *vm, const IrConst *c);
FnCode *vm_fn_at(Vm *vm, uint64_t address); /* NULL if no function starts there */
uint64_t vm_block_base(const Vm *vm, uint32_t fn);

/* prepare_live.c: places of the frame's registers that are read from this instruction on, its own operands
 * among them; or, called: behind the call under way there, which is to give results. NULL: all of them. */
const RegList *vm_live(const FnCode *fn, const Code *pc, bool called);

/* frames.c */
bool vm_call_slow(Vm *vm, const Code *pc, Reg *regs);     /* sets vm->pc and vm->regs to go on from */
bool vm_enter(Vm *vm, const Code *pc, Reg *regs);         /* constants and locals of a new frame */
void vm_frame_release(Vm *vm, Frame *frame);              /* kills its stack objects */
void vm_adapt_results(Vm *vm, const Code *pc, Reg *regs); /* pc: the ret */
bool vm_pause(Vm *vm, uint32_t wanted);                   /* grants more instructions, at least so many */
void vm_pause_soon(Vm *vm); /* in a primitive: what was granted is taken back, so that the clock is asked */
/* The name of something made in the frame, by execution index. */
uint64_t vm_name(const Vm *vm, Reg *regs, uint64_t id, const RegList *loops);
uint64_t vm_name_here(Vm *vm, uint64_t id); /* for a primitive: of the call under way */
/* The same of a memory object that is about to be made, which gives its address. Where states have keys it is
 * a function of the state, without counters of loops (sym_key.c). */
typedef struct VmExtent {
    ObjectKind kind;
    uint64_t size, align;
} VmExtent;
uint64_t vm_name_object(Vm *vm, Reg *regs, uint64_t id, const RegList *loops, const VmExtent *extent);
uint32_t vm_steps_at(const Code *pc, const Reg *regs);
static inline const CodeSource *vm_source(const Code *pc, const Reg *regs) /* NULL: code without a source */
{
    const FnCode *fn = FRAME(regs)->fn;
    return fn->sources && pc >= fn->start && pc < fn->start + fn->ncode ? &fn->sources[pc - fn->start] : NULL;
}
const IrInsn *vm_insn(const Vm *vm, const Code *pc, const Reg *regs); /* NULL for glue */
u128 vm_reg_value(const Vm *vm, const Reg *regs, uint32_t reg);       /* of an IR register, constants too */
bool vm_out_alloca(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_stacksave(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_stackrestore(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_life(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_dead(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_setjmp(Vm *vm, const Code *pc, Reg *regs);
bool vm_longjmp(Vm *vm, const Code *pc, Reg *regs);
Object *vm_stack_object(Vm *vm, Frame *frame, uint64_t name, uint64_t size,
                        uint64_t align); /* NULL: the run ended */
bool vm_overflow(Vm *vm);
/* varargs.c */
bool vm_varargs_make(Vm *vm, Frame *frame, const CallArg *args, uint32_t n, const Reg *from);
bool vm_out_vastart(Vm *vm, const Code *pc, Reg *regs);

/* access.c: loads, stores and block operations with all checks; faults end the run and give false. */
bool vm_load(Vm *vm, uint64_t address, unsigned size, Reg *out);
bool vm_store(Vm *vm, uint64_t address, unsigned size, const Reg *value);
void vm_put(Vm *vm, Object *o, uint64_t offset, unsigned size,
            const Reg *value); /* size <= 8, in bounds, writable */
/* The object in whose slot the address lies, which becomes the instruction's next guess; Vm.none if there is
 * none. */
Object *vm_guess(Vm *vm, const Code *pc, uint64_t address);
bool vm_out_load(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_store(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_memcpy(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_memset(Vm *vm, const Code *pc, Reg *regs);
/* The host's bytes behind [address, address + size), ready to read or write; NULL: fault, the run ended. */
uint8_t *vm_bytes(Vm *vm, uint64_t address, uint64_t size, bool write, Object **object);

/* pure.c: operators beside the fast path. */
bool vm_out_apply(Vm *vm, const Code *pc, Reg *regs);
bool vm_out_check(Vm *vm, const Code *pc,
                  Reg *regs); /* divisions, overflow, shifts before the operator itself */

/* shadow.c */
uint64_t vm_undef_shadow(Vm *vm, uint64_t mask); /* 0 for no bits */
uint64_t vm_undef_mask(const Vm *vm, uint64_t shadow);
bool vm_shadow_apply(Vm *vm, const Code *pc, Reg *regs); /* the pure instruction at pc, shadows and all */
bool vm_shadow_compare(Vm *vm, const Code *pc,
                       Reg *regs); /* the comparison before the branch at pc, and its use there */
bool vm_shadow_use(Vm *vm, const Code *pc, uint64_t shadow); /* a value decides something */
bool vm_shadow_address(Vm *vm, const Code *pc, uint64_t shadow,
                       bool write); /* of an access: uninitialised, labelled */
/* A load or store (d) whose address (a, and c bytes on) has a shadow. */
bool vm_shadow_load(Vm *vm, const Code *pc, Reg *regs, unsigned size);
bool vm_shadow_store(Vm *vm, const Code *pc, Reg *regs, unsigned size);
void vm_shadow_extend(Vm *vm, Reg *value, unsigned from,
                      unsigned to); /* the sign, of a word that is extended already */
bool vm_shadow_any(Vm *vm, const IrInsn *insn, const Reg *regs); /* does an operand have a shadow? */

/* vm.c: from now on registers carry shadows; what was prepared is prepared again. Between runs only. */
void vm_use_shadows(Vm *vm);
void vm_begin(Vm *vm, const VmEnvironment *environment); /* the state before the first instruction */

/* faults.c */
bool vm_end_access(Vm *vm, uint64_t address, uint64_t size, bool write);
/* The same of an access that was meant for this object, however far away it goes. */
bool vm_end_access_to(Vm *vm, const Object *o, uint64_t address, uint64_t size, bool write);
bool vm_end_external(Vm *vm, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool vm_end_free(Vm *vm, uint64_t address);
bool vm_end(Vm *vm, VmEnding ending); /* site, stack and steps; false */
void vm_describe(const Vm *vm, const Object *o, Str *out);
/* Names of objects and shapes are numbers: of the program's strings, or of those that the machine adds, which
 * live as long as it does. */
uint32_t vm_name_add(Vm *vm, const char *text);
const char *vm_name_text(const Vm *vm, uint32_t name);
void vm_object_name(const Vm *vm, uint8_t kind, uint32_t name, uint32_t site, Str *out);
bool vm_out_trap(Vm *vm, const Code *pc, Reg *regs);
uint32_t vm_user_site(const Vm *vm); /* of the innermost frame in the user's code */
bool vm_outside_user(
    const Vm *vm); /* no code of the user's is under way: start-up, or what follows the end of its entry */
bool vm_is_runtime(const Vm *vm, const FnCode *fn); /* code of runtime/, or the machine's own */

/* external.c */
bool vm_call_external(Vm *vm, FnCode *fn, const CallInfo *call, Reg *regs);
/* native.c */
const char *vm_native_obstacle(const Vm *vm, const FnCode *fn,
                               const CallInfo *call); /* why it cannot be called natively; NULL: it can */
bool vm_native_call(Vm *vm, const FnCode *fn, const CallInfo *call, const u128 *words, u128 *returned);
void vm_native_stop(Vm *vm); /* what functions called natively have kept is forgotten */
const void *vm_pure_find(const char *name);
const char *vm_pure_name(const void *pure);
/* Width of the result (0) or an argument (from 1 on) that is a value; *pointed: bytes that an argument points
 * to. */
unsigned vm_pure_width(const void *pure, unsigned i, unsigned *pointed);
/* outputs: by argument, what is written behind those that point. At most 8 arguments. */
u128 vm_pure_invoke(const void *pure, void *function, const u128 *words, u128 *outputs);
/* heap.c */
bool vm_leaks(Vm *vm); /* false: found one, and the run ended as a fault */

/* ledger.c: what answers assume of a pointer. */
void ledger_shape(Ledger *l, const char *of, const char *text, bool bounded);
void ledger_shape_given(Ledger *l, const char *of, const char *text); /* of a harness, with a bound */
void ledger_shape_aliases(Ledger *l); /* two pointers of one type may be the same, from now on */

/* globals.c, for tests: the concrete bytes of a global at the end of the last run; false if there is no such
 * global. */
bool vm_global_bytes(struct Vm *vm, const char *name, Str *out);

#endif
