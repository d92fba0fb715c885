/* insn.c - instructions of a block, forwards, over expressions. */
#include "backward/eval.h"

/* ---- registers ------------------------------------------------------------------------------- */

static void find_allocas(Backward *bw, uint32_t fn)
{
    const IrFn *f = &bw->program->fns.v[fn];
    if (!bitset_add(&bw->allocas_known, fn))
        return;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (insn->op == IR_ALLOCA && (insn->flags & IR_FIXED))
                map_put(&bw->allocas, (uint64_t)fn << 32 | insn->dst, (uint64_t)b << 32 | i);
        }
}

/* The object of an alloca that is made once for each frame. */
static uint32_t stack_object(Eval *ev, const Frame *f, uint32_t reg, uint64_t at)
{
    Backward *bw = ev->bw;
    uint32_t before = bw->objects.n, id = bw_object(bw, BW_STACK, f->instance, reg);
    if (bw->objects.n > before) {
        const IrInsn *insn = &f->fn->blocks.v[at >> 32].insns.v[(uint32_t)at];
        BwObject *o = &bw->objects.v[id];
        const IrConst *size = ir_reg_const_of(f->fn, insn->a);
        o->size = bw_const(bw, size ? (uint64_t)size->bits : 0);
        o->flow = flow_object_of_alloca(bw->flow, (FlowSite){f->index, (uint32_t)(at >> 32), (uint32_t)at});
        o->name =
            f->fn->regs.v[reg].name ? ir_text(bw->program, f->fn->regs.v[reg].name) : "a local variable";
    }
    return id;
}

static Expr constant(Backward *bw, const IrConst *k, unsigned width)
{
    switch (k->kind) {
    case IR_CONST_INT: return expr_const(bw->pool, width, k->bits);
    case IR_CONST_UNDEF: return bw_fresh(bw, width, "undef");
    case IR_CONST_GLOBAL:
        return bw_offset(bw, bw_base(bw, bw_object(bw, BW_GLOBAL, k->index, 0)),
                         bw_const(bw, (uint64_t)k->bits));
    case IR_CONST_FN:
        return bw_offset(bw, bw_base(bw, bw_object(bw, BW_FUNCTION, k->index, 0)),
                         bw_const(bw, (uint64_t)k->bits));
    case IR_CONST_BLOCK: break; /* a number that no other address is */
    }
    return expr_add(bw->pool, bw_base(bw, bw_object(bw, BW_FUNCTION, k->index, 0)),
                    bw_const(bw, 1 + k->block));
}

Expr bw_reg_value(Eval *ev, Frame *f, uint32_t reg)
{
    Backward *bw = ev->bw;
    const IrConst *k = ir_reg_const_of(f->fn, reg);
    uint64_t at;
    if (!expr_is_none(f->regs[reg]))
        return f->regs[reg];
    if (k)
        return f->regs[reg] = constant(bw, k, f->fn->regs.v[reg].width);
    if (!f->old)
        return f->regs[reg] = bw_fresh(bw, f->fn->regs.v[reg].width, "undefined");
    find_allocas(bw, f->index);
    if (map_get(&bw->allocas, (uint64_t)f->index << 32 | reg, &at))
        return f->regs[reg] = bw_base(bw, stack_object(ev, f, reg, at));
    Expr varies;
    return f->regs[reg] = bw_cut_register(bw, ev->cut, f->instance, reg, &varies);
}

/* ---- checks and memory ----------------------------------------------------------------------- */

State bw_fault_check(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s, Expr bad, VmFaultKind kind)
{
    if (ev->bw->faults && !expr_is_false(bad))
        bw_end_target(ev, f, block, insn, s, bad, (BwTarget){.to = IR_NONE, .fault = kind});
    return bw_state_and(ev, s, expr_not(ev->bw->pool, bad));
}

State bw_access_check(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s, Expr address, Expr bytes,
                      bool write)
{
    Backward *bw = ev->bw;
    if (bw->require && bw->faults) /* people tell null pointers from others */
        s = bw_fault_check(ev, f, block, insn, s, bw_mem_null(bw, s.mem, address, bytes),
                           VM_FAULT_NULL_DEREF);
    return bw_fault_check(ev, f, block, insn, s, bw_mem_bad(bw, s.mem, address, bytes, write),
                          write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ);
}

