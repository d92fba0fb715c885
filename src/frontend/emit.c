/* emit.c - putting instructions where they belong: the current block, or the prologue for constants. */
#include "frontend/frontend_int.h"

static void put(Trans *t, IrInsn insn)
{
    if (t->hoist)
        vec_push(&t->prologue, insn);
    else
        ir_emit(&t->ir, t->block, insn);
}

uint32_t emit_flags(Trans *t, IrOp op, uint8_t width, uint8_t flags, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t dst = ir_reg_result(t->p, &t->ir, width, NULL);
    put(t, (IrInsn){.op = (uint16_t)op,
                    .width = width,
                    .flags = flags,
                    .dst = dst,
                    .a = a,
                    .b = b,
                    .c = c,
                    .site = t->site});
    return dst;
}

uint32_t emit(Trans *t, IrOp op, uint8_t width, uint32_t a, uint32_t b, uint32_t c)
{
    return emit_flags(t, op, width, 0, a, b, c);
}

void emit_plain(Trans *t, IrOp op, uint8_t width, uint8_t flags, uint32_t a, uint32_t b, uint32_t c)
{
    put(t, (IrInsn){.op = (uint16_t)op,
                    .width = width,
                    .flags = flags,
                    .dst = IR_NONE,
                    .a = a,
                    .b = b,
                    .c = c,
                    .site = t->site});
}

static bool is_int_const(const Trans *t, uint32_t reg, u128 *bits)
{
    const IrConst *c = ir_reg_const_of(&t->ir, reg);
    if (!c || c->kind != IR_CONST_INT)
        return false;
    *bits = c->bits;
    return true;
}

/* For code of ours that takes values apart and joins them, never for divisions: folding must not hide a
 * fault. */
uint32_t emit_fold(Trans *t, IrOp op, uint8_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t operands[3] = {a, b, c};
    u128 bits[3] = {0};
    for (unsigned i = 0; i < bits_op_arity(ir_op_bits(op)); i++)
        if (!is_int_const(t, operands[i], &bits[i]))
            return emit(t, op, width, a, b, c);
    bool is_bit = bits_op_result(ir_op_bits(op)) == BITS_RESULT_BIT;
    unsigned from = reg_width(t, a);
    return reg_int(t, width,
                   bits_apply(ir_op_bits(op), is_bit ? from : width, from, bits[0], bits[1], bits[2]));
}

uint32_t reg_int(Trans *t, uint8_t width, u128 value)
{
    return ir_reg_int(t->p, &t->ir, width, value & bits_mask(width));
}

uint32_t reg_undef(Trans *t, uint8_t width)
{
    return ir_reg_const(t->p, &t->ir, width, (IrConst){.kind = IR_CONST_UNDEF});
}

uint8_t reg_width(const Trans *t, uint32_t reg) { return t->ir.regs.v[reg].width; }

uint32_t resize(Trans *t, uint32_t reg, uint8_t width, bool is_signed)
{
    uint8_t from = reg_width(t, reg);
    if (from == width)
        return reg;
    return emit_fold(t, from > width ? IR_TRUNC : is_signed ? IR_SEXT : IR_ZEXT, width, reg, 0, 0);
}

uint32_t emit_offset(Trans *t, uint32_t pointer, uint64_t bytes)
{
    if (bytes == 0)
        return pointer;
    const IrConst *c = ir_reg_const_of(&t->ir, pointer);
    if (c && (c->kind == IR_CONST_INT || c->kind == IR_CONST_GLOBAL || c->kind == IR_CONST_FN)) {
        IrConst moved = *c;
        moved.bits = (moved.bits + bytes) & bits_mask(64);
        return ir_reg_const(t->p, &t->ir, 64, moved);
    }
    return emit(t, IR_OFFSET, 64, pointer, reg_int(t, 64, bytes), 0);
}

uint32_t emit_index(Trans *t, uint32_t pointer, uint32_t index, uint64_t scale)
{
    u128 constant;
    if (scale == 0)
        return pointer;
    if (is_int_const(t, index, &constant))
        return emit_offset(t, pointer, (uint64_t)bits_signed(constant, reg_width(t, index)) * scale);
    if (reg_width(t, index) > 64)
        index = resize(t, index, 64, true);
    if (scale <= INT32_MAX)
        return emit(t, IR_INDEX, 64, pointer, index, (uint32_t)scale);
    uint32_t bytes = emit(t, IR_MUL, 64, resize(t, index, 64, true), reg_int(t, 64, scale), 0);
    return emit(t, IR_OFFSET, 64, pointer, bytes, 0);
}

uint32_t block_new(Trans *t, const char *name) { return ir_block_add(t->p, &t->ir, name); }

void problem(Trans *t, const char *fmt, ...)
{
    if (t->problem)
        return;
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    t->problem = arena_strdup(t->arena, text);
}
