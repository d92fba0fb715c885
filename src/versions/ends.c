/* ends.c - does a function end on all inputs? What a loop computes may matter to no output; then no row of a
 * comparison depends on whether it ends, and "same" is about inputs on which both versions end.
 *
 * By the code alone: a loop that counts by one ends if some value of the counter leaves it, since it comes to
 * all values. Other loops, recursion and calls through pointers may not end; models of libc do. */
#include "versions/versions_int.h"

typedef struct Counter {
    uint32_t reg, next; /* the phi at the loop's header, and what it is in the next iteration */
    uint32_t latch;     /* block that the latter comes from */
} Counter;

static bool is_inside(const IrFn *fn, uint32_t block, uint32_t loop)
{
    uint32_t at = fn->loop_of.v[block];
    while (at != IR_NONE && at != loop)
        at = fn->loops.v[at].parent;
    return at == loop;
}

/* Is the register the phi plus or minus one? */
static bool is_step(const IrFn *fn, uint32_t reg, uint32_t phi)
{
    const IrInsn *def = ir_reg_def(fn, reg);
    const IrConst *c =
        def && (def->op == IR_ADD || def->op == IR_SUB) && def->a == phi ? ir_reg_const_of(fn, def->b) : NULL;
    u128 mask = c ? bits_mask(fn->regs.v[reg].width) : 0;
    return c && c->kind == IR_CONST_INT && ((c->bits & mask) == 1 || (c->bits & mask) == mask);
}

static bool read_counter(const IrFn *fn, uint32_t loop, const IrInsn *phi, Counter *out)
{
    const uint32_t *list = &fn->extra.v[phi->a];
    if (list[0] != 2)
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t from = list[1 + 2 * k], reg = list[2 + 2 * k];
        if (is_inside(fn, from, loop) && !is_inside(fn, list[1 + 2 * !k], loop) &&
            is_step(fn, reg, phi->dst)) {
            *out = (Counter){phi->dst, reg, from};
            return true;
        }
    }
    return false;
}

/* Where is it defined? False: it has no one value in the loop. */
static bool is_invariant(const IrFn *fn, uint32_t reg, uint32_t loop)
{
    if (ir_reg_const_of(fn, reg) || reg < fn->nparams)
        return true;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; is_inside(fn, b, loop) && i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].dst == reg)
                return false;
    return ir_reg_def(fn, reg) != NULL;
}

static bool is_comparison(IrOp op)
{
    return op == IR_EQ || op == IR_NE || op == IR_ULT || op == IR_SLT || op == IR_ULE || op == IR_SLE;
}

/* Does some value of the counter make the comparison come out as `wanted`, whatever the other operand is? */
static bool comes_out(const IrFn *fn, const IrInsn *compare, bool left, bool wanted)
{
    unsigned width = fn->regs.v[compare->a].width;
    const IrConst *c = ir_reg_const_of(fn, left ? compare->b : compare->a);
    bool known = c && c->kind == IR_CONST_INT;
    u128 value = known ? c->bits & bits_mask(width) : 0, sign = (u128)1 << (width - 1);
    switch ((IrOp)compare->op) {
    case IR_EQ:
    case IR_NE: return true;
    case IR_ULT: return !wanted || (known && value != (left ? 0 : bits_mask(width)));
    case IR_SLT: return !wanted || (known && value != (left ? sign : sign - 1));
    case IR_ULE: return wanted || (known && value != (left ? bits_mask(width) : 0));
    case IR_SLE: return wanted || (known && value != (left ? sign - 1 : sign));
    default: return false;
    }
}

/* Does the block, which every iteration comes to, leave the loop for some value of the counter? */
static bool leaves(const IrFn *fn, uint32_t loop, uint32_t block, const Counter *c)
{
    const IrInsn *br = fn->blocks.v[block].insns.n ? &vec_last(&fn->blocks.v[block].insns) : NULL;
    const IrInsn *compare = br && br->op == IR_BR ? ir_reg_def(fn, br->a) : NULL;
    if (!compare || !is_comparison((IrOp)compare->op))
        return false;
    bool left = compare->a == c->reg || compare->a == c->next,
         right = compare->b == c->reg || compare->b == c->next, on_true = !is_inside(fn, br->b, loop),
         on_false = !is_inside(fn, br->c, loop);
    return left != right && on_true != on_false && is_invariant(fn, left ? compare->b : compare->a, loop) &&
           comes_out(fn, compare, left, on_true);
}

static bool loop_ends(const IrFn *fn, uint32_t loop)
{
    uint32_t header = fn->loops.v[loop].header;
    const IrBlock *b = &fn->blocks.v[header];
    Counter c;
    for (uint32_t i = 0; !fn->loops.v[loop].irreducible && i < b->insns.n && b->insns.v[i].op == IR_PHI; i++)
        if (read_counter(fn, loop, &b->insns.v[i], &c) &&
            (leaves(fn, loop, header, &c) || leaves(fn, loop, c.latch, &c)))
            return true;
    return false;
}

/* `path`: functions that are under way; `done`: functions that end. */
static bool ends(const IrProgram *p, uint32_t index, BitSet *path, BitSet *done)
{
    const IrFn *fn = &p->fns.v[index];
    if (fn->runtime || !fn->defined || bitset_has(done, index))
        return true;
    if (bitset_has(path, index))
        return false;
    bitset_add(path, index);
    for (uint32_t i = 0; i < fn->loops.n; i++)
        if (!loop_ends(fn, i))
            return false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALLPTR || (insn->op == IR_CALL && !ends(p, insn->a, path, done)))
                return false;
        }
    bitset_remove(path, index);
    bitset_add(done, index);
    return true;
}

bool versions_ends(const IrProgram *program, uint32_t fn)
{
    BitSet path = {0}, done = {0};
    bool result = ends(program, fn, &path, &done);
    bitset_free(&path);
    bitset_free(&done);
    return result;
}
