/* vectors.c - vectors as rows of registers: elements in and out, shuffles, and reinterpretation of bits. */
#include "frontend/frontend_int.h"

uint32_t vector_join(Trans *t, const uint32_t *regs, uint32_t n)
{
    unsigned width = 0, at = 0;
    for (uint32_t i = 0; i < n; i++)
        width += reg_width(t, regs[i]);
    if (n == 1)
        return regs[0];
    uint32_t all = IR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t part = resize(t, regs[i], (uint8_t)width, false);
        if (at)
            part = emit_fold(t, IR_SHL, (uint8_t)width, part, reg_int(t, (uint8_t)width, at), 0);
        all = all == IR_NONE ? part : emit_fold(t, IR_OR, (uint8_t)width, all, part, 0);
        at += reg_width(t, regs[i]);
    }
    return all;
}

/* Bits [at, at + n) of a register. */
static uint32_t cut_bits(Trans *t, uint32_t reg, unsigned at, unsigned n)
{
    uint8_t width = reg_width(t, reg);
    if (at)
        reg = emit_fold(t, IR_LSHR, width, reg, reg_int(t, width, at), 0);
    return resize(t, reg, (uint8_t)n, false);
}

/* The bits of one row of registers as another row: each new element is joined from the pieces that overlap
 * it. */
void vector_repack(Trans *t, const uint32_t *from, uint32_t nfrom, const Leaf *to, uint32_t nto,
                   uint32_t *out)
{
    uint32_t source = 0;
    unsigned used = 0; /* bits of from[source] that earlier elements took */
    for (uint32_t i = 0; i < nto; i++) {
        uint32_t *pieces = regs_room(t, nfrom), n = 0;
        unsigned need = to[i].width;
        while (need && source < nfrom) {
            unsigned left = reg_width(t, from[source]) - used, take = left < need ? left : need;
            pieces[n++] = cut_bits(t, from[source], used, take);
            need -= take;
            used += take;
            if (take == left) {
                source++;
                used = 0;
            }
        }
        out[i] = n && need == 0 ? vector_join(t, pieces, n) : reg_undef(t, to[i].width);
    }
}

void vector_bitcast(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    vector_repack(t, a.v, a.n, info->leaves, info->n, out);
    set_regs(t, insn, out, info->n);
}

/* A subscript beyond the vector is as bad as one beyond an array: an access to an object of its size finds
 * it. */
static void check_subscript(Trans *t, const Regs *vector, uint32_t at, bool write)
{
    uint64_t size = (reg_width(t, vector->v[0]) + 7u) / 8;
    bool before = t->hoist;
    t->hoist = true;
    uint32_t room = emit_flags(t, IR_ALLOCA, 64, IR_FIXED, reg_int(t, 64, size * vector->n), 16, 0);
    t->hoist = before;
    t->ir.regs.v[room].name = ir_string(t->p, "vector");
    uint32_t address = emit_index(t, room, at, size);
    if (write)
        emit_plain(t, IR_STORE, 8, 0, address, reg_int(t, 8, 0), 1);
    else
        emit(t, IR_LOAD, 8, address, 1, 0);
}

void vector_extract(Trans *t, LLVMValueRef insn)
{
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    LLVMValueRef index = LLVMGetOperand(insn, 1);
    uint64_t number;
    uint32_t at = reg_of(t, index);
    if (t->problem)
        return;
    bool is_constant = const_is_int(index, &number);
    if (!is_constant || number >= a.n)
        check_subscript(t, &a, at, false);
    if (is_constant) {
        set_reg(t, insn, number < a.n ? a.v[number] : reg_undef(t, reg_width(t, a.v[0])));
        return;
    }
    uint32_t value = a.v[0];
    for (uint32_t i = 1; i < a.n; i++) {
        uint32_t is_it = emit(t, IR_EQ, 1, at, reg_int(t, reg_width(t, at), i), 0);
        value = emit(t, IR_SELECT, reg_width(t, value), is_it, a.v[i], value);
    }
    set_reg(t, insn, value);
}

void vector_insert(Trans *t, LLVMValueRef insn)
{
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    uint32_t value = reg_of(t, LLVMGetOperand(insn, 1)), at = reg_of(t, LLVMGetOperand(insn, 2));
    uint64_t number;
    if (t->problem)
        return;
    bool is_constant = const_is_int(LLVMGetOperand(insn, 2), &number);
    if (!is_constant || number >= a.n)
        check_subscript(t, &a, at, true);
    uint32_t *out = regs_room(t, a.n);
    for (uint32_t i = 0; i < a.n; i++) {
        if (is_constant) {
            out[i] = i == number ? value : a.v[i];
            continue;
        }
        uint32_t is_it = emit(t, IR_EQ, 1, at, reg_int(t, reg_width(t, at), i), 0);
        out[i] = emit(t, IR_SELECT, reg_width(t, value), is_it, value, a.v[i]);
    }
    set_regs(t, insn, out, a.n);
}

void vector_shuffle(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0)), b = regs_of(t, LLVMGetOperand(insn, 1));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        int from = LLVMGetMaskValue(insn, i);
        if (from < 0 || (uint32_t)from >= a.n + b.n)
            out[i] = reg_undef(t, info->leaves[i].width);
        else
            out[i] = (uint32_t)from < a.n ? a.v[from] : b.v[(uint32_t)from - a.n];
    }
    set_regs(t, insn, out, info->n);
}
