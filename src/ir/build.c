/* build.c - making a program: functions and globals by name, blocks, registers, shared constants and
 * sites. */
#include "ir/ir.h"

IrProgram *ir_program_new(void)
{
    IrProgram *p = mem_zalloc(sizeof *p);
    p->arena = arena_new();
    p->strings = intern_new();
    p->init = IR_NONE;
    return p;
}

void ir_fn_free(IrFn *fn)
{
    for (uint32_t i = 0; i < fn->blocks.n; i++)
        vec_free(&fn->blocks.v[i].insns);
    vec_free(&fn->blocks);
    vec_free(&fn->params);
    vec_free(&fn->results);
    vec_free(&fn->regs);
    vec_free(&fn->consts);
    vec_free(&fn->extra);
    vec_free(&fn->loops);
    vec_free(&fn->loop_of);
    vec_free(&fn->ctypes);
    map_free(&fn->const_regs);
    map_free(&fn->tags);
}

void ir_program_free(IrProgram *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->fns.n; i++)
        ir_fn_free(&p->fns.v[i]);
    if (p->drive)
        ir_drive_free(p->drive);
    for (uint32_t i = 0; i < p->globals.n; i++)
        vec_free(&p->globals.v[i].relocs);
    vec_free(&p->fns);
    vec_free(&p->globals);
    vec_free(&p->sites);
    vec_free(&p->constructors);
    vec_free(&p->destructors);
    strmap_free(&p->fn_by_name);
    strmap_free(&p->global_by_name);
    map_free(&p->site_index);
    map_free(&p->call_ctypes);
    map_free(&p->removed.lines);
    strmap_free(&p->output_ctypes);
    vec_free(&p->ctypes);
    vec_free(&p->cmembers);
    intern_free(p->strings);
    arena_free(p->arena);
    mem_free(p);
}

uint32_t ir_string(IrProgram *p, const char *text) { return intern_id(p->strings, text); }

const char *ir_text(const IrProgram *p, uint32_t string) { return intern_text(p->strings, string); }

static uint32_t find(const StrMap *m, const char *name)
{
    uint64_t index;
    return strmap_get(m, name, &index) ? (uint32_t)index : IR_NONE;
}

uint32_t ir_fn_find(const IrProgram *p, const char *name) { return find(&p->fn_by_name, name); }

uint32_t ir_global_find(const IrProgram *p, const char *name) { return find(&p->global_by_name, name); }

uint32_t ir_fn_get(IrProgram *p, const char *name)
{
    uint32_t index = ir_fn_find(p, name);
    if (index != IR_NONE)
        return index;
    vec_push(&p->fns, (IrFn){.name = ir_string(p, name), .site = IR_NONE});
    strmap_put(&p->fn_by_name, name, p->fns.n - 1);
    return p->fns.n - 1;
}

uint32_t ir_global_get(IrProgram *p, const char *name)
{
    uint32_t index = ir_global_find(p, name);
    if (index != IR_NONE)
        return index;
    vec_push(&p->globals, (IrGlobal){.name = ir_string(p, name), .align = 1, .site = IR_NONE});
    strmap_put(&p->global_by_name, name, p->globals.n - 1);
    return p->globals.n - 1;
}

/* Both indices below map a hash to the first entry with it; entries that collide sit under the keys that
 * follow. */
uint32_t ir_site_add(IrProgram *p, const char *file, uint32_t line, uint32_t column, const char *fn)
{
    IrSite site = {.file = ir_string(p, file), .line = line, .column = column, .fn = ir_string(p, fn)};
    uint64_t key = hash_mix((uint64_t)site.file << 32 | site.fn, (uint64_t)line << 32 | column), at;
    for (; map_get(&p->site_index, key, &at); key++) {
        const IrSite *s = &p->sites.v[at];
        if (s->file == site.file && s->line == line && s->column == column && s->fn == site.fn)
            return (uint32_t)at;
    }
    vec_push(&p->sites, site);
    map_put(&p->site_index, key, p->sites.n - 1);
    return p->sites.n - 1;
}

static uint32_t name_of(IrProgram *p, const char *name) { return name ? ir_string(p, name) : 0; }

uint32_t ir_block_add(IrProgram *p, IrFn *fn, const char *name)
{
    vec_push(&fn->blocks, (IrBlock){.name = name_of(p, name)});
    return fn->blocks.n - 1;
}

static uint32_t reg_add(IrFn *fn, IrReg reg)
{
    if (reg.width < 1 || reg.width > 128)
        bug("register of %u bits", reg.width);
    reg.block = reg.insn = IR_NONE;
    vec_push(&fn->regs, reg);
    return fn->regs.n - 1;
}

