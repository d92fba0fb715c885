/* frontend_int.h - what the files of the front end share.
 *
 * The way through: load.c tells inputs apart and drives; clang.c, compdb.c and guard.c get one LLVM module
 * out of them; flags.c reads off its bitcode what LLVM-C does not tell; prepare.c runs the passes; runtime.c
 * links what is needed of the runtime; module.c translates what is reached: globals.c the data, body.c the
 * functions with insn.c, memory.c, calls.c, asm.c, vectors.c and intrinsics*.c; consts.c is for both.
 * native.c is about the same program as native code.
 *
 * Only functions of LLVM-C that are the same from LLVM 14 to 19 are used. LLVM 14 still has typed pointers:
 * nothing here ever asks for the type behind a pointer. */
#ifndef SHEAF_FRONTEND_INT_H
#define SHEAF_FRONTEND_INT_H

#include "frontend/frontend.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <sys/types.h>

#define OF_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

/* ---- types ----------------------------------------------------------------------------------- */

/* Every type is a row of leaves, each a register's worth. */
typedef enum LeafKind {
    LEAF_INT,
    LEAF_PTR,
    LEAF_FLOAT, /* binary32, binary64, x87 extended: we compute with them */
    LEAF_ODD    /* half, bfloat, quad: can be moved about, no more */
} LeafKind;

typedef struct Leaf {
    uint64_t offset; /* bytes from the start of the value in memory */
    uint8_t width;   /* bits */
    uint8_t kind;    /* LeafKind */
} Leaf;

typedef struct TypeInfo {
    const Leaf *leaves;
    uint32_t n;
    bool packed;         /* a vector whose elements are no whole bytes; leaf offsets are in bits */
    const char *problem; /* why such a value cannot be expressed, or NULL */
} TypeInfo;

/* ---- one load -------------------------------------------------------------------------------- */

typedef struct BlockToken { /* an address of a label, until its function's blocks have numbers */
    LLVMValueRef fn;
    LLVMBasicBlockRef block;
} BlockToken;

typedef struct InitStore { /* part of an initialiser that only code can compute */
    uint32_t global;
    uint64_t offset;
    LLVMValueRef value;
} InitStore;

typedef struct Front {
    const FrontendOptions *options;
    LLVMContextRef context;
    LLVMModuleRef module; /* the user's; from runtime_link on, with what it needs of the runtime */
    LLVMTargetDataRef layout;
    Arena *arena; /* lives as long as the load */
    IrProgram *p;
    const char *suspect; /* a file that no clang of ours wrote, NULL: none */
    char *diagnostic;    /* LLVM's first error, one line; mem_free */

    Map types;                                /* LLVMTypeRef to TypeInfo* */
    Map symbols;                              /* function or global to IR index */
    Map user_symbols;                         /* what the user's files define: the rest is the runtime's */
    Vec(LLVMValueRef) fn_queue, global_queue; /* reached, still to translate */
    Vec(BlockToken) tokens;
    Map block_numbers; /* LLVMBasicBlockRef of a label whose address is taken to IR block */
    Vec(InitStore) init_stores;

    Map loc_sites;    /* debug location to site */
    StrMap file_dirs; /* file of a site to the directory it was first seen with */
    Map flags;        /* instruction of the user's module to IR_NSW and so on */
    Map ctypes;       /* C type in debug information to its number in the program */
    uint32_t ctype_depth;
    LLVMValueRef observer; /* what observe.c runs at the exit; NULL: nothing */
    Map callees;           /* LLVM function to what a call of it means (calls.c), cached */
    unsigned attr_byval, attr_sret, attr_nonnull, attr_dereferenceable, attr_align, attr_noreturn,
        attr_signext, attr_returns_twice, attr_optnone, attr_noinline;
} Front;

/* ---- one function ---------------------------------------------------------------------------- */

typedef struct Regs {
    const uint32_t *v;
    uint32_t n;
} Regs;

typedef struct PhiSlot {
    LLVMValueRef phi;
    uint32_t block, insn; /* of the first of its IR phis */
} PhiSlot;

typedef struct Trans {
    Front *fr;
    IrProgram *p;
    LLVMValueRef llvm;    /* NULL: a function that we make up */
    IrFn ir;              /* under construction; moved into the program at the end */
    uint32_t index;       /* its place there */
    uint32_t block, site; /* where and with what site the next instruction is put */
    bool hoist;           /* instructions go to the prologue: they compute a constant */
    Vec(IrInsn) prologue; /* goes before the entry block's instructions */
    Map values;           /* LLVMValueRef to Regs* */
    Map blocks, exits;    /* LLVMBasicBlockRef to the IR block that it starts and ends in */
    Vec(PhiSlot) phis;    /* to be filled in when all values are known */
    const char *problem;  /* set by whatever cannot be expressed; ends the instruction under way */
    bool cut;             /* some block was cut short: unreachable blocks may exist */
    Arena *arena;
} Trans;

