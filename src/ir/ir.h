/* ir.h - the program as Sheaf sees it: compact register code in SSA form, without types beyond widths.
 *
 * A program is functions, globals, constants and sites. A function is blocks of fixed-size instructions over
 * numbered registers. A register has a width in bits and is a parameter, a constant, or the result of exactly
 * one instruction. Pointers are registers of 64 bits; floats are registers of 32, 64 or 80 bits under float
 * operators; aggregates and vectors do not exist (the front end splits them), so a call may have several
 * results. One table of opcodes (bits.def, then op.def) drives printer, parser, verifier and machine.
 * docs/ir.md specifies text form and meaning.
 *
 * Everything lives in the program's arena or in vectors the program owns; ir_program_free ends it all.
 * Indices, not pointers, refer to functions, globals, blocks and registers, since vectors move while a
 * program is built. */
#ifndef SHEAF_IR_H
#define SHEAF_IR_H

#include "bits/bits.h"

typedef enum IrOp {
#define BITS(NAME, text, arity, result) IR_##NAME,
#include "bits/bits.def"
#undef BITS
#define OP(NAME, text, form, flags) IR_##NAME,
#include "ir/op.def"
#undef OP
    IR_OP_COUNT
} IrOp;

#define IR_NONE UINT32_MAX /* no register, block, function, global or site */

/* Flags of an instruction. */
enum {
    IR_NSW = 1, /* add, sub, mul, shl: signed overflow, looked at by --check overflow */
    IR_NUW = 2,
    IR_EXACT = 4,
    IR_NORETURN = 8, /* call: never comes back */
    IR_FIXED = 16,   /* alloca: constant size, in the entry block: once for each frame */
    IR_VOLATILE = 32
};

typedef struct IrInsn {
    uint16_t op;   /* IrOp */
    uint8_t width; /* of the result; store, br, switch: of the operand; 0 if none */
    uint8_t flags;
    uint32_t dst;     /* result register or IR_NONE */
    uint32_t a, b, c; /* as op.def's form says */
    uint32_t site;    /* index into the program's sites, IR_NONE if unknown */
} IrInsn;

typedef enum IrConstKind {
    IR_CONST_INT,    /* bits */
    IR_CONST_UNDEF,  /* LLVM's undef or poison: an uninitialised value */
    IR_CONST_GLOBAL, /* address of global `index` plus bits */
    IR_CONST_FN,     /* address of function `index` plus bits */
    IR_CONST_BLOCK   /* address of block `block` of function `index` (computed goto) */
} IrConstKind;

typedef struct IrConst {
    IrConstKind kind;
    uint32_t index, block;
    u128 bits;
} IrConst;

typedef enum IrRegKind { IR_REG_PARAM, IR_REG_CONST, IR_REG_RESULT } IrRegKind;

typedef struct IrReg {
    IrRegKind kind;
    uint8_t width;
    uint32_t name;        /* interned: the C variable behind it, 0 if none */
    uint32_t value;       /* constant: index into the function's consts */
    uint32_t block, insn; /* result: where it is defined, once ir_fn_index was called */
} IrReg;

/* What C says of a parameter beyond its register: which object, or which part of an argument, it stands
 * for. */
typedef enum IrParamKind {
    IR_PARAM_PLAIN, /* the register is the argument */
    IR_PARAM_BYVAL, /* address of a structure that is passed by value: `size` bytes */
    IR_PARAM_SRET,  /* address of room for the structure that is returned: `size` bytes */
    IR_PARAM_PART   /* bytes from `offset` on of an argument of `size` bytes */
} IrParamKind;

typedef struct IrParam {
    IrParamKind kind;
    uint32_t size, align, offset;
    bool nonnull;   /* the user says so (nonnull, `a[static 3]`); no part of the textual form, nor is this: */
    uint32_t least; /* bytes behind it at least, by `a[static 3]`; 0: he does not say */
} IrParam;

/* What C calls a type, as far as debug information says: for people who read results, and for the objects
 * behind an entry's parameters. Types are numbers into the program's list; 0 is a type that is not known.
 * They are no part of the textual form. */
