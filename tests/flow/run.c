/* run.c - the interpreter: memory, frames, instructions, primitives. */
#include "run.h"

#include <stdlib.h>

enum { GUARD = 256, MOST_FRAMES = 2000, MOST_MEMORY = 64 << 20 };

static void end(Run *r, RunEnd how)
{
    if (!r->over) {
        r->over = true;
        r->how = how;
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint32_t object_new(Run *r, uint64_t size, uint32_t object)
{
    r->next = (r->next + GUARD + 4095) & ~(uint64_t)63;
    RunObject o = {.base = r->next,
                   .size = size,
                   .data = mem_zalloc(size + 1),
                   .object = object,
                   .alive = true,
                   .fn = IR_NONE};
    r->next += size;
    r->memory += size;
    vec_push(&r->objects, o);
    return r->objects.n - 1;
}

uint32_t run_find(const Run *r, uint64_t address)
{
    uint32_t low = 0, high = r->objects.n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->objects.v[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || address - r->objects.v[low - 1].base > r->objects.v[low - 1].size)
        return IR_NONE;
    return low - 1;
}

static RunFrame *top(Run *r) { return &vec_last(&r->frames); }

/* The bytes of an access, told to the observer, or NULL after the end of the run. */
static uint8_t *bytes_at(Run *r, uint32_t reg, uint64_t address, uint64_t n, bool write)
{
    uint32_t i = run_find(r, address);
    RunObject *o = i == IR_NONE ? NULL : &r->objects.v[i];
    if (!o || !o->alive || !o->data || address - o->base + n > o->size || (write && o->constant)) {
        end(r, RUN_FAULT);
        return NULL;
    }
    if (n)
        r->observer.access(r->observer.context, r, reg, i, address - o->base, n, write);
    return o->data + (address - o->base);
}

static u128 load(const uint8_t *from, unsigned width)
{
    u128 v = 0;
    for (unsigned i = 0; i < (width + 7) / 8; i++)
        v |= (u128)from[i] << 8 * i;
    return v & bits_mask(width);
}

static void store(uint8_t *to, unsigned width, u128 v)
{
    for (unsigned i = 0; i < (width + 7) / 8; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void kill_object(Run *r, uint32_t i)
{
    r->objects.v[i].alive = false;
    r->observer.state(r->observer.context, r, i);
}

/* The abstract object of what is allocated now: by the innermost call in the user's code, and by the call
 * before it. */
static uint32_t heap_object(Run *r)
{
    FlowSite none = {IR_NONE, IR_NONE, IR_NONE}, at = none, caller = none;
    for (uint32_t i = r->frames.n; i-- > 0;) {
        const RunFrame *f = &r->frames.v[i];
        if (r->program->fns.v[f->fn].runtime)
            continue;
        at = (FlowSite){f->fn, f->block, f->insn};
        if (i)
            caller = (FlowSite){f[-1].fn, f[-1].block, f[-1].insn};
        break;
    }
    return flow_object_of_heap(r->flow, at, caller);
}

/* ---- constants and start --------------------------------------------------------------------- */

static u128 const_value(const Run *r, const IrConst *c)
{
    switch (c->kind) {
    case IR_CONST_INT: return c->bits;
    case IR_CONST_GLOBAL:
        return (uint64_t)(r->objects.v[r->global_objects[c->index]].base + (uint64_t)c->bits);
    case IR_CONST_FN: return (uint64_t)(r->objects.v[r->fn_objects[c->index]].base + (uint64_t)c->bits);
    case IR_CONST_BLOCK: return (u128)1 << 62 | (u128)c->index << 24 | c->block;
    case IR_CONST_UNDEF: break;
    }
    return 0;
}

static void make_objects(Run *r)
{
    const IrProgram *p = r->program;
    r->global_objects = mem_zalloc((p->globals.n + 1) * sizeof *r->global_objects);
    r->fn_objects = mem_zalloc((p->fns.n + 1) * sizeof *r->fn_objects);
    for (uint32_t g = 0; g < p->globals.n; g++) {
        r->global_objects[g] = object_new(r, p->globals.v[g].size, flow_object_of_global(r->flow, g));
        RunObject *o = &vec_last(&r->objects);
        o->constant = p->globals.v[g].constant;
        o->alive = p->globals.v[g].defined;
        if (p->globals.v[g].bytes)
            memcpy(o->data, p->globals.v[g].bytes, o->size);
    }
    for (uint32_t f = 0; f < p->fns.n; f++) {
        r->fn_objects[f] = object_new(r, 1, flow_object_of_fn(r->flow, f));
        RunObject *o = &vec_last(&r->objects);
        mem_free(o->data);
        o->data = NULL;
        o->fn = f;
    }
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++)
            store(r->objects.v[r->global_objects[g]].data + p->globals.v[g].relocs.v[i].offset, 64,
                  const_value(r, &p->globals.v[g].relocs.v[i].value));
}

static void push_frame(Run *r, uint32_t fn)
{
    const IrFn *f = &r->program->fns.v[fn];
    RunFrame frame = {.fn = fn, .from = IR_NONE, .number = ++r->numbers, .varargs = IR_NONE};
    if (r->frames.n >= MOST_FRAMES) {
        end(r, RUN_LIMIT);
        return;
    }
    frame.regs = mem_zalloc((f->regs.n + 1) * sizeof *frame.regs);
    for (uint32_t i = 0; i < f->regs.n; i++)
        if (f->regs.v[i].kind == IR_REG_CONST)
            frame.regs[i] = const_value(r, &f->consts.v[f->regs.v[i].value]);
    vec_push(&r->frames, frame);
    r->observer.enter(r->observer.context, r);
}

static void pop_frame(Run *r, bool jumped)
{
    RunFrame *f = top(r);
    r->observer.leave(r->observer.context, r, jumped);
    for (uint32_t i = 0; i < f->allocas.n; i++)
        r->objects.v[f->allocas.v[i]].alive = false;
    if (f->varargs != IR_NONE)
        r->objects.v[f->varargs].alive = false;
    vec_free(&f->allocas);
    mem_free(f->regs);
    r->frames.n--;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static void fill_input(Run *r, uint64_t address, uint64_t n)
{
    uint8_t *to = bytes_at(r, IR_NONE, address, n, true);
    for (uint64_t i = 0; to && i < n; i++)
        to[i] = rng_below(&r->rng, 3) ? (uint8_t)rng_below(&r->rng, 4) : (uint8_t)rng_next(&r->rng);
    if (to && n > 1 && n <= 8) /* a number: mostly a small one */
        memset(to + 1, rng_below(&r->rng, 4) ? 0 : 255, n - 1);
}

static uint64_t prim_alloc(Run *r, const u128 *a)
{
    if (a[0] > 1 << 20 || r->memory > MOST_MEMORY)
        return 0;
    uint32_t i = object_new(r, (uint64_t)a[0], heap_object(r));
    r->observer.state(r->observer.context, r, i);
    return r->objects.v[i].base;
}

static void prim_free(Run *r, uint64_t address)
{
    uint32_t i = run_find(r, address);
    if (!address)
        return;
    if (i == IR_NONE || !r->objects.v[i].alive || r->objects.v[i].base != address)
        end(r, RUN_FAULT);
    else
        kill_object(r, i);
}

static uint64_t prim_read(Run *r, const u128 *a)
{
    uint64_t n = (uint64_t)a[2] < r->input_left ? (uint64_t)a[2] : r->input_left;
    if (a[0] != 0 || !n)
        return 0;
    uint8_t *to = bytes_at(r, IR_NONE, (uint64_t)a[1], n, true);
    for (uint64_t i = 0; to && i < n; i++)
        to[i] = (uint8_t)("0123456789 \nabc-%x"[rng_below(&r->rng, 18)]);
    r->input_left -= (uint32_t)n;
    return n;
}

static uint64_t prim_float(Run *r, const u128 *a)
{
    uint8_t *from = bytes_at(r, IR_NONE, (uint64_t)a[0], 1, false),
            *to = bytes_at(r, IR_NONE, (uint64_t)a[1], (uint64_t)a[2], true);
    if (from && to)
        memset(to, 0, (size_t)a[2]);
    return 0;
}

static uint64_t prim_zeroes(Run *r, uint64_t address, uint64_t n)
{
    uint8_t *to = bytes_at(r, IR_NONE, address, n, true);
    if (to)
        memset(to, 0, n);
    return 0;
}

static uint64_t primitive(Run *r, const char *name, const u128 *a)
{
#define IS(text) (!strcmp(name, "__sheaf_" text))
    if (IS("alloc"))
        return prim_alloc(r, a);
    if (IS("free"))
        return prim_free(r, (uint64_t)a[0]), 0;
    if (IS("size")) {
        uint32_t i = run_find(r, (uint64_t)a[0]);
        return i == IR_NONE ? 0 : r->objects.v[i].size;
    }
    if (IS("exit"))
        return end(r, RUN_EXIT), 0;
    if (IS("assume"))
        return a[0] ? 0 : (end(r, RUN_FAULT), 0);
    if (IS("symbolic"))
        return fill_input(r, (uint64_t)a[0], (uint64_t)a[1]), 0;
    if (IS("output"))
        return 0;
    if (IS("read"))
        return prim_read(r, a);
    if (IS("write"))
        return (uint64_t)a[2];
    if (IS("stat_fd"))
        return prim_zeroes(r, (uint64_t)a[1], 32);
    if (IS("control") || IS("close"))
        return 0;
    if (IS("emit"))
        return 1;
    if (IS("format_float")) {
        uint8_t *to = a[1] ? bytes_at(r, IR_NONE, (uint64_t)a[0], 1, true) : NULL;
        if (to)
            *to = '0';
        return 1;
    }
    if (IS("parse_float"))
        return prim_float(r, a);
    if (IS("clock"))
        return r->steps;
    if (text_starts_with(name, "__sheaf_") && !IS("abort") && !IS("assert_fail") && !IS("report") &&
        !IS("unsupported"))
        return (uint64_t)-2; /* no such file */
    end(r, RUN_FAULT);
    return 0;
#undef IS
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void make_varargs(Run *r, const IrFn *fn, const IrCall *call, const u128 *from)
{
    uint64_t at = 0;
    uint32_t i = object_new(r, 16 * call->nvar + 4096, flow_object_of_varargs(r->flow, top(r)->fn));
    r->objects.v[i].frame = top(r)->number;
    top(r)->varargs = i;
    for (uint32_t k = 0; k < call->nvar; k++) {
        uint32_t reg = call->var[3 * k], byval = call->var[3 * k + 1], align = call->var[3 * k + 2];
        uint64_t size = byval ? byval : fn->regs.v[reg].width > 64 ? 16 : 8;
        align = byval ? (align < 8 ? 8 : align) : (uint32_t)size;
        at = (at + align - 1) / align * align;
        if (at + size > r->objects.v[i].size)
            return end(r, RUN_LIMIT);
        if (byval) {
            uint32_t source = run_find(r, (uint64_t)from[reg]);
            uint64_t offset = source == IR_NONE ? 0 : (uint64_t)from[reg] - r->objects.v[source].base;
            if (source == IR_NONE || !r->objects.v[source].data || offset + byval > r->objects.v[source].size)
                return end(r, RUN_FAULT);
            memcpy(r->objects.v[i].data + at, r->objects.v[source].data + offset, byval);
        } else {
            store(r->objects.v[i].data + at, (unsigned)size * 8, from[reg]);
        }
        at += size;
    }
}

static void set_reg(Run *r, uint32_t reg, u128 v)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn];
    if (reg != IR_NONE)
        top(r)->regs[reg] = v & bits_mask(fn->regs.v[reg].width);
}

static void call(Run *r, const IrInsn *insn, uint32_t callee)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn], *to = &r->program->fns.v[callee];
    const u128 *regs = top(r)->regs;
    IrCall c = ir_call_read(fn, insn);
    r->observer.call(r->observer.context, r, callee);
    if (!to->defined) {
        u128 args[8] = {0};
        for (uint32_t i = 0; i < c.nargs && i < 8; i++)
            args[i] = regs[c.args[i]];
        uint64_t result = primitive(r, ir_text(r->program, to->name), args);
        if (c.ndst && !r->over)
            set_reg(r, c.dst[0], result);
        return;
    }
    push_frame(r, callee);
    if (r->over)
        return;
    for (uint32_t i = 0; i < c.nargs && i < to->nparams; i++)
        top(r)->regs[i] = regs[c.args[i]] & bits_mask(to->regs.v[i].width);
    if (to->variadic)
        make_varargs(r, fn, &c, regs);
    if (!r->over)
        r->observer.block(r->observer.context, r);
}

static void call_pointer(Run *r, const IrInsn *insn)
{
    uint32_t i = run_find(r, (uint64_t)top(r)->regs[insn->a]);
    if (i == IR_NONE || r->objects.v[i].data)
        end(r, RUN_FAULT);
    else
        call(r, insn, r->objects.v[i].fn);
}

static void give_back(Run *r, const IrInsn *insn)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn];
    const uint32_t *list = &fn->extra.v[insn->a];
    u128 results[8] = {0};
    for (uint32_t i = 0; i < list[0] && i < 8; i++)
        results[i] = top(r)->regs[list[1 + i]];
    pop_frame(r, false);
    if (!r->frames.n) {
        end(r, RUN_RETURN);
        return;
    }
    RunFrame *f = top(r);
    const IrFn *caller = &r->program->fns.v[f->fn];
    IrCall c = ir_call_read(caller, &caller->blocks.v[f->block].insns.v[f->insn]);
    for (uint32_t i = 0; i < c.ndst && i < 8; i++)
        set_reg(r, c.dst[i], results[i]);
    f->insn++;
}

