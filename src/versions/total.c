/* total.c - functions that neither have effects nor fail, so that a call is nothing but its result: a
 * function of its arguments. By the code alone: what is loaded and stored lies in locals of the function
 * itself or in constants, within bounds; divisors are not zero; all that it calls, and what that calls, is
 * such a function. So functions that call each other are total if the code of each of them is. That they end
 * is not asked: "same" is about runs that end. */
#include "versions/versions_int.h"

enum { UNKNOWN, TOTAL, PARTIAL };

void totals_init(Totals *t, const IrProgram *program, Flow *flow, uint64_t checks, unsigned rules_off)
{
    *t = (Totals){.program = program, .flow = flow, .checks = checks, .rules_off = rules_off};
    t->state = mem_zalloc(program->fns.n + 1);
    t->local = mem_zalloc(program->fns.n + 1);
    t->repeats = mem_zalloc(program->fns.n + 1);
}

void totals_free(Totals *t)
{
    mem_free(t->state);
    mem_free(t->local);
    mem_free(t->repeats);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool constant(const IrFn *fn, uint32_t reg, u128 *value)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        return false;
    *value = c->bits & bits_mask(fn->regs.v[reg].width);
    return true;
}

/* The largest value that the register can have, as an unsigned number; an upper bound. */
static u128 largest(const IrFn *fn, uint32_t reg, unsigned depth)
{
    enum { DEPTH_MOST = 8 };
    u128 all = bits_mask(fn->regs.v[reg].width), value, other;
    const IrInsn *insn = depth < DEPTH_MOST ? ir_reg_def(fn, reg) : NULL;
    if (constant(fn, reg, &value))
        return value;
    switch (insn ? (IrOp)insn->op : IR_UNINIT) {
    case IR_ZEXT:
    case IR_TRUNC: value = largest(fn, insn->a, depth + 1); return value < all ? value : all;
    case IR_AND:
    case IR_UMIN:
        value = largest(fn, insn->a, depth + 1);
        other = largest(fn, insn->b, depth + 1);
        return value < other ? value : other;
    case IR_UREM: return constant(fn, insn->b, &value) && value ? value - 1 : all;
    case IR_UDIV:
        return constant(fn, insn->b, &value) && value ? largest(fn, insn->a, depth + 1) / value : all;
    case IR_LSHR:
        return constant(fn, insn->b, &value) && value < fn->regs.v[reg].width
                   ? largest(fn, insn->a, depth + 1) >> value
                   : all;
    default: return all;
    }
}

/* Does control come to the block only by the branch at the end of `from`, to this side? */
static bool is_behind(const IrFn *fn, const FlowControl *control, uint32_t block, uint32_t from,
                      uint32_t side)
{
    U32Vec successors = {0};
    uint32_t entries = 0;
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &successors);
        for (uint32_t i = 0; i < successors.n; i++)
            entries += successors.v[i] == side;
    }
    vec_free(&successors);
    uint32_t at = block;
    while (at != IR_NONE && at != side && at != from)
        at = control->idom[at];
    return entries == 1 && at == side;
}

/* Does the branch say on this side that the register is not zero? */
static bool says_nonzero(const IrFn *fn, const IrInsn *br, bool taken, uint32_t reg)
{
    const IrInsn *compare = ir_reg_def(fn, br->a);
    u128 value;
    if (!compare)
        return false;
    bool left = compare->a == reg && constant(fn, compare->b, &value) && value == 0,
         right = compare->b == reg && constant(fn, compare->a, &value) && value == 0;
    switch ((IrOp)compare->op) {
    case IR_EQ: return !taken && (left || right);
    case IR_NE: return taken && (left || right);
    case IR_ULT:
    case IR_SLT: return taken && right; /* 0 < x */
    default: return false;
    }
}

