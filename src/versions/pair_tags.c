/* pair_tags.c - what corresponds gets OLD's tag in NEW; what has no partner gets a tag that nothing in OLD
 * has. Parameters of OLD get NEW's names, since inputs of an entry are named by them. */
#include "versions/versions_int.h"

enum { FRESH = 0x4e4557 };

static void tag_insns(const Versions *v, const VersionsFn *f)
{
    IrFn *fn = &v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]];
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            FlowSite at = {f->fn[VERSIONS_NEW], b, i}, was;
            uint64_t own = ir_insn_tag(v->program[VERSIONS_NEW], at.fn, b, i), tag = hash_mix(own, FRESH);
            if (versions_partner(v, VERSIONS_NEW, at, &was))
                tag = ir_insn_tag(v->program[VERSIONS_OLD], was.fn, was.block, was.insn);
            if (tag != own)
                ir_insn_tag_set(fn, b, i, tag);
        }
}

static void name_params(const Versions *v, const VersionsFn *f)
{
    const IrFn *new = &v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]];
    IrFn *old = &v->program[VERSIONS_OLD]->fns.v[f->fn[VERSIONS_OLD]];
    for (uint32_t i = 0; f->shape && i < old->nparams; i++)
        old->regs.v[i].name =
            new->regs.v[i].name
                ? ir_string(v->program[VERSIONS_OLD], ir_text(v->program[VERSIONS_NEW], new->regs.v[i].name))
                : 0;
}

void pair_tags(Pairing *p)
{
    const Versions *v = p->v;
    for (uint32_t i = 0; i < v->fns.n; i++) {
        const VersionsFn *f = &v->fns.v[i];
        if (f->fn[VERSIONS_OLD] == IR_NONE || f->fn[VERSIONS_NEW] == IR_NONE)
            continue;
        v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]].tag =
            ir_fn_tag(v->program[VERSIONS_OLD], f->fn[VERSIONS_OLD]);
        name_params(v, f);
        tag_insns(v, f);
    }
    for (uint32_t i = 0; i < v->globals.n; i++) {
        const VersionsGlobal *g = &v->globals.v[i];
        if (g->global[VERSIONS_NEW] == IR_NONE)
            continue;
        IrGlobal *new = &v->program[VERSIONS_NEW]->globals.v[g->global[VERSIONS_NEW]];
        new->tag = g->global[VERSIONS_OLD] != IR_NONE
                       ? ir_global_tag(v->program[VERSIONS_OLD], g->global[VERSIONS_OLD])
                       : hash_mix(ir_global_tag(v->program[VERSIONS_NEW], g->global[VERSIONS_NEW]), FRESH);
    }
}
