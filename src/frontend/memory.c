/* memory.c - loads, stores, stack objects, address arithmetic, atomics (one thread: plain code). */
#include "frontend/frontend_int.h"

/* What is known of the alignment `offset` bytes behind an address of this alignment. */
static uint32_t align_at(unsigned align, uint64_t offset)
{
    uint64_t low = offset & -offset;
    if (align == 0)
        align = 1;
    return low && low < align ? (uint32_t)low : align;
}

void memory_read_regs(Trans *t, const TypeInfo *type, uint32_t address, unsigned align, uint8_t flags,
                      uint32_t *out)
{
    if (type->packed) {
        uint8_t step = type->leaves[0].width, width = (uint8_t)(type->n * step);
        uint32_t all = emit_flags(t, IR_LOAD, width, flags, address, align_at(align, 0), 0);
        vector_repack(t, &all, 1, type->leaves, type->n, out);
        return;
    }
    for (uint32_t i = 0; i < type->n; i++) {
        const Leaf *leaf = &type->leaves[i];
        out[i] = emit_flags(t, IR_LOAD, leaf->width, flags, emit_offset(t, address, leaf->offset),
                            align_at(align, leaf->offset), 0);
    }
}

void memory_write_regs(Trans *t, const TypeInfo *type, uint32_t address, Regs value, unsigned align,
                       uint8_t flags)
{
    if (type->packed) {
        uint32_t all = vector_join(t, value.v, value.n);
        emit_plain(t, IR_STORE, reg_width(t, all), flags, address, all, align_at(align, 0));
        return;
    }
    for (uint32_t i = 0; i < type->n; i++) {
        const Leaf *leaf = &type->leaves[i];
        emit_plain(t, IR_STORE, leaf->width, flags, emit_offset(t, address, leaf->offset), value.v[i],
                   align_at(align, leaf->offset));
    }
}

static uint8_t volatile_flag(LLVMValueRef insn) { return LLVMGetVolatile(insn) ? IR_VOLATILE : 0; }

void memory_load(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    uint32_t address = reg_of(t, LLVMGetOperand(insn, 0));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    memory_read_regs(t, info, address, LLVMGetAlignment(insn), volatile_flag(insn), out);
    set_regs(t, insn, out, info->n);
}

void memory_store(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, LLVMGetOperand(insn, 0));
    Regs value = regs_of(t, LLVMGetOperand(insn, 0));
    uint32_t address = reg_of(t, LLVMGetOperand(insn, 1));
    if (!t->problem)
        memory_write_regs(t, info, address, value, LLVMGetAlignment(insn), volatile_flag(insn));
}

void memory_alloca(Trans *t, LLVMValueRef insn)
{
    uint64_t size = type_size(t->fr, LLVMGetAllocatedType(insn)), count;
    LLVMValueRef n = LLVMGetOperand(insn, 0);
    unsigned align = LLVMGetAlignment(insn);
    bool is_entry = LLVMGetInstructionParent(insn) == LLVMGetEntryBasicBlock(t->llvm);
    if (const_is_int(n, &count)) {
        uint32_t bytes = reg_int(t, 64, size * count);
        set_reg(t, insn, emit_flags(t, IR_ALLOCA, 64, is_entry ? IR_FIXED : 0, bytes, align ? align : 1, 0));
        return;
    }
    uint32_t number = resize(t, reg_of(t, n), 64, false);
    uint32_t bytes = size == 1 ? number : emit(t, IR_MUL, 64, number, reg_int(t, 64, size), 0);
    if (!t->problem)
        set_reg(t, insn, emit(t, IR_ALLOCA, 64, bytes, align ? align : 1, 0));
}

/* ---- address arithmetic ---------------------------------------------------------------------- */

static unsigned field_number(LLVMValueRef index)
{
    if (!LLVMIsAConstantInt(index))
        index = const_element(index, 0); /* a vector of equal numbers */
    return (unsigned)LLVMConstIntGetZExtValue(index);
}

