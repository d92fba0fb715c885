/* prepare.c - from IR to prepared code: the driver.
 *
 * Requires: a verified function. Each IR register has a place in the frame (two for more than 64 bits),
 * shared with the registers that have the same bits anyway (root). Constants become immediates where the
 * instruction has one, else places that are set on entry (used in a loop) or just before the use. Phis are
 * copies on edges. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"
#include "vm/prepare/prepare.h"

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t prep_new_slot(Prep *p, unsigned words)
{
    uint32_t offset = p->nslots * (uint32_t)sizeof(Reg);
    p->nslots += words;
    return offset;
}

static unsigned words_of(uint8_t width) { return width > 64 ? 2 : 1; }

bool prep_const(const Prep *p, uint32_t reg, u128 *value)
{
    const IrConst *c = ir_reg_const_of(p->ir, p->root[reg]);
    if (!c || c->kind == IR_CONST_UNDEF)
        return false;
    *value = c->kind == IR_CONST_INT ? c->bits : vm_const_address(p->vm, c);
    return true;
}

static uint64_t undef_shadow(Prep *p, uint8_t width, unsigned word)
{
    return vm_undef_shadow(p->vm, (uint64_t)(bits_mask(width) >> (64 * word)));
}

/* A constant is set on entry if a loop reads it or if it has a shadow; else before each use. */
static void const_ready(Prep *p, uint32_t reg, uint32_t slot)
{
    u128 value = 0;
    bool defined = prep_const(p, reg, &value);
    unsigned words = words_of(prep_width(p, reg));
    bool on_entry = p->in_loop || !defined;
    if (map_get(&p->const_slots, reg, NULL))
        return;
    for (unsigned i = 0; i < words; i++) {
        uint64_t word = (uint64_t)(value >> (64 * i));
        uint32_t at = slot + i * (uint32_t)sizeof(Reg);
        uint64_t shadow = defined || !p->vm->shadows ? 0 : undef_shadow(p, prep_width(p, reg), i);
        if (on_entry)
            vec_push(&p->consts, (struct ConstInit){at, word, shadow});
        else
            prep_emit(p, CODE_MOVI, (Code){.d = at, .imm = word});
    }
    if (on_entry)
        map_put(&p->const_slots, reg, 1);
}

uint32_t prep_slot(Prep *p, uint32_t reg)
{
    reg = p->root[reg];
    uint32_t *slot = &p->fn->slots[reg];
    if (*slot == IR_NONE)
        *slot = prep_new_slot(p, words_of(prep_width(p, reg)));
    if (p->ir->regs.v[reg].kind == IR_REG_CONST)
        const_ready(p, reg, *slot);
    return *slot;
}

/* ---- emission -------------------------------------------------------------------------------- */

void prep_emit(Prep *p, CodeOp op, Code code)
{
    code.go = p->vm->labels[op];
    vec_push(&p->code, code);
    vec_push(&p->sources, (CodeSource){p->block, p->insn, p->steps});
}

void prep_jump(Prep *p, uint32_t field, uint32_t *where, uint32_t label)
{
    vec_push(&p->fixes, (Fix){p->code.n - 1, field, where, label});
}

static void patch(Prep *p)
{
    for (uint32_t i = 0; i < p->fixes.n; i++) {
        const Fix *fix = &p->fixes.v[i];
        int64_t distance = ((int64_t)p->labels.v[fix->label] - (int64_t)fix->code) * (int64_t)sizeof(Code);
        uint32_t *cell =
            fix->field == IR_NONE ? fix->where : (uint32_t *)((char *)&p->code.v[fix->code] + fix->field);
        *cell = (uint32_t)(int32_t)distance;
    }
    for (uint32_t i = 0; i < p->outgoing.n; i++)
        p->code.v[p->outgoing.v[i]].d += p->fn->frame_bytes;
}

/* ---- order of blocks ------------------------------------------------------------------------- */

