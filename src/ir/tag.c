/* tag.c - which function, global or instruction is meant, across versions of a program: see ir.h. */
#include "ir/ir.h"

static uint64_t hash_of(const IrProgram *p, uint32_t name)
{
    const char *text = ir_text(p, name);
    return hash_bytes(text, strlen(text));
}

uint64_t ir_fn_tag(const IrProgram *p, uint32_t fn)
{
    const IrFn *f = &p->fns.v[fn];
    return f->tag ? f->tag : hash_of(p, f->name);
}

uint64_t ir_global_tag(const IrProgram *p, uint32_t global)
{
    const IrGlobal *g = &p->globals.v[global];
    return g->tag ? g->tag : hash_of(p, g->name);
}

/* An alloca is made once in a frame wherever it stands: its register tells it from others. */
uint64_t ir_insn_tag(const IrProgram *p, uint32_t fn, uint32_t block, uint32_t insn)
{
    const IrFn *f = &p->fns.v[fn];
    uint64_t tag;
    if (f->tags.n && map_get(&f->tags, (uint64_t)block << 32 | insn, &tag))
        return tag;
    tag = ir_fn_tag(p, fn);
    const IrInsn *i =
        block < f->blocks.n && insn < f->blocks.v[block].insns.n ? &f->blocks.v[block].insns.v[insn] : NULL;
    return i && i->op == IR_ALLOCA ? hash_mix(tag, i->dst) : hash_mix(hash_mix(tag, block), insn);
}

void ir_insn_tag_set(IrFn *fn, uint32_t block, uint32_t insn, uint64_t tag)
{
    map_put(&fn->tags, (uint64_t)block << 32 | insn, tag);
}
