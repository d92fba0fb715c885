/* fails.c - which accesses and operators may fail: one rule, for guards and for the graph of dependences.
 *
 * An access cannot fail if it lies at a constant offset within a variable, or within a local of a frame in
 * which nothing dies early. */
#include "flow/flow_int.h"

FlowBody flow_body(const Flow *flow, uint32_t f)
{
    const IrFn *fn = flow_fn(flow, f);
    FlowBody body = {flow->program, fn, mem_zalloc((fn->regs.n + 1) * sizeof *body.definitions), false};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->dst != IR_NONE)
                body.definitions[insn->dst] = insn;
            body.dies |= insn->op == IR_DEAD || insn->op == IR_STACKRESTORE;
        }
    return body;
}

void flow_body_free(FlowBody *body) { mem_free(body->definitions); }

/* ---- accesses -------------------------------------------------------------------------------- */

static bool constant_of(const IrFn *fn, uint32_t reg, uint64_t *out)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        return false;
    *out = (uint64_t)bits_signed(c->bits, fn->regs.v[reg].width);
    return true;
}

/* A place in a variable or a local, and the bytes from there on that are known to be there. */
typedef struct Room {
    const void *of;
    uint64_t first, size;
} Room;

static bool global_room(const FlowBody *body, const IrConst *c, bool write, Room *out)
{
    if (c->kind != IR_CONST_GLOBAL)
        return false;
    const IrGlobal *g = &body->program->globals.v[c->index];
    *out = (Room){g, (uint64_t)c->bits, g->size};
    return g->defined && !(write && g->constant);
}

static bool local_room(const FlowBody *body, const IrInsn *insn, Room *out)
{
    *out = (Room){insn, 0, 0};
    return insn && insn->op == IR_ALLOCA && insn->flags & IR_FIXED && !body->dies &&
           constant_of(body->fn, insn->a, &out->size);
}

static bool room_behind(const FlowBody *body, uint32_t reg, bool write, Room *out)
{
    enum { DEPTH_MOST = 64 };
    uint64_t offset = 0, by;
    for (uint32_t depth = 0; depth < DEPTH_MOST; depth++) {
        const IrConst *c = ir_reg_const_of(body->fn, reg);
        const IrInsn *insn = c ? NULL : body->definitions[reg];
        if (c ? global_room(body, c, write, out) : local_room(body, insn, out)) {
            out->first += offset;
            bool within = out->first <= out->size;
            out->size -= within ? out->first : out->size;
            return within;
        }
        if (!insn || (insn->op != IR_OFFSET && insn->op != IR_INDEX) || !constant_of(body->fn, insn->b, &by))
            return false;
        offset += insn->op == IR_INDEX ? by * insn->c : by;
        reg = insn->a;
    }
    return false;
}

bool flow_access_fails(const FlowBody *body, const IrInsn *insn)
{
    bool copies = insn->op == IR_MEMCPY || insn->op == IR_MEMMOVE;
    uint64_t size = (insn->width + 7u) / 8;
    Room to, from;
    if (insn->op == IR_SETJMP || insn->op == IR_LONGJMP) /* what a buffer must hold is the machine's affair */
        return true;
    if ((copies || insn->op == IR_MEMSET) && !constant_of(body->fn, insn->c, &size))
        return true;
    if (!room_behind(body, insn->a, insn->op != IR_LOAD, &to) || size > to.size)
        return true;
    if (!copies)
        return false;
    if (!room_behind(body, insn->b, false, &from) || size > from.size)
        return true;
    return insn->op == IR_MEMCPY && to.of == from.of && to.first < from.first + size &&
           from.first < to.first + size;
}

/* ---- operators ------------------------------------------------------------------------------- */

static unsigned division_fails(const IrFn *fn, const IrInsn *insn)
{
    bool is_signed = insn->op == IR_SDIV || insn->op == IR_SREM;
    const IrConst *by = ir_reg_const_of(fn, insn->b);
    if (!by || by->kind != IR_CONST_INT || !by->bits)
        return is_signed ? 3 : 2;
    u128 ones = insn->width == 128 ? ~(u128)0 : ((u128)1 << insn->width) - 1;
    return is_signed && by->bits == ones ? 1 : 0;
}

unsigned flow_operator_fails(const IrFn *fn, const IrInsn *insn, unsigned checks)
{
    bool overflows = checks & FLOW_CHECK_OVERFLOW && insn->flags & IR_NSW, shifts = checks & FLOW_CHECK_SHIFT;
    switch (insn->op) {
    case IR_UDIV:
    case IR_UREM:
    case IR_SDIV:
    case IR_SREM: return division_fails(fn, insn);
    case IR_LSHR:
    case IR_ASHR: return shifts ? 3 : 0;
    case IR_SHL: return shifts || overflows ? 3 : 0;
    case IR_ADD:
    case IR_SUB:
    case IR_MUL: return overflows ? 3 : 0;
    default: return 0;
    }
}
