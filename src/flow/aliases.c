/* aliases.c - may it make a difference to a function whether two pointers that it is given lead to one
 * object?
 *
 * Where nothing behind them is written or freed, one object is what two with equal contents are, unless
 * something looks at the addresses. Only registers hold addresses of these objects: parameters, what is
 * computed from them and handed on. Whatever else is done with such a register than to follow it, to step on
 * from it and to ask whether it is NULL counts as a look. */
#include "flow/places.h"

static bool is_pointer_free(const IrProgram *p, uint32_t type)
{
    const IrCType *t = type ? &p->ctypes.v[type] : NULL;
    if (!t || t->kind == IR_C_POINTER)
        return false;
    if (t->kind == IR_C_ARRAY)
        return is_pointer_free(p, t->of);
    for (uint32_t i = 0; t->kind == IR_C_RECORD && i < t->n; i++)
        if (!is_pointer_free(p, p->cmembers.v[t->first + i].type))
            return false;
    return t->kind == IR_C_RECORD ? t->n > 0 : t->size > 0;
}

/* Numbers, and pointers to what holds no pointer: no address lies in memory, and there are no lists. */
static bool has_plain_parameters(const IrProgram *p, const IrFn *fn)
{
    for (uint32_t i = 1; i < fn->ctypes.n; i++) {
        const IrCType *t = fn->ctypes.v[i] ? &p->ctypes.v[fn->ctypes.v[i]] : NULL;
        bool plain = t && (t->kind == IR_C_POINTER ? t->to_function || is_pointer_free(p, t->of)
                                                   : is_pointer_free(p, fn->ctypes.v[i]));
        if (!plain)
            return false;
    }
    return fn->ctypes.n > 1;
}

static bool writes_inputs(Flow *flow, uint32_t fn)
{
    FlowPlaces writes = flow_fn_writes(flow, fn);
    for (uint32_t i = 0; i < writes.n; i++) {
        const FlowPlace *place = &writes.v[i];
        FlowObjectKind kind = place->param != IR_NONE ? FLOW_LAZY : flow_object(flow, place->object)->kind;
        if (kind == FLOW_LAZY || kind == FLOW_ANY)
            return true;
    }
    return false;
}

/* ---- who has addresses ------------------------------------------------------------------------ */

typedef struct Holders {
    Flow *flow;
    Map regs;       /* function and register: may hold an address */
    BitSet returns; /* functions that may return one */
    U32Vec fns;     /* with registers that do */
    bool grown, looked;
} Holders;

static uint64_t key_of(uint32_t fn, uint32_t reg) { return (uint64_t)fn << 32 | reg; }
static bool holds(const Holders *h, uint32_t fn, uint32_t reg)
{
    return map_get(&h->regs, key_of(fn, reg), NULL);
}

static void hold(Holders *h, uint32_t fn, uint32_t reg)
{
    if (holds(h, fn, reg))
        return;
    map_put(&h->regs, key_of(fn, reg), 1);
    h->grown = true;
    for (uint32_t i = 0; i < h->fns.n; i++)
        if (h->fns.v[i] == fn)
            return;
    vec_push(&h->fns, fn);
}

/* Does it keep nothing of what it is given? Its own frame is gone when it returns. */
static bool keeps_nothing(Flow *flow, uint32_t fn)
{
    FlowPlaces writes = flow_fn_writes(flow, fn);
    for (uint32_t i = 0; i < writes.n; i++) {
        FlowObjectKind kind =
            writes.v[i].param != IR_NONE ? FLOW_ANY : flow_object(flow, writes.v[i].object)->kind;
        if (kind != FLOW_STACK && kind != FLOW_ROOM && kind != FLOW_LINKS)
            return false;
    }
    return true;
}

/* A function of runtime/ that keeps nothing reads what it is given, and may return where in it. */
static void call_one(Holders *h, uint32_t fn, const IrCall *call, uint32_t callee)
{
    const IrFn *to = flow_fn(h->flow, callee);
    bool any = false, only_reads = to->runtime && keeps_nothing(h->flow, callee);
    for (uint32_t i = 0; i < call->nargs; i++) {
        if (!holds(h, fn, call->args[i]))
            continue;
        any = true;
        if (to->defined && !to->runtime && i < to->nparams)
            hold(h, callee, i);
        else
            h->looked |= !only_reads;
    }
    for (uint32_t i = 0; i < call->nvar; i++)
        h->looked |= holds(h, fn, call->var[3 * i]);
    for (uint32_t i = 0; i < call->ndst && (to->runtime ? any : bitset_has(&h->returns, callee)); i++)
        hold(h, fn, call->dst[i]);
}

