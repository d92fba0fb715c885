/* depend_check.c - fault checks of instructions, as sinks; and addresses that are chosen by a run.
 *
 * A check depends on the address (not on the value stored there), on the state of what may lie there, and on
 * whether the instruction runs. An access that cannot fail (fails.c) has none. */
#include "flow/depend.h"
#include "flow/flow_int.h"

typedef struct Access {
    uint32_t address[2], naddress, length;
} Access;

static bool access_of(const IrInsn *insn, Access *a)
{
    *a = (Access){.address = {insn->a, insn->b}, .naddress = 1, .length = IR_NONE};
    switch (insn->op) {
    case IR_MEMCPY:
    case IR_MEMMOVE:
        a->naddress = 2;
        a->length = insn->c;
        return true;
    case IR_MEMSET: a->length = insn->c; return true;
    case IR_LOAD:
    case IR_STORE:
    case IR_SETJMP:
    case IR_LONGJMP:
    case IR_VASTART:
    case IR_LIFE:
    case IR_DEAD: return true;
    default: return false;
    }
}

static bool is_exact(DependBuild *b, const IrInsn *insn, const Access *a)
{
    FlowPlace place;
    if (insn->op == IR_MEMSET && b->fn->regs.v[insn->b].kind != IR_REG_CONST)
        return false; /* the machine chooses for memset as a whole */
    for (uint32_t i = 0; i < a->naddress; i++)
        if (!depend_address(b, a->address[i], &place) || place.param != IR_NONE)
            return false; /* which object a parameter points to is the caller's choice */
    return a->length == IR_NONE || b->fn->regs.v[a->length].kind == IR_REG_CONST;
}

static void add_access(DependBuild *b, const FlowBody *body, uint32_t block, uint32_t i, const Access *a)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    bool safe = !flow_access_fails(body, insn), exact = is_exact(b, insn, a);
    uint32_t address = exact ? IR_NONE : depend_node(b, DEP_ADDRESS, block, i, IR_NONE);
    uint32_t check = safe ? IR_NONE : depend_node(b, DEP_CHECK, block, i, IR_NONE);
    uint32_t to = address != IR_NONE ? address : check;
    if (to == IR_NONE)
        return;
    for (uint32_t k = 0; k < a->naddress; k++)
        depend_use_reg(b, a->address[k], block, to);
    if (a->length != IR_NONE)
        depend_use_reg(b, a->length, block, to);
    if (address != IR_NONE) { /* whether something is chosen there */
        depend_edge(b, depend_ctl(b, block), address);
        if (insn->op == IR_MEMSET)
            depend_use_reg(b, insn->b, block, address);
    }
    if (check != IR_NONE) {
        depend_edge(b, depend_ctl(b, block), check);
        if (address != IR_NONE)
            depend_edge(b, address, check);
    }
}

static void add_check(DependBuild *b, uint32_t block, uint32_t i, uint32_t first, uint32_t second)
{
    uint32_t check = depend_node_at(b->d, block, i, DEP_CHECK);
    if (check == IR_NONE)
        check = depend_node(b, DEP_CHECK, block, i, IR_NONE);
    depend_edge(b, depend_ctl(b, block), check);
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

static void check_insn(DependBuild *b, const FlowBody *body, uint32_t block, uint32_t i)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    Access access;
    if (access_of(insn, &access)) {
        add_access(b, body, block, i, &access);
    } else if (insn->op == IR_CALLPTR) {
        add_check(b, block, i, insn->a, IR_NONE);
        uint32_t call = (uint32_t)map_get_or(&b->d->call_at, depend_at(block, i), IR_NONE);
        depend_edge(b, b->d->calls.v[call].node, depend_node_at(b->d, block, i, DEP_CHECK));
    } else if (insn->op == IR_TRAP || insn->op == IR_UNREACHABLE) {
        add_check(b, block, i, IR_NONE, IR_NONE);
    } else if (insn->op == IR_ALLOCA) {
        check_alloca(b, block, i);
    } else if (insn->op == IR_GOTO) {
        add_check(b, block, i, insn->a, IR_NONE);
    } else {
        unsigned operands = flow_operator_fails(b->fn, insn, 0);
        if (operands)
            add_check(b, block, i, operands & 1 ? insn->a : IR_NONE, operands & 2 ? insn->b : IR_NONE);
    }
}

void depend_checks(DependBuild *b)
{
    FlowBody body = flow_body(b->set->flow, b->d->fn);
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        if (!(b->control->flags[block] & FLOW_UNREACHABLE))
            for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++)
                check_insn(b, &body, block, i);
    flow_body_free(&body);
}
