/* sym_block.c - block operations on symbolic bytes: copies, fills, and where bytes must be numbers. */
#include "vm/sym.h"

void vm_sym_fit(Vm *vm, Reg value[2], unsigned width)
{
    ExprPool *p = vm->sym->pool;
    Expr e = sym_of(value[0].shadow);
    u128 word = (value[0].word | (u128)value[1].word << 64) & bits_mask(width);
    e = expr_width(p, e) > width ? expr_trunc(p, e, width) : expr_zext(p, e, width);
    value[1] = (Reg){ 0, 0 };
    sym_reg_set(vm, value, width, word, e);
}

void vm_sym_concrete(Vm *vm, const Object *o, uint64_t offset, uint64_t n)
{
    while (n) {
        unsigned part = n < 8 ? (unsigned)n : 8;
        Expr e = sym_any(o, offset, part) ? sym_word(vm, o, offset, part) : EXPR_NONE;
        if (!expr_is_none(e) && !expr_is_const(vm->sym->pool, e))
            sym_concretise(vm, e, NULL);
        offset += part;
        n -= part;
    }
}

static void fix(Vm *vm, const Reg *r, bool size)
{
    Expr e = sym_of(r->shadow);
    if (!e.id)
        return;
    if (size)
        sym_concretise_size(vm, e);
    else
        sym_concretise(vm, e, NULL);
}

bool vm_sym_block(Vm *vm, const Code *pc, Reg *regs)
{
    const IrInsn *insn = vm_insn(vm, pc, regs);
    const Reg *to = REG(regs, pc->a), *from = REG(regs, pc->b), *n = REG(regs, pc->c);
    bool copies = insn->op != IR_MEMSET;
    uint64_t all = to->shadow | n->shadow | (copies ? from->shadow : 0);
    if (!all)
        return true;
    if (((to->shadow | n->shadow) & SHADOW_UNDEF) || (copies && (from->shadow & SHADOW_UNDEF)))
        return vm_shadow_use(vm, pc, SHADOW_UNDEF);
    fix(vm, n, true);
    fix(vm, to, false);
    if (copies)
        fix(vm, from, false);
    return true;
}

void vm_sym_fill(Vm *vm, Object *o, uint64_t offset, uint64_t n, uint64_t shadow)
{
    Expr e = sym_of(shadow);
    if (expr_is_none(e))
        sym_clear(vm, o, offset, n);
    for (uint64_t i = 0; e.id && i < n; i++)
        sym_set(vm, o, offset + i, 1, e);
}

void vm_sym_copy(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n)
{
    if (to->sym || from->sym)
        sym_copy(vm, to, at, from, start, n);
}