uint32_t bw_mem_store(Eval *ev, uint32_t mem, Expr address, Expr value, bool aligned)
{
    unsigned bytes = (expr_width(ev->bw->pool, value) + 7) / 8;
    value = expr_zext(ev->bw->pool, value, 8 * bytes);
    return bw_mem_add(ev->bw, (BwMemNode){.kind = BW_MEM_STORE,
                                          .below = mem,
                                          .a = address,
                                          .b = value,
                                          .bytes = (uint8_t)bytes,
                                          .aligned = bw_is_aligned(ev->bw, address, bytes, aligned)});
}

uint32_t bw_mem_havoc(Eval *ev, uint32_t mem, FlowList objects)
{
    Backward *bw = ev->bw;
    if (!objects.n || (bw->options.rules_off & BACKWARD_OFF_HAVOC))
        return mem;
    vec_push(&bw->havocs, objects);
    return bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_HAVOC,
                                      .below = mem,
                                      .set = bw->havocs.n - 1,
                                      .a = bw_fresh(bw, 64, "memory")});
}

enum { BLOCK_MOST = 64 }; /* bytes of a block operation that are stored one by one */

uint32_t bw_mem_block(Eval *ev, uint32_t mem, BwMemKind kind, Expr to, Expr from, Expr bytes, uint32_t other)
{
    ExprPool *p = ev->bw->pool;
    u128 n = expr_is_const(p, bytes) ? expr_const_value(p, bytes) : UINT64_MAX;
    if (n == 0)
        return mem;
    if (n > BLOCK_MOST || expr_is_none(to))
        return bw_mem_add(
            ev->bw, (BwMemNode){.kind = kind, .below = mem, .other = other, .a = to, .b = from, .c = bytes});
    for (unsigned i = 0; i < n;) { /* in words as long as they last, so that pointers stay in one piece */
        unsigned size = n - i >= 8 ? 8 : n - i >= 4 ? 4 : n - i >= 2 ? 2 : 1;
        Expr at = bw_const(ev->bw, i), value = from;
        if (kind == BW_MEM_COPY)
            value = bw_mem_read(ev->bw, other, expr_add(p, from, at), size, false);
        else
            for (unsigned k = 1; k < size; k++)
                value = expr_concat(p, from, value);
        mem = bw_mem_store(ev, mem, expr_add(p, to, at), value, false); /* a block may begin anywhere */
        i += size;
    }
    return mem;
}

uint32_t bw_object_make(Eval *ev, uint32_t *mem, BwObjectKind kind, uint32_t flow, uint32_t instance,
                        Expr size, bool zeroed, const char *name)
{
    Backward *bw = ev->bw;
    bw_object_new(bw, (BwObject){.kind = kind,
                                 .index = instance,
                                 .reg = IR_NONE,
                                 .segment = ev->segment,
                                 .flow = flow,
                                 .size = size,
                                 .name = name});
    uint32_t id = bw->objects.n - 1;
    bw->segments.v[ev->segment].makes_objects = true;
    *mem = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_NEW,
                                      .below = *mem,
                                      .id = id,
                                      .a = zeroed ? EXPR_NONE : bw_fresh(bw, 64, "uninitialised")});
    return id;
}

/* Has a frame of the function objects that are no local variables of constant size? */
static bool has_others(const IrFn *fn)
{
    bool found = false;
    for (uint32_t i = 0; i < fn->nparams; i++)
        found |= ir_param(fn, i).kind == IR_PARAM_BYVAL;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n && !found; i++)
            found =
                fn->blocks.v[b].insns.v[i].op == IR_ALLOCA && !(fn->blocks.v[b].insns.v[i].flags & IR_FIXED);
    return found;
}

uint32_t bw_mem_end_made(Eval *ev, const Frame *f, uint32_t mem, bool maybe)
{
    Backward *bw = ev->bw;
    for (uint32_t id = 0, n = has_others(f->fn) ? bw->objects.n : 0; id < n; id++) {
        if (bw->objects.v[id].kind != BW_STACK || bw->objects.v[id].index != f->instance ||
            bw->objects.v[id].reg != IR_NONE)
            continue;
        uint32_t dead = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_DEAD, .below = mem, .id = id});
        mem = maybe ? bw_mem_join(bw, bw_fresh(bw, 1, "scope"), dead, mem) : dead;
    }
    return mem;
}