typedef enum IrCKind {
    IR_C_UNKNOWN,
    IR_C_INT,
    IR_C_UINT,
    IR_C_CHAR,
    IR_C_UCHAR,
    IR_C_BOOL,
    IR_C_FLOAT,
    IR_C_POINTER, /* `of`: what it points to */
    IR_C_ARRAY,   /* `of`: its elements */
    IR_C_RECORD   /* a structure or union: members */
} IrCKind;

typedef struct IrCMember {
    uint32_t name; /* interned; "" of an anonymous structure or union */
    uint32_t type;
    uint64_t low; /* bits from the start */
    uint32_t bits;
} IrCMember;

typedef struct IrCType {
    IrCKind kind;
    uint64_t size; /* bytes; 0 if it has no size */
    uint32_t of;
    bool to_const; /* of a pointer: what it points to is not written through it */
    bool to_function;
    uint32_t returns; /* of a pointer to a function: the type of its result, 0: none, or not known */
    uint32_t name; /* of a record, interned: "struct node", or another name for one without a tag; 0: none */
    uint32_t first, n; /* members, in the program's list */
} IrCType;

/* A place that holds one value: `text` is how C writes it. */
typedef struct IrCField {
    uint64_t low; /* bits from the start */
    uint32_t bits;
    IrCKind kind;
    uint32_t of; /* of a pointer: what it points to */
    const char *text;
    bool to_const, to_function; /* of a pointer, as in its type */
    uint32_t returns;
} IrCField;
typedef Vec(IrCField) IrCFieldVec;

typedef struct IrBlock {
    uint32_t name; /* interned */
    Vec(IrInsn) insns;
} IrBlock;

/* A natural or irreducible cycle. Loops nest; an irreducible cycle has several entries and header is the one
 * that a depth-first search meets first. */
typedef struct IrLoop {
    uint32_t header; /* block */
    uint32_t parent; /* enclosing loop or IR_NONE */
    uint32_t depth;  /* 1 for an outermost loop */
    bool irreducible;
} IrLoop;

/* Letters of IrFn.native, the result's first: c h i L are integers of 8 to 64 bits with a sign, C H those of
 * 8 and 16 bits without, f d l floating point of 32, 64, 80 bits, v no result, p a pointer, x anything else
 * or calls that disagree. */
typedef struct IrFn {
    uint32_t name; /* interned */
    bool defined;  /* false: a declaration; it has no blocks */
    bool variadic, local, noreturn;
    bool runtime;     /* part of Sheaf's models, not of the user's program */
    bool outlined;    /* ours, a loop of the user's that became a function (versions): not shown to him */
    bool driver;      /* ours, calls the entry (drive.h): the user's like any other, but not shown to him */
    uint32_t native;  /* of a declaration: how calls pass values: letters, interned; 0: not known */
    uint32_t site;    /* of its definition */
    uint32_t nparams; /* registers 0 … nparams-1 */
    Vec(IrParam) params;  /* by register; what is missing at the end is plain */
    Vec(uint8_t) results; /* widths of what it returns */
    Vec(IrReg) regs;
    Vec(IrConst) consts;
    Vec(IrBlock) blocks; /* block 0 is the entry; nothing jumps to it */
    U32Vec extra;        /* lists that operands refer to */
    Vec(IrLoop) loops;   /* filled by ir_fn_index */
    U32Vec loop_of;      /* block to innermost loop or IR_NONE */
    Map const_regs;      /* ir_reg_const's own: hash of a constant to its register */
    U32Vec ctypes;       /* of what it returns and of C's parameters; none: not known */
    uint64_t tag;        /* ir_fn_tag; 0: the hash of its name */
    Map tags;            /* ir_insn_tag: what ir_insn_tag_set gave, by position */
} IrFn;

/* At `offset` in a global's bytes stands an address of 8 bytes. */
typedef struct IrReloc {
    uint64_t offset;
    IrConst value;
} IrReloc;

typedef struct IrGlobal {
    uint32_t name;
    uint64_t size;
    uint32_t align;
    bool constant; /* writing to it is a fault */
    bool defined;  /* false: declared elsewhere; any access ends the run as external */
    bool local, runtime;
    uint32_t site;
    uint8_t *bytes; /* initial contents, in the program's arena; NULL means all zero */
    Vec(IrReloc) relocs;
    uint32_t ctype;
    bool written; /* code that ir_program_reduce may have removed writes to it */
    uint64_t tag; /* ir_global_tag; 0: the hash of its name */
} IrGlobal;

