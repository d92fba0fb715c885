/* live.c - liveness: which registers are read again.
 *
 * A function is in SSA form: a register is live from its definition to its uses. So each is followed by
 * itself, from a use back over the blocks that precede, up to the block that defines it. A phi uses its
 * operand at the end of the block that the operand comes from; what the phis of a block define is there
 * before its first other instruction. Only registers that are live at some border of blocks have a column in
 * the sets; the others are told by their uses. */
#include "ir/ir.h"

typedef struct Use {
    uint32_t reg, block, insn;
} Use;
typedef Vec(Use) UseVec;

struct IrLive {
    const IrFn *fn;
    uint32_t *first;  /* by register: the first of its uses, one more at the end */
    Use *uses;        /* but those of phis; by register, then in the order of the blocks */
    uint32_t *column; /* by register: its bit in the sets, IR_NONE: none */
    U32Vec regs;      /* by column */
    size_t words;     /* of a set */
    uint64_t *in, *out;
};

static uint64_t *set_of(const IrLive *l, uint64_t *sets, uint32_t block) { return sets + block * l->words; }

static bool has(const IrLive *l, uint64_t *sets, uint32_t block, uint32_t reg)
{
    uint32_t c = l->column[reg];
    return c != IR_NONE && (set_of(l, sets, block)[c / 64] >> (c % 64) & 1);
}

/* False: it was there. */
static bool add(const IrLive *l, uint64_t *sets, uint32_t block, uint32_t reg)
{
    uint64_t *word = &set_of(l, sets, block)[l->column[reg] / 64], bit = (uint64_t)1 << (l->column[reg] % 64);
    bool fresh = !(*word & bit);
    *word |= bit;
    return fresh;
}

bool ir_live_in(const IrLive *l, uint32_t reg, uint32_t block) { return has(l, l->in, block, reg); }

/* Parameters are defined by the entry. */
static uint32_t def_block(const IrFn *fn, uint32_t reg)
{
    return fn->regs.v[reg].kind == IR_REG_PARAM ? 0 : fn->regs.v[reg].block;
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* Uses of phis, at the ends of blocks, go into a list of their own. */
static void find_uses(const IrFn *fn, const IrLiveOptions *o, UseVec *uses, UseVec *ends)
{
    U32Vec reads = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (o->reads)
                o->reads(o->user, insn, &reads);
            else
                ir_insn_reads(fn, insn, &reads);
            for (uint32_t k = 0; k < reads.n; k++) {
                if (reads.v[k] == IR_NONE || fn->regs.v[reads.v[k]].kind == IR_REG_CONST)
                    continue;
                if (insn->op == IR_PHI)
                    vec_push(ends, (Use){reads.v[k], fn->extra.v[insn->a + 1 + 2 * k], IR_NONE});
                else
                    vec_push(uses, (Use){reads.v[k], b, i});
            }
        }
    vec_free(&reads);
}

/* A counting sort, so that the order of the blocks stays. */
static void sort_uses(IrLive *l, const UseVec *uses, Arena *a)
{
    uint32_t n = l->fn->regs.n;
    l->first = arena_alloc(a, (n + 2) * sizeof *l->first);
    l->uses = arena_alloc(a, (uses->n + 1) * sizeof *l->uses);
    for (uint32_t i = 0; i < uses->n; i++)
        l->first[uses->v[i].reg + 2]++;
    for (uint32_t r = 2; r < n + 2; r++)
        l->first[r] += l->first[r - 1];
    for (uint32_t i = 0; i < uses->n; i++)
        l->uses[l->first[uses->v[i].reg + 1]++] = uses->v[i];
}