/* A local variable comes to life. */
static uint32_t live(Eval *ev, uint32_t mem, uint32_t object)
{
    return bw_mem_add(ev->bw, (BwMemNode){.kind = BW_MEM_NEW,
                                          .below = mem,
                                          .id = object,
                                          .a = bw_fresh(ev->bw, 64, "uninitialised")});
}

/* ---- instructions ---------------------------------------------------------------------------- */

typedef struct At {
    Frame *f;
    uint32_t block, insn;
    const IrInsn *i;
} At;

/* Overflow that --check asks about. */
static State check_overflow(Eval *ev, const At *at, State s, Expr a, Expr b)
{
    static const struct {
        IrOp op;
        BitsOp overflows;
    } ops[] = {{IR_ADD, BITS_SADD_OVF}, {IR_SUB, BITS_SSUB_OVF}, {IR_MUL, BITS_SMUL_OVF}};
    for (size_t k = 0; k < COUNT_OF(ops); k++)
        if (at->i->op == ops[k].op && (at->i->flags & IR_NSW))
            s = bw_fault_check(ev, at->f, at->block, at->insn, s,
                               expr_make(ev->bw->pool, ops[k].overflows, 1, a, b, EXPR_NONE),
                               VM_FAULT_OVERFLOW);
    return s;
}

static bool checks(const Eval *ev, VmFaultKind kind) { return ev->bw->options.checks >> kind & 1; }

/* What C forbids of an operator. */
static State check_operator(Eval *ev, const At *at, State s, Expr a, Expr b)
{
    ExprPool *p = ev->bw->pool;
    unsigned w = expr_width(p, a);
    switch ((IrOp)at->i->op) {
    case IR_SDIV:
    case IR_SREM:
        s = bw_fault_check(ev, at->f, at->block, at->insn, s,
                           expr_and(p, expr_eq(p, a, expr_const(p, w, (u128)1 << (w - 1))),
                                    expr_eq(p, b, expr_const(p, w, bits_mask(w)))),
                           VM_FAULT_DIV_OVERFLOW);
        return bw_fault_check(ev, at->f, at->block, at->insn, s, expr_eq(p, b, expr_const(p, w, 0)),
                              VM_FAULT_DIV_ZERO);
    case IR_UDIV:
    case IR_UREM:
        return bw_fault_check(ev, at->f, at->block, at->insn, s, expr_eq(p, b, expr_const(p, w, 0)),
                              VM_FAULT_DIV_ZERO);
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        if (checks(ev, VM_FAULT_SHIFT))
            s = bw_fault_check(ev, at->f, at->block, at->insn, s, expr_ule(p, expr_const(p, w, w), b),
                               VM_FAULT_SHIFT);
        return s;
    case IR_ADD:
    case IR_SUB:
    case IR_MUL: return checks(ev, VM_FAULT_OVERFLOW) ? check_overflow(ev, at, s, a, b) : s;
    default: return s;
    }
}

static bool shown(Backward *bw, Expr e) { return bw_object_of(bw, e) != IR_NONE || bw_shows_address(bw, e); }

/* What a program computes from an address beyond distances within an object and equality differs from run to
 * run: bases here are numbers only so that aliasing folds. Where two addresses are compared, see
 * bw_are_incomparable. */
static bool is_arbitrary(Backward *bw, IrOp op, Expr a, Expr b)
{
    if (op == IR_EQ || op == IR_NE || op == IR_ADD || op == IR_SELECT)
        return false;
    if (op == IR_SUB || op == IR_ULT || op == IR_ULE || op == IR_SLT || op == IR_SLE)
        return bw_are_incomparable(bw, a, b);
    return shown(bw, a) || (!expr_is_none(b) && shown(bw, b));
}

static State run_pure(Eval *ev, const At *at, State s)
{
    ExprPool *p = ev->bw->pool;
    Frame *f = at->f;
    const IrInsn *i = at->i;
    unsigned n = bits_op_arity(ir_op_bits(i->op));
    Expr a = bw_reg_value(ev, f, i->a), b = n > 1 ? bw_reg_value(ev, f, i->b) : EXPR_NONE,
         c = n > 2 ? bw_reg_value(ev, f, i->c) : EXPR_NONE;
    s = check_operator(ev, at, s, a, b);
    unsigned width = f->fn->regs.v[i->dst].width;
    Expr value = expr_make(p, ir_op_bits(i->op), width, a, b, c);
    bool distance = i->op == IR_ADD || (i->op == IR_SUB && !shown(ev->bw, b));
    bool far = distance && width == 64 && bw_is_far(ev->bw, value, a, b);
    f->regs[i->dst] = far || is_arbitrary(ev->bw, i->op, a, b) ? bw_fresh(ev->bw, width, "address") : value;
    return s;
}