/* One lane; constant parts are summed up and added once, before the next variable part. */
static uint32_t gep_lane(Trans *t, LLVMValueRef insn, uint32_t lane)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(insn);
    Regs base = regs_of(t, LLVMGetOperand(insn, 0));
    uint64_t offset = 0;
    if (t->problem)
        return reg_undef(t, 64);
    uint32_t at = base.v[base.n == 1 ? 0 : lane];
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(insn); i++) {
        LLVMValueRef index = LLVMGetOperand(insn, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += LLVMOffsetOfElement(t->fr->layout, type, field_number(index));
            type = LLVMStructGetTypeAtIndex(type, field_number(index));
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (LLVMIsAConstantInt(index)) {
            i128 number = bits_signed(const_int(index), LLVMGetIntTypeWidth(LLVMTypeOf(index)));
            offset += (uint64_t)number * type_size(t->fr, type);
            continue;
        }
        Regs number = regs_of(t, index);
        if (t->problem)
            return at;
        at = emit_offset(t, at, offset);
        at = emit_index(t, at, number.v[number.n == 1 ? 0 : lane], type_size(t->fr, type));
        offset = 0;
    }
    return emit_offset(t, at, offset);
}

void memory_gep(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n && !t->problem; i++)
        out[i] = gep_lane(t, insn, i);
    if (!t->problem)
        set_regs(t, insn, out, info->n);
}

/* ---- atomics --------------------------------------------------------------------------------- */

static bool rmw_result(Trans *t, LLVMAtomicRMWBinOp op, uint32_t old, uint32_t operand, uint32_t *out)
{
    static const uint16_t ops[] = {
        [LLVMAtomicRMWBinOpAdd] = IR_ADD,   [LLVMAtomicRMWBinOpSub] = IR_SUB,
        [LLVMAtomicRMWBinOpAnd] = IR_AND,   [LLVMAtomicRMWBinOpNand] = IR_AND,
        [LLVMAtomicRMWBinOpOr] = IR_OR,     [LLVMAtomicRMWBinOpXor] = IR_XOR,
        [LLVMAtomicRMWBinOpMax] = IR_SMAX,  [LLVMAtomicRMWBinOpMin] = IR_SMIN,
        [LLVMAtomicRMWBinOpUMax] = IR_UMAX, [LLVMAtomicRMWBinOpUMin] = IR_UMIN,
        [LLVMAtomicRMWBinOpFAdd] = IR_FADD, [LLVMAtomicRMWBinOpFSub] = IR_FSUB,
    };
    uint8_t width = reg_width(t, old);
    if (op == LLVMAtomicRMWBinOpXchg) {
        *out = operand;
        return true;
    }
    if ((size_t)op >= COUNT_OF(ops))
        return false;
    *out = emit(t, (IrOp)ops[op], width, old, operand, 0);
    if (op == LLVMAtomicRMWBinOpNand)
        *out = emit(t, IR_XOR, width, *out, reg_int(t, width, ~(u128)0), 0);
    return true;
}

void memory_rmw(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    uint32_t address = reg_of(t, LLVMGetOperand(insn, 0)), operand = reg_of(t, LLVMGetOperand(insn, 1)),
             result;
    uint8_t flags = volatile_flag(insn);
    if (t->problem)
        return;
    uint32_t old = emit_flags(t, IR_LOAD, info->leaves[0].width, flags, address, 1, 0);
    if (!rmw_result(t, LLVMGetAtomicRMWBinOp(insn), old, operand, &result)) {
        problem(t, "an atomic operation that C does not have");
        return;
    }
    emit_plain(t, IR_STORE, reg_width(t, old), flags, address, result, 1);
    set_reg(t, insn, old);
}

/* As on the processor, which writes the old value back if the comparison fails. */
void memory_cmpxchg(Trans *t, LLVMValueRef insn)
{
    uint32_t address = reg_of(t, LLVMGetOperand(insn, 0)), expected = reg_of(t, LLVMGetOperand(insn, 1));
    uint32_t wanted = reg_of(t, LLVMGetOperand(insn, 2));
    uint8_t width = reg_width(t, expected), flags = volatile_flag(insn);
    if (t->problem)
        return;
    uint32_t old = emit_flags(t, IR_LOAD, width, flags, address, 1, 0);
    uint32_t equal = emit(t, IR_EQ, 1, old, expected, 0);
    emit_plain(t, IR_STORE, width, flags, address, emit(t, IR_SELECT, width, equal, wanted, old), 1);
    set_regs(t, insn, (uint32_t[]){old, equal}, 2);
}
