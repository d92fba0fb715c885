/* shadow.c - registers that are more than their words: uninitialised bits, under --check uninit, and
 * expressions.
 *
 * A shadow names a mask of uninitialised bits (Vm.undefs). Values may be copied and computed with freely; the
 * fault comes when such a bit decides something: a branch, an address, a divisor, what is handed to the
 * outside. Masks are exact for bit operations, so that bit-fields in a fresh structure do not cry wolf. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

uint64_t vm_undef_shadow(Vm *vm, uint64_t mask)
{
    uint64_t index;
    if (!mask || !vm->mem.undef)
        return 0;
    if (!map_get(&vm->undef_index, mask, &index)) {
        index = vm->undefs.n;
        if (index >= SHADOW_UNDEF)
            bug("too many masks of uninitialised bits");
        vec_push(&vm->undefs, mask);
        map_put(&vm->undef_index, mask, index);
    }
    return SHADOW_UNDEF | index;
}

uint64_t vm_undef_mask(const Vm *vm, uint64_t shadow)
{
    return shadow & SHADOW_UNDEF ? vm->undefs.v[shadow & (SHADOW_UNDEF - 1)] : 0;
}

bool vm_shadow_use(Vm *vm, const Code *pc, uint64_t shadow)
{
    if (shadow & SHADOW_UNDEF)
        return vm_end_fault(vm, VM_FAULT_UNINIT, "%s",
                            vm_outside_user(vm) ? "what the program returned" : "");
    if (vm->lab)
        return vm_label_use(vm, pc, shadow);
    return !sym_of(shadow).id || vm_sym_use(vm, pc, shadow);
}

bool vm_shadow_address(Vm *vm, const Code *pc, uint64_t shadow, bool write)
{
    if (shadow & SHADOW_UNDEF)
        return vm_shadow_use(vm, pc, shadow);
    if (vm->lab)
        vm_label_access(vm, shadow, write);
    return !vm->ended;
}

bool vm_shadow_load(Vm *vm, const Code *pc, Reg *regs, unsigned size)
{
    const Reg *address = REG(regs, pc->a);
    int64_t by = (int32_t)pc->c;
    if (!vm_shadow_address(vm, pc, address->shadow, false))
        return false;
    if (!sym_of(address->shadow).id)
        return vm_load(vm, address->word + (uint64_t)by, size, REG(regs, pc->d));
    return vm_sym_load(vm, address, by, 8 * size, REG(regs, pc->d));
}

bool vm_shadow_store(Vm *vm, const Code *pc, Reg *regs, unsigned size)
{
    const Reg *address = REG(regs, pc->a);
    int64_t by = (int32_t)pc->c;
    if (!vm_shadow_address(vm, pc, address->shadow, !sym_of(address->shadow).id))
        return false;
    if (!sym_of(address->shadow).id)
        return vm_store(vm, address->word + (uint64_t)by, size, REG(regs, pc->d));
    return vm_sym_store(vm, address, by, 8 * size, REG(regs, pc->d));
}

void vm_shadow_extend(Vm *vm, Reg *value, unsigned from, unsigned to)
{
    uint64_t label = value->shadow >> 32 << 32, mask = vm_undef_mask(vm, value->shadow);
    if (mask)
        value->shadow = vm_undef_shadow(vm, (uint64_t)bits_signed64(mask, from) & bits_mask64(to));
    else
        sym_extend(vm, value, to);
    value->shadow |= label;
}

/* ---- masks ----------------------------------------------------------------------------------- */

static u128 mask_of(Vm *vm, const Reg *regs, uint32_t reg)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const IrConst *c = ir_reg_const_of(ir, reg);
    if (c)
        return c->kind == IR_CONST_UNDEF ? bits_mask(ir->regs.v[reg].width) : 0;
    const Reg *r = REG(regs, fn->slots[reg]);
    u128 mask = vm_undef_mask(vm, r[0].shadow);
    return ir->regs.v[reg].width > 64 ? mask | (u128)vm_undef_mask(vm, r[1].shadow) << 64 : mask;
}

bool vm_shadow_any(Vm *vm, const IrInsn *insn, const Reg *regs)
{
    U32Vec reads = {0};
    bool any = false;
    ir_insn_reads(&vm->program->fns.v[FRAME(regs)->fn->index], insn, &reads);
    for (uint32_t i = 0; i < reads.n; i++)
        any |= mask_of(vm, regs, reads.v[i]) != 0 || sym_reg_is(vm, regs, reads.v[i]) ||
               (vm->lab && label_ir_reg(vm, regs, reads.v[i]).id);
    vec_free(&reads);
    return any;
}

typedef struct Operand {
    u128 value, mask;
    uint64_t shadow; /* of its low word */
} Operand;

static Operand operand(Vm *vm, const IrFn *ir, const Reg *regs, uint32_t reg)
{
    uint32_t slot = ir_reg_const_of(ir, reg) ? IR_NONE : FRAME(regs)->fn->slots[reg];
    if (slot == IR_NONE)
        return (Operand){vm_reg_value(vm, regs, reg), mask_of(vm, regs, reg), 0};
    const Reg *r = REG(regs, slot);
    Operand o = {r[0].word, vm_undef_mask(vm, r[0].shadow), r[0].shadow};
    if (ir->regs.v[reg].width > 64) {
        o.value |= (u128)r[1].word << 64;
        o.mask |= (u128)vm_undef_mask(vm, r[1].shadow) << 64;
    }
    return o;
}

static u128 from_lowest(u128 mask, uint8_t width) { return (~mask + 1) & bits_mask(width); }

