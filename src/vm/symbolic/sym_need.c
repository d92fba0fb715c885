/* sym_need.c - whose a fault at the edge of a shape is.
 *
 * A function that knows where its object ends must keep to that. Where the shape is a guess of ours, the
 * caller may have to pass more; and NULL is the caller's to avoid unless it is the end of a list. */
#include "vm/symbolic/sym_shape.h"

/* The pointer that the instruction follows; 0: none of an input's. One that earlier decisions say is NULL is
 * not followed: the register still has it. */
static uint32_t followed(Vm *vm)
{
    struct Sym *s = vm->sym;
    if (s->last_shape && sym_is_instant(vm))
        return s->last_shape;
    uint32_t reg = sym_shape_typed(vm) ? sym_root(vm) : IR_NONE;
    if (reg == IR_NONE || FRAME(vm->regs)->fn->slots[reg] == IR_NONE)
        return 0;
    return sym_lazy_shape(vm, sym_reg(vm, vm->regs, reg));
}

void sym_need_null(Vm *vm)
{
    VmResult *r = &vm->result;
    uint32_t at = followed(vm);
    if (!at)
        return;
    const SymShape *shape = sym_shape_at(vm, at);
    if (shape->depth == 1 ||
        sym_name_leads_back(sym_last_name(vm_name_text(vm, shape->name)))) /* else it is where a list ends */
        snprintf(r->need, sizeof r->need, "%.120s != NULL", vm_name_text(vm, shape->name));
}

void sym_need_call(Vm *vm, uint32_t input, uint32_t offset)
{
    const SymShape *s = sym_shape_at(vm, sym_shape_of(vm, input, offset));
    snprintf(vm->result.need, sizeof vm->result.need, "%.120s != NULL", vm_name_text(vm, s->name));
}

/* The function reads more of what '...' stands for than it was called with, and that is nothing. */
static bool is_entrys_varargs(const Vm *vm, const Object *o)
{
    const Reg *regs = vm->regs;
    while (regs && FRAME(regs)->fn->index != vm->sym->entry)
        regs = FRAME(regs)->caller;
    return regs && sym_shape_typed(vm) && FRAME(regs)->varargs == o;
}

/* Is the expression about members of the structure of which nothing is assumed? */
static bool asks_members(const Vm *vm, const SymShape *s, Expr e)
{
    ExprPool *p = vm->sym->pool;
    ExprSet set = expr_symbols(p, e), known = expr_symbols(p, expr_is_none(s->range) ? EXPR_TRUE : s->range);
    uint32_t offset;
    for (uint32_t at = expr_set_next(p, set, 0); at != UINT32_MAX; at = expr_set_next(p, set, at + 1))
        if (expr_symbol_object(p, expr_symbol_of(p, at), &offset).id == s->object.id &&
            !expr_set_has(p, known, at))
            return true;
    return false;
}

/* Beyond a structure that the function knows: did what stands in it lead there, as the index or as what the
 * last branch, a loop's, asked for? Then a caller whose members fit together may avoid it. */
static bool is_led_by_members(Vm *vm, const SymShape *s)
{
    const VmTrace *t = vm->sym->trace;
    const IrInsn *insn = vm_insn(vm, vm->pc, vm->regs);
    bool access = insn && (insn->op == IR_LOAD || insn->op == IR_STORE);
    Expr address = access ? sym_reg(vm, vm->regs, insn->a) : EXPR_NONE;
    if (!expr_is_none(address) && asks_members(vm, s, address))
        return true;
    uint32_t last = t->decisions.n;
    while (last && t->decisions.v[last - 1].kind != VM_DECISION_BRANCH)
        last--;
    return last && asks_members(vm, s, t->decisions.v[last - 1].holds);
}

void sym_need_extent(Vm *vm, const Object *o, bool before, bool write)
{
    VmResult *r = &vm->result;
    const SymShape *s = o->shape ? sym_shape_at(vm, o->shape) : NULL;
    bool writes_string = s && (s->kind == SHAPE_STRING || s->lone) && write &&
                         !before; /* how much room there is behind it is not known */
    if (!s && is_entrys_varargs(vm, o)) {
        snprintf(r->need, sizeof r->need, "arguments for '...'");
        return;
    }
    if (s && sym_shape_negative(vm, s)) {
        snprintf(r->need, sizeof r->need, "%.120s", vm_name_text(vm, s->sensible));
        return;
    }
    bool by_members = s && s->kind == SHAPE_ONE && s->is_told && !s->given && is_led_by_members(vm, s);
    if (!s || s->given || (s->is_told && !writes_string && !by_members))
        return;
    const char *name = vm_name_text(vm, s->name);
    if (!before && s->grows)
        sym_shape_reached(vm, o->shape);
    if (by_members)
        snprintf(r->need, sizeof r->need, "%.100s" VM_NEED_MEMBERS, name);
    else if (before)
        snprintf(r->need, sizeof r->need, "%.100s with something before it", name);
    else if (writes_string && s->kind == SHAPE_STRING)
        snprintf(r->need, sizeof r->need, "%.100s with room behind its string", name);
    else if (s->kind == SHAPE_COUNTED)
        snprintf(r->need, sizeof r->need, "%.70s" VM_NEED_MORE "%.60s", name, vm_name_text(vm, s->length));
    else if (s->kind == SHAPE_ONE && s->length)
        snprintf(r->need, sizeof r->need, "%.60s with more than %.60s elements at its end", name,
                 vm_name_text(vm, s->length));
    else if (s->kind == SHAPE_ONE)
        snprintf(r->need, sizeof r->need, "%.100s" VM_NEED_MORE "one object", name);
    else
        snprintf(r->need, sizeof r->need, "%.100s" VM_NEED_MORE "%u %s", name, s->type ? s->most : s->size,
                 sym_elements_word(vm, s->type, (s->type ? s->most : s->size) == 1));
}