/* ---- control --------------------------------------------------------------------------------- */

static void go(Run *r, uint32_t to)
{
    RunFrame *f = top(r);
    const IrFn *fn = &r->program->fns.v[f->fn];
    const IrBlock *b = &fn->blocks.v[to];
    u128 values[64];
    uint32_t n = 0;
    for (; n < b->insns.n && b->insns.v[n].op == IR_PHI && n < 64; n++) {
        const uint32_t *list = &fn->extra.v[b->insns.v[n].a];
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[1 + 2 * k] == f->block)
                values[n] = f->regs[list[2 + 2 * k]];
    }
    for (uint32_t i = 0; i < n; i++)
        f->regs[b->insns.v[i].dst] = values[i];
    if (n == 64)
        end(r, RUN_LIMIT);
    f->from = f->block;
    f->block = to;
    f->insn = n;
    r->observer.block(r->observer.context, r);
}

static void go_side(Run *r, uint32_t side)
{
    U32Vec to = {0};
    ir_block_successors(&r->program->fns.v[top(r)->fn], top(r)->block, &to);
    r->observer.branch(r->observer.context, r, side);
    uint32_t block = to.v[side];
    vec_free(&to);
    go(r, block);
}

static void go_switch(Run *r, const IrInsn *insn)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn];
    const uint32_t *list = &fn->extra.v[insn->b];
    uint32_t side = list[0];
    for (uint32_t i = 0; i < list[0]; i++)
        if (top(r)->regs[list[1 + 2 * i]] == top(r)->regs[insn->a])
            side = i;
    go_side(r, side);
}