static State run_load(Eval *ev, const At *at, State s)
{
    Backward *bw = ev->bw;
    unsigned bytes = (at->i->width + 7u) / 8;
    Expr a = bw_reg_value(ev, at->f, at->i->a);
    bool aligned = at->i->b >= bytes;
    s = bw_access_check(ev, at->f, at->block, at->insn, s, a, bw_const(bw, bytes), false);
    if (is_dead(s))
        return s;
    Expr v = bw_mem_read(bw, s.mem, a, bytes, aligned);
    if (at->i->width == 64 && !expr_is_const(bw->pool, v))
        map_add(&bw->load_regs, v.id, (uint64_t)at->f->index << 32 | at->i->dst);
    at->f->regs[at->i->dst] = expr_trunc(bw->pool, v, at->i->width);
    return s;
}

static State run_store(Eval *ev, const At *at, State s)
{
    Backward *bw = ev->bw;
    Expr a = bw_reg_value(ev, at->f, at->i->a), v = bw_reg_value(ev, at->f, at->i->b);
    unsigned bytes = (expr_width(bw->pool, v) + 7) / 8;
    bool aligned = at->i->c >= bytes;
    s = bw_access_check(ev, at->f, at->block, at->insn, s, a, bw_const(bw, bytes), true);
    if (!is_dead(s))
        s.mem = bw_mem_store(ev, s.mem, a, v, aligned);
    return s;
}

static State run_block_op(Eval *ev, const At *at, State s)
{
    Expr to = bw_reg_value(ev, at->f, at->i->a), from = bw_reg_value(ev, at->f, at->i->b),
         n = bw_reg_value(ev, at->f, at->i->c);
    bool fill = at->i->op == IR_MEMSET;
    if (!fill)
        s = bw_access_check(ev, at->f, at->block, at->insn, s, from, n, false);
    s = bw_access_check(ev, at->f, at->block, at->insn, s, to, n, true);
    if (is_dead(s))
        return s;
    s.mem = bw_mem_block(ev, s.mem, fill ? BW_MEM_FILL : BW_MEM_COPY, to, from, n, s.mem);
    return s;
}

static State run_alloca(Eval *ev, const At *at, State s)
{
    Backward *bw = ev->bw;
    Frame *f = at->f;
    uint64_t position = (uint64_t)at->block << 32 | at->insn;
    if (at->i->flags & IR_FIXED) {
        uint32_t id = stack_object(ev, f, at->i->dst, position);
        f->regs[at->i->dst] = bw->objects.v[id].base;
        s.mem = live(ev, s.mem, id);
        return s;
    }
    uint32_t flow = flow_object_of_alloca(bw->flow, (FlowSite){f->index, at->block, at->insn});
    Expr size = bw_reg_value(ev, f, at->i->a);
    uint32_t id =
        bw_object_make(ev, &s.mem, BW_STACK, flow, f->instance, size, false, "an array of variable length");
    f->regs[at->i->dst] = bw->objects.v[id].base;
    if (bw->faults && !expr_is_const(bw->pool, size)) /* the stack may overflow */
        s = bw_fault_check(ev, f, at->block, at->insn, s, expr_ult(bw->pool, bw_const(bw, 1 << 20), size),
                           VM_FAULT_STACK_OVERFLOW);
    return s;
}

