/* ir_int.h - what the files of ir share: the shape of operands as data, and a walk over all operand slots of
 * an instruction that never leaves the lists it walks, whatever they hold. */
#ifndef SHEAF_IR_INT_H
#define SHEAF_IR_INT_H

#include "ir/ir.h"

/* One letter for each of the fields a, b, c that the form names (dst left out):
 *   p 64 bits   w the instruction's width   o the width of operand a (comparisons: the result has one bit)
 *   c one bit   y 8 bits   i 32 bits   * any width
 *   a an alignment   s a scale   . no register and no number (block, function, list, string) */
const char *ir_op_operands(IrOp op);
/* The layout of the list behind an 'e': groups separated by commas, each a count and then that many tuples of
 *   d result register   r register   b block   i number. "" for opcodes without a list. */
const char *ir_op_list(IrOp op);
/* The width an instruction of this opcode must carry; 0 for none; IR_WIDTH_OWN if it states its own. */
enum { IR_WIDTH_OWN = 255, IR_WIDTH_MAX = 128 };
unsigned ir_op_width(IrOp op);
/* The width that an operand with this letter must have, 0 if any will do. `operand` is what 'o' means. */
unsigned ir_operand_width(char letter, unsigned width, unsigned operand);

/* Every operand of an instruction, field by field and list by list, in the order of op.def. */
typedef struct IrSlots {
    const IrFn *fn;
    const IrInsn *insn;
    const char *form, *list, *tuple; /* what is left of the form and list; the start of the current tuple */
    uint32_t field;                  /* next of a, b, c */
    uint32_t at, left;               /* next word of the list; tuples left in the group */
    bool in_list;
    char kind; /* of the current slot: d r i b f s */
    const uint32_t *slot;
    bool broken; /* the walk ended because a list runs beyond the pool */
} IrSlots;
IrSlots ir_slots(const IrFn *fn, const IrInsn *insn);
bool ir_slots_next(IrSlots *s);
bool ir_lists_fit(const IrFn *fn, const IrInsn *insn); /* a walk to the end stays inside the pool */

/* The flags of an instruction by name, in the order in which they are printed. */
typedef struct IrFlagName {
    uint8_t flag;
    const char *text;
    const char *allowed; /* "pure", or the opcodes that may have it, separated by blanks */
} IrFlagName;
extern const IrFlagName ir_flag_names[];
extern const uint32_t ir_flag_count;
bool ir_flag_allowed(const IrFlagName *flag, IrOp op);

/* Names of blocks and registers as the text shows them: "^loop.3", "%x.17". */
void ir_print_block_name(const IrProgram *p, const IrFn *fn, uint32_t block, Str *out);
/* The bytes in double quotes, everything but plain printable characters as \hh. */
void ir_print_quoted(const char *bytes, size_t size, Str *out);
/* A sigil and a name, quoted unless it consists of letters, digits, '_' and '.'. */
void ir_print_name(char sigil, const char *name, Str *out);

/* As ir_fn_reachable, from a function or variable. */
void ir_reachable(const IrProgram *p, IrConst from, BitSet *fns, BitSet *globals);

/* Fills loops and loop_of. */
void ir_find_loops(IrFn *fn);

/* For the module itself and its tests. */
bool ir_op_by_text(const char *text, IrOp *op);

#endif
