/* wanted.c - which bytes of memory a function may read again, from a point on until it returns.
 *
 * Backward over blocks, to a fixpoint; an access is a span of a root where its address is known to begin at a
 * parameter, a local or a global, and a set of classes (points-to) elsewhere. A store to a known offset of a
 * root writes these bytes in any case. A call of a function of the user's does what that function does from
 * its beginning, with arguments for parameters. What runtime/ reads is what the analysis of effects says; so
 * is what recursive functions read.
 *
 *     before:  reads   <- reads of the instruction, and reads behind it that it does not write
 *              written <- written behind it, and by it
 *     join:    reads   <- of either side                written <- of both sides
 *     return:  nothing is read, nothing is written
 *
 * What is not known is read and not written, so that too much is wanted and never too little. Each step is
 * counted; once the budget is spent, functions are opaque. */
#include "flow/wanted.h"

enum { STEPS_MOST = 1 << 24, SPANS_MOST = 400 };

void want_free(Want *w)
{
    vec_free(&w->reads);
    vec_free(&w->written);
}

static struct Wanted *wanted_of(Flow *flow)
{
    if (!flow->wanted) {
        flow->wanted = arena_alloc(flow->arena, sizeof *flow->wanted);
        flow->wanted->fns = arena_alloc(flow->arena, (flow->program->fns.n + 1) * sizeof(WantedFn));
    }
    return flow->wanted;
}

void wanted_free(Flow *flow)
{
    for (uint32_t f = 0; flow->wanted && f < flow->program->fns.n; f++)
        for (uint32_t b = 0; flow->wanted->fns[f].in && b < flow_fn(flow, f)->blocks.n; b++)
            want_free(&flow->wanted->fns[f].in[b]);
}

/* ---- where addresses come from ----------------------------------------------------------------- */

/* A structure that is passed by value is a copy, or not: that is left to points-to. A number that is no
 * pointer is none. */
static const Base *wanted_bases(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    const Base *all = bases_of(flow, index);
    Base *now = arena_alloc(flow->arena, (fn->regs.n + 1) * sizeof *now);
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        uint32_t param;
        now[r] = all[r];
        if (base_of_param(all[r], &param) &&
            (ir_param(fn, param).kind == IR_PARAM_BYVAL || fn->regs.v[param].width != 64))
            now[r] = (Base){.kind = BASE_UNKNOWN};
    }
    return now;
}

/* ---- what instructions read and write ---------------------------------------------------------- */

void want_places(Flow *flow, FlowPlaces places, Spans *out)
{
    for (uint32_t i = 0; i < places.n; i++) {
        const FlowPlace *p = &places.v[i];
        if (p->param == IR_NONE && flow_is_state(p->object))
            continue;
        const FlowObject *o = p->param == IR_NONE ? flow_object(flow, p->object) : NULL;
        Span bytes = {0, (int64_t)p->first, (int64_t)(p->first + p->size)};
        uint32_t root = !o                       ? ROOT_PARAM | p->param
                        : o->kind == FLOW_ANY    ? (uint32_t)ROOT_ANY
                        : o->kind == FLOW_GLOBAL ? ROOT_GLOBAL | o->index
                                                 : ROOT_CLASS | p->object;
        if (o && (o->kind == FLOW_CONSTANTS || o->kind == FLOW_FN))
            continue;
        bytes.root = root;
        spans_add(out, p->size == FLOW_WHOLE || root == ROOT_ANY ? span_whole(root) : bytes);
    }
}

void want_behind(Flow *flow, uint32_t fn, uint32_t reg, Span bytes, Spans *out)
{
    bool whole = bytes.first < 0 || bytes.end == INT64_MAX;
    want_places(flow,
                flow_behind(flow, fn, reg, whole ? 0 : (uint64_t)bytes.first,
                            whole ? FLOW_WHOLE : (uint64_t)(bytes.end - bytes.first)),
                out);
}

/* Bytes behind a register, from its address on; to their end if size is FLOW_WHOLE. */
static Span bytes_of(uint64_t size)
{
    return size == FLOW_WHOLE ? span_whole(0) : (Span){0, 0, (int64_t)size};
}

static void add_read(Flow *flow, uint32_t fn, const WantedFn *w, uint32_t reg, Span bytes, Spans *out)
{
    Base base = w->bases[reg];
    if (base.kind == BASE_AT)
        spans_add(out, span_moved(bytes, base.root, base.offset));
    else if (base.kind == BASE_WITHIN)
        spans_add(out, span_whole(base.root));
    else if (base.kind == BASE_UNKNOWN)
        want_behind(flow, fn, reg, bytes, out);
}