static State run_other(Eval *ev, const At *at, State s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    Frame *f = at->f;
    const IrInsn *i = at->i;
    switch ((IrOp)i->op) {
    case IR_UNINIT: f->regs[i->dst] = bw_fresh(bw, i->width, "uninitialised"); return s;
    case IR_OFFSET:
        f->regs[i->dst] = bw_offset(bw, bw_reg_value(ev, f, i->a), bw_reg_value(ev, f, i->b));
        return s;
    case IR_INDEX: {
        Expr index = bw_reg_value(ev, f, i->b);
        index = expr_width(p, index) < 64 ? expr_sext(p, index, 64) : expr_trunc(p, index, 64);
        f->regs[i->dst] = bw_offset(bw, bw_reg_value(ev, f, i->a), expr_mul(p, index, bw_const(bw, i->c)));
        return s;
    }
    case IR_ALLOCA: return run_alloca(ev, at, s);
    case IR_LOAD: return run_load(ev, at, s);
    case IR_STORE: return run_store(ev, at, s);
    case IR_MEMCPY:
    case IR_MEMMOVE:
    case IR_MEMSET: return run_block_op(ev, at, s);
    case IR_LIFE:
    case IR_DEAD: {
        uint32_t object = bw_object_of(bw, bw_reg_value(ev, f, i->a));
        if (object != IR_NONE && bw->objects.v[object].kind == BW_STACK)
            s.mem = i->op == IR_LIFE
                        ? live(ev, s.mem, object)
                        : bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_DEAD, .below = s.mem, .id = object});
        return s;
    }
    case IR_STACKSAVE: f->regs[i->dst] = bw_fresh(bw, 64, "stack"); return s;
    case IR_STACKRESTORE: s.mem = bw_mem_end_made(ev, f, s.mem, true); return s;
    case IR_VASTART:
        s.mem = bw_mem_havoc(ev, s.mem, everything());
        bw_reason(bw, i->site, "variable arguments are not modelled");
        return s;
    case IR_CALL:
    case IR_CALLPTR: return bw_call_run(ev, f, at->block, at->insn, s);
    case IR_SETJMP:
        bw_escape(ev, f, at->block, at->insn, s, "setjmp and longjmp are not modelled");
        f->regs[i->dst] = bw_fresh(bw, 32, "setjmp");
        return s;
    default: bug("opcode %s", ir_op_text((IrOp)i->op));
    }
}

/* ---- the end of a block ---------------------------------------------------------------------- */

/* Constants decide whether a loop that is being unrolled goes on. */
static void note_exit(Eval *ev, const Frame *f, uint32_t block, bool is_constant)
{
    U32Vec to = {0};
    ir_block_successors(f->fn, block, &to);
    for (Unroll *u = ev->unroll; u; u = u->up) {
        bool leaves = false;
        if (u->frame != f || !bw_in_loop(f->fn, block, u->loop))
            continue;
        for (uint32_t i = 0; i < to.n; i++)
            leaves |= !bw_in_loop(f->fn, to.v[i], u->loop);
        u->constant |= leaves && is_constant;
    }
    vec_free(&to);
}

static void edge(Eval *ev, Frame *f, uint32_t block, uint32_t insn, uint32_t to, State s)
{
    Backward *bw = ev->bw;
    if (!is_dead(s) && bw->target_places.n &&
        map_get(&bw->target_places, bw_place_key(f->index, block, 0, to), NULL))
        bw_end_target(ev, f, block, insn, s, EXPR_TRUE, (BwTarget){.to = to, .fault = VM_FAULT_COUNT});
    bw_push_edge(ev, f, block, to, s);
}

static void run_switch(Eval *ev, const At *at, State s)
{
    ExprPool *p = ev->bw->pool;
    const uint32_t *list = &at->f->fn->extra.v[at->i->b];
    Expr v = bw_reg_value(ev, at->f, at->i->a), none = EXPR_TRUE;
    note_exit(ev, at->f, at->block, expr_is_const(p, v));
    U32Vec targets = {0};
    for (uint32_t k = 0; k < list[0];
         k++) { /* edges to one block are one edge: a phi names its predecessors once */
        bool seen = list[2 + 2 * k] == at->i->c;
        for (uint32_t m = 0; m < targets.n; m++)
            seen |= targets.v[m] == list[2 + 2 * k];
        if (!seen)
            vec_push(&targets, list[2 + 2 * k]);
    }
    for (uint32_t t = 0; t < targets.n; t++) {
        Expr any = EXPR_FALSE;
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[2 + 2 * k] == targets.v[t])
                any = expr_or(p, any, expr_eq(p, v, bw_reg_value(ev, at->f, list[1 + 2 * k])));
        none = expr_and(p, none, expr_not(p, any));
        edge(ev, at->f, at->block, at->insn, targets.v[t], bw_state_and(ev, s, any));
    }
    edge(ev, at->f, at->block, at->insn, at->i->c, bw_state_and(ev, s, none));
    vec_free(&targets);
}