uint32_t ir_reg_param(IrProgram *p, IrFn *fn, uint8_t width, const char *name)
{
    if (fn->regs.n != fn->nparams)
        bug("a parameter after other registers");
    fn->nparams++;
    return reg_add(fn, (IrReg){.kind = IR_REG_PARAM, .width = width, .name = name_of(p, name)});
}

void ir_param_set(IrFn *fn, uint32_t param, IrParam what)
{
    if (param >= fn->nparams)
        bug("parameter %u of %u", param, fn->nparams);
    while (fn->params.n <= param)
        vec_push(&fn->params, (IrParam){.kind = IR_PARAM_PLAIN});
    fn->params.v[param] = what;
}

uint32_t ir_reg_result(IrProgram *p, IrFn *fn, uint8_t width, const char *name)
{
    return reg_add(fn, (IrReg){.kind = IR_REG_RESULT, .width = width, .name = name_of(p, name)});
}

/* Fields that mean nothing for the kind become zero, so that equal constants are equal field by field. */
static IrConst normal(IrConst c, uint8_t width)
{
    switch (c.kind) {
    case IR_CONST_INT: return (IrConst){.kind = c.kind, .bits = c.bits & bits_mask(width)};
    case IR_CONST_UNDEF: return (IrConst){.kind = c.kind};
    case IR_CONST_GLOBAL:
    case IR_CONST_FN: return (IrConst){.kind = c.kind, .index = c.index, .bits = c.bits & bits_mask(64)};
    case IR_CONST_BLOCK: return (IrConst){.kind = c.kind, .index = c.index, .block = c.block};
    }
    bug("constant of kind %d", (int)c.kind);
}

uint32_t ir_reg_const(IrProgram *p, IrFn *fn, uint8_t width, IrConst value)
{
    (void)p;
    IrConst c = normal(value, width);
    uint64_t key = hash_mix((uint64_t)c.kind << 8 | width, (uint64_t)c.index << 32 | c.block), at;
    key = hash_mix(hash_mix(key, (uint64_t)c.bits), (uint64_t)(c.bits >> 64));
    for (; map_get(&fn->const_regs, key, &at); key++) {
        const IrConst *k = &fn->consts.v[fn->regs.v[at].value];
        if (fn->regs.v[at].width == width && k->kind == c.kind && k->index == c.index &&
            k->block == c.block && k->bits == c.bits)
            return (uint32_t)at;
    }
    vec_push(&fn->consts, c);
    uint32_t reg = reg_add(fn, (IrReg){.kind = IR_REG_CONST, .width = width, .value = fn->consts.n - 1});
    map_put(&fn->const_regs, key, reg);
    return reg;
}

uint32_t ir_reg_int(IrProgram *p, IrFn *fn, uint8_t width, u128 value)
{
    return ir_reg_const(p, fn, width, (IrConst){.kind = IR_CONST_INT, .bits = value});
}

IrInsn *ir_emit(IrFn *fn, uint32_t block, IrInsn insn)
{
    vec_push(&fn->blocks.v[block].insns, insn);
    return &vec_last(&fn->blocks.v[block].insns);
}

/* Control now comes to the block's successors from another block. */
static void rename_predecessor(IrFn *fn, uint32_t block, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < fn->blocks.v[block].insns.n && fn->blocks.v[block].insns.v[i].op == IR_PHI;
         i++) {
        uint32_t *list = &fn->extra.v[fn->blocks.v[block].insns.v[i].a];
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[1 + 2 * k] == from)
                list[1 + 2 * k] = to;
    }
}

uint32_t ir_block_split(IrProgram *p, IrFn *fn, uint32_t block, uint32_t insn)
{
    uint32_t rest = ir_block_add(p, fn, NULL), site = fn->blocks.v[block].insns.v[insn].site;
    U32Vec successors = {0};
    for (uint32_t i = insn; i < fn->blocks.v[block].insns.n; i++)
        vec_push(&fn->blocks.v[rest].insns, fn->blocks.v[block].insns.v[i]);
    fn->blocks.v[block].insns.n = insn;
    ir_emit(fn, block, (IrInsn){.op = IR_JMP, .dst = IR_NONE, .a = rest, .site = site});
    ir_block_successors(fn, rest, &successors);
    for (uint32_t i = 0; i < successors.n; i++)
        rename_predecessor(fn, successors.v[i], block, rest);
    vec_free(&successors);
    vec_clear(&fn->loops);
    vec_clear(&fn->loop_of);
    return rest;
}

uint32_t ir_extra_add(IrFn *fn, const uint32_t *list, uint32_t n)
{
    uint32_t start = fn->extra.n;
    vec_reserve(&fn->extra, start + n);
    if (n)
        memcpy(fn->extra.v + start, list, n * sizeof *list);
    fn->extra.n += n;
    return start;
}
