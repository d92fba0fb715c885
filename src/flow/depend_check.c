/* depend_check.c - fault checks of instructions, as sinks; and addresses that are chosen by a run.
 *
 * A check depends on the address (not on the value stored there), on the state of what may lie there, and on
 * whether the instruction runs. An access to a known object at a constant offset within it cannot fail and
 * has none. */
#include "flow/depend.h"

typedef struct Access { uint32_t address[2], naddress, length, size; bool write; } Access;

static bool access_of(const IrInsn *insn, Access *a)
{
    *a = (Access){
        .address = {insn->a, insn->b}, .naddress = 1, .length = IR_NONE, .size = (insn->width + 7u) / 8};
    switch (insn->op) {
    case IR_LOAD:    return true;
    case IR_STORE:   a->write = true; return true;
    case IR_MEMCPY:
    case IR_MEMMOVE: a->naddress = 2; a->length = insn->c; a->write = true; return true;
    case IR_MEMSET:  a->length = insn->c; a->write = true; return true;
    case IR_SETJMP:
    case IR_LONGJMP:
    case IR_VASTART:
    case IR_LIFE:
    case IR_DEAD:    return true;
    default:         return false;
    }
}

/* Is memory copied onto itself? Known places only. */
static bool overlaps(DependBuild *b, const Access *a, uint64_t size)
{
    FlowPlace to, from;
    if (a->naddress < 2 || !depend_address(b, a->address[0], &to) || !depend_address(b, a->address[1], &from))
        return false;
    return to.object == from.object && to.first < from.first + size && from.first < to.first + size;
}

/* Within a global, or a stack object that lives as long as its frame. */
static bool cannot_fail(DependBuild *b, const Access *a)
{
    uint64_t size = a->size;
    if (a->length != IR_NONE) {
        const IrConst *n = ir_reg_const_of(b->fn, a->length);
        if (!n || n->kind != IR_CONST_INT || n->bits > UINT32_MAX)
            return false;
        size = (uint64_t)n->bits;
        if (overlaps(b, a, size))
            return false;
    }
    for (uint32_t i = 0; i < a->naddress; i++) {
        FlowPlace place;
        if (!depend_address(b, a->address[i], &place) || place.object == IR_NONE)
            return false;
        const FlowObject *o = flow_object(b->set->flow, place.object);
        if (o->kind == FLOW_CONSTANTS) {      /* one object for many globals */
            if ((a->write && i == 0) || place.first > place.size || size > place.size - place.first)
                return false;
            continue;
        }
        if (o->size == FLOW_WHOLE || place.first > o->size || size > o->size - place.first)
            return false;
        if (o->kind == FLOW_GLOBAL) {
            const IrGlobal *g = &b->set->program->globals.v[o->index];
            if (!g->defined || (a->write && i == 0 && g->constant))
                return false;
        } else if (o->kind != FLOW_STACK || b->dies) {
            return false;
        }
    }
    return true;
}

static bool is_exact(DependBuild *b, const IrInsn *insn, const Access *a)
{
    FlowPlace place;
    if (insn->op == IR_MEMSET && b->fn->regs.v[insn->b].kind != IR_REG_CONST)
        return false;                         /* the machine chooses for memset as a whole */
    for (uint32_t i = 0; i < a->naddress; i++)
        if (!depend_address(b, a->address[i], &place) || place.param != IR_NONE)
            return false;                     /* which object a parameter points to is the caller's choice */
    return a->length == IR_NONE || b->fn->regs.v[a->length].kind == IR_REG_CONST;
}

static void add_access(DependBuild *b, uint32_t block, uint32_t i, const Access *a)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    bool safe = insn->op != IR_LONGJMP && cannot_fail(b, a), exact = is_exact(b, insn, a);
    uint32_t address = exact ? IR_NONE : depend_node(b, DEP_ADDRESS, block, i, IR_NONE);
    uint32_t check = safe ? IR_NONE : depend_node(b, DEP_CHECK, block, i, IR_NONE);
    uint32_t to = address != IR_NONE ? address : check;
    if (to == IR_NONE)
        return;
    for (uint32_t k = 0; k < a->naddress; k++)
        depend_use_reg(b, a->address[k], block, to);
    if (a->length != IR_NONE)
        depend_use_reg(b, a->length, block, to);
    if (address != IR_NONE) {                 /* whether something is chosen there */
        depend_edge(b, depend_ctl(b, block), address, IR_NONE);
        if (insn->op == IR_MEMSET)
            depend_use_reg(b, insn->b, block, address);
    }
    if (check != IR_NONE) {
        depend_edge(b, depend_ctl(b, block), check, IR_NONE);
        if (address != IR_NONE)
            depend_edge(b, address, check, IR_NONE);
    }
}