static void go_to(Run *r, const IrInsn *insn)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn];
    const uint32_t *list = &fn->extra.v[insn->b];
    uint64_t word = (uint64_t)top(r)->regs[insn->a];
    for (uint32_t i = 0; i < list[0]; i++)
        if (list[1 + i] == (word & 0xffffff) && word >> 62 == 1) {
            go_side(r, i);
            return;
        }
    end(r, RUN_FAULT);
}

static void set_jump(Run *r, const IrInsn *insn)
{
    RunFrame *f = top(r);
    RunLanding l = {.token = 0x5e1f0000 + r->landings.n,
                    .frame = f->number,
                    .block = f->block,
                    .insn = f->insn,
                    .from = f->from};
    uint8_t *to = bytes_at(r, insn->a, (uint64_t)f->regs[insn->a], 8, true);
    if (!to)
        return;
    store(to, 64, l.token);
    vec_push(&r->landings, l);
    set_reg(r, insn->dst, 0);
}

static void long_jump(Run *r, const IrInsn *insn)
{
    u128 value = top(r)->regs[insn->b];
    uint8_t *from = bytes_at(r, insn->a, (uint64_t)top(r)->regs[insn->a], 8, false);
    uint64_t token = from ? (uint64_t)load(from, 64) - 0x5e1f0000 : UINT64_MAX;
    if (token >= r->landings.n)
        return end(r, RUN_FAULT);
    RunLanding l = r->landings.v[token];
    while (r->frames.n && top(r)->number != l.frame)
        pop_frame(r, true);
    if (!r->frames.n)
        return end(r, RUN_FAULT);
    RunFrame *f = top(r);
    f->block = l.block;
    f->from = l.from;
    const IrFn *fn = &r->program->fns.v[f->fn];
    set_reg(r, fn->blocks.v[l.block].insns.v[l.insn].dst, value ? value : 1);
    f->insn = l.insn + 1;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void pure(Run *r, const IrInsn *insn)
{
    const IrFn *fn = &r->program->fns.v[top(r)->fn];
    const u128 *v = top(r)->regs;
    unsigned arity = bits_op_arity(ir_op_bits((IrOp)insn->op));
    u128 b = arity > 1 ? v[insn->b] : 0, c = arity > 2 ? v[insn->c] : 0;
    bool division = insn->op == IR_UDIV || insn->op == IR_SDIV || insn->op == IR_UREM || insn->op == IR_SREM;
    if (division && !b)
        return end(r, RUN_FAULT);
    unsigned width = bits_op_result(ir_op_bits((IrOp)insn->op)) == BITS_RESULT_BIT ? fn->regs.v[insn->a].width
                                                                                   : insn->width;
    set_reg(r, insn->dst,
            bits_apply(ir_op_bits((IrOp)insn->op), width, fn->regs.v[insn->a].width, v[insn->a], b, c));
}

static void alloca_insn(Run *r, const IrInsn *insn)
{
    RunFrame *f = top(r);
    uint64_t size = (uint64_t)f->regs[insn->a];
    if (size > 1 << 20 || r->memory > MOST_MEMORY)
        return end(r, RUN_LIMIT);
    uint32_t i = object_new(r, size, flow_object_of_alloca(r->flow, (FlowSite){f->fn, f->block, f->insn}));
    r->objects.v[i].frame = f->number;
    vec_push(&f->allocas, i);
    r->observer.state(r->observer.context, r, i);
    set_reg(r, insn->dst, r->objects.v[i].base);
}

static void move_bytes(Run *r, const IrInsn *insn, bool set)
{
    const u128 *v = top(r)->regs;
    uint64_t n = (uint64_t)v[insn->c];
    if (!n)
        return;
    const uint8_t *from = set ? NULL : bytes_at(r, insn->b, (uint64_t)v[insn->b], n, false);
    uint8_t *to = from || set ? bytes_at(r, insn->a, (uint64_t)v[insn->a], n, true) : NULL;
    if (to && set)
        memset(to, (int)v[insn->b], n);
    else if (to)
        memmove(to, from, n);
}

static void store_insn(Run *r, const IrInsn *insn)
{
    const u128 *v = top(r)->regs;
    uint8_t *to = bytes_at(r, insn->a, (uint64_t)v[insn->a], (insn->width + 7u) / 8, true);
    if (!to)
        return;
    store(to, insn->width, v[insn->b]);
    uint32_t target = insn->width == 64 ? run_find(r, (uint64_t)v[insn->b]) : IR_NONE;
    if (target != IR_NONE)
        r->observer.value(r->observer.context, r, insn->b, target);
}

static void life(Run *r, const IrInsn *insn, bool alive)
{
    uint32_t i = run_find(r, (uint64_t)top(r)->regs[insn->a]);
    if (i == IR_NONE)
        return;
    kill_object(r, i);
    r->objects.v[i].alive = alive;
}

static void va_start_insn(Run *r, const IrInsn *insn)
{
    uint8_t *to = bytes_at(r, insn->a, (uint64_t)top(r)->regs[insn->a], 24, true);
    if (!to || top(r)->varargs == IR_NONE)
        return;
    store(to, 32, 48);
    store(to + 4, 32, 304);
    store(to + 8, 64, r->objects.v[top(r)->varargs].base);
    store(to + 16, 64, 0);
}

static void step(Run *r)
{
    RunFrame *f = top(r);
    const IrFn *fn = &r->program->fns.v[f->fn];
    const IrInsn *insn = &fn->blocks.v[f->block].insns.v[f->insn];
    const u128 *v = f->regs;
    switch ((IrOp)insn->op) {
    case IR_UNINIT: set_reg(r, insn->dst, 0); break;
    case IR_OFFSET: set_reg(r, insn->dst, v[insn->a] + v[insn->b]); break;
    case IR_INDEX:
        set_reg(r, insn->dst,
                v[insn->a] + (u128)(bits_signed(v[insn->b], fn->regs.v[insn->b].width) * (i128)insn->c));
        break;
    case IR_ALLOCA: alloca_insn(r, insn); break;
    case IR_LOAD: {
        const uint8_t *from = bytes_at(r, insn->a, (uint64_t)v[insn->a], (insn->width + 7u) / 8, false);
        if (from)
            set_reg(r, insn->dst, load(from, insn->width));
        break;
    }
    case IR_STORE: store_insn(r, insn); break;
    case IR_MEMCPY:
    case IR_MEMMOVE: move_bytes(r, insn, false); break;
    case IR_MEMSET: move_bytes(r, insn, true); break;
    case IR_LIFE: life(r, insn, true); break;
    case IR_DEAD: life(r, insn, false); break;
    case IR_STACKSAVE: set_reg(r, insn->dst, f->allocas.n); break;
    case IR_STACKRESTORE: break;
    case IR_VASTART: va_start_insn(r, insn); break;
    case IR_CALL:
    case IR_CALLPTR: {
        uint32_t depth = r->frames.n;
        if (insn->op == IR_CALL)
            call(r, insn, insn->a);
        else
            call_pointer(r, insn);
        if (r->frames.n != depth)
            return; /* goes on in the callee; its return moves this frame on */
        break;
    }
    case IR_SETJMP: set_jump(r, insn); break;
    case IR_LONGJMP: long_jump(r, insn); return;
    case IR_JMP: go(r, insn->a); return;
    case IR_BR: go_side(r, v[insn->a] ? 0 : 1); return;
    case IR_SWITCH: go_switch(r, insn); return;
    case IR_GOTO: go_to(r, insn); return;
    case IR_RET: give_back(r, insn); return;
    case IR_TRAP:
    case IR_UNREACHABLE:
    case IR_UNSUPPORTED: end(r, RUN_FAULT); return;
    default: pure(r, insn); break;
    }
    if (!r->over)
        top(r)->insn++;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* argv, envp and their words: one object, as the static analysis sees them. */
static uint64_t make_args(Run *r, int argc, const char *const *argv)
{
    uint32_t i = object_new(r, 4096, flow_object_of_args(r->flow));
    RunObject *o = &r->objects.v[i];
    uint64_t at = 1024;
    for (int k = 0; k < argc; k++) {
        store(o->data + 8 * k, 64, o->base + at);
        memcpy(o->data + at, argv[k], strlen(argv[k]) + 1);
        at += strlen(argv[k]) + 1;
    }
    return o->base;
}

static void run_from(Run *r, uint32_t fn, const u128 *args, uint32_t n)
{
    if (fn == IR_NONE || !r->program->fns.v[fn].defined || r->over)
        return;
    push_frame(r, fn);
    for (uint32_t i = 0; i < n && i < r->program->fns.v[fn].nparams; i++)
        top(r)->regs[i] = args[i] & bits_mask(r->program->fns.v[fn].regs.v[i].width);
    r->observer.block(r->observer.context, r);
    while (!r->over && r->frames.n) {
        if (++r->steps > r->max_steps)
            end(r, RUN_LIMIT);
        else
            step(r);
    }
    if (r->over && r->how == RUN_RETURN)
        r->over = false;
}

static void clean_up(Run *r)
{
    while (r->frames.n) {
        vec_free(&top(r)->allocas);
        mem_free(top(r)->regs);
        r->frames.n--;
    }
    for (uint32_t i = 0; i < r->objects.n; i++)
        mem_free(r->objects.v[i].data);
    vec_free(&r->frames);
    vec_free(&r->objects);
    vec_free(&r->landings);
    mem_free(r->global_objects);
    mem_free(r->fn_objects);
}

void run_program(Run *r, int argc, const char *const *argv, uint64_t seed)
{
    uint32_t start = ir_fn_find(r->program, "__sheaf_start");
    r->next = (uint64_t)1 << 40;
    r->input_left = 64;
    rng_seed(&r->rng, seed);
    make_objects(r);
    uint64_t args = make_args(r, argc, argv);
    u128 parameters[3] = {(u128)argc, args, args + 8 * 100};
    run_from(r, r->program->init, parameters, 0);
    run_from(r, start != IR_NONE && r->program->fns.v[start].defined ? start : ir_fn_find(r->program, "main"),
             parameters, 3);
    r->observer.end(r->observer.context, r, r->over ? r->how : RUN_RETURN);
    clean_up(r);
}
