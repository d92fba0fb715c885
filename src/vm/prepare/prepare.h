/* prepare.h - private to vm's prepare*.c: the translation of one IR function into prepared code. */
#ifndef SHEAF_VM_PREPARE_H
#define SHEAF_VM_PREPARE_H

#include "vm/core/vm_int.h"

/* Where a jump must be patched: a field of an instruction, or a cell of its table. */
typedef struct Fix {
    uint32_t code;
    uint32_t field; /* byte offset in Code, or IR_NONE: *where */
    uint32_t *where;
    uint32_t label;
} Fix;

/* An edge that has work to do (copies for phis, loop counters) away from its block. */
typedef struct Edge {
    uint32_t from, to, label;
} Edge;

typedef struct Copy {
    uint32_t to, from; /* frame offsets */
} Copy;

typedef struct Prep {
    Vm *vm;
    FnCode *fn;
    const IrFn *ir;
    bool fuse; /* one instruction for several of the IR: only without shadows */
    Vec(Code) code;
    Vec(CodeSource) sources;
    U32Vec order;       /* blocks as laid out; unreachable ones are left out */
    uint32_t *rank;     /* block to place in order, or IR_NONE */
    uint32_t *preds;    /* number of edges into a block */
    uint32_t *root;     /* register to the one whose bits it shares */
    uint32_t *reads;    /* register to the number of instructions that read it */
    uint32_t *counters; /* loop to the offset of its counter, or IR_NONE */
    U32Vec labels;      /* label (block, then edges) to code */
    Vec(Fix) fixes;
    Vec(Edge) edges;
    U32Vec outgoing; /* codes whose d lies in the callee's frame */
    Vec(struct ConstInit) consts;
    Vec(LocalInfo) locals;
    Map const_slots; /* register to 1 if it is set on entry */
    uint32_t nslots, outgoing_most, trash, spare;
    uint32_t block, insn, steps; /* being translated */
    bool in_loop;
} Prep;

/* An address as base + index * scale + offset. */
typedef struct Mode {
    uint32_t base;  /* register; IR_NONE: the global */
    uint32_t index; /* register or IR_NONE */
    bool index32;   /* the index is to be sign-extended from 32 bits */
    uint32_t global;
    int64_t scale, offset;
} Mode;

/* What a branch decides on: a comparison, or a register of one bit. */
typedef struct Test {
    const IrInsn *compare; /* NULL: reg */
    uint32_t reg;
    bool inverted;
} Test;

/* A comparison as an instruction has it. */
typedef struct Compare {
    CodeOp op;
    uint32_t a, b; /* offsets */
    uint64_t imm;  /* instead of b */
    bool is_imm;
    bool inverted; /* of a branch: its targets change places */
} Compare;

/* prepare.c */
uint32_t prep_slot(Prep *p, uint32_t reg); /* offset of a register; constants are made available first */
uint32_t prep_new_slot(Prep *p, unsigned words);
bool prep_const(const Prep *p, uint32_t reg, u128 *value); /* true for constants other than undef */
void prep_emit(Prep *p, CodeOp op, Code code);
void prep_jump(Prep *p, uint32_t field, uint32_t *where,
               uint32_t label); /* of the instruction emitted last */
static inline uint8_t prep_width(const Prep *p, uint32_t reg) { return p->ir->regs.v[reg].width; }
static inline const IrInsn *prep_def(const Prep *p, uint32_t reg) { return ir_reg_def(p->ir, p->root[reg]); }

/* prepare_fuse.c */
void prep_find_needed(Prep *p); /* fills root and reads */
Mode prep_mode(const Prep *p, uint32_t address);
Test prep_test(const Prep *p, const IrInsn *branch);
uint32_t prep_stored(const Prep *p, const IrInsn *insn);   /* register whose low bits a store writes */
uint32_t prep_extended(const Prep *p, const IrInsn *insn); /* register whose low bits a sext extends */
/* Registers that the translation of an instruction reads. Clears and fills out. */
void prep_reads(const Prep *p, const IrInsn *insn, U32Vec *out);
bool prep_is_removable(const IrInsn *insn); /* no effect beyond its result */
bool prep_is_emitted(const Prep *p,
                     const IrInsn *insn); /* it gets an instruction of its own (phis: copies) */

/* prepare_merge.c */
void prep_merge(Prep *p); /* places that several registers share */

/* prepare_live.c */
bool prep_is_copied(const Prep *p, const IrInsn *phi); /* false also if it is no phi */
/* IrLiveOptions.reads of the translated code; the user is the Prep. */
void prep_live_reads(const void *user, const IrInsn *insn, U32Vec *out);
void prep_live(Prep *p); /* fills FnCode.live */

/* prepare_insn.c */
void prep_pure(Prep *p, const IrInsn *insn);
void prep_load(Prep *p, const IrInsn *insn);
void prep_store(Prep *p, const IrInsn *insn);
void prep_out(Prep *p, OutFn out, uint32_t d, uint32_t a, uint32_t b, uint32_t c);
bool prep_load_signed(Prep *p, const IrInsn *load, const IrInsn *next); /* both in one, if they go together */
/* The instruction for a comparison; false: none. */
bool prep_compare(Prep *p, const IrInsn *insn, bool branch, Compare *out);

/* prepare_flow.c */
void prep_terminator(Prep *p, const IrInsn *insn, uint32_t next);
void prep_edges(Prep *p); /* those that wait */
void prep_counters(Prep *p);
const RegList *prep_loops(Prep *p, uint32_t block);

/* view.c */
void prep_observe(
    Prep *p, bool end); /* where the observer is called: control comes to the head, or end, of this block */

/* prepare_call.c */
void prep_call(Prep *p, const IrInsn *insn);

#endif
