/* consts.c - constants: numbers, addresses plus a number, and expressions over them, which become code in
 * front. */
#include "frontend/frontend_int.h"

/* LLVM-C hands out 64 bits at most; wider integers are read off their text, "i128 -5". */
static u128 const_int_wide(LLVMValueRef value, unsigned width)
{
    char *text = LLVMPrintValueToString(value);
    const char *digits = strchr(text, ' ');
    u128 bits = 0;
    if (!digits || !text_parse_u128(digits + 1, 10, &bits))
        bug("LLVM prints an integer as '%s'", text);
    LLVMDisposeMessage(text);
    return bits & bits_mask(width);
}

u128 const_int(LLVMValueRef value)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    return width <= 64 ? LLVMConstIntGetZExtValue(value) : const_int_wide(value, width);
}

bool const_is_int(LLVMValueRef value, uint64_t *out)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *out = LLVMConstIntGetZExtValue(value);
    return true;
}

u128 const_float_bits(Front *fr, LLVMValueRef value)
{
    unsigned width = type_info(fr, LLVMTypeOf(value))->leaves[0].width;
    LLVMValueRef bits =
        LLVMConstBitCast(value, LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)), width));
    return LLVMIsAConstantInt(bits) ? const_int(bits) : 0;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool is_int(LLVMValueRef value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind; }

static bool gep_address(Front *fr, LLVMValueRef gep, IrConst *out)
{
    if (!is_pointer(gep) || !const_address(fr, LLVMGetOperand(gep, 0), out))
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            offset += LLVMOffsetOfElement(fr->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        offset += (uint64_t)LLVMConstIntGetSExtValue(index) * type_size(fr, type);
    }
    if (offset && out->kind == IR_CONST_BLOCK)
        return false;
    out->bits = (out->bits + offset) & bits_mask(64);
    return true;
}

static bool sum_address(Front *fr, LLVMValueRef sum, bool minus, IrConst *out)
{
    IrConst a, b;
    if (!is_int(sum) || LLVMGetIntTypeWidth(LLVMTypeOf(sum)) != 64 ||
        !const_address(fr, LLVMGetOperand(sum, 0), &a) || !const_address(fr, LLVMGetOperand(sum, 1), &b))
        return false;
    if (!minus && a.kind == IR_CONST_INT) {
        IrConst swap = a;
        a = b, b = swap;
    }
    bool same_base = minus && a.kind == b.kind && a.index == b.index && a.block == b.block;
    if ((b.kind != IR_CONST_INT && !same_base) || (a.kind == IR_CONST_BLOCK && !same_base))
        return false;
    *out = same_base ? (IrConst){.kind = IR_CONST_INT} : a;
    out->bits = (minus ? a.bits - b.bits : a.bits + b.bits) & bits_mask(64);
    return true;
}

static bool cast_address(Front *fr, LLVMValueRef cast, IrConst *out)
{
    LLVMValueRef from = LLVMGetOperand(cast, 0);
    if ((!is_pointer(from) && !is_int(from)) || (!is_pointer(cast) && !is_int(cast)) ||
        !const_address(fr, from, out))
        return false;
    unsigned width = is_pointer(cast) ? 64 : LLVMGetIntTypeWidth(LLVMTypeOf(cast));
    if (out->kind == IR_CONST_INT) {
        out->bits &= bits_mask(width <= 128 ? width : 128);
        return width <= 128;
    }
    return width == 64 && (is_pointer(from) || LLVMGetIntTypeWidth(LLVMTypeOf(from)) == 64);
}

static bool label_address(Front *fr, LLVMValueRef label, IrConst *out)
{
    LLVMValueRef fn = LLVMGetOperand(label, 0);
    LLVMBasicBlockRef block = LLVMValueAsBasicBlock(LLVMGetOperand(label, 1));
    uint32_t token = 0;
    while (token < fr->tokens.n && fr->tokens.v[token].block != block)
        token++;
    if (token == fr->tokens.n)
        vec_push(&fr->tokens, (BlockToken){.fn = fn, .block = block});
    *out = (IrConst){.kind = IR_CONST_BLOCK, .index = symbol_fn(fr, fn), .block = token};
    return true;
}