/* What comes out of runtime/ again are calls of functions that it was given. */
static void scan_call(Holders *h, FlowSite at, const IrInsn *insn)
{
    IrCall call = ir_call_read(flow_fn(h->flow, at.fn), insn);
    FlowList callees = flow_callees(h->flow, at);
    for (uint32_t i = 0; i < callees.n; i++)
        call_one(h, at.fn, &call, callees.v[i]);
    for (uint32_t i = 0; i < call.nargs; i++) {
        FlowList to = flow_points_to(h->flow, at.fn, call.args[i]);
        for (uint32_t k = 0; k < to.n && callees.n && flow_fn(h->flow, callees.v[0])->runtime; k++)
            h->looked |= flow_object(h->flow, to.v[k])->kind == FLOW_FN;
    }
}

/* ---- what is done with them ------------------------------------------------------------------- */

static bool is_null(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    return c && c->kind == IR_CONST_INT && !c->bits;
}

static void scan_phi(Holders *h, uint32_t fn, const IrInsn *insn)
{
    const U32Vec *extra = &flow_fn(h->flow, fn)->extra;
    for (uint32_t i = 0; i < extra->v[insn->a]; i++)
        if (holds(h, fn, extra->v[insn->a + 2 + 2 * i]))
            hold(h, fn, insn->dst);
}

static void scan_return(Holders *h, uint32_t fn, const IrInsn *insn)
{
    const U32Vec *extra = &flow_fn(h->flow, fn)->extra;
    for (uint32_t i = 0; i < extra->v[insn->a]; i++)
        if (holds(h, fn, extra->v[insn->a + 1 + i]))
            h->grown |= bitset_add(&h->returns, fn);
}

/* One operand holds an address, the others none. */
static void scan_use(Holders *h, uint32_t fn, const IrInsn *insn, bool a, bool b)
{
    switch ((IrOp)insn->op) {
    case IR_LOAD: break;
    case IR_MEMCPY:
    case IR_MEMMOVE: h->looked |= !b; break;
    case IR_OFFSET:
    case IR_INDEX:
    case IR_SUB:
        if (a)
            hold(h, fn, insn->dst);
        h->looked |= !a;
        break;
    case IR_ADD: hold(h, fn, insn->dst); break;
    case IR_EQ:
    case IR_NE: h->looked |= !is_null(flow_fn(h->flow, fn), a ? insn->b : insn->a); break;
    default: h->looked = true;
    }
}

static void scan_insn(Holders *h, FlowSite at, U32Vec *reads)
{
    const IrInsn *insn = flow_insn(h->flow, at);
    uint32_t n = 0;
    switch ((IrOp)insn->op) {
    case IR_PHI: scan_phi(h, at.fn, insn); return;
    case IR_RET: scan_return(h, at.fn, insn); return;
    case IR_CALL:
    case IR_CALLPTR: scan_call(h, at, insn); return;
    case IR_SELECT:
        h->looked |= holds(h, at.fn, insn->a);
        if (holds(h, at.fn, insn->b) || holds(h, at.fn, insn->c))
            hold(h, at.fn, insn->dst);
        return;
    default: break;
    }
    ir_insn_reads(flow_fn(h->flow, at.fn), insn, reads);
    for (uint32_t i = 0; i < reads->n; i++)
        n += holds(h, at.fn, reads->v[i]);
    if (n > 1)
        h->looked = true;
    else if (n)
        scan_use(h, at.fn, insn, holds(h, at.fn, insn->a), reads->n > 1 && holds(h, at.fn, insn->b));
}

static void scan_all(Holders *h)
{
    U32Vec reads = {0};
    h->grown = false;
    for (uint32_t i = 0; i < h->fns.n; i++) {
        const IrFn *fn = flow_fn(h->flow, h->fns.v[i]);
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t k = 0; k < fn->blocks.v[b].insns.n && !h->looked; k++)
                scan_insn(h, (FlowSite){h->fns.v[i], b, k}, &reads);
    }
    vec_free(&reads);
}

/* Each round finds a register more, or is the last. */
bool flow_tells_aliases(Flow *flow, uint32_t entry)
{
    const IrProgram *p = flow->program;
    const IrFn *fn = flow_fn(flow, entry);
    Holders h = {.flow = flow};
    if (!has_plain_parameters(p, fn) || fn->nparams + 1 != fn->ctypes.n || writes_inputs(flow, entry))
        return true;
    for (uint32_t i = 0; i < fn->nparams; i++) {
        const IrCType *t = &p->ctypes.v[fn->ctypes.v[i + 1]];
        h.looked |= ir_param(fn, i).kind != IR_PARAM_PLAIN;
        if (t->kind == IR_C_POINTER && !t->to_function)
            hold(&h, entry, i);
    }
    while (h.grown && !h.looked)
        scan_all(&h);
    map_free(&h.regs);
    bitset_free(&h.returns);
    vec_free(&h.fns);
    return h.looked;
}