static bool is_nonzero(Totals *t, uint32_t index, uint32_t block, uint32_t reg)
{
    const IrFn *fn = &t->program->fns.v[index];
    const FlowControl *control = flow_control(t->flow, index, 0);
    u128 value;
    if (constant(fn, reg, &value))
        return value != 0;
    for (uint32_t at = control->idom[block]; at != IR_NONE; at = control->idom[at]) {
        const IrInsn *last = fn->blocks.v[at].insns.n ? &vec_last(&fn->blocks.v[at].insns) : NULL;
        for (unsigned taken = 0; last && last->op == IR_BR && last->b != last->c && taken < 2; taken++)
            if (says_nonzero(fn, last, taken, reg) &&
                is_behind(fn, control, block, at, taken ? last->b : last->c))
                return true;
    }
    return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes of the object that the address lies in, and the largest offset there; false: not known. `write`: it
 * must not be a constant. */
static bool find_object(const Totals *t, const IrFn *fn, uint32_t address, bool write, u128 *size, u128 *most)
{
    enum { STEPS_MOST = 16 };
    u128 value;
    *most = 0;
    for (unsigned step = 0; step < STEPS_MOST; step++) {
        const IrConst *c = ir_reg_const_of(fn, address);
        const IrInsn *insn = c ? NULL : ir_reg_def(fn, address);
        if (c) {
            const IrGlobal *g =
                c->kind == IR_CONST_GLOBAL && !write ? &t->program->globals.v[c->index] : NULL;
            *most += c->bits;
            *size = g ? g->size : 0;
            return g && g->constant && g->defined && c->bits <= g->size;
        }
        if (!insn)
            return false;
        switch ((IrOp)insn->op) {
        case IR_ALLOCA: return constant(fn, insn->a, size);
        case IR_OFFSET:
            value = largest(fn, insn->b, 0);
            if (value > (u128)INT64_MAX)
                return false;
            *most += value;
            break;
        case IR_INDEX:
            value = largest(fn, insn->b, 0);
            if (value > bits_mask(fn->regs.v[insn->b].width) >> 1 || value > (u128)INT32_MAX)
                return false;
            *most += value * insn->c;
            break;
        default: return false;
        }
        address = insn->a;
    }
    return false;
}

static bool is_in_bounds(const Totals *t, const IrFn *fn, uint32_t address, u128 bytes, bool write)
{
    u128 size, most;
    if (t->rules_off & VERSIONS_OFF_EFFECTS)
        return true;
    return find_object(t, fn, address, write, &size, &most) && bytes <= size && most <= size - bytes;
}

static bool is_block_in_bounds(const Totals *t, const IrFn *fn, const IrInsn *insn)
{
    u128 bytes;
    return constant(fn, insn->c, &bytes) && is_in_bounds(t, fn, insn->a, bytes, true) &&
           (insn->op == IR_MEMSET || is_in_bounds(t, fn, insn->b, bytes, false));
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Does the call pass what the function takes? Whether that one is total is another question. */
static bool is_plain_call(const Totals *t, uint32_t index, const IrInsn *insn)
{
    const IrFn *fn = &t->program->fns.v[index], *callee = &t->program->fns.v[insn->a];
    IrCall call = ir_call_read(fn, insn);
    return callee->defined && !callee->variadic && !call.nvar && call.nargs == callee->nparams &&
           call.ndst == callee->results.n;
}

static bool is_total_insn(Totals *t, uint32_t index, uint32_t block, const IrInsn *insn)
{
    const IrFn *fn = &t->program->fns.v[index];
    unsigned bytes = (insn->width + 7u) / 8;
    u128 value;
    if (insn->flags & IR_NSW && t->checks >> VM_FAULT_OVERFLOW & 1)
        return false;
    switch ((IrOp)insn->op) {
    case IR_UDIV:
    case IR_UREM: return is_nonzero(t, index, block, insn->b);
    case IR_SDIV:
    case IR_SREM: return constant(fn, insn->b, &value) && value && value != bits_mask(insn->width);
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        return !(t->checks >> VM_FAULT_SHIFT & 1) || (constant(fn, insn->b, &value) && value < insn->width);
    case IR_ALLOCA: return constant(fn, insn->a, &value) && !(t->checks >> VM_FAULT_UNINIT & 1);
    case IR_LOAD: return is_in_bounds(t, fn, insn->a, bytes, false);
    case IR_STORE: return is_in_bounds(t, fn, insn->a, bytes, true);
    case IR_MEMCPY:
    case IR_MEMMOVE:
    case IR_MEMSET: return is_block_in_bounds(t, fn, insn);
    case IR_CALL: return is_plain_call(t, index, insn);
    case IR_PHI:
    case IR_OFFSET:
    case IR_INDEX:
    case IR_LIFE:
    case IR_JMP:
    case IR_BR:
    case IR_SWITCH:
    case IR_RET: return true;
    default: return ir_op_is_pure((IrOp)insn->op);
    }
}

/* Is all but what it calls? Blocks that it never comes to do not count. */
static bool is_local_total(Totals *t, uint32_t index)
{
    const IrFn *fn = &t->program->fns.v[index];
    if (t->local[index] != UNKNOWN)
        return t->local[index] == TOTAL;
    bool total = fn->defined && !fn->variadic;
    U32Vec order = {0};
    pair_order(fn, &order);
    for (uint32_t b = 0; total && b < order.n; b++)
        for (uint32_t i = 0; total && i < fn->blocks.v[order.v[b]].insns.n; i++)
            total = is_total_insn(t, index, order.v[b], &fn->blocks.v[order.v[b]].insns.v[i]);
    vec_free(&order);
    t->local[index] = total ? TOTAL : PARTIAL;
    return total;
}

/* Adds what a function calls to `all`, and what these call, unless one of them is not total by its own code:
 * then false. `repeats`: one of them has a loop, or calls come back to a function of `path`. */
static bool add_called(Totals *t, uint32_t index, BitSet *all, BitSet *path, bool *repeats)
{
    const IrFn *fn = &t->program->fns.v[index];
    if (bitset_has(path, index))
        *repeats = true;
    if (bitset_has(all, index))
        return true;
    bitset_add(all, index);
    if (!is_local_total(t, index))
        return false;
    *repeats |= fn->loops.n > 0;
    bitset_add(path, index);
    bool total = true;
    for (uint32_t b = 0; total && b < fn->blocks.n; b++)
        for (uint32_t i = 0; total && i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].op == IR_CALL)
                total = add_called(t, fn->blocks.v[b].insns.v[i].a, all, path, repeats);
    bitset_remove(path, index);
    return total;
}

bool totals_has(Totals *t, uint32_t index)
{
    if (t->state[index] == UNKNOWN) {
        BitSet all = {0}, path = {0};
        bool repeats = false;
        t->state[index] = add_called(t, index, &all, &path, &repeats) ? TOTAL : PARTIAL;
        t->repeats[index] = repeats;
        bitset_free(&all);
        bitset_free(&path);
    }
    return t->state[index] == TOTAL;
}

bool totals_has_insn(Totals *t, uint32_t fn, uint32_t block, const IrInsn *insn)
{
    return is_total_insn(t, fn, block, insn) && (insn->op != IR_CALL || totals_has(t, insn->a));
}

bool totals_is_abstractable(Totals *t, uint32_t index)
{
    const IrFn *fn = &t->program->fns.v[index];
    return fn->results.n == 1 && fn->nparams <= VM_ABSTRACT_ARGS && totals_has(t, index) && t->repeats[index];
}