/* Depth-first postorder, iteratively, then reversed. */
static void find_order(Prep *p)
{
    const IrFn *ir = p->ir;
    U32Vec stack = {0}, next = {0}, successors = {0};
    bool *seen = mem_zalloc(ir->blocks.n);
    vec_push(&stack, 0);
    vec_push(&next, 0);
    seen[0] = true;
    while (stack.n) {
        uint32_t block = vec_last(&stack), at = vec_last(&next)++;
        ir_block_successors(ir, block, &successors);
        if (at == successors.n) {
            vec_push(&p->order, block);
            stack.n--;
            next.n--;
        } else if (!seen[successors.v[at]]) {
            seen[successors.v[at]] = true;
            vec_push(&stack, successors.v[at]);
            vec_push(&next, 0);
        }
    }
    for (uint32_t i = 0, j = p->order.n - 1; i < j; i++, j--) {
        uint32_t t = p->order.v[i];
        p->order.v[i] = p->order.v[j];
        p->order.v[j] = t;
    }
    for (uint32_t i = 0; i < p->order.n; i++) {
        ir_block_successors(ir, p->order.v[i], &successors);
        for (uint32_t j = 0; j < successors.n; j++)
            p->preds[successors.v[j]]++;
    }
    mem_free(seen);
    vec_free(&stack);
    vec_free(&next);
    vec_free(&successors);
}