/* Does the block read the register at this instruction or later? */
static bool is_read_from(const IrLive *l, uint32_t reg, uint32_t block, uint32_t insn)
{
    uint32_t low = l->first[reg], high = l->first[reg + 1];
    while (low < high) { /* the first use that is not before it */
        uint32_t middle = low + (high - low) / 2;
        const Use *u = &l->uses[middle];
        if (u->block < block || (u->block == block && u->insn < insn))
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->first[reg + 1] && l->uses[low].block == block;
}

/* ---- borders of blocks ----------------------------------------------------------------------- */

static void give_column(IrLive *l, uint32_t reg)
{
    if (l->column[reg] != IR_NONE)
        return;
    l->column[reg] = l->regs.n;
    vec_push(&l->regs, reg);
}

static void give_columns(IrLive *l, const UseVec *uses, const UseVec *ends)
{
    for (uint32_t i = 0; i < uses->n; i++)
        if (uses->v[i].block != def_block(l->fn, uses->v[i].reg))
            give_column(l, uses->v[i].reg);
    for (uint32_t i = 0; i < ends->n; i++)
        give_column(l, ends->v[i].reg);
}

/* The register is live where control comes to these blocks, unless they define it: then also at the end of
 * what precedes them. */
static void follow(const IrLive *l, const Graph *preds, uint32_t reg, U32Vec *work)
{
    while (work->n) {
        uint32_t b = vec_pop(work);
        if (b == def_block(l->fn, reg) || !add(l, l->in, b, reg))
            continue;
        for (uint32_t i = preds->start[b]; i < preds->start[b + 1]; i++)
            if (add(l, l->out, preds->to[i], reg))
                vec_push(work, preds->to[i]);
    }
}

static void find_borders(IrLive *l, const Graph *preds, const UseVec *uses, const UseVec *ends, Arena *a)
{
    U32Vec work = {0};
    l->words = (l->regs.n + 63) / 64;
    l->in = arena_alloc(a, (l->fn->blocks.n * l->words + 1) * sizeof *l->in);
    l->out = arena_alloc(a, (l->fn->blocks.n * l->words + 1) * sizeof *l->out);
    for (uint32_t i = 0; i < uses->n; i++)
        if (uses->v[i].block != def_block(l->fn, uses->v[i].reg)) {
            vec_push(&work, uses->v[i].block);
            follow(l, preds, uses->v[i].reg, &work);
        }
    for (uint32_t i = 0; i < ends->n; i++)
        if (add(l, l->out, ends->v[i].block, ends->v[i].reg)) {
            vec_push(&work, ends->v[i].block);
            follow(l, preds, ends->v[i].reg, &work);
        }
    vec_free(&work);
}

static Graph predecessors(const IrFn *fn, Arena *a)
{
    GraphEdges edges = {0};
    U32Vec to = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++)
            vec_push(&edges, (GraphEdge){to.v[i], b});
    }
    Graph g = graph_make(a, fn->blocks.n, &edges);
    vec_free(&edges);
    vec_free(&to);
    return g;
}

IrLive *ir_live_find(const IrFn *fn, const IrLiveOptions *options, Arena *a)
{
    IrLive *l = arena_alloc(a, sizeof *l);
    Arena *scratch = arena_new();
    UseVec uses = {0}, ends = {0};
    IrLiveOptions o = options ? *options : (IrLiveOptions){0};
    Graph preds = o.preds ? *o.preds : predecessors(fn, scratch);
    l->fn = fn;
    l->column = arena_alloc(a, (fn->regs.n + 1) * sizeof *l->column);
    memset(l->column, 0xff, fn->regs.n * sizeof *l->column);
    find_uses(fn, &o, &uses, &ends);
    sort_uses(l, &uses, a);
    give_columns(l, &uses, &ends);
    find_borders(l, &preds, &uses, &ends, a);
    uint32_t *regs = arena_alloc(a, (l->regs.n + 1) * sizeof *regs);
    if (l->regs.n)
        memcpy(regs, l->regs.v, l->regs.n * sizeof *regs);
    vec_free(&l->regs);
    l->regs.v = regs;
    vec_free(&uses);
    vec_free(&ends);
    arena_free(scratch);
    return l;
}

/* ---- inside a block -------------------------------------------------------------------------- */

bool ir_live_from(const IrLive *l, uint32_t reg, uint32_t block, uint32_t insn)
{
    return has(l, l->out, block, reg) || is_read_from(l, reg, block, insn);
}

void ir_live_at(const IrLive *l, uint32_t block, uint32_t insn, bool called, U32Vec *out)
{
    const IrBlock *b = &l->fn->blocks.v[block];
    U32Vec defs = {0};
    vec_clear(out);
    for (uint32_t w = 0; w < l->words; w++) /* what comes from other blocks */
        for (uint64_t bits = set_of(l, l->in, block)[w]; bits; bits &= bits - 1) {
            uint32_t reg = l->regs.v[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (ir_live_from(l, reg, block, insn + called))
                vec_push(out, reg);
        }
    for (uint32_t r = 0; block == 0 && r < l->fn->nparams; r++)
        if (ir_live_from(l, r, block, insn + called))
            vec_push(out, r);
    for (uint32_t i = 0; i < b->insns.n && (i < insn || b->insns.v[i].op == IR_PHI); i++) {
        ir_insn_defs(l->fn, &b->insns.v[i], &defs);
        for (uint32_t k = 0; k < defs.n; k++)
            if (ir_live_from(l, defs.v[k], block, insn + called))
                vec_push(out, defs.v[k]);
    }
    vec_free(&defs);
}
