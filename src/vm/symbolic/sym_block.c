/* sym_block.c - symbolic sizes: block operations and allocations; and where bytes must be numbers. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

enum { EXACT_MOST = 128 }; /* bytes of a block whose size may stay symbolic */

void vm_sym_fit(Vm *vm, Reg value[2], unsigned width)
{
    ExprPool *p = vm->sym->pool;
    Expr e = sym_of(value[0].shadow);
    u128 word = (value[0].word | (u128)value[1].word << 64) & bits_mask(width);
    e = expr_width(p, e) > width ? expr_trunc(p, e, width) : expr_zext(p, e, width);
    value[1] = (Reg){0, 0};
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

/* ---- blocks ---------------------------------------------------------------------------------- */

/* One side of a block operation. */
typedef struct Side {
    Object *object;                 /* NULL: the pointer leads nowhere */
    uint64_t address, offset, room; /* room: bytes that may be touched from here on */
} Side;

static Side side_at(Vm *vm, uint64_t address, bool write)
{
    Object *o = mem_find(&vm->mem, address);
    Side s = {.address = address};
    if (!o || o->death != DEATH_NONE || !o->payload || address - o->base > o->size)
        return s;
    s.object = o;
    s.offset = address - o->base;
    s.room = write && o->constant ? 0 : o->size - s.offset;
    return s;
}

/* The size must fit; true: it does under the input. */
static bool fits(Vm *vm, Expr n, uint64_t word, const Side *s, bool write)
{
    ExprPool *p = vm->sym->pool;
    Expr beyond = expr_ult(p, expr_const(p, 64, s->room), n);
    if (s->object && s->object->limited)
        sym_shape_reached(vm, s->object->shape);
    if (s->object &&
        s->object->limited) { /* no bytes are inside wherever they are; room is what the payload has */
        Expr rest = expr_sub(p, sym_limit(vm, s->object), expr_const(p, 64, s->offset));
        Expr some = expr_not(p, expr_eq(p, n, expr_const(p, 64, 0)));
        Expr within = expr_and(p, expr_ule(p, expr_const(p, 64, s->offset), sym_limit(vm, s->object)),
                               expr_ule(p, n, rest));
        beyond = expr_or(p, beyond, expr_and(p, some, expr_not(p, within)));
    }
    if (!sym_check(vm, beyond, write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ))
        return true;
    return vm_end_access(vm, s->address, word, write);
}

/* Byte i becomes the source's if i < n: without a decision. */
static void exact(Vm *vm, Expr n, uint64_t word, const Side *to, const Side *from, Expr fill, uint64_t most)
{
    ExprPool *p = vm->sym->pool;
    Expr bytes[EXACT_MOST];
    for (uint64_t i = 0; i < most; i++) {
        Expr source = from ? sym_byte_or_const(vm, from->object, from->offset + i) : fill;
        bytes[i] = expr_ite(p, expr_ult(p, expr_const(p, 64, i), n), source,
                            sym_byte_or_const(vm, to->object, to->offset + i));
    }
    Object *o = to->object;
    if (o->payload->refs > 1)
        mem_unshare(&vm->mem, o);
    if (o->pointee)
        vm_sym_pointee_written(vm, o);
    if (vm->lab) {
        VmLabel l = from ? label_get(vm, from->object, from->offset, most) : LABEL_NONE;
        label_add(vm, o, to->offset, most, label_here(vm, label_unite(vm, l, label_made(vm))));
    }
    if (from)
        memmove(o->data + to->offset, from->object->data + from->offset, word);
    else
        memset(o->data + to->offset, (int)sym_eval(vm, fill), word);
    for (uint64_t i = 0; i < most; i++)
        if (expr_is_const(p, bytes[i]))
            sym_clear(vm, o, to->offset + i, 1);
        else
            sym_set(vm, o, to->offset + i, 1, bytes[i]);
}

static bool sized_by(Vm *vm, const Reg *n, uint64_t to_address, uint64_t from_address, bool copies,
                     const Reg *value, bool *done)
{
    Side to = side_at(vm, to_address, true), from = side_at(vm, from_address, false);
    Expr e = sym_of(n->shadow);
    if ((copies && !fits(vm, e, n->word, &from, false)) || !fits(vm, e, n->word, &to, true))
        return false;
    uint64_t most = copies && from.room < to.room ? from.room : to.room;
    bool undef = (to.object && to.object->undef) || (copies && from.object && from.object->undef) ||
                 (!copies && (value->shadow & SHADOW_UNDEF)) || (vm->options.checks >> VM_FAULT_OVERLAP & 1);
    if (most == 0) {
        *done = true;
        return true;
    }
    if (most > EXACT_MOST || undef) {
        sym_concretise_size(vm, e);
        return true;
    }
    Expr fill = !copies && sym_of(value->shadow).id ? sym_of(value->shadow)
                                                    : expr_const(vm->sym->pool, 8, value->word);
    exact(vm, e, n->word, &to, copies ? &from : NULL, fill, most);
    *done = true;
    return true;
}

/* A symbolic pointer: its object by decisions, then the offset as a value. */
bool vm_sym_fix_pointer(Vm *vm, const Reg *r, uint64_t n, bool write)
{
    Expr e = sym_of(r->shadow);
    Object *o;
    if (!e.id || !n)
        return true;
    if (!sym_resolve(vm, e, r->word, n, write, &o))
        return false;
    sym_concretise(vm, e, NULL);
    return true;
}

/* Is the size more than 0? By a decision. */
static bool is_some(Vm *vm, Expr n)
{
    ExprPool *p = vm->sym->pool;
    Expr none = expr_eq(p, n, expr_const(p, 64, 0)), some = expr_not(p, none);
    bool any = sym_eval(vm, n) != 0;
    sym_add_alternative(vm, (VmAlternative){.condition = any ? none : some, .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_SIZE, any ? some : none, IR_NONE);
    return any;
}

static bool block_operands(Vm *vm, const Code *pc, Reg *regs, bool *done)
{
    const IrInsn *insn = vm_insn(vm, pc, regs);
    const Reg *to = REG(regs, pc->a), *from = REG(regs, pc->b), *n = REG(regs, pc->c);
    bool copies = insn->op != IR_MEMSET;
    uint64_t all = to->shadow | n->shadow | (copies ? from->shadow : 0);
    if (!all)
        return true;
    if (((to->shadow | n->shadow) & SHADOW_UNDEF) || (copies && (from->shadow & SHADOW_UNDEF)))
        return vm_shadow_use(vm, pc, SHADOW_UNDEF);
    bool pointers = sym_of(to->shadow).id || (copies && sym_of(from->shadow).id);
    if (sym_of(n->shadow).id && !pointers)
        return sized_by(vm, n, to->word, from->word, copies, from, done);
    if (sym_of(n->shadow).id) {
        *done = !is_some(vm, sym_of(n->shadow));
        return *done ||
               ((!copies || vm_sym_fix_pointer(vm, from, 1, false)) && vm_sym_fix_pointer(vm, to, 1, true) &&
                sized_by(vm, n, to->word, from->word, copies, from, done));
    }
    return (!copies || vm_sym_fix_pointer(vm, from, n->word, false)) &&
           vm_sym_fix_pointer(vm, to, n->word, true);
}

bool vm_sym_block(Vm *vm, const Code *pc, Reg *regs, bool *done)
{
    if (!(REG(regs, pc->a)->shadow | REG(regs, pc->b)->shadow | REG(regs, pc->c)->shadow))
        return true;
    if (!vm->lab)
        return block_operands(vm, pc, regs, done);
    sym_instant(vm);
    VmLabel n = label_of(REG(regs, pc->c)->shadow);
    label_own(vm, label_unite(vm, n, label_of(REG(regs, pc->a)->shadow)));
    label_own(vm, label_of(REG(regs, pc->b)->shadow)); /* of memset the value */
    sym_force(vm, VM_DECISION_POINTER, IR_NONE);
    label_check(vm);
    if (!block_operands(vm, pc, regs, done))
        return false;
    label_spread(vm);
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

uint64_t vm_sym_cells(const Object *o, uint64_t n)
{
    return o->sym->array.id || o->sym->count > n ? n : o->sym->count;
}

void vm_sym_copy(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n)
{
    if (to->sym || from->sym)
        sym_copy(vm, to, at, from, start, n);
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Three cases of malloc: so much that it gives NULL, more than the machine has, and a size. */
void sym_alloc_size(Vm *vm, Expr size)
{
    ExprPool *p = vm->sym->pool;
    uint64_t word = (uint64_t)sym_eval(vm, size), never = (uint64_t)PTRDIFF_MAX / 2;
    uint64_t room = vm->mem.limit > vm->mem.live ? vm->mem.limit - vm->mem.live : 0;
    Expr huge = expr_ult(p, expr_const(p, 64, never), size),
         fine = expr_ule(p, size, expr_const(p, 64, room));
    Expr cases[3] = {fine, huge, expr_and(p, expr_not(p, huge), expr_not(p, fine))};
    unsigned which = word > never ? 1 : word <= room ? 0 : 2;
    for (unsigned i = 0; i < 3; i++)
        if (i != which)
            sym_add_alternative(vm, (VmAlternative){.condition = cases[i], .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_SIZE, cases[which], IR_NONE);
    if (which == 0)
        sym_concretise_size(vm, size);
}

bool sym_alloca_size(Vm *vm, Expr size)
{
    ExprPool *p = vm->sym->pool;
    if (vm->lab)
        label_own(vm, vm->now.room);
    uint64_t room = vm->mem.stack_limit > vm->mem.stack ? vm->mem.stack_limit - vm->mem.stack : 0;
    if (!sym_check(vm, expr_ult(p, expr_const(p, 64, room), size), VM_FAULT_STACK_OVERFLOW))
        sym_concretise_size(vm, size);
    return true;
}