bool const_address(Front *fr, LLVMValueRef value, IrConst *out)
{
    if (LLVMIsAConstantInt(value)) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 128)
            return false;
        *out = (IrConst){.kind = IR_CONST_INT, .bits = const_int(value)};
        return true;
    }
    if (LLVMIsAConstantPointerNull(value)) {
        *out = (IrConst){.kind = IR_CONST_INT};
        return true;
    }
    if (LLVMIsAGlobalValue(value))
        return symbol_address(fr, value, out);
    if (LLVMIsABlockAddress(value))
        return label_address(fr, value, out);
    if (!LLVMIsAConstantExpr(value))
        return false;
    switch (LLVMGetConstOpcode(value)) {
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMZExt: return cast_address(fr, value, out);
    case LLVMGetElementPtr: return gep_address(fr, value, out);
    case LLVMAdd: return sum_address(fr, value, false, out);
    case LLVMSub: return sum_address(fr, value, true, out);
    default: return false;
    }
}

unsigned const_elements(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind: return LLVMGetArrayLength(type);
    case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
    default: return 0;
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wdeprecated-declarations" /* since LLVM 15, whose replacement LLVM 14 lacks */
LLVMValueRef const_element(LLVMValueRef value, unsigned i)
{
    if (LLVMIsAConstantDataArray(value) || LLVMIsAConstantDataVector(value))
        return LLVMGetElementAsConstant(value, i);
    return LLVMGetOperand(value, i);
}
#pragma GCC diagnostic pop

static bool is_aggregate(LLVMValueRef value)
{
    return LLVMIsAConstantDataArray(value) || LLVMIsAConstantDataVector(value) ||
           LLVMIsAConstantArray(value) || LLVMIsAConstantStruct(value) || LLVMIsAConstantVector(value);
}

/* The expression's code computes a constant, so it may stand before everything else. */
static Regs expression_regs(Trans *t, LLVMValueRef value)
{
    bool hoist = t->hoist;
    uint32_t site = t->site;
    t->hoist = true;
    op_translate(t, LLVMGetConstOpcode(value), value);
    t->hoist = hoist;
    t->site = site;
    uint64_t made;
    return map_get(&t->values, (uintptr_t)value, &made) ? *(const Regs *)(uintptr_t)made : (Regs){.n = 0};
}

Regs const_regs(Trans *t, LLVMValueRef value)
{
    const TypeInfo *info = value_info(t, value);
    uint32_t *regs = regs_room(t, info->n), n = 0;
    IrConst address;
    if (t->problem)
        return (Regs){.n = 0};
    if (is_aggregate(value)) {
        for (unsigned i = 0; i < const_elements(value); i++) {
            Regs part = regs_of(t, const_element(value, i));
            for (uint32_t k = 0; k < part.n && n < info->n; k++)
                regs[n++] = part.v[k];
        }
    } else if (LLVMIsUndef(value) || LLVMIsAConstantAggregateZero(value)) {
        for (; n < info->n; n++)
            regs[n] = LLVMIsUndef(value) ? reg_undef(t, info->leaves[n].width)
                                         : reg_int(t, info->leaves[n].width, 0);
    } else if (LLVMIsAConstantInt(value) && wide_is(value)) {
        uint64_t *limbs = arena_alloc(t->arena, info->n * sizeof *limbs);
        if (wide_const(value, limbs, info->n))
            for (; n < info->n; n++)
                regs[n] = reg_int(t, info->leaves[n].width, limbs[n]);
    } else if (LLVMIsAConstantFP(value)) {
        regs[n++] = reg_int(t, info->leaves[0].width, const_float_bits(t->fr, value));
    } else if (info->n == 1 && const_address(t->fr, value, &address)) {
        regs[n++] = ir_reg_const(t->p, &t->ir, info->leaves[0].width, address);
    } else if (LLVMIsAConstantExpr(value)) {
        return expression_regs(t, value);
    }
    if (n != info->n)
        problem(t, "a constant of a kind that C does not have");
    return (Regs){.v = regs, .n = t->problem ? 0 : n};
}