static void add_write(const WantedFn *w, uint32_t reg, Span bytes, Spans *out)
{
    Base base = w->bases[reg];
    if (base.kind == BASE_AT && bytes.end != INT64_MAX)
        spans_add(out, span_moved(bytes, base.root, base.offset));
}

static uint64_t const_size(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    return c && c->kind == IR_CONST_INT && c->bits < INT32_MAX ? (uint64_t)c->bits : FLOW_WHOLE;
}

/* Is what a call of it does known by its body, in terms of its parameters? */
static bool is_followed(Flow *flow, uint32_t callee, const IrCall *call)
{
    const IrFn *fn = flow_fn(flow, callee);
    if (!fn->defined || fn->runtime || fn->variadic || call->nvar || call->nargs != fn->nparams ||
        flow_is_recursive(flow, callee))
        return false;
    for (uint32_t i = 0; i < fn->nparams; i++)
        if (ir_param(fn, i).kind == IR_PARAM_BYVAL)
            return false;
    return true;
}

/* The callee's bytes as the caller's. */
static void fill_in(Flow *flow, FlowSite at, const IrCall *call, const Want *callee, Want *out)
{
    const WantedFn *w = &flow->wanted->fns[at.fn];
    for (uint32_t i = 0; i < callee->reads.n; i++) {
        Span x = callee->reads.v[i];
        if ((x.root & ROOT_KIND) == ROOT_PARAM)
            add_read(flow, at.fn, w, call->args[x.root], x, &out->reads);
        else if ((x.root & ROOT_KIND) != ROOT_LOCAL)
            spans_add(&out->reads, x);
    }
    for (uint32_t i = 0; i < callee->written.n; i++) {
        Span x = callee->written.v[i];
        if ((x.root & ROOT_KIND) == ROOT_PARAM)
            add_write(w, call->args[x.root], x, &out->written);
        else if ((x.root & ROOT_KIND) == ROOT_GLOBAL)
            spans_add(&out->written, x);
    }
    out->never = callee->never;
}

/* A native function may read whatever the pointers that it is given lead to. */
static bool is_unknown(const Flow *flow, uint32_t callee, const IrFn *caller, const IrCall *call)
{
    bool given = call->nvar != 0;
    for (uint32_t i = 0; i < call->nargs; i++)
        given |= caller->regs.v[call->args[i]].width == 64;
    return flow_is_unknown(flow, callee) ||
           (given && !flow_fn(flow, callee)->defined && !flow->effects[callee]);
}

static void call(Flow *flow, FlowSite at, Want *out)
{
    const IrInsn *insn = flow_insn(flow, at);
    IrCall call = ir_call_read(flow_fn(flow, at.fn), insn);
    bool direct = insn->op == IR_CALL;
    if (direct && is_followed(flow, insn->a, &call)) {
        const WantedFn *callee = &flow->wanted->fns[insn->a];
        if (callee->opaque)
            spans_add(&out->reads, span_whole(ROOT_ANY));
        else
            fill_in(flow, at, &call, &callee->in[0], out);
        return;
    }
    FlowList callees = flow_callees(flow, at);
    bool unknown = !callees.n || (flow_insn_ends(flow, at) & ENDS_JUMP);
    for (uint32_t i = 0; i < callees.n && !unknown; i++)
        unknown = is_unknown(flow, callees.v[i], flow_fn(flow, at.fn), &call);
    if (unknown)
        spans_add(&out->reads, span_whole(ROOT_ANY));
    else
        want_places(flow, flow_insn_reads(flow, at), &out->reads);
}

static void effect(Flow *flow, FlowSite at, Want *out)
{
    const IrFn *fn = flow_fn(flow, at.fn);
    const IrInsn *insn = flow_insn(flow, at);
    const WantedFn *w = &flow->wanted->fns[at.fn];
    switch ((IrOp)insn->op) {
    case IR_LOAD: add_read(flow, at.fn, w, insn->a, bytes_of((insn->width + 7u) / 8), &out->reads); break;
    case IR_STORE: add_write(w, insn->a, bytes_of((insn->width + 7u) / 8), &out->written); break;
    case IR_MEMCPY:
    case IR_MEMMOVE:
        add_read(flow, at.fn, w, insn->b, bytes_of(const_size(fn, insn->c)), &out->reads);
        add_write(w, insn->a, bytes_of(const_size(fn, insn->c)), &out->written);
        break;
    case IR_MEMSET: add_write(w, insn->a, bytes_of(const_size(fn, insn->c)), &out->written); break;
    case IR_LIFE: /* its bytes become zero; behind the other nothing reads them before that */
    case IR_DEAD:
        if (w->bases[insn->a].kind == BASE_AT && (w->bases[insn->a].root & ROOT_KIND) == ROOT_LOCAL)
            spans_add(&out->written, span_whole(w->bases[insn->a].root));
        break;
    case IR_CALL:
    case IR_CALLPTR: call(flow, at, out); break;
    case IR_SETJMP:
    case IR_LONGJMP:
    case IR_UNSUPPORTED: spans_add(&out->reads, span_whole(ROOT_ANY)); break;
    default: break;
    }
}