typedef struct IrSite {
    uint32_t file; /* interned path as the compiler knew it */
    uint32_t line, column;
    uint32_t fn; /* interned name of the C function there; another one after inlining */
} IrSite;

/* Of the user's functions that ir_program_reduce has removed, what coverage is measured against. */
typedef struct IrRemoved {
    uint32_t blocks, branches; /* branch outcomes */
    Map lines;                 /* ir_site_line to nothing */
} IrRemoved;

typedef struct IrProgram {
    Arena *arena;
    Intern *strings;
    Vec(IrFn) fns;
    Vec(IrGlobal) globals;
    Vec(IrSite) sites;
    StrMap fn_by_name, global_by_name; /* name to index */
    uint32_t init;                     /* function that completes what no IrReloc can say, or IR_NONE */
    U32Vec constructors, destructors;  /* functions, in the order in which they run */
    Map site_index;                    /* ir_site_add's own: hash of a site to its index */
    Vec(IrCType) ctypes;
    Vec(IrCMember) cmembers;
    StrMap output_ctypes;  /* name of an output that the front end put in to its type */
    Map call_ctypes;       /* site of a call that names an input or output to the type of its object */
    struct IrDrive *drive; /* ir_drive_build's; NULL: none */
    IrRemoved removed;
} IrProgram;

/* ---- opcodes --------------------------------------------------------------------------------- */

const char *ir_op_text(IrOp op);
const char *ir_op_form(IrOp op);         /* pure operators: "dr", "drr" or "drrr" */
bool ir_op_has_flag(IrOp op, char flag); /* a letter of op.def */
static inline bool ir_op_is_pure(IrOp op) { return op < (IrOp)BITS_COUNT; }
static inline BitsOp ir_op_bits(IrOp op) { return (BitsOp)op; }

/* ---- building -------------------------------------------------------------------------------- */

IrProgram *ir_program_new(void);
void ir_program_free(IrProgram *p);
void ir_fn_free(IrFn *fn); /* of a function that is in no program */
/* Returns the function or global of that name, made as an undefined declaration if new. Names of local
 * functions from different files are kept apart by the caller (suffix ".N"). */
uint32_t ir_fn_get(IrProgram *p, const char *name);
uint32_t ir_global_get(IrProgram *p, const char *name);
uint32_t ir_fn_find(const IrProgram *p, const char *name); /* IR_NONE if absent */
uint32_t ir_global_find(const IrProgram *p, const char *name);
/* Equal sites share an index. */
uint32_t ir_site_add(IrProgram *p, const char *file, uint32_t line, uint32_t column, const char *fn);
uint32_t ir_string(IrProgram *p, const char *text);
const char *ir_text(const IrProgram *p, uint32_t string);

uint32_t ir_block_add(IrProgram *p, IrFn *fn, const char *name); /* NULL: no name */
uint32_t ir_reg_param(IrProgram *p, IrFn *fn, uint8_t width,
                      const char *name); /* before any other register */
void ir_param_set(IrFn *fn, uint32_t param, IrParam what);
uint32_t ir_reg_result(IrProgram *p, IrFn *fn, uint8_t width, const char *name);
uint32_t ir_reg_const(IrProgram *p, IrFn *fn, uint8_t width,
                      IrConst value); /* equal constants share a register */
uint32_t ir_reg_int(IrProgram *p, IrFn *fn, uint8_t width, u128 value);
IrInsn *ir_emit(IrFn *fn, uint32_t block, IrInsn insn); /* appends; the pointer is short-lived */
/* The instructions of the block from `insn` on (not a phi) become a block of their own, which the
 * block then jumps to; returns it. Afterwards the function has to be indexed again. */
uint32_t ir_block_split(IrProgram *p, IrFn *fn, uint32_t block, uint32_t insn);
/* Appends a list to the function's extra pool and returns its start. */
uint32_t ir_extra_add(IrFn *fn, const uint32_t *list, uint32_t n);

