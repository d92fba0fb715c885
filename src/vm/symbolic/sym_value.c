/* sym_value.c - registers as expressions: operators, checks before operators, loads and stores of symbolic
 * bytes. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

void *sym_keep(Vm *vm, const char *name, const void *context, size_t size)
{
    uint64_t known;
    if (strmap_get(&vm->sym->contexts, name, &known))
        return (void *)(uintptr_t)known;
    void *copy = memcpy(arena_alloc(vm->keep, size), context, size);
    strmap_put(&vm->sym->contexts, name, (uintptr_t)copy);
    return copy;
}

u128 sym_eval(const Vm *vm, Expr e) { return expr_eval(vm->sym->eval, e); }

static const Reg *place(Vm *vm, const Reg *regs, uint32_t reg)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    return ir_reg_const_of(ir, reg) || fn->slots[reg] == IR_NONE ? NULL : REG(regs, fn->slots[reg]);
}

bool sym_reg_is(Vm *vm, const Reg *regs, uint32_t reg)
{
    const Reg *r = place(vm, regs, reg);
    return r && sym_of(r->shadow).id;
}

Expr sym_reg(Vm *vm, const Reg *regs, uint32_t reg)
{
    const Reg *r = place(vm, regs, reg);
    if (r && sym_of(r->shadow).id)
        return sym_of(r->shadow);
    return expr_const(vm->sym->pool, vm->program->fns.v[FRAME(regs)->fn->index].regs.v[reg].width,
                      vm_reg_value(vm, regs, reg));
}

static void verify(Vm *vm, unsigned width, u128 value, Expr e)
{
    Str text = {0};
    if (expr_width(vm->sym->pool, e) == width && sym_eval(vm, e) == value)
        return;
    expr_print(vm->sym->pool, e, 400, &text);
    bug("expression of width %u is not the word 0x%llx of width %u: %s", expr_width(vm->sym->pool, e),
        (unsigned long long)value, width, str_text(&text));
}

void sym_reg_set(Vm *vm, Reg *out, unsigned width, u128 value, Expr e)
{
    ExprPool *p = vm->sym->pool;
    out[0] = (Reg){(uint64_t)value, 0};
    if (width > 64)
        out[1] = (Reg){(uint64_t)(value >> 64), 0};
    if (expr_is_none(e) || expr_is_const(p, e) || vm->sym->options.concrete)
        return;
    if (vm->sym->options.verify)
        verify(vm, width, value, e);
    out[0].shadow = e.id;
    if (width > 64) {
        Expr high = expr_extract(p, e, 64, width - 64);
        out[1].shadow = expr_is_const(p, high) ? 0 : high.id;
    }
}

void sym_extend(Vm *vm, Reg *value, unsigned to)
{
    sym_reg_set(vm, value, to, value->word, expr_sext(vm->sym->pool, sym_of(value->shadow), to));
}

/* ---- operators ------------------------------------------------------------------------------- */

static bool is_division(uint16_t op)
{
    return op == IR_UDIV || op == IR_SDIV || op == IR_UREM || op == IR_SREM;
}

static Expr least(ExprPool *p, unsigned width) { return expr_const(p, width, (u128)1 << (width - 1)); }

/* Offers the faults of a division as alternatives. The caller checks the words. */
static void check_division(Vm *vm, const IrInsn *insn, Expr a, Expr b)
{
    ExprPool *p = vm->sym->pool;
    unsigned width = insn->width;
    if (sym_check(vm, expr_eq(p, b, expr_const(p, width, 0)), VM_FAULT_DIV_ZERO))
        return;
    if (insn->op == IR_SDIV || insn->op == IR_SREM)
        sym_check(vm,
                  expr_and(p, expr_eq(p, b, expr_const(p, width, ~(u128)0)), expr_eq(p, a, least(p, width))),
                  VM_FAULT_DIV_OVERFLOW);
}

static Expr overflow(ExprPool *p, const IrInsn *insn, Expr a, Expr b)
{
    switch ((IrOp)insn->op) {
    case IR_ADD: return expr_make(p, BITS_SADD_OVF, insn->width, a, b, EXPR_NONE);
    case IR_SUB: return expr_make(p, BITS_SSUB_OVF, insn->width, a, b, EXPR_NONE);
    case IR_MUL: return expr_make(p, BITS_SMUL_OVF, insn->width, a, b, EXPR_NONE);
    case IR_SHL:
        return expr_and(p, expr_ult(p, b, expr_const(p, insn->width, insn->width)),
                        expr_ne(p, expr_ashr(p, expr_shl(p, a, b), b), a));
    default: return EXPR_FALSE;
    }
}

