/* outline_find.c - which loops can be outlined, and what they take and give. */
#include "versions/outline.h"

void outline_free(Outline *o)
{
    vec_free(&o->blocks);
    bitset_free(&o->inside);
    vec_free(&o->targets);
    vec_free(&o->phis);
    vec_free(&o->args);
    for (uint32_t i = 0; i < o->values.n; i++) {
        vec_free(&o->values.v[i].code);
        ir_fn_free(&o->values.v[i].fn);
    }
    vec_free(&o->values);
}

/* Is the register an address within a constant? What is loaded from elsewhere is no function of registers. */
static bool is_constant_address(const IrFn *fn, uint32_t reg)
{
    enum { STEPS_MOST = 16 };
    for (unsigned step = 0; step < STEPS_MOST; step++) {
        const IrInsn *def = ir_reg_def(fn, reg);
        if (ir_reg_const_of(fn, reg))
            return true;
        if (!def || (def->op != IR_OFFSET && def->op != IR_INDEX))
            return false;
        reg = def->a;
    }
    return false;
}

static bool reads_undefined(const IrFn *fn, const IrInsn *insn, U32Vec *reads)
{
    ir_insn_reads(fn, insn, reads);
    for (uint32_t i = 0; i < reads->n; i++) {
        const IrConst *c = ir_reg_const_of(fn, reads->v[i]);
        if (c && c->kind == IR_CONST_UNDEF)
            return true;
    }
    return false;
}

static bool is_plain(Totals *t, uint32_t fn, uint32_t block, const IrInsn *insn, U32Vec *reads)
{
    const IrFn *f = &t->program->fns.v[fn];
    if (insn->flags & IR_VOLATILE || reads_undefined(f, insn, reads) || !totals_has_insn(t, fn, block, insn))
        return false;
    switch ((IrOp)insn->op) {
    case IR_LOAD:
    case IR_OFFSET:
    case IR_INDEX: return is_constant_address(f, insn->a);
    case IR_PHI:
    case IR_CALL:
    case IR_JMP:
    case IR_BR:
    case IR_SWITCH: return true;
    default: return ir_op_is_pure((IrOp)insn->op);
    }
}

static bool is_among(const U32Vec *v, uint32_t x)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (v->v[i] == x)
            return true;
    return false;
}

static bool is_in_loop(const IrFn *fn, uint32_t loop, uint32_t block)
{
    uint32_t at = fn->loop_of.v[block];
    while (at != IR_NONE && at != loop)
        at = fn->loops.v[at].parent;
    return at == loop;
}

/* Is it a block that comes from `inside` alone, and does nothing but lead on? Its phis name values. */
static bool leads_on(const IrFn *fn, const BitSet *inside, uint32_t block)
{
    U32Vec next = {0};
    const IrBlock *at = &fn->blocks.v[block];
    bool only = at->insns.n && vec_last(&at->insns).op == IR_JMP;
    for (uint32_t i = 0; only && i + 1 < at->insns.n; i++)
        only = at->insns.v[i].op == IR_PHI && !reads_undefined(fn, &at->insns.v[i], &next);
    for (uint32_t b = 0; only && b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &next);
        only = bitset_has(inside, b) || !is_among(&next, block);
    }
    vec_free(&next);
    return only;
}

static void find_targets(const IrFn *fn, Outline *o)
{
    U32Vec next = {0};
    vec_clear(&o->targets);
    for (uint32_t i = 0; i < o->blocks.n; i++) {
        ir_block_successors(fn, o->blocks.v[i], &next);
        for (uint32_t k = 0; k < next.n; k++)
            if (!bitset_has(&o->inside, next.v[k]) && !is_among(&o->targets, next.v[k]))
                vec_push(&o->targets, next.v[k]);
    }
    vec_free(&next);
}

/* A break or return in the loop leads to where its end does by a block of its own: with that there is one
 * target. */
static void add_leading(const IrFn *fn, Outline *o)
{
    for (uint32_t i = 0; o->targets.n > 1 && i < o->targets.n; i++)
        if (leads_on(fn, &o->inside, o->targets.v[i])) {
            bitset_add(&o->inside, o->targets.v[i]);
            vec_push(&o->blocks, o->targets.v[i]);
        }
    find_targets(fn, o);
}

