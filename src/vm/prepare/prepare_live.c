/* prepare_live.c - which registers of a frame are read again, at each instruction: what a key of a state must
 * contain (sym_key.c).
 *
 * Requires: places given to registers (prepare_merge.c). Liveness is that of the translated code, as there:
 * an operand that a later instruction has swallowed is read there; phis read at the end of the predecessor.
 * Constants are set when a frame is entered and never change, so they are left out. A function that calls
 * setjmp, or that saves its stack pointer, has edges or state that nothing here sees: all its registers
 * count. */
#include "vm/prepare/prepare.h"

static void add_slots(const Prep *p, uint32_t reg, U32Vec *out)
{
    uint32_t root = p->root[reg], slot = p->fn->slots[root];
    if (p->ir->regs.v[root].kind == IR_REG_CONST || slot == IR_NONE)
        return;
    vec_push(out, slot / (uint32_t)sizeof(Reg));
    if (prep_width(p, root) > 64)
        vec_push(out, slot / (uint32_t)sizeof(Reg) + 1);
}

static void insn_effects(const Prep *p, const IrInsn *insn, LiveInsn *out, U32Vec *slots)
{
    U32Vec regs = {0};
    out->first = slots->n;
    if (insn->op != IR_PHI && prep_is_emitted(p, insn)) {
        prep_reads(p, insn, &regs);
        for (uint32_t i = 0; i < regs.n; i++)
            add_slots(p, regs.v[i], slots);
    }
    out->nreads = slots->n - out->first;
    if (insn->op != IR_PHI) {
        ir_insn_defs(p->ir, insn, &regs);
        for (uint32_t i = 0; i < regs.n; i++)
            if (p->root[regs.v[i]] == regs.v[i])
                add_slots(p, regs.v[i], slots);
    }
    out->ndefs = slots->n - out->first - out->nreads;
    vec_free(&regs);
}

static void set_add(uint64_t *set, uint32_t slot) { set[slot / 64] |= (uint64_t)1 << (slot % 64); }
static void set_remove(uint64_t *set, uint32_t slot) { set[slot / 64] &= ~((uint64_t)1 << (slot % 64)); }

/* One instruction backwards. */
static void step_back(const FnLive *live, const LiveInsn *insn, uint64_t *set)
{
    const uint32_t *slot = live->slots + insn->first;
    for (uint32_t i = 0; i < insn->ndefs; i++)
        set_remove(set, slot[insn->nreads + i]);
    for (uint32_t i = 0; i < insn->nreads; i++)
        set_add(set, slot[i]);
}

/* Phis of a block: what they read belongs to the end of the block before, and what they define is not live
 * there. */
static void flow_into(const Prep *p, uint32_t from, uint32_t to, uint64_t *set)
{
    U32Vec slots = {0};
    const IrBlock *b = &p->ir->blocks.v[to];
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI; i++)
        if (p->root[b->insns.v[i].dst] == b->insns.v[i].dst)
            add_slots(p, b->insns.v[i].dst, &slots);
    for (uint32_t i = 0; i < slots.n; i++)
        set_remove(set, slots.v[i]);
    vec_clear(&slots);
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI; i++) {
        const IrInsn *phi = &b->insns.v[i];
        const uint32_t *list = &p->ir->extra.v[phi->a];
        for (uint32_t k = 0; k < list[0] && p->reads[phi->dst]; k++)
            if (list[1 + 2 * k] == from)
                add_slots(p, list[2 + 2 * k], &slots);
    }
    for (uint32_t i = 0; i < slots.n; i++)
        set_add(set, slots.v[i]);
    vec_free(&slots);
}

static bool is_opaque(const IrFn *ir)
{
    for (uint32_t b = 0; b < ir->blocks.n; b++)
        for (uint32_t i = 0; i < ir->blocks.v[b].insns.n; i++) {
            IrOp op = (IrOp)ir->blocks.v[b].insns.v[i].op;
            if (op == IR_SETJMP || op == IR_STACKSAVE || op == IR_STACKRESTORE)
                return true;
        }
    return false;
}