static void run_goto(Eval *ev, const At *at, State s)
{
    ExprPool *p = ev->bw->pool;
    const uint32_t *list = &at->f->fn->extra.v[at->i->b];
    Expr v = bw_reg_value(ev, at->f, at->i->a);
    note_exit(ev, at->f, at->block, expr_is_const(p, v));
    for (uint32_t k = 0; k < list[0]; k++) {
        IrConst address = {.kind = IR_CONST_BLOCK, .index = at->f->index, .block = list[1 + k]};
        edge(ev, at->f, at->block, at->insn, list[1 + k],
             bw_state_and(ev, s, expr_eq(p, v, constant(ev->bw, &address, 64))));
    }
}

static void run_return(Eval *ev, const At *at, State s)
{
    const uint32_t *list = &at->f->fn->extra.v[at->i->a];
    Expr *values = arena_alloc(ev->arena, (at->f->fn->results.n + 1) * sizeof *values);
    for (uint32_t k = 0; k < list[0] && k < at->f->fn->results.n; k++)
        values[k] = bw_reg_value(ev, at->f, list[1 + k]);
    vec_push(&at->f->returns, (Return){s, values});
}

static void run_terminator(Eval *ev, const At *at, State s)
{
    ExprPool *p = ev->bw->pool;
    const IrInsn *i = at->i;
    switch ((IrOp)i->op) {
    case IR_JMP: edge(ev, at->f, at->block, at->insn, i->a, s); break;
    case IR_BR: {
        Expr c = bw_reg_value(ev, at->f, i->a);
        note_exit(ev, at->f, at->block, expr_is_const(p, c));
        if (i->b == i->c) {
            edge(ev, at->f, at->block, at->insn, i->b, s);
            break;
        }
        edge(ev, at->f, at->block, at->insn, i->b, bw_state_and(ev, s, c));
        edge(ev, at->f, at->block, at->insn, i->c, bw_state_and(ev, s, expr_not(p, c)));
        break;
    }
    case IR_SWITCH: run_switch(ev, at, s); break;
    case IR_GOTO: run_goto(ev, at, s); break;
    case IR_RET: run_return(ev, at, s); break;
    case IR_TRAP: bw_fault_check(ev, at->f, at->block, at->insn, s, EXPR_TRUE, VM_FAULT_TRAP); break;
    case IR_UNREACHABLE:
        bw_fault_check(ev, at->f, at->block, at->insn, s, EXPR_TRUE, VM_FAULT_UNREACHABLE);
        break;
    case IR_LONGJMP:
        bw_escape(ev, at->f, at->block, at->insn, s, "setjmp and longjmp are not modelled");
        break;
    default:
        bw_escape(ev, at->f, at->block, at->insn, s, ir_text(ev->bw->program, i->a));
        break; /* IR_UNSUPPORTED */
    }
}

static bool is_target(const Backward *bw, uint32_t fn, uint32_t block, uint32_t insn)
{
    return map_get(&bw->target_places, bw_place_key(fn, block, insn, IR_NONE), NULL);
}

void bw_block_run(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s)
{
    Backward *bw = ev->bw;
    const IrBlock *b = &f->fn->blocks.v[block];
    bool has_target = map_get(&bw->target_blocks, (uint64_t)f->index << 32 | block, NULL);
    bool starts = insn && b->insns.v[insn - 1].op ==
                              IR_PHI; /* phis were set on the way here: they may be targets, too */
    for (uint32_t i = 0; has_target && starts && i < insn; i++)
        if (is_target(bw, f->index, block, i))
            insn = i;
    for (; insn < b->insns.n && !is_dead(s); insn++) {
        At at = {f, block, insn, &b->insns.v[insn]};
        if (!f->fn->runtime)
            ev->site = at.i->site;
        if (ev->steps++ >= ev->limit || bw_out_of_time(bw)) {
            bw_escape(ev, f, block, insn, s, "too much code between two loops");
            return;
        }
        if (has_target && is_target(bw, f->index, block, insn))
            bw_end_target(ev, f, block, insn, s, EXPR_TRUE,
                          (BwTarget){.to = IR_NONE, .fault = VM_FAULT_COUNT});
        if (ir_op_has_flag(at.i->op, 'T') && !ir_op_is_pure(at.i->op)) {
            run_terminator(ev, &at, s);
            return;
        }
        s = ir_op_is_pure(at.i->op) ? run_pure(ev, &at, s) : at.i->op == IR_PHI ? s : run_other(ev, &at, s);
    }
}