/* From behind the instruction to before it. */
static void pass(Flow *flow, FlowSite at, Want *w)
{
    Want here = {0};
    if (flow_insn(flow, at)->op == IR_RET) {
        vec_clear(&w->reads);
        vec_clear(&w->written);
        w->never = false;
        return;
    }
    effect(flow, at, &here);
    if (here.never)
        vec_clear(&w->reads);
    else
        spans_remove(&w->reads, &here.written);
    spans_unite(&w->reads, &here.reads);
    w->never |= here.never;
    if (w->never)
        vec_clear(&w->written);
    else
        spans_unite(&w->written, &here.written);
    flow->wanted->steps += 1 + w->reads.n + w->written.n;
    want_free(&here);
}

/* ---- functions --------------------------------------------------------------------------------- */

/* What holds behind the block's last instruction. */
static void leave(Flow *flow, uint32_t fn, uint32_t block, Want *out)
{
    const WantedFn *w = &flow->wanted->fns[fn];
    U32Vec to = {0};
    out->never = true;
    ir_block_successors(flow_fn(flow, fn), block, &to);
    for (uint32_t i = 0; i < to.n; i++) {
        const Want *next = &w->in[to.v[i]];
        spans_unite(&out->reads, &next->reads);
        if (out->never)
            spans_copy(&out->written, &next->written);
        else if (!next->never)
            spans_intersect(&out->written, &next->written);
        out->never &= next->never;
    }
    vec_free(&to);
}

static bool block_pass(Flow *flow, uint32_t fn, uint32_t block)
{
    Want now = {0}, *in = &flow->wanted->fns[fn].in[block];
    leave(flow, fn, block, &now);
    for (uint32_t i = flow_fn(flow, fn)->blocks.v[block].insns.n; i-- > 0;)
        pass(flow, (FlowSite){fn, block, i}, &now);
    bool changed = in->never != now.never || !spans_same(&in->reads, &now.reads) ||
                   !spans_same(&in->written, &now.written);
    want_free(in);
    *in = now;
    return changed;
}

static void analyse(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    WantedFn *w = &flow->wanted->fns[index];
    w->bases = wanted_bases(flow, index);
    w->made = true;
    w->in = arena_alloc(flow->arena, (fn->blocks.n + 1) * sizeof *w->in);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        w->in[b].never = true;
    for (bool changed = true; changed && !w->opaque;) {
        changed = false;
        for (uint32_t b = fn->blocks.n; b-- > 0 && !w->opaque;) {
            changed |= block_pass(flow, index, b);
            w->opaque = flow->wanted->steps > STEPS_MOST || w->in[b].reads.n > SPANS_MOST ||
                        w->in[b].written.n > SPANS_MOST;
        }
    }
}

/* A callee that is followed and was not analysed yet; IR_NONE: none. */
static uint32_t open_callee(Flow *flow, uint32_t index)
{
    const IrFn *fn = flow_fn(flow, index);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->op != IR_CALL || flow->wanted->fns[insn->a].made)
                continue;
            IrCall call = ir_call_read(fn, insn);
            if (is_followed(flow, insn->a, &call))
                return insn->a;
        }
    return IR_NONE;
}

const WantedFn *wanted_fn(Flow *flow, uint32_t fn)
{
    struct Wanted *wanted = wanted_of(flow);
    U32Vec work = {0};
    if (!wanted->fns[fn].made)
        vec_push(&work, fn);
    while (work.n) { /* callees first; what is followed is not recursive */
        uint32_t callee = open_callee(flow, vec_last(&work));
        if (callee != IR_NONE)
            vec_push(&work, callee);
        else
            analyse(flow, vec_pop(&work));
    }
    vec_free(&work);
    return &wanted->fns[fn];
}

void want_at(Flow *flow, FlowSite at, bool behind, Want *out)
{
    const WantedFn *w = wanted_fn(flow, at.fn);
    uint32_t n = flow_fn(flow, at.fn)->blocks.v[at.block].insns.n;
    *out = (Want){0};
    leave(flow, at.fn, at.block, out);
    for (uint32_t i = n; i-- > at.insn + behind;)
        pass(flow, (FlowSite){at.fn, at.block, i}, out);
    if (!w->opaque)
        return;
    want_free(out);
    *out = (Want){0};
    spans_add(&out->reads, span_whole(ROOT_ANY));
}