/* Backwards over the blocks until nothing changes. */
static void solve(const Prep *p, FnLive *live)
{
    uint64_t *in = mem_zalloc((size_t)p->ir->blocks.n * live->words * sizeof *in + 1),
             *set = mem_alloc(live->words * sizeof *set + 1),
             *edge = mem_alloc(live->words * sizeof *edge + 1);
    U32Vec next = {0};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p->order.n; i-- > 0;) {
            uint32_t b = p->order.v[i];
            uint64_t *out = live->out + (size_t)b * live->words;
            ir_block_successors(p->ir, b, &next);
            for (uint32_t k = 0; k < next.n; k++) {
                memcpy(edge, in + (size_t)next.v[k] * live->words, live->words * sizeof *edge);
                flow_into(p, b, next.v[k], edge);
                for (uint32_t w = 0; w < live->words; w++)
                    out[w] |= edge[w];
            }
            memcpy(set, out, live->words * sizeof *set);
            for (uint32_t k = p->ir->blocks.v[b].insns.n; k-- > 0;)
                step_back(live, &live->blocks[b][k], set);
            if (memcmp(set, in + (size_t)b * live->words, live->words * sizeof *set)) {
                memcpy(in + (size_t)b * live->words, set, live->words * sizeof *set);
                changed = true;
            }
        }
    }
    vec_free(&next);
    mem_free(in);
    mem_free(set);
    mem_free(edge);
}

void prep_live(Prep *p)
{
    Arena *a = p->fn->arena;
    FnLive *live = p->fn->live = arena_alloc(a, sizeof *live);
    U32Vec slots = {0};
    live->all = is_opaque(p->ir);
    if (live->all)
        return;
    live->words = (p->nslots + 63) / 64;
    live->out = arena_alloc(a, (size_t)p->ir->blocks.n * live->words * sizeof *live->out);
    live->blocks = arena_alloc(a, p->ir->blocks.n * sizeof *live->blocks);
    live->sizes = arena_alloc(a, p->ir->blocks.n * sizeof *live->sizes);
    for (uint32_t b = 0; b < p->ir->blocks.n; b++) {
        const IrBlock *block = &p->ir->blocks.v[b];
        live->blocks[b] = arena_alloc(a, block->insns.n * sizeof **live->blocks);
        live->sizes[b] = block->insns.n;
        for (uint32_t i = 0; i < block->insns.n && p->rank[b] != IR_NONE; i++)
            insn_effects(p, &block->insns.v[i], &live->blocks[b][i], &slots);
    }
    live->slots = arena_alloc(a, slots.n * sizeof *live->slots);
    if (slots.n)
        memcpy(live->slots, slots.v, slots.n * sizeof *slots.v);
    vec_free(&slots);
    live->lists[0] = arena_alloc(a, p->code.n * sizeof **live->lists);
    live->lists[1] = arena_alloc(a, p->code.n * sizeof **live->lists);
    solve(p, live);
}

/* ---- asked while a run is under way ---------------------------------------------------------- */

static const RegList *list_of(const FnCode *fn, const uint64_t *set)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < fn->live->words; w++)
        n += (uint32_t)__builtin_popcountll(set[w]);
    RegList *list = arena_alloc(fn->arena, sizeof *list + n * sizeof *list->reg);
    for (uint32_t w = 0; w < fn->live->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            list->reg[list->n++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
    return list;
}

const RegList *vm_live(const FnCode *fn, const Code *pc, bool called)
{
    const FnLive *live = fn->live;
    if (!live || live->all || !fn->sources || pc < fn->start || pc >= fn->start + fn->ncode)
        return NULL;
    uint64_t at = (uint64_t)(pc - fn->start);
    const CodeSource *source = &fn->sources[at];
    if (source->block == IR_NONE || source->insn == IR_NONE)
        return NULL;
    const RegList **known = &live->lists[called][at];
    if (*known)
        return *known;
    uint64_t *set = mem_alloc(live->words * sizeof *set + 1);
    const LiveInsn *block = live->blocks[source->block];
    memcpy(set, live->out + (size_t)source->block * live->words, live->words * sizeof *set);
    for (uint32_t i = live->sizes[source->block]; i-- > source->insn + 1;)
        step_back(live, &block[i], set);
    const LiveInsn *own = &block[source->insn];
    for (uint32_t i = 0; called && i < own->ndefs; i++)
        set_remove(set, live->slots[own->first + own->nreads + i]);
    if (!called)
        step_back(live, own, set);
    *known = list_of(fn, set);
    mem_free(set);
    return *known;
}