/* ---- reading --------------------------------------------------------------------------------- */

/* A call's list, taken apart. Pointers go into fn->extra. */
typedef struct IrCall {
    uint32_t ndst, nargs, nvar;
    const uint32_t *dst, *args, *var; /* var: triples (register, byval size or 0, alignment) */
} IrCall;
IrCall ir_call_read(const IrFn *fn, const IrInsn *insn);
IrParam ir_param(const IrFn *fn, uint32_t param);
/* Registers, `param` the first of them, that hold one argument of the C function: parts of one name,
 * ascending. */
uint32_t ir_param_parts(const IrFn *fn, uint32_t param);
/* Successor blocks of a block, in operand order, duplicates kept. Clears and fills out. */
void ir_block_successors(const IrFn *fn, uint32_t block, U32Vec *out);
/* Its branch outcomes: distinct successors in order of operands, as the list that is returned. 0: it decides
 * nothing. */
uint32_t ir_block_sides(const IrFn *fn, uint32_t block, U32Vec *out);
/* Registers that an instruction reads. Clears and fills out. Phis: all incoming registers. */
void ir_insn_reads(const IrFn *fn, const IrInsn *insn, U32Vec *out);
/* Registers that an instruction defines (several for calls). Clears and fills out. */
void ir_insn_defs(const IrFn *fn, const IrInsn *insn, U32Vec *out);
/* Every operand, lists included, in the order of op.def's form: `kind` is a letter of it (d r i b f s).
 * Clears and fills out. */
typedef struct IrOperand {
    char kind;
    uint32_t value;
} IrOperand;
typedef Vec(IrOperand) IrOperandVec;
void ir_insn_operands(const IrFn *fn, const IrInsn *insn, IrOperandVec *out);
const IrConst *ir_reg_const_of(const IrFn *fn, uint32_t reg); /* NULL if it is no constant */
uint64_t ir_site_line(const IrProgram *p, uint32_t site);     /* equal for sites of one line */
/* "file.c:12:5", into the caller's buffer; "?" if unknown. */
const char *ir_site_text(const IrProgram *p, uint32_t site, char *out, size_t size);
/* Is that the line, of a file that people name by its path, by an ending of it, or by a longer path? */
bool ir_site_is_at(const IrProgram *p, uint32_t site, const char *file, uint32_t line);

/* ---- tags ------------------------------------------------------------------------------------ */

/* A tag says which function, global or instruction this is. The names that a machine gives to decisions,
 * inputs and memory objects are hashes of tags. By default a tag follows from name and position; of two
 * versions of a program, the one's can be given to what corresponds to it in the other, so that both name
 * alike what is alike. */
uint64_t ir_fn_tag(const IrProgram *p, uint32_t fn);
uint64_t ir_global_tag(const IrProgram *p, uint32_t global);
uint64_t ir_insn_tag(const IrProgram *p, uint32_t fn, uint32_t block, uint32_t insn);
void ir_insn_tag_set(IrFn *fn, uint32_t block, uint32_t insn, uint64_t tag);

/* ---- C's types ------------------------------------------------------------------------------- */

/* The places of an object of `size` bytes, ascending, the first of a union's first; texts go into the arena.
 * `text` is the object, or if `behind` a pointer to it: x, x.len, x[2]; *p, p->len, p[2]. Fills out, at most
 * 4096; of a structure that is larger than that the members that fit. None: the type is not known, or does
 * not fit the size. */
void ir_ctype_fields(const IrProgram *p, uint32_t type, const char *text, bool behind, uint64_t size,
                     Arena *a, IrCFieldVec *out);
/* Does no member of an object of that type have this byte? What follows an array at the end of a structure
 * may be more of the array. */
bool ir_ctype_is_padding(const IrProgram *p, uint32_t type, uint64_t offset);
bool ir_ctype_is_stream(const IrProgram *p, uint32_t type); /* is it the C library's FILE? */

/* Is this how people call the number of elements of an array? */
bool ir_name_is_length(const char *name);

/* ---- analyses and checks --------------------------------------------------------------------- */

