/* index.c - what follows from the blocks of a function and is asked for again and again: where a register is
 * defined, and which loops there are (loops.c). */
#include "ir/ir_int.h"

static void define(IrFn *fn, uint32_t reg, uint32_t block, uint32_t insn)
{
    fn->regs.v[reg].block = block;
    fn->regs.v[reg].insn = insn;
}

/* A register has one definition: the function is in SSA form. Only calls may define several. */
static void find_definitions(IrFn *fn)
{
    for (uint32_t r = 0; r < fn->regs.n; r++)
        define(fn, r, IR_NONE, IR_NONE);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALL || insn->op == IR_CALLPTR) {
                IrCall call = ir_call_read(fn, insn);
                for (uint32_t k = 0; k < call.ndst; k++)
                    define(fn, call.dst[k], b, i);
            } else if (insn->dst != IR_NONE) {
                define(fn, insn->dst, b, i);
            }
        }
}

void ir_fn_index(IrFn *fn)
{
    ir_find_loops(fn);
    find_definitions(fn);
}

void ir_program_index(IrProgram *p)
{
    for (uint32_t i = 0; i < p->fns.n; i++)
        ir_fn_index(&p->fns.v[i]);
}

const IrInsn *ir_reg_def(const IrFn *fn, uint32_t reg)
{
    const IrReg *r = &fn->regs.v[reg];
    return r->block == IR_NONE ? NULL : &fn->blocks.v[r->block].insns.v[r->insn];
}