/* types.c */
const TypeInfo *type_info(Front *fr, LLVMTypeRef type);
uint64_t type_size(Front *fr, LLVMTypeRef type);          /* with padding, the stride of an array */
const TypeInfo *value_info(Trans *t, LLVMValueRef value); /* sets t->problem if the type has one */
uint32_t type_leaf_index(Front *fr, LLVMTypeRef type, const unsigned *path, unsigned n, LLVMTypeRef *inner);

/* emit.c: registers and instructions */
uint32_t emit(Trans *t, IrOp op, uint8_t width, uint32_t a, uint32_t b, uint32_t c);
void emit_plain(Trans *t, IrOp op, uint8_t width, uint8_t flags, uint32_t a, uint32_t b, uint32_t c);
uint32_t emit_flags(Trans *t, IrOp op, uint8_t width, uint8_t flags, uint32_t a, uint32_t b, uint32_t c);
uint32_t emit_fold(Trans *t, IrOp op, uint8_t width, uint32_t a, uint32_t b,
                   uint32_t c); /* of constants, a constant */
uint32_t reg_int(Trans *t, uint8_t width, u128 value);
uint32_t reg_undef(Trans *t, uint8_t width);
uint8_t reg_width(const Trans *t, uint32_t reg);
uint32_t resize(Trans *t, uint32_t reg, uint8_t width, bool is_signed);
uint32_t emit_offset(Trans *t, uint32_t pointer, uint64_t bytes);
uint32_t emit_index(Trans *t, uint32_t pointer, uint32_t index, uint64_t scale);
uint32_t block_new(Trans *t, const char *name);
void problem(Trans *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* values.c */
Regs regs_of(Trans *t, LLVMValueRef value);    /* n may be 0 where t->problem is set */
uint32_t reg_of(Trans *t, LLVMValueRef value); /* of a value that is one register */
void set_regs(Trans *t, LLVMValueRef value, const uint32_t *regs, uint32_t n);
void set_reg(Trans *t, LLVMValueRef value, uint32_t reg);
uint32_t *regs_room(Trans *t, uint32_t n);                 /* scratch that lives as long as t */
const char *value_variable(Front *fr, LLVMValueRef value); /* the C variable behind a value, or NULL */

/* consts.c */
u128 const_int(LLVMValueRef value);                   /* of a ConstantInt of up to 128 bits */
bool const_is_int(LLVMValueRef value, uint64_t *out); /* a ConstantInt of up to 64 bits */
u128 const_float_bits(Front *fr, LLVMValueRef value);
bool const_address(Front *fr, LLVMValueRef value, IrConst *out); /* a number or an address plus a number */
unsigned const_elements(LLVMValueRef value);                     /* of an aggregate or vector constant */
LLVMValueRef const_element(LLVMValueRef value, unsigned i);
Regs const_regs(Trans *t, LLVMValueRef value);

/* module.c: symbols */
void module_translate(Front *fr);
uint32_t symbol_fn(Front *fr, LLVMValueRef fn); /* index; queued for translation when first asked for */
uint32_t symbol_global(Front *fr, LLVMValueRef global);
bool symbol_address(Front *fr, LLVMValueRef symbol, IrConst *out); /* function, global, alias or ifunc */
LLVMValueRef symbol_declare(Front *fr, const char *name,
                            LLVMTypeRef type); /* an external function, found or made */
const char *symbol_name(LLVMValueRef value);   /* without LLVM's "as it is" mark */
bool symbol_is_local(LLVMValueRef value);

/* globals.c */
void global_translate(Front *fr, LLVMValueRef global);
void globals_init_code(Trans *t, const InitStore *store);

/* ctypes.c: C's types; 0 where debug information tells none */
uint32_t ctype_of(Front *fr, LLVMMetadataRef type);
void ctypes_of_fn(Front *fr, IrFn *ir, LLVMValueRef fn);
uint32_t ctype_of_global(Front *fr, LLVMValueRef global);
uint32_t ctype_of_local(Front *fr, LLVMValueRef local); /* an alloca */
void ctype_of_call(Front *fr, LLVMValueRef call, const char *callee,
                   uint32_t site); /* if it names an input or output */

/* params.c: the parameters of a function that has none yet. */
void params_translate(Front *fr, IrFn *ir, LLVMValueRef fn);

/* body.c */
void fn_translate(Front *fr, LLVMValueRef fn);
void fn_declare(Front *fr, uint32_t index, LLVMTypeRef type); /* parameters and results from the type */
Trans trans_new(Front *fr, uint32_t index, LLVMValueRef fn);
void trans_finish(Trans *t); /* moves t->ir into the program */

/* insn.c, memory.c, calls.c, vectors.c: one instruction or constant expression each; they set its
 * registers */
void insn_translate(Trans *t, LLVMValueRef insn);
void op_translate(Trans *t, LLVMOpcode opcode, LLVMValueRef insn);
void memory_load(Trans *t, LLVMValueRef insn);
void memory_store(Trans *t, LLVMValueRef insn);
void memory_alloca(Trans *t, LLVMValueRef insn);
void memory_gep(Trans *t, LLVMValueRef insn);
void memory_rmw(Trans *t, LLVMValueRef insn);
void memory_cmpxchg(Trans *t, LLVMValueRef insn);
void memory_write_regs(Trans *t, const TypeInfo *type, uint32_t address, Regs value, unsigned align,
                       uint8_t flags);
void memory_read_regs(Trans *t, const TypeInfo *type, uint32_t address, unsigned align, uint8_t flags,
                      uint32_t *out);
void call_translate(Trans *t, LLVMValueRef insn);
uint32_t call_emit(Trans *t, uint32_t fn, const uint32_t *args, uint32_t n,
                   uint8_t width); /* one result, or none */
void call_declare_jumps(Front *fr,
                        LLVMValueRef fn); /* what calls of it will need of the runtime, if it is sigsetjmp */
void call_asm(Trans *t, LLVMValueRef insn, LLVMValueRef callee);
void vector_bitcast(Trans *t, LLVMValueRef insn);
void vector_extract(Trans *t, LLVMValueRef insn);
void vector_insert(Trans *t, LLVMValueRef insn);
void vector_shuffle(Trans *t, LLVMValueRef insn);
uint32_t vector_join(Trans *t, const uint32_t *regs, uint32_t n); /* first is least significant */
void vector_repack(Trans *t, const uint32_t *from, uint32_t nfrom, const Leaf *to, uint32_t nto,
                   uint32_t *out);

/* wide.c: integers of more than 128 bits */
bool wide_is(LLVMValueRef value);
bool wide_const(LLVMValueRef value, uint64_t *limbs,
                uint32_t n); /* of a ConstantInt; false on text that is none */
void wide_binary(Trans *t, IrOp op, LLVMValueRef insn);
void wide_cast(Trans *t, IrOp op, LLVMValueRef insn);
void wide_compare(Trans *t, IrOp op, LLVMValueRef insn, bool swap); /* of an integer comparison */

/* intrinsics.c */
typedef struct Intrinsic Intrinsic;
const Intrinsic *intrinsic_find(const char *name); /* NULL: unknown */
void intrinsic_translate(Trans *t, const Intrinsic *what, LLVMValueRef call);
void intrinsic_declare_library(Front *fr,
                               LLVMValueRef fn); /* the C function that calls of fn will need, if any */

/* sites.c */
uint32_t site_of(Front *fr, LLVMValueRef insn); /* IR_NONE if unknown */
uint32_t site_of_fn(Front *fr, LLVMValueRef fn);
uint32_t site_of_global(Front *fr, LLVMValueRef global);

/* flags.c */
void flags_read(Front *fr, LLVMModuleRef module, const void *bitcode, size_t size);
void flags_read_text(Front *fr, LLVMModuleRef module); /* of a module that was no bitcode */

/* prepare.c */
void observe_user(Front *fr); /* observe.c: before it is prepared */
void prepare_user(Front *fr);

/* runtime.c */
void runtime_link(Front *fr); /* requires: fr->module prepared */
#define VARIABLE_MARK '\1'    /* ends the part of a value's name that is a C variable */
#define UNINIT_PREFIX "__sheaf_uninit."

/* load.c, clang.c, guard.c, ident.c, compdb.c */
typedef struct Source {           /* a file to load, with the flags it is compiled with */
    const char *path, *directory; /* directory: where clang runs, NULL: here */
    StrVec flags;
} Source;
typedef Vec(Source) SourceVec;
void compdb_sources(const FrontendOptions *options, Arena *a, SourceVec *out);
void clang_filter_flags(const StrVec *in, bool optimise, StrVec *out);
void clang_version_flags(const FrontendOptions *options, Arena *a, StrVec *out); /* for options->root */
/* preprocess.c: an entry of a compilation database as options->mapped says. False: this version does not have
 * it. */
bool version_map_source(const FrontendOptions *options, Arena *a, Source *source);
/* Is the path below the version's directory, or below the one that the database is about? */
bool version_has(const FrontendOptions *options, const char *path);
/* native.c: inputs and entries of the database; and running one of LLVM's programs. */
void sources_list(const FrontendOptions *options, Arena *a, SourceVec *out);
void sources_free(SourceVec *sources);
bool tool_run(const StrVec *argv, const char *directory, int captured, Str *out);
/* A clang at work. Start, then finish (true if it compiled; its messages have been shown) or cancel. */
typedef struct ClangJob {
    pid_t pid; /* 0: none */
    int output, messages;
} ClangJob;
const char *clang_program(const FrontendOptions *options);
void clang_start(const FrontendOptions *options, const Source *source, ClangJob *job);
bool clang_finish(ClangJob *job, Str *bitcode);
void clang_cancel(ClangJob *job);
/* Between these two, a crash or endless loop of LLVM is reported in one line about this file, exit 2. */
void guard_begin(const char *path);
void guard_end(void);
/* The writer of bitcode ("LLVM19.1.7"); false if the file does not say. */
bool ident_read(const void *bitcode, size_t n, char *out, size_t size);
const char *front_reason(const Front *fr); /* LLVM's first complaint since the load began */

#endif