/* Blocks and targets; false: the loop has something in it that is more than its values. */
static bool find_blocks(Totals *t, Outline *o)
{
    const IrFn *fn = &t->program->fns.v[o->fn];
    U32Vec order = {0}, reads = {0};
    bool plain = true;
    pair_order(fn, &order);
    for (uint32_t i = 0; plain && i < order.n; i++) {
        uint32_t b = order.v[i];
        if (!is_in_loop(fn, o->loop, b))
            continue;
        vec_push(&o->blocks, b);
        bitset_add(&o->inside, b);
        for (uint32_t k = 0; plain && k < fn->blocks.v[b].insns.n; k++)
            plain = is_plain(t, o->fn, b, &fn->blocks.v[b].insns.v[k], &reads);
    }
    find_targets(fn, o);
    add_leading(fn, o);
    vec_free(&order);
    vec_free(&reads);
    return plain && (o->targets.n == 1 || o->targets.n == 2);
}

static bool is_inner(const IrFn *fn, const Outline *o, uint32_t reg)
{
    uint32_t block = fn->regs.v[reg].block;
    return block != IR_NONE && bitset_has(&o->inside, block);
}

/* What the loop reads and does not define, in the order of first use. What the header's phis get from outside
 * are arguments of their own. */
static void find_args(const IrFn *fn, Outline *o)
{
    U32Vec reads = {0};
    for (uint32_t i = 0; i < o->blocks.n; i++)
        for (uint32_t k = 0; k < fn->blocks.v[o->blocks.v[i]].insns.n; k++) {
            const IrInsn *insn = &fn->blocks.v[o->blocks.v[i]].insns.v[k];
            bool entered = insn->op == IR_PHI && !i;
            if (entered)
                vec_push(&o->phis, k);
            ir_insn_reads(fn, insn, &reads);
            for (uint32_t r = 0; r < reads.n; r++) {
                bool outside = entered && !bitset_has(&o->inside, fn->extra.v[insn->a + 1 + 2 * r]);
                if (!outside && !ir_reg_const_of(fn, reads.v[r]) && !is_inner(fn, o, reads.v[r]) &&
                    !is_among(&o->args, reads.v[r]))
                    vec_push(&o->args, reads.v[r]);
            }
        }
    vec_free(&reads);
}

/* Does the phi get a value from the loop that is not the same wherever it is left? */
static bool is_given(const IrFn *fn, const Outline *o, const IrInsn *phi)
{
    const uint32_t *list = &fn->extra.v[phi->a];
    uint32_t known = IR_NONE;
    for (uint32_t k = 0; k < list[0]; k++)
        if (bitset_has(&o->inside, list[1 + 2 * k])) {
            uint32_t reg = list[2 + 2 * k];
            if (is_inner(fn, o, reg) || (known != IR_NONE && known != reg))
                return true;
            known = reg;
        }
    return false;
}

static void find_values(const IrFn *fn, const IrLive *live, Outline *o)
{
    U32Vec defs = {0};
    for (uint32_t i = 0; i < o->blocks.n; i++)
        for (uint32_t k = 0; k < fn->blocks.v[o->blocks.v[i]].insns.n; k++) {
            ir_insn_defs(fn, &fn->blocks.v[o->blocks.v[i]].insns.v[k], &defs);
            for (uint32_t d = 0; d < defs.n; d++)
                if (ir_live_in(live, defs.v[d], o->targets.v[0]) ||
                    (o->targets.n > 1 && ir_live_in(live, defs.v[d], o->targets.v[1])))
                    vec_push(&o->values, ((OutlineValue){.kind = OUTLINE_REG,
                                                         .reg = defs.v[d],
                                                         .target = IR_NONE,
                                                         .width = fn->regs.v[defs.v[d]].width}));
        }
    for (uint32_t i = 0; i < o->targets.n; i++) {
        const IrBlock *b = &fn->blocks.v[o->targets.v[i]];
        for (uint32_t k = 0; k < b->insns.n && b->insns.v[k].op == IR_PHI; k++)
            if (is_given(fn, o, &b->insns.v[k]))
                vec_push(&o->values, ((OutlineValue){.kind = OUTLINE_PHI,
                                                     .reg = b->insns.v[k].dst,
                                                     .target = o->targets.v[i],
                                                     .phi = k,
                                                     .width = b->insns.v[k].width}));
    }
    if (o->targets.n == 2)
        vec_push(&o->values,
                 ((OutlineValue){.kind = OUTLINE_WHICH, .reg = IR_NONE, .target = IR_NONE, .width = 1}));
    vec_free(&defs);
}

bool outline_find(Totals *t, uint32_t fn, uint32_t loop, const IrLive *live, Outline *out)
{
    const IrFn *f = &t->program->fns.v[fn];
    *out = (Outline){.fn = fn, .loop = loop};
    if (f->loops.v[loop].irreducible || !find_blocks(t, out))
        return false;
    if (out->blocks.v[0] != f->loops.v[loop].header)
        bug("the header of a loop comes first");
    find_args(f, out);
    find_values(f, live, out);
    return out->phis.n + out->args.n <= VM_ABSTRACT_ARGS && out->values.n > 0;
}