/* A block whose only predecessor jumps to it comes right behind that one, so that the jump disappears. */
static void lay_out(Prep *p)
{
    const IrFn *ir = p->ir;
    U32Vec laid = {0};
    for (uint32_t i = 0; i < ir->blocks.n; i++)
        p->rank[i] = IR_NONE;
    for (uint32_t i = 0; i < p->order.n; i++) {
        uint32_t block = p->order.v[i];
        while (p->rank[block] == IR_NONE) {
            p->rank[block] = laid.n;
            vec_push(&laid, block);
            const IrInsn *last = &vec_last(&ir->blocks.v[block].insns);
            if (last->op == IR_JMP && p->preds[last->a] == 1)
                block = last->a;
        }
    }
    vec_free(&p->order);
    p->order.v = laid.v;
    p->order.n = laid.n;
    p->order.cap = laid.cap;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void local(Prep *p, const IrInsn *insn)
{
    u128 size = 0;
    prep_const(p, insn->a, &size);
    uint64_t align = insn->b ? insn->b : 1;
    LocalInfo info = {.reg = prep_slot(p, insn->dst),
                      .made_by = insn->dst,
                      .size = (uint64_t)size,
                      .align = align,
                      .id = ir_insn_tag(p->vm->program, p->fn->index, p->block, p->insn),
                      .k = mem_class((uint64_t)size, align),
                      .name = p->ir->regs.v[insn->dst].name,
                      .site = insn->site};
    mem_limits(info.size, info.limits);
    if (p->vm->lab)
        info.class = flow_object_of_alloca(p->vm->now.flow, (FlowSite){p->fn->index, p->block, p->insn});
    vec_push(&p->locals, info);
}

static void alloca_insn(Prep *p, const IrInsn *insn)
{
    u128 size;
    if ((insn->flags & IR_FIXED) && prep_const(p, insn->a, &size) && size < (uint64_t)1 << 32 &&
        mem_class((uint64_t)size, insn->b ? insn->b : 1)) {
        local(p, insn);
        return;
    }
    /* A block may be in a loop without being in the entry block: name it by the loops around it. */
    CallInfo *info = arena_alloc(p->fn->arena, sizeof *info);
    info->loops = prep_loops(p, p->block);
    info->id = ir_insn_tag(p->vm->program, p->fn->index, p->block, p->insn);
    vec_push(&p->fn->calls, info);
    uint32_t from = prep_slot(p, insn->a);
    prep_out(p, vm_out_alloca, prep_slot(p, insn->dst), from, p->fn->calls.n - 1, 0);
}

static void insn(Prep *p, const IrInsn *i)
{
    switch ((IrOp)i->op) {
    case IR_PHI: break;
    case IR_UNINIT:
        if (p->vm->shadows) {
            for (unsigned w = 0; w < words_of(i->width); w++)
                vec_push(&p->consts, (struct ConstInit){prep_slot(p, i->dst) + w * (uint32_t)sizeof(Reg), 0,
                                                        undef_shadow(p, i->width, w)});
        } else {
            for (unsigned w = 0; w < words_of(i->width); w++)
                prep_emit(p, CODE_MOVI, (Code){.d = prep_slot(p, i->dst) + w * (uint32_t)sizeof(Reg)});
        }
        break;
    case IR_ALLOCA: alloca_insn(p, i); break;
    case IR_LOAD: prep_load(p, i); break;
    case IR_STORE: prep_store(p, i); break;
    case IR_MEMCPY:
    case IR_MEMMOVE:
    case IR_MEMSET: {
        uint32_t a = prep_slot(p, i->a), b = prep_slot(p, i->b), c = prep_slot(p, i->c);
        prep_out(p, i->op == IR_MEMSET ? vm_out_memset : vm_out_memcpy, i->op == IR_MEMCPY, a, b, c);
        break;
    }
    case IR_LIFE: prep_out(p, vm_out_life, 0, prep_slot(p, i->a), 0, 0); break;
    case IR_DEAD: prep_out(p, vm_out_dead, 0, prep_slot(p, i->a), 0, 0); break;
    case IR_STACKSAVE: prep_out(p, vm_out_stacksave, prep_slot(p, i->dst), 0, 0, 0); break;
    case IR_STACKRESTORE: prep_out(p, vm_out_stackrestore, 0, prep_slot(p, i->a), 0, 0); break;
    case IR_VASTART: prep_out(p, vm_out_vastart, 0, prep_slot(p, i->a), 0, 0); break;
    case IR_SETJMP: {
        uint32_t a = prep_slot(p, i->a);
        prep_out(p, vm_out_setjmp, prep_slot(p, i->dst), a, 0, 0);
        break;
    }
    case IR_CALL:
    case IR_CALLPTR: prep_call(p, i); break;
    default: prep_pure(p, i); break;
    }
}

static void block(Prep *p, uint32_t at)
{
    const IrBlock *b = &p->ir->blocks.v[p->order.v[at]];
    uint32_t next = at + 1 < p->order.n ? p->order.v[at + 1] : IR_NONE;
    p->block = p->order.v[at];
    p->in_loop = p->ir->loop_of.v[p->block] != IR_NONE;
    p->labels.v[p->block] = p->code.n;
    p->insn = 0;
    prep_observe(p, false);
    for (p->insn = 0; p->insn < b->insns.n; p->insn++) {
        const IrInsn *i = &b->insns.v[p->insn];
        p->steps++;
        if (ir_op_has_flag((IrOp)i->op, 'T')) {
            prep_observe(p, true);
            prep_terminator(p, i, next);
        } else if (i->op == IR_LOAD && prep_load_signed(p, i, i + 1)) {
            p->insn++;
            p->steps++;
        } else if (prep_is_emitted(p, i)) {
            insn(p, i);
        }
    }
    p->insn--;
    prep_edges(p);
}

/* ---- the whole function ---------------------------------------------------------------------- */

static void begin(Prep *p, Vm *vm, FnCode *fn)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    Arena *a = arena_new();
    uint32_t nregs = ir->regs.n, nblocks = ir->blocks.n;
    *p = (Prep){.vm = vm, .fn = fn, .ir = ir, .fuse = !vm->shadows};
    fn->arena = a;
    fn->slots = arena_alloc(a, nregs * sizeof *fn->slots);
    p->rank = mem_zalloc(nblocks * sizeof *p->rank + 1);
    p->preds = mem_zalloc(nblocks * sizeof *p->preds + 1);
    p->root = mem_alloc(nregs * sizeof *p->root + 1);
    p->reads = mem_zalloc(nregs * sizeof *p->reads + 1);
    for (uint32_t i = 0; i < nregs; i++) {
        fn->slots[i] = IR_NONE;
        p->root[i] = i;
    }
    for (uint32_t i = 0; i < ir->nparams; i++)
        fn->slots[i] = prep_new_slot(p, words_of(ir->regs.v[i].width));
    p->trash = prep_new_slot(p, 2);
    p->spare = prep_new_slot(p, 1);
    vec_reserve(&p->labels, nblocks + 1);
    p->labels.n = nblocks;
    if (ir->loop_of.n != nblocks)
        bug("function %s is not indexed", ir_text(vm->program, ir->name));
}