/* Finds what follows from the blocks of a function: its loops (natural loops and irreducible cycles, nested:
 * loops, loop_of) and where its registers are defined (IrReg.block, insn). To be called when a function is
 * complete, and again when its blocks were changed. Requires: it is well formed. */
void ir_fn_index(IrFn *fn);
void ir_program_index(IrProgram *p); /* all functions */
/* The instruction that defines a register: NULL for parameters and constants. Requires: indexed. */
const IrInsn *ir_reg_def(const IrFn *fn, uint32_t reg);
/* True if the edge goes back to the header of a loop that contains its source. Requires: indexed. */
bool ir_edge_is_back(const IrFn *fn, uint32_t from, uint32_t to);
/* Liveness: which registers are read again. Constants take no part. Requires: indexed. */
typedef struct IrLive IrLive;
typedef struct IrLiveOptions {
    const Graph *preds; /* of blocks; NULL: as the terminators say */
    /* Registers that an instruction counts as reading: clears and fills out. Of a phi: one for each operand,
     * in their order, or none at all; IR_NONE: this one does not count. NULL: ir_insn_reads. */
    void (*reads)(const void *user, const IrInsn *insn, U32Vec *out);
    const void *user;
} IrLiveOptions;
/* Options may be NULL. All memory is in the arena; the function must not change meanwhile. */
IrLive *ir_live_find(const IrFn *fn, const IrLiveOptions *options, Arena *a);
/* Is it live where control comes to the block, its phis not yet done? */
bool ir_live_in(const IrLive *live, uint32_t reg, uint32_t block);
/* Is it read by the instruction, by a later one of the block, or live at the block's end? */
bool ir_live_from(const IrLive *live, uint32_t reg, uint32_t block, uint32_t insn);
/* Registers that are live right before an instruction; called: while it, a call, is under way: neither its
 * operands, unless they are read again, nor its results. Clears and fills out. */
void ir_live_at(const IrLive *live, uint32_t block, uint32_t insn, bool called, U32Vec *out);
/* What a call of a function may come to: the functions (itself among them) and variables that it names, in
 * calls or by address, in its code or in initial values of such variables, and what these name. Adds to both.
 */
void ir_fn_reachable(const IrProgram *p, uint32_t fn, BitSet *fns, BitSet *globals);
/* Variables that the user's code may write. Adds to out. */
void ir_program_written(const IrProgram *p, BitSet *out);
/* Variables that a call of a function may find as earlier calls have left them: such code may read them, and
 * code of the program, whichever, may write them. Adds to out. */
void ir_fn_state(const IrProgram *p, uint32_t fn, BitSet *out);
/* Removes functions, variables and sites that no run can come to which begins at the entry (NULL: main, or a
 * fuzz target), and numbers what stays anew. So what an exploration does follows from code that it can
 * reach, and not from other code. Numbers from before mean nothing then; names do. */
void ir_program_reduce(IrProgram *p, const char *entry);
/* Checks all that docs/ir.md demands (widths, definitions dominate uses, phis match predecessors, ...). True
 * if well formed; else the first breach in *error ("fn main, block 3, insn 2: ..."), in the caller's
 * arena. */
bool ir_program_verify(const IrProgram *p, Arena *a, const char **error);

/* ---- text ------------------------------------------------------------------------------------ */

void ir_program_print(const IrProgram *p, Str *out);
void ir_fn_print(const IrProgram *p, const IrFn *fn, Str *out);
/* Parses what ir_program_print wrote (a fixpoint: print(parse(print(p))) equals print(p)). NULL with *error
 * ("line 4: unknown opcode 'ad'") in the arena on bad text; never crashes on hostile text. */
IrProgram *ir_program_parse(const char *text, size_t size, Arena *a, const char **error);
/* What that text leaves out: C types, what the user says of parameters, the driver. Read into a program that
 * was parsed from the text, which is then the same; false: these are no such bytes, and only
 * ir_program_free may follow. */
void ir_extra_write(const IrProgram *p, Str *out);
bool ir_extra_read(IrProgram *p, Wire *in);
void ir_fn_print_cfg(const IrProgram *p, const IrFn *fn, bool dot, Str *out);
void ir_program_print_callgraph(const IrProgram *p, bool dot, Str *out);

#include "ir/drive.h"

#endif