/* The operands on which it depends whether a pure operator fails; 0: it cannot. Bits: 1 a, 2 b. */
static unsigned operator_fails(DependBuild *b, const IrInsn *insn)
{
    unsigned checks = b->set->options.checks;
    const IrConst *c;
    switch (insn->op) {
    case IR_UDIV:
    case IR_UREM:
    case IR_SDIV:
    case IR_SREM:
        c = ir_reg_const_of(b->fn, insn->b);
        if (c && c->kind == IR_CONST_INT && c->bits) {
            bool is_signed = insn->op == IR_SDIV || insn->op == IR_SREM;
            u128 ones = insn->width == 128 ? ~(u128)0 : ((u128)1 << insn->width) - 1;
            return is_signed && c->bits == ones ? 1 : 0;
        }
        return insn->op == IR_SDIV || insn->op == IR_SREM ? 3 : 2;
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        if (checks & FLOW_CHECK_SHIFT)
            return 3;
        return insn->op == IR_SHL && (checks & FLOW_CHECK_OVERFLOW) && (insn->flags & IR_NSW) ? 3 : 0;
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
        return (checks & FLOW_CHECK_OVERFLOW) && (insn->flags & IR_NSW) ? 3 : 0;
    default:
        return 0;
    }
}

static void add_check(DependBuild *b, uint32_t block, uint32_t i, uint32_t first, uint32_t second)
{
    uint32_t check = depend_node_at(b->d, block, i, DEP_CHECK);
    if (check == IR_NONE)
        check = depend_node(b, DEP_CHECK, block, i, IR_NONE);
    depend_edge(b, depend_ctl(b, block), check, IR_NONE);
    if (first != IR_NONE)
        depend_use_reg(b, first, block, check);
    if (second != IR_NONE)
        depend_use_reg(b, second, block, check);
}

/* Room on the stack: a size that is chosen; one local more in each round of a loop; large ones. */
static void check_alloca(DependBuild *b, uint32_t block, uint32_t i)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    bool constant = b->fn->regs.v[insn->a].kind == IR_REG_CONST;
    if (!constant)
        depend_use_reg(b, insn->a, block, depend_node(b, DEP_ADDRESS, block, i, IR_NONE));
    if (!(insn->flags & IR_FIXED) || b->set->big_frames)
        add_check(b, block, i, constant ? IR_NONE : insn->a, IR_NONE);
}

static void check_insn(DependBuild *b, uint32_t block, uint32_t i)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    bool uninit = b->set->options.checks & FLOW_CHECK_UNINIT;
    Access access;
    if (access_of(insn, &access)) {
        add_access(b, block, i, &access);
    } else if (insn->op == IR_CALLPTR) {
        add_check(b, block, i, insn->a, IR_NONE);
        uint32_t call = (uint32_t)map_get_or(&b->d->call_at, depend_at(block, i), IR_NONE);
        depend_edge(b, b->d->calls.v[call].node, depend_node_at(b->d, block, i, DEP_CHECK), IR_NONE);
    } else if (insn->op == IR_TRAP || insn->op == IR_UNREACHABLE) {
        add_check(b, block, i, IR_NONE, IR_NONE);
    } else if (insn->op == IR_ALLOCA) {
        check_alloca(b, block, i);
    } else if (insn->op == IR_GOTO || (uninit && (insn->op == IR_BR || insn->op == IR_SWITCH))) {
        add_check(b, block, i, insn->a, IR_NONE);
    } else {
        unsigned operands = operator_fails(b, insn);
        if (operands)
            add_check(b, block, i, operands & 1 ? insn->a : IR_NONE, operands & 2 ? insn->b : IR_NONE);
    }
}

void depend_checks(DependBuild *b)
{
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        if (!(b->control->flags[block] & FLOW_UNREACHABLE))
            for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++)
                check_insn(b, block, i);
}
