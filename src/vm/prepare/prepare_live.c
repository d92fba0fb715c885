/* prepare_live.c - liveness as the translated code has it, and which places of a frame are read again at an
 * instruction: what a key of a state must contain (sym_key.c).
 *
 * An operand that a later instruction has swallowed is read there. Constants are set when a frame is entered
 * and never change, so they are left out. A function that calls setjmp has edges that nothing here sees: all
 * its registers count. */
#include "vm/prepare/prepare.h"

#include <stdlib.h>

bool prep_is_copied(const Prep *p, const IrInsn *phi)
{
    return phi->op == IR_PHI && p->root[phi->dst] == phi->dst && p->reads[phi->dst];
}

void prep_live_reads(const void *user, const IrInsn *insn, U32Vec *out)
{
    const Prep *p = user;
    vec_clear(out);
    if (insn->op == IR_PHI ? prep_is_copied(p, insn) : prep_is_emitted(p, insn))
        prep_reads(p, insn, out);
    for (uint32_t i = 0; i < out->n; i++)
        out->v[i] = p->root[out->v[i]];
}

static bool is_opaque(const IrFn *ir)
{
    for (uint32_t b = 0; b < ir->blocks.n; b++)
        for (uint32_t i = 0; i < ir->blocks.v[b].insns.n; i++)
            if (ir->blocks.v[b].insns.v[i].op == IR_SETJMP)
                return true;
    return false;
}

void prep_live(Prep *p)
{
    Arena *a = p->fn->arena;
    FnLive *live = p->fn->live = arena_alloc(a, sizeof *live);
    live->ir = p->ir;
    if (is_opaque(p->ir))
        return;
    live->regs = ir_live_find(p->ir, &(IrLiveOptions){.reads = prep_live_reads, .user = p}, a);
    live->lists[0] = arena_alloc(a, p->code.n * sizeof **live->lists);
    live->lists[1] = arena_alloc(a, p->code.n * sizeof **live->lists);
}

/* ---- asked while a run is under way ---------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Registers that are live at a time never share a place. */
static const RegList *places_of(const FnCode *fn, const U32Vec *regs)
{
    RegList *list = arena_alloc(fn->arena, sizeof *list + 2 * regs->n * sizeof *list->reg);
    for (uint32_t i = 0; i < regs->n; i++) {
        uint32_t slot = fn->slots[regs->v[i]];
        if (slot == IR_NONE)
            continue;
        list->reg[list->n++] = slot / (uint32_t)sizeof(Reg);
        if (fn->live->ir->regs.v[regs->v[i]].width > 64)
            list->reg[list->n++] = slot / (uint32_t)sizeof(Reg) + 1;
    }
    if (list->n)
        qsort(list->reg, list->n, sizeof *list->reg, compare);
    return list;
}

const RegList *vm_live(const FnCode *fn, const Code *pc, bool called)
{
    const FnLive *live = fn->live;
    if (!live || !live->regs || !fn->sources || pc < fn->start || pc >= fn->start + fn->ncode)
        return NULL;
    uint64_t at = (uint64_t)(pc - fn->start);
    bool enters = at == 0; /* locals are being made: before the first instruction */
    const CodeSource *source = enters ? &(CodeSource){.block = 0, .insn = 0} : &fn->sources[at];
    if (source->block == IR_NONE || source->insn == IR_NONE)
        return NULL;
    const RegList **known = &live->lists[called][at];
    if (!*known) {
        U32Vec regs = {0};
        ir_live_at(live->regs, source->block, source->insn, called, &regs);
        *known = places_of(fn, &regs);
        vec_free(&regs);
    }
    return *known;
}