void vm_sym_checks(Vm *vm, const IrInsn *insn, const Reg *regs)
{
    bool binary = bits_op_arity(ir_op_bits((IrOp)insn->op)) > 1;
    if (!binary || (!sym_reg_is(vm, regs, insn->a) && !sym_reg_is(vm, regs, insn->b)))
        return;
    Expr a = sym_reg(vm, regs, insn->a), b = sym_reg(vm, regs, insn->b);
    ExprPool *p = vm->sym->pool;
    uint64_t on = vm->options.checks;
    if (is_division(insn->op))
        check_division(vm, insn, a, b);
    bool shift = insn->op == IR_SHL || insn->op == IR_LSHR || insn->op == IR_ASHR;
    if (shift && (on >> VM_FAULT_SHIFT & 1) &&
        sym_check(vm, expr_not(p, expr_ult(p, b, expr_const(p, insn->width, insn->width))), VM_FAULT_SHIFT))
        return;
    if ((on >> VM_FAULT_OVERFLOW & 1) && (insn->flags & IR_NSW))
        sym_check(vm, overflow(p, insn, a, b), VM_FAULT_OVERFLOW);
}

/* base + index * scale, as IR_OFFSET and IR_INDEX mean it. */
static Expr pointer_sum(Vm *vm, const IrInsn *insn, const Reg *regs)
{
    ExprPool *p = vm->sym->pool;
    Expr by = sym_reg(vm, regs, insn->b);
    by = expr_width(p, by) > 64 ? expr_trunc(p, by, 64) : expr_sext(p, by, 64);
    if (insn->op == IR_INDEX)
        by = expr_mul(p, by, expr_const(p, 64, insn->c));
    return expr_add(p, sym_reg(vm, regs, insn->a), by);
}

void vm_sym_apply(Vm *vm, const IrInsn *insn, Reg *regs, u128 value)
{
    const FnCode *fn = FRAME(regs)->fn;
    ExprPool *p = vm->sym->pool;
    Expr e;
    vm->sym->slow++;
    if (insn->op == IR_OFFSET || insn->op == IR_INDEX) {
        e = pointer_sum(vm, insn, regs);
    } else {
        BitsOp op = ir_op_bits((IrOp)insn->op);
        uint32_t reg[3] = {insn->a, insn->b, insn->c};
        Expr o[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
        for (unsigned i = 0; i < bits_op_arity(op); i++)
            o[i] = sym_reg(vm, regs, reg[i]);
        unsigned width = bits_op_result(op) == BITS_RESULT_BIT ? expr_width(p, o[0]) : insn->width;
        e = expr_make(p, op, width, o[0], o[1], o[2]);
    }
    sym_reg_set(vm, REG(regs, fn->slots[insn->dst]), insn->width, value, e);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The bytes' uninitialised bits, for a value that is partly symbolic: the expression then goes. */
static void get_undef(Vm *vm, const Object *o, uint64_t offset, unsigned n, Reg *out)
{
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t mask = 0;
        memcpy(&mask, o->undef + offset + i, n - i < 8 ? n - i : 8);
        out[i / 8].shadow = vm_undef_shadow(vm, mask);
    }
}

void vm_sym_get(Vm *vm, const Object *o, uint64_t offset, unsigned width, Reg *out)
{
    unsigned n = (width + 7) / 8;
    u128 value = 0;
    memcpy(&value, o->data + offset, n);
    value &= bits_mask(width);
    Expr e = o->sym ? sym_word(vm, o, offset, n) : EXPR_NONE;
    if (!expr_is_none(e) && width < 8 * n)
        e = expr_trunc(vm->sym->pool, e, width);
    bool undef = false;
    for (unsigned i = 0; o->undef && i < n; i++)
        undef |= o->undef[offset + i] != 0;
    if (undef && !expr_is_none(e)) {
        sym_concretise(vm, e, NULL);
        e = EXPR_NONE;
    }
    sym_reg_set(vm, out, width, value, e);
    if (undef)
        get_undef(vm, o, offset, n, out);
}

void vm_sym_put(Vm *vm, Object *o, uint64_t offset, unsigned width, const Reg *value)
{
    unsigned n = (width + 7) / 8;
    Expr e = sym_of(value->shadow);
    if (expr_is_none(e))
        sym_clear(vm, o, offset, n);
    else
        sym_set(vm, o, offset, n, expr_zext(vm->sym->pool, e, 8 * n));
}

void vm_sym_jump_value(Vm *vm, Reg *value)
{
    ExprPool *p = vm->sym->pool;
    Expr e = sym_of(value->shadow);
    if (expr_is_none(e))
        return;
    unsigned width = expr_width(p, e);
    e = expr_ite(p, expr_eq(p, e, expr_const(p, width, 0)), expr_const(p, width, 1), e);
    sym_reg_set(vm, value, width, value->word ? value->word : 1, e);
}
