/* verify.c - is a program well formed? The rules are those of docs/ir.md, in the same order.
 *
 * Each pass relies on what the ones before it found: first every index is in range, then shapes and widths
 * fit, then the graph of blocks is read, last definitions are held against uses. So no pass leaves an array,
 * whatever the program holds. The first breach ends the check. */
#include "ir/dom.h"
#include "ir/ir_int.h"

typedef struct Verifier {
    const IrProgram *p;
    const IrFn *fn;       /* NULL outside functions */
    uint32_t block, insn; /* where we are, IR_NONE if nowhere */
    Arena *arena;         /* of the message */
    const char *error;
    uint32_t *def_block, *def_insn; /* register to its definition, IR_NONE if none (yet) */
} Verifier;

static void fail(Verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void fail(Verifier *v, const char *fmt, ...)
{
    if (v->error)
        return;
    Str s = {0};
    if (v->fn)
        str_printf(&s, "fn %s", ir_text(v->p, v->fn->name));
    if (v->fn && v->block != IR_NONE)
        str_printf(&s, ", block %u", v->block);
    if (v->fn && v->insn != IR_NONE)
        str_printf(&s, ", insn %u", v->insn);
    str_add(&s, v->fn ? ": " : "");
    va_list args;
    va_start(args, fmt);
    str_vprintf(&s, fmt, args);
    va_end(args);
    v->error = arena_strdup(v->arena, str_text(&s));
    str_free(&s);
}

static bool is_width(unsigned width) { return width >= 1 && width <= IR_WIDTH_MAX; }

static bool is_alignment(uint32_t n) { return n && (n & (n - 1)) == 0; }

/* ---- constants, globals, sites --------------------------------------------------------------- */

static void check_site(Verifier *v, uint32_t site)
{
    if (site != IR_NONE && site >= v->p->sites.n)
        fail(v, "site %u of %u", site, v->p->sites.n);
}

static bool is_address(const IrConst *c)
{
    return c->kind == IR_CONST_GLOBAL || c->kind == IR_CONST_FN || c->kind == IR_CONST_BLOCK;
}

static void check_const(Verifier *v, const IrConst *c, unsigned width)
{
    if ((unsigned)c->kind > IR_CONST_BLOCK)
        fail(v, "constant of unknown kind %u", (unsigned)c->kind);
    else if (c->kind == IR_CONST_INT && (c->bits & ~bits_mask(width)))
        fail(v, "constant exceeds its %u bits", width);
    else if (is_address(c) && (width != 64 || c->bits >> 64))
        fail(v, "address constant of %u bits", width);
    else if (c->kind == IR_CONST_GLOBAL && c->index >= v->p->globals.n)
        fail(v, "constant names global %u of %u", c->index, v->p->globals.n);
    else if ((c->kind == IR_CONST_FN || c->kind == IR_CONST_BLOCK) && c->index >= v->p->fns.n)
        fail(v, "constant names function %u of %u", c->index, v->p->fns.n);
    else if (c->kind == IR_CONST_BLOCK && c->block >= v->p->fns.v[c->index].blocks.n)
        fail(v, "constant names block %u of %u", c->block, v->p->fns.v[c->index].blocks.n);
}

static void check_global(Verifier *v, uint32_t index)
{
    const IrGlobal *g = &v->p->globals.v[index];
    const char *name = ir_text(v->p, g->name);
    if (ir_global_find(v->p, name) != index)
        fail(v, "global %u is not found under its name '%s'", index, name);
    if (!is_alignment(g->align))
        fail(v, "global %s: alignment %u is no power of two", name, g->align);
    if (!g->defined && (g->bytes || g->relocs.n))
        fail(v, "global %s: contents without a definition", name);
    uint64_t from = 0;
    for (uint32_t i = 0; i < g->relocs.n; i++) {
        const IrReloc *r = &g->relocs.v[i];
        if (g->size < 8 || r->offset > g->size - 8)
            fail(v, "global %s: address at offset %llu is outside", name, (unsigned long long)r->offset);
        if (r->offset < from)
            fail(v, "global %s: addresses overlap or are out of order", name);
        from = r->offset > UINT64_MAX - 8 ? UINT64_MAX : r->offset + 8;
        if (!is_address(&r->value))
            fail(v, "global %s: what stands at offset %llu is no address", name,
                 (unsigned long long)r->offset);
        check_const(v, &r->value, 64);
    }
    check_site(v, g->site);
}

static void check_fn_index(Verifier *v, uint32_t fn, const char *what)
{
    if (fn >= v->p->fns.n)
        fail(v, "%s is function %u of %u", what, fn, v->p->fns.n);
}

/* ---- functions: indices ---------------------------------------------------------------------- */

static void check_params(Verifier *v)
{
    const IrFn *fn = v->fn;
    if (fn->params.n > fn->nparams)
        fail(v, "%u parameters but something is said of %u", fn->nparams, fn->params.n);
    for (uint32_t i = 0; i < fn->params.n && !v->error; i++) {
        IrParam p = fn->params.v[i];
        bool pointer = p.kind == IR_PARAM_BYVAL || p.kind == IR_PARAM_SRET;
        if ((unsigned)p.kind > IR_PARAM_PART)
            fail(v, "parameter %u is of kind %u", i, (unsigned)p.kind);
        else if (pointer && fn->regs.v[i].width != 64)
            fail(v, "parameter %u is an address of %u bits", i, fn->regs.v[i].width);
        else if (pointer && (p.align == 0 || (p.align & (p.align - 1))))
            fail(v, "parameter %u has an alignment of %u", i, p.align);
        else if (p.kind == IR_PARAM_PART && (uint64_t)p.offset + (fn->regs.v[i].width + 7) / 8 > p.size)
            fail(v, "parameter %u is a part beyond its %u bytes", i, p.size);
    }
}

static void check_head(Verifier *v, uint32_t index)
{
    const IrFn *fn = v->fn;
    if (ir_fn_find(v->p, ir_text(v->p, fn->name)) != index)
        fail(v, "not found under its name");
    check_site(v, fn->site);
    for (uint32_t i = 0; i < fn->results.n; i++)
        if (!is_width(fn->results.v[i]))
            fail(v, "result of %u bits", fn->results.v[i]);
    if (fn->nparams > fn->regs.n)
        fail(v, "%u parameters but %u registers", fn->nparams, fn->regs.n);
    for (uint32_t r = 0; r < fn->regs.n && !v->error; r++) {
        const IrReg *reg = &fn->regs.v[r];
        if (!is_width(reg->width))
            fail(v, "register %u has %u bits", r, reg->width);
        else if ((unsigned)reg->kind > IR_REG_RESULT || (reg->kind == IR_REG_PARAM) != (r < fn->nparams))
            fail(v, "register %u: parameters and only they come first", r);
        else if (reg->kind == IR_REG_CONST && reg->value >= fn->consts.n)
            fail(v, "register %u holds constant %u of %u", r, reg->value, fn->consts.n);
        else if (reg->kind == IR_REG_CONST)
            check_const(v, &fn->consts.v[reg->value], reg->width);
    }
    if (!v->error)
        check_params(v);
    if (fn->defined && fn->blocks.n == 0)
        fail(v, "defined, but without blocks");
    if (!fn->defined && fn->blocks.n)
        fail(v, "blocks in a declaration");
}

static void check_definition(Verifier *v, uint32_t reg)
{
    if (v->fn->regs.v[reg].kind != IR_REG_RESULT)
        fail(v, "defines register %u, a %s", reg,
             v->fn->regs.v[reg].kind == IR_REG_PARAM ? "parameter" : "constant");
    else if (v->def_block[reg] != IR_NONE)
        fail(v, "defines register %u a second time", reg);
    v->def_block[reg] = v->block;
    v->def_insn[reg] = v->insn;
}

static void check_slots(Verifier *v, const IrInsn *insn)
{
    const IrFn *fn = v->fn;
    if (!ir_lists_fit(fn, insn)) /* first: behind a wrong count, all else is noise */
        fail(v, "a list leaves the pool");
    for (IrSlots s = ir_slots(fn, insn); !v->error && ir_slots_next(&s);) {
        uint32_t n = *s.slot;
        if ((s.kind == 'd' || s.kind == 'r') && n >= fn->regs.n)
            fail(v, "register %u of %u", n, fn->regs.n);
        else if (s.kind == 'd')
            check_definition(v, n);
        else if (s.kind == 'b' && n >= fn->blocks.n)
            fail(v, "block %u of %u", n, fn->blocks.n);
        else if (s.kind == 'b' && n == 0 && insn->op != IR_PHI)
            fail(v, "jumps to the entry");
        else if (s.kind == 'f' && n >= v->p->fns.n)
            fail(v, "function %u of %u", n, v->p->fns.n);
    }
}

/* Ends, order and indices: after this the graph and all lists can be read. */
static void check_block(Verifier *v)
{
    const IrBlock *b = &v->fn->blocks.v[v->block];
    bool after_phis = false;
    v->insn = IR_NONE;
    if (b->insns.n == 0)
        fail(v, "empty");
    for (v->insn = 0; v->insn < b->insns.n && !v->error; v->insn++) {
        const IrInsn *insn = &b->insns.v[v->insn];
        if (insn->op >= IR_OP_COUNT) {
            fail(v, "unknown opcode %u", insn->op);
            break;
        }
        bool last = v->insn + 1 == b->insns.n, ends = ir_op_has_flag((IrOp)insn->op, 'T');
        if (last && !ends)
            fail(v, "the block ends with '%s'", ir_op_text((IrOp)insn->op));
        if (!last && ends)
            fail(v, "'%s' before the end of the block", ir_op_text((IrOp)insn->op));
        if (insn->op == IR_PHI && (after_phis || v->block == 0))
            fail(v, v->block == 0 ? "a phi in the entry" : "a phi behind another instruction");
        after_phis |= insn->op != IR_PHI;
        check_site(v, insn->site);
        check_slots(v, insn);
    }
}

/* ---- functions: shapes and widths ------------------------------------------------------------ */

static unsigned width_of(const Verifier *v, uint32_t reg) { return v->fn->regs.v[reg].width; }

static void check_width(Verifier *v, uint32_t reg, unsigned width)
{
    if (width && width_of(v, reg) != width)
        fail(v, "register %u has %u bits, not %u", reg, width_of(v, reg), width);
}

static bool is_int(const Verifier *v, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(v->fn, reg);
    return c && c->kind == IR_CONST_INT;
}

static void check_pure(Verifier *v, const IrInsn *insn)
{
    BitsOp op = ir_op_bits((IrOp)insn->op);
    unsigned source = width_of(v, insn->a);
    unsigned width = bits_op_result(op) == BITS_RESULT_BIT ? source : insn->width;
    if (!bits_widths_ok(op, width, source))
        fail(v, "'%s' has no meaning from %u to %u bits", bits_op_text(op), source, insn->width);
}

static void check_call(Verifier *v, const IrInsn *insn)
{
    IrCall call = ir_call_read(v->fn, insn);
    for (uint32_t i = 0; i < call.nvar; i++) {
        const uint32_t *var = call.var + (size_t)i * 3;
        if (var[1])
            check_width(v, var[0], 64);
        if ((var[1] || var[2]) && !is_alignment(var[2]))
            fail(v, "alignment %u of an argument is no power of two", var[2]);
    }
}

static void check_switch(Verifier *v, const IrInsn *insn)
{
    Map seen = {0};
    const uint32_t *list = v->fn->extra.v + insn->b;
    for (uint32_t i = 0; i < list[0] && !v->error; i++) {
        uint32_t reg = list[1 + (size_t)i * 2];
        if (!is_int(v, reg))
            fail(v, "case %u is no integer constant", i);
        /* Two registers may hold the same constant: the key is the value's hash, and equal hashes are
         * compared. */
        u128 bits = v->error ? 0 : ir_reg_const_of(v->fn, reg)->bits;
        uint64_t key = hash_mix((uint64_t)(bits >> 64), (uint64_t)bits), other;
        for (; map_get(&seen, key, &other) && !v->error; key++)
            if (ir_reg_const_of(v->fn, (uint32_t)other)->bits == bits)
                fail(v, "case %u occurs a second time", i);
        map_put(&seen, key, reg);
        check_width(v, reg, insn->width);
    }
    map_free(&seen);
}

static void check_phi_widths(Verifier *v, const IrInsn *insn)
{
    const uint32_t *list = v->fn->extra.v + insn->a;
    for (uint32_t i = 0; i < list[0]; i++)
        check_width(v, list[2 + (size_t)i * 2], insn->width);
}

static void check_ret(Verifier *v, const IrInsn *insn)
{
    const uint32_t *list = v->fn->extra.v + insn->a;
    if (list[0] != v->fn->results.n) {
        fail(v, "returns %u values, the function has %u", list[0], v->fn->results.n);
        return;
    }
    for (uint32_t i = 0; i < list[0]; i++)
        check_width(v, list[1 + i], v->fn->results.v[i]);
}

static void check_alloca(Verifier *v, const IrInsn *insn)
{
    if ((insn->flags & IR_FIXED) && (v->block != 0 || !is_int(v, insn->a)))
        fail(v, "a fixed alloca has a constant size and stands in the entry");
}

static void check_index(Verifier *v, const IrInsn *insn)
{
    if (width_of(v, insn->b) > 64)
        fail(v, "an index of %u bits", width_of(v, insn->b));
}

static void check_vastart(Verifier *v, const IrInsn *insn)
{
    (void)insn;
    if (!v->fn->variadic)
        fail(v, "vastart in a function without variable arguments");
}

static void (*const rules[IR_OP_COUNT])(Verifier *, const IrInsn *) = {
    [IR_PHI] = check_phi_widths,  [IR_INDEX] = check_index, [IR_ALLOCA] = check_alloca,
    [IR_VASTART] = check_vastart, [IR_CALL] = check_call,   [IR_CALLPTR] = check_call,
    [IR_SWITCH] = check_switch,   [IR_RET] = check_ret,
};

static void check_flags(Verifier *v, const IrInsn *insn)
{
    uint8_t left = insn->flags;
    for (uint32_t i = 0; i < ir_flag_count; i++) {
        if ((left & ir_flag_names[i].flag) && !ir_flag_allowed(&ir_flag_names[i], (IrOp)insn->op))
            fail(v, "'%s' cannot be %s", ir_op_text((IrOp)insn->op), ir_flag_names[i].text);
        left &= (uint8_t)~ir_flag_names[i].flag;
    }
    if (left)
        fail(v, "unknown flag %u", left);
}

static void check_shape(Verifier *v, const IrInsn *insn)
{
    IrOp op = (IrOp)insn->op;
    const char *form = ir_op_form(op), *operands = ir_op_operands(op);
    const uint32_t fields[] = {insn->a, insn->b, insn->c};
    unsigned wanted = ir_op_width(op);
    bool has_dst = *form == 'd';
    if (wanted == IR_WIDTH_OWN ? !is_width(insn->width) : insn->width != wanted)
        fail(v, "'%s' with a width of %u", ir_op_text(op), insn->width);
    if (has_dst)
        check_width(v, insn->dst, insn->width);
    else if (insn->dst != IR_NONE)
        fail(v, "'%s' has no result of its own", ir_op_text(op));
    form += has_dst;
    for (uint32_t i = 0; form[i] && !v->error; i++) {
        if (form[i] == 'r')
            check_width(v, fields[i], ir_operand_width(operands[i], insn->width, width_of(v, insn->a)));
        else if (operands[i] == 'a' && !is_alignment(fields[i]))
            fail(v, "alignment %u is no power of two", fields[i]);
    }
    check_flags(v, insn);
    if (ir_op_is_pure(op) && !v->error)
        check_pure(v, insn);
    else if (rules[op] && !v->error)
        rules[op](v, insn);
}

/* ---- functions: phis and definitions --------------------------------------------------------- */

/* Marks the distinct predecessors of a block with `stamp` and returns their number. */
static uint32_t mark_preds(const Dom *d, uint32_t block, uint32_t *mark, uint32_t stamp)
{
    uint32_t n = 0;
    for (uint32_t i = d->preds.start[block]; i < d->preds.start[block + 1]; i++) {
        n += mark[d->preds.to[i]] != stamp;
        mark[d->preds.to[i]] = stamp;
    }
    return n;
}

/* The phis of a block name every predecessor exactly once. */
static void check_phi_blocks(Verifier *v, const Dom *d, uint32_t *pred_of, uint32_t *seen_by, uint32_t *phis)
{
    const IrBlock *b = &v->fn->blocks.v[v->block];
    if (b->insns.v[0].op != IR_PHI)
        return;
    uint32_t preds = mark_preds(d, v->block, pred_of, v->block + 1);
    for (v->insn = 0; b->insns.v[v->insn].op == IR_PHI && !v->error; v->insn++) {
        const uint32_t *list = v->fn->extra.v + b->insns.v[v->insn].a;
        uint32_t stamp = ++*phis;
        for (uint32_t i = 0; i < list[0]; i++) {
            uint32_t from = list[1 + (size_t)i * 2];
            if (pred_of[from] != v->block + 1)
                fail(v, "the phi names block %u, no predecessor", from);
            if (seen_by[from] == stamp)
                fail(v, "the phi names block %u twice", from);
            seen_by[from] = stamp;
        }
        if (list[0] < preds)
            fail(v, "the phi names %u of %u predecessors", list[0], preds);
    }
}

/* Requires: block reached. A use at `insn` of a block (its end: UINT32_MAX) needs a definition before it. */
static void check_use(Verifier *v, const Dom *d, uint32_t reg, uint32_t block, uint32_t insn)
{
    if (v->fn->regs.v[reg].kind != IR_REG_RESULT)
        return;
    uint32_t def = v->def_block[reg];
    if (def == IR_NONE)
        fail(v, "register %u is used but never defined", reg);
    else if (def == block ? v->def_insn[reg] >= insn : !dom_dominates(d, def, block))
        fail(v, "the definition of register %u does not come before its use on every path", reg);
}

static void check_uses(Verifier *v, const Dom *d, const IrInsn *insn)
{
    uint32_t from = 0;
    for (IrSlots s = ir_slots(v->fn, insn); ir_slots_next(&s);) {
        if (s.kind == 'b')
            from = *s.slot; /* of a phi: the block from which the register that follows comes */
        else if (s.kind == 'r' && insn->op != IR_PHI)
            check_use(v, d, *s.slot, v->block, v->insn);
        else if (s.kind == 'r' && dom_reached(d, from))
            check_use(v, d, *s.slot, from, UINT32_MAX);
    }
}

static void check_flow(Verifier *v, Arena *scratch)
{
    const IrFn *fn = v->fn;
    Dom d = dom_compute(fn, scratch);
    uint32_t *pred_of = arena_alloc(scratch, (fn->blocks.n + (size_t)1) * sizeof *pred_of);
    uint32_t *seen_by = arena_alloc(scratch, (fn->blocks.n + (size_t)1) * sizeof *seen_by);
    uint32_t phis = 0;
    for (v->block = 0; v->block < fn->blocks.n && !v->error; v->block++) {
        const IrBlock *b = &fn->blocks.v[v->block];
        check_phi_blocks(v, &d, pred_of, seen_by, &phis);
        if (dom_reached(&d, v->block))
            for (v->insn = 0; v->insn < b->insns.n && !v->error; v->insn++)
                check_uses(v, &d, &b->insns.v[v->insn]);
    }
}

static void check_fn(Verifier *v, uint32_t index)
{
    v->fn = &v->p->fns.v[index];
    v->block = v->insn = IR_NONE;
    check_head(v, index);
    if (v->error || !v->fn->defined)
        return;
    Arena *scratch = arena_new();
    size_t size = (v->fn->regs.n + (size_t)1) * sizeof(uint32_t);
    v->def_block = memset(arena_alloc(scratch, size), 0xff, size);
    v->def_insn = arena_alloc(scratch, size);
    for (v->block = 0; v->block < v->fn->blocks.n && !v->error; v->block++)
        check_block(v);
    for (v->block = 0; v->block < v->fn->blocks.n && !v->error; v->block++)
        for (v->insn = 0; v->insn < v->fn->blocks.v[v->block].insns.n && !v->error; v->insn++)
            check_shape(v, &v->fn->blocks.v[v->block].insns.v[v->insn]);
    if (!v->error)
        check_flow(v, scratch);
    arena_free(scratch);
}

bool ir_program_verify(const IrProgram *p, Arena *a, const char **error)
{
    Verifier v = {.p = p, .arena = a, .block = IR_NONE, .insn = IR_NONE};
    for (uint32_t i = 0; i < p->globals.n && !v.error; i++)
        check_global(&v, i);
    if (p->init != IR_NONE)
        check_fn_index(&v, p->init, "init");
    for (uint32_t i = 0; i < p->constructors.n; i++)
        check_fn_index(&v, p->constructors.v[i], "a constructor");
    for (uint32_t i = 0; i < p->destructors.n; i++)
        check_fn_index(&v, p->destructors.v[i], "a destructor");
    for (uint32_t i = 0; i < p->fns.n && !v.error; i++)
        check_fn(&v, i);
    *error = v.error;
    return !v.error;
}