static u128 result_mask(const IrInsn *insn, uint8_t source, const Operand *a, const Operand *b,
                        const Operand *c)
{
    u128 all = bits_mask(insn->width), any = a->mask | b->mask | c->mask;
    BitsOp op = ir_op_bits((IrOp)insn->op);
    switch ((IrOp)insn->op) {
    case IR_AND: return (a->mask & b->mask) | (a->value & b->mask) | (a->mask & b->value);
    case IR_OR: return ((a->mask & b->mask) | (~a->value & b->mask) | (a->mask & ~b->value)) & all;
    case IR_XOR: return a->mask | b->mask;
    case IR_ADD:
    case IR_SUB: return any ? from_lowest(any & -any, insn->width) : 0;
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR: return b->mask ? all : bits_apply(op, insn->width, source, a->mask, b->value, 0);
    case IR_TRUNC:
    case IR_ZEXT:
    case IR_SEXT:
    case IR_BSWAP:
    case IR_BITREV: return bits_apply(op, insn->width, source, a->mask, 0, 0);
    case IR_SELECT: return a->mask ? all : a->value ? b->mask : c->mask;
    case IR_EQ:
    case IR_NE: return ((a->value ^ b->value) & ~(a->mask | b->mask)) ? 0 : any != 0;
    default: return any ? all : 0;
    }
}

static bool is_division(uint16_t op)
{
    return op == IR_UDIV || op == IR_SDIV || op == IR_UREM || op == IR_SREM;
}

static void set_masked(Vm *vm, unsigned width, u128 value, u128 mask, Reg *out)
{
    out[0] = (Reg){(uint64_t)value, vm_undef_shadow(vm, (uint64_t)mask)};
    if (width > 64)
        out[1] = (Reg){(uint64_t)(value >> 64), vm_undef_shadow(vm, (uint64_t)(mask >> 64))};
}

/* The arm that a select takes is the result as it stands: its expression, or its uninitialised bits. */
static void select_arm(Vm *vm, const Reg *regs, unsigned width, uint32_t arm, Reg *out)
{
    u128 value = vm_reg_value(vm, regs, arm);
    if (sym_reg_is(vm, regs, arm))
        sym_reg_set(vm, out, width, value, sym_reg(vm, regs, arm));
    else
        set_masked(vm, width, value, mask_of(vm, regs, arm), out);
}

static bool apply(Vm *vm, const Code *pc, const IrInsn *insn, Reg *regs)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    uint32_t reg[3] = {insn->a, insn->b, insn->c};
    Operand o[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    bool symbolic = false, undef = false;
    bool pointer = insn->op == IR_OFFSET || insn->op == IR_INDEX;
    unsigned n = pointer ? 2 : bits_op_arity(ir_op_bits((IrOp)insn->op));
    uint8_t source = ir->regs.v[insn->a].width;
    VmLabel label = LABEL_NONE;
    for (unsigned i = 0; i < n; i++) {
        o[i] = operand(vm, ir, regs, reg[i]);
        if (vm->lab)
            label = label_unite(vm, label, label_of(o[i].shadow));
        symbolic |= sym_of(o[i].shadow).id != 0;
        undef |= o[i].mask != 0;
    }
    if (vm->lab && (undef || is_division(insn->op)))
        label_own(vm, label);
    if (vm->lab && is_division(insn->op))
        label_check(vm);
    bool selects = insn->op == IR_SELECT &&
                   !o[0].mask; /* a condition that is known: the arm not taken does not matter */
    for (unsigned i = 0; symbolic && undef && i < (selects ? 1 : n);
         i++) /* one half of a shadow cannot say both */
        if (sym_of(o[i].shadow).id)
            sym_concretise(vm, sym_reg(vm, regs, reg[i]), NULL);
    if (is_division(insn->op) &&
        ((o[1].mask && !vm_shadow_use(vm, pc, vm_undef_shadow(vm, 1))) || !vm_out_check(vm, pc, regs)))
        return false;
    u128 value, mask;
    if (pointer) {
        i128 by = bits_signed(o[1].value, ir->regs.v[insn->b].width);
        value = (uint64_t)o[0].value + (uint64_t)by * (insn->op == IR_INDEX ? insn->c : 1);
        mask = undef ? bits_mask(64) : 0;
    } else {
        BitsOp op = ir_op_bits((IrOp)insn->op);
        uint8_t width = bits_op_result(op) == BITS_RESULT_BIT ? source : insn->width;
        value = bits_apply(op, width, source, o[0].value, o[1].value, o[2].value);
        mask = undef ? result_mask(insn, source, &o[0], &o[1], &o[2]) : 0;
    }
    Reg *out = REG(regs, fn->slots[insn->dst]);
    if (symbolic && !undef) {
        vm_sym_apply(vm, insn, regs, value);
        if (vm->lab)
            label_reg_add(vm, out, label);
        return true;
    }
    if (selects && symbolic)
        select_arm(vm, regs, insn->width, o[0].value ? insn->b : insn->c, out);
    else
        set_masked(vm, insn->width, value, mask, out);
    if (vm->lab)
        label_reg_add(vm, out, symbolic ? label_unite(vm, label, label_made(vm)) : label);
    return true;
}

bool vm_shadow_apply(Vm *vm, const Code *pc, Reg *regs) { return apply(vm, pc, vm_insn(vm, pc, regs), regs); }

bool vm_shadow_compare(Vm *vm, const Code *pc, Reg *regs)
{
    const IrInsn *compare = vm_insn(vm, pc, regs) - 1;
    return apply(vm, pc, compare, regs) &&
           vm_shadow_use(vm, pc, REG(regs, FRAME(regs)->fn->slots[compare->dst])->shadow);
}