static void finish(Prep *p)
{
    FnCode *fn = p->fn;
    Arena *a = fn->arena;
    fn->frame_bytes = (uint32_t)(p->nslots * sizeof(Reg) + sizeof(Frame));
    fn->need = fn->frame_bytes + p->outgoing_most * (uint32_t)sizeof(Reg) + (uint32_t)sizeof(Frame);
    for (uint32_t i = 0; i < fn->calls.n; i++)
        fn->calls.v[i]->advance = fn->frame_bytes;
    for (uint32_t i = 0; i < p->ir->regs.n; i++)
        fn->slots[i] = fn->slots[p->root[i]];
    patch(p);
    fn->ncode = p->code.n;
    fn->start = arena_alloc(a, p->code.n * sizeof(Code));
    memcpy(fn->start, p->code.v, p->code.n * sizeof(Code));
    fn->sources = arena_alloc(a, p->sources.n * sizeof(CodeSource));
    memcpy(fn->sources, p->sources.v, p->sources.n * sizeof(CodeSource));
    fn->enter.nconsts = p->consts.n;
    fn->enter.consts = arena_alloc(a, p->consts.n * sizeof *p->consts.v);
    if (p->consts.n)
        memcpy(fn->enter.consts, p->consts.v, p->consts.n * sizeof *p->consts.v);
    fn->enter.nlocals = p->locals.n;
    fn->enter.locals = arena_alloc(a, p->locals.n * sizeof *p->locals.v);
    if (p->locals.n)
        memcpy(fn->enter.locals, p->locals.v, p->locals.n * sizeof *p->locals.v);
    if (p->vm->sym) {
        for (uint32_t i = 0; i < p->ir->blocks.n; i++)
            if (p->rank[i] == IR_NONE)
                p->labels.v[i] = IR_NONE;
        vm_cover_prepare(p->vm, fn, p->labels.v);
        if (p->vm->lab)
            vm_label_prepare(p->vm, fn);
        fn->loops = arena_alloc(a, p->ir->blocks.n * sizeof *fn->loops);
        for (uint32_t i = 0; i < p->order.n; i++)
            fn->loops[p->order.v[i]] = prep_loops(p, p->order.v[i]);
    }
    fn->start[0].info = &fn->enter;
    fn->code = p->consts.n || p->locals.n ? fn->start : fn->start + 1;
    fn->prepared = true;
}

static void end(Prep *p)
{
    mem_free(p->rank);
    mem_free(p->preds);
    mem_free(p->root);
    mem_free(p->reads);
    mem_free(p->counters);
    map_free(&p->const_slots);
    vec_free(&p->code);
    vec_free(&p->sources);
    vec_free(&p->order);
    vec_free(&p->labels);
    vec_free(&p->fixes);
    vec_free(&p->edges);
    vec_free(&p->outgoing);
    vec_free(&p->consts);
    vec_free(&p->locals);
}

void vm_prepare(Vm *vm, FnCode *fn)
{
    Prep p;
    begin(&p, vm, fn);
    find_order(&p);
    lay_out(&p);
    prep_find_needed(&p);
    if (!vm->observer) /* who looks at registers finds each in a place of its own */
        prep_merge(&p);
    prep_counters(&p);
    p.block = p.insn = IR_NONE;
    prep_emit(&p, CODE_ENTER, (Code){0});
    for (uint32_t i = 0; i < p.order.n; i++)
        block(&p, i);
    if (vm->sym && vm_sym_keyed(vm))
        prep_live(&p);
    finish(&p);
    end(&p);
}

/* ---- signatures ------------------------------------------------------------------------------ */

uint64_t vm_signature(const uint8_t *args, uint32_t nargs, const uint8_t *results, uint32_t nresults)
{
    return hash_mix(hash_mix(hash_bytes(args, nargs), nargs),
                    hash_mix(hash_bytes(results, nresults), nresults)) |
           1;
}

/* 0, which no call has, for functions that need care at every call. */
uint64_t vm_fn_signature(const IrFn *fn)
{
    if (fn->variadic || !fn->defined)
        return 0;
    uint8_t *widths = mem_alloc(fn->nparams + 1);
    for (uint32_t i = 0; i < fn->nparams; i++)
        widths[i] = fn->regs.v[i].width;
    uint64_t signature = vm_signature(widths, fn->nparams, fn->results.v, fn->results.n);
    mem_free(widths);
    return signature;
}
