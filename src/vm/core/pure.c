/* pure.c - pure operators beside the fast path, by bits_apply; and the checks that come before an
 * operator. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

static void set(const Vm *vm, Reg *out, uint8_t width, u128 value)
{
    (void)vm;
    out[0] = (Reg){(uint64_t)value, 0};
    if (width > 64)
        out[1] = (Reg){(uint64_t)(value >> 64), 0};
}

/* The value of an instruction without effects, from the words of its operands. */
static u128 compute(const Vm *vm, const IrFn *ir, const IrInsn *insn, const Reg *regs)
{
    u128 v[3] = {0, 0, 0};
    uint32_t operand[3] = {insn->a, insn->b, insn->c};
    uint8_t source = ir->regs.v[insn->a].width;
    if (insn->op == IR_OFFSET || insn->op == IR_INDEX) {
        uint64_t base = (uint64_t)vm_reg_value(vm, regs, insn->a);
        i128 by = bits_signed(vm_reg_value(vm, regs, insn->b), ir->regs.v[insn->b].width);
        return base + (uint64_t)by * (insn->op == IR_INDEX ? insn->c : 1);
    }
    BitsOp op = ir_op_bits((IrOp)insn->op);
    for (unsigned i = 0; i < bits_op_arity(op); i++)
        v[i] = vm_reg_value(vm, regs, operand[i]);
    return bits_apply(op, bits_op_result(op) == BITS_RESULT_BIT ? source : insn->width, source, v[0], v[1],
                      v[2]);
}

bool vm_out_apply(Vm *vm, const Code *pc, Reg *regs)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const IrInsn *insn = vm_insn(vm, pc, regs);
    if (vm->shadows && vm_shadow_any(vm, insn, regs))
        return vm_shadow_apply(vm, pc, regs);
    set(vm, REG(regs, fn->slots[insn->dst]), insn->width, compute(vm, ir, insn, regs));
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool overflows(const Vm *vm, const IrFn *ir, const IrInsn *insn, const Reg *regs)
{
    u128 a = vm_reg_value(vm, regs, insn->a), b = vm_reg_value(vm, regs, insn->b);
    uint8_t width = ir->regs.v[insn->a].width;
    switch ((IrOp)insn->op) {
    case IR_ADD: return bits_apply(BITS_SADD_OVF, width, 0, a, b, 0);
    case IR_SUB: return bits_apply(BITS_SSUB_OVF, width, 0, a, b, 0);
    case IR_MUL: return bits_apply(BITS_SMUL_OVF, width, 0, a, b, 0);
    case IR_SHL: {
        u128 shifted = bits_apply(BITS_SHL, width, 0, a, b, 0);
        return b < width && bits_apply(BITS_ASHR, width, 0, shifted, b, 0) != a;
    }
    default: return false;
    }
}

static void operand_text(const Vm *vm, const IrFn *ir, const Reg *regs, uint32_t reg, char out[48])
{
    text_u128(out, (u128)bits_signed(vm_reg_value(vm, regs, reg), ir->regs.v[reg].width), true);
}

bool vm_out_check(Vm *vm, const Code *pc, Reg *regs)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(regs)->fn->index];
    const IrInsn *insn = vm_insn(vm, pc, regs);
    if (vm->lab) {
        label_own(vm, label_operands(vm, insn, regs));
        label_check(vm);
    }
    if (vm->sym)
        vm_sym_checks(vm, insn, regs);
    uint8_t width = ir->regs.v[insn->a].width;
    u128 a = vm_reg_value(vm, regs, insn->a), b = vm_reg_value(vm, regs, insn->b);
    uint64_t on = vm->options.checks;
    char left[48], right[48];
    operand_text(vm, ir, regs, insn->a, left);
    operand_text(vm, ir, regs, insn->b, right);
    switch ((IrOp)insn->op) {
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM:
        if (b == 0)
            return vm_end_fault(vm, VM_FAULT_DIV_ZERO, "%s", "");
        if ((insn->op == IR_SDIV || insn->op == IR_SREM) && b == bits_mask(width) &&
            a == (u128)1 << (width - 1))
            return vm_end_fault(vm, VM_FAULT_DIV_OVERFLOW, "%s", "");
        return true;
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        if ((on >> VM_FAULT_SHIFT & 1) && b >= width)
            return vm_end_fault(vm, VM_FAULT_SHIFT, "by %s of %u bits", right, width);
        break;
    default: break;
    }
    if ((on >> VM_FAULT_OVERFLOW & 1) && (insn->flags & IR_NSW) && overflows(vm, ir, insn, regs))
        return vm_end_fault(vm, VM_FAULT_OVERFLOW, "%s of %s and %s in %u bits", ir_op_text((IrOp)insn->op),
                            left, right, width);
    return true;
}
