/* bases.c - see bases.h: forward over the instructions of a function, to a fixpoint. Each register rises at
 * most three times: numbers, a root and an offset, somewhere behind the root, unknown. */
#include "flow/bases.h"
#include "flow/flow_int.h"

bool base_of_param(Base base, uint32_t *param)
{
    *param = base.root & ~(uint32_t)ROOT_KIND;
    return (base.kind == BASE_AT || base.kind == BASE_WITHIN) && (base.root & ROOT_KIND) == ROOT_PARAM;
}

static Base join(Base a, Base b)
{
    if (a.kind == BASE_NONE || b.kind == BASE_UNKNOWN)
        return b;
    if (b.kind == BASE_NONE || a.kind == BASE_UNKNOWN)
        return a;
    if (a.root != b.root)
        return (Base){.kind = BASE_UNKNOWN};
    if (a.kind == BASE_AT && b.kind == BASE_AT && a.offset == b.offset)
        return a;
    return (Base){.kind = BASE_WITHIN, .root = a.root};
}

static Base moved(const IrFn *fn, Base base, const IrInsn *insn)
{
    enum { FAR = 1 << 30 };
    const IrConst *c = ir_reg_const_of(fn, insn->b);
    if (base.kind == BASE_NONE && !c)
        return (Base){.kind = BASE_UNKNOWN}; /* null and something: an address made of numbers */
    if (base.kind != BASE_AT)
        return base;
    int64_t by = 0;
    bool known = c && c->kind == IR_CONST_INT &&
                 !__builtin_mul_overflow((int64_t)bits_signed(c->bits, fn->regs.v[insn->b].width),
                                         insn->op == IR_INDEX ? (int64_t)insn->c : 1, &by) &&
                 by < FAR && by > -FAR && base.offset < FAR && base.offset > -FAR;
    return known ? (Base){BASE_AT, base.root, base.offset + by} : (Base){BASE_WITHIN, base.root, 0};
}

static Base result_of(const IrFn *fn, const Base *now, const IrInsn *insn)
{
    Base base = {.kind = BASE_NONE};
    switch ((IrOp)insn->op) {
    case IR_ALLOCA:
        return insn->flags & IR_FIXED ? (Base){BASE_AT, ROOT_LOCAL | insn->dst, 0}
                                      : (Base){.kind = BASE_UNKNOWN};
    case IR_OFFSET:
    case IR_INDEX: return moved(fn, now[insn->a], insn);
    case IR_SELECT: return join(now[insn->b], now[insn->c]);
    case IR_PHI: {
        const uint32_t *list = &fn->extra.v[insn->a];
        for (uint32_t i = 0; i < list[0]; i++)
            base = join(base, now[list[2 + 2 * i]]);
        return base;
    }
    default: return (Base){.kind = BASE_UNKNOWN};
    }
}

static bool pass(const IrFn *fn, Base *now)
{
    bool changed = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->dst == IR_NONE)
                continue;
            Base base = join(now[insn->dst], result_of(fn, now, insn));
            changed |= base.kind != now[insn->dst].kind;
            now[insn->dst] = base;
        }
    return changed;
}

/* Parameters and constants; results of calls, of which nothing is known. Numbers as pointers are null: they
 * add nothing to what a phi may be. */
static void begin(const IrFn *fn, Base *now)
{
    U32Vec defs = {0};
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        const IrConst *c = ir_reg_const_of(fn, r);
        if (r < fn->nparams)
            now[r] = (Base){BASE_AT, ROOT_PARAM | r, 0};
        else if (c && c->kind == IR_CONST_GLOBAL && c->bits < UINT32_MAX)
            now[r] = (Base){BASE_AT, ROOT_GLOBAL | c->index, (int64_t)c->bits};
        else if (c && c->kind != IR_CONST_INT && c->kind != IR_CONST_UNDEF)
            now[r] = (Base){.kind = BASE_UNKNOWN};
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].dst == IR_NONE) {
                ir_insn_defs(fn, &fn->blocks.v[b].insns.v[i], &defs);
                for (uint32_t k = 0; k < defs.n; k++)
                    if (defs.v[k] < fn->regs.n)
                        now[defs.v[k]] = (Base){.kind = BASE_UNKNOWN};
            }
    vec_free(&defs);
}

const Base *bases_of(Flow *flow, uint32_t index)
{
    if (flow->bases[index])
        return flow->bases[index];
    const IrFn *fn = flow_fn(flow, index);
    Base *now = arena_alloc(flow->arena, (fn->regs.n + 1) * sizeof *now);
    begin(fn, now);
    while (pass(fn, now)) {
    }
    return flow->bases[index] = now;
}
