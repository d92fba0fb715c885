/* sym_coverage.c - which blocks, sides of branches and lines of the user's code were executed, over all runs.
 *
 * The first instruction of a block is replaced by MARK, which puts the instruction back: a block costs once. Branches
 * and switches set a cell for the side they take. A line is covered if a block with an instruction of it is. */
#include "vm/sym.h"

typedef struct FnCover {
    uint8_t *blocks;                          /* 1: executed */
    uint32_t *side_at;                        /* block to its first side */
    uint8_t *sides;
    uint32_t nsides;
} FnCover;

struct Cover {
    FnCover *fns;                             /* by IrFn; made when a function is prepared */
};

/* Distinct successors in order of operands; 0 for blocks that decide nothing. */
static uint32_t sides_of(const IrFn *ir, uint32_t block, U32Vec *out)
{
    const IrBlock *b = &ir->blocks.v[block];
    uint16_t op = b->insns.n ? vec_last(&b->insns).op : IR_JMP;
    if (op != IR_BR && op != IR_SWITCH)
        return 0;
    ir_block_successors(ir, block, out);
    Map seen = { 0 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        if (map_get(&seen, out->v[i], NULL))
            continue;
        map_put(&seen, out->v[i], n);
        out->v[n++] = out->v[i];
    }
    map_free(&seen);
    out->n = n;
    return n < 2 ? 0 : n;
}

static FnCover *cover_of(Vm *vm, uint32_t fn)
{
    if (!vm->cover) {
        vm->cover = arena_alloc(vm->keep, sizeof *vm->cover);
        vm->cover->fns = arena_alloc(vm->keep, (vm->program->fns.n + 1) * sizeof *vm->cover->fns);
    }
    FnCover *c = &vm->cover->fns[fn];
    const IrFn *ir = &vm->program->fns.v[fn];
    U32Vec sides = { 0 };
    if (c->blocks)
        return c;
    c->blocks = arena_alloc(vm->keep, ir->blocks.n + 1);
    c->side_at = arena_alloc(vm->keep, (ir->blocks.n + 1) * sizeof *c->side_at);
    for (uint32_t i = 0; i < ir->blocks.n; i++) {
        c->side_at[i] = c->nsides;
        c->nsides += sides_of(ir, i, &sides);
    }
    c->sides = arena_alloc(vm->keep, c->nsides + 2);
    vec_free(&sides);
    return c;
}

uint8_t *vm_cover_sides(Vm *vm, uint32_t fn, uint32_t block)
{
    FnCover *c = cover_of(vm, fn);
    return &c->sides[c->side_at[block]];
}

void vm_cover_which(const Vm *vm, uint32_t fn, uint32_t block, Map *out)
{
    U32Vec sides = { 0 };
    uint32_t n = sides_of(&vm->program->fns.v[fn], block, &sides);
    for (uint32_t i = 0; i < n; i++)
        map_put(out, sides.v[i], i);
    vec_free(&sides);
}

/* labels: block to code, as far as reachable (IR_NONE elsewhere). */
void vm_cover_prepare(Vm *vm, FnCode *fn, const uint32_t *labels)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    if (ir->runtime && !vm->lab)
        return;
    fn->labels = arena_alloc(fn->arena, ir->blocks.n * sizeof *fn->labels);
    fn->originals = arena_alloc(fn->arena, fn->ncode * sizeof *fn->originals);
    if (vm->lab)
        fn->waiting = arena_alloc(fn->arena, fn->ncode * sizeof *fn->waiting);
    if (!ir->runtime)
        cover_of(vm, fn->index);
    for (uint32_t i = 0; i < ir->blocks.n; i++) {
        fn->labels[i] = labels[i];
        if (labels[i] == IR_NONE || fn->originals[labels[i]])
            continue;
        fn->originals[labels[i]] = fn->start[labels[i]].go;
        if (!ir->runtime)
            fn->start[labels[i]].go = vm->labels[CODE_MARK];
    }
}

void vm_mark(Vm *vm, const Code *pc, const Reg *regs)
{
    FnCode *fn = FRAME(regs)->fn;
    uint32_t at = (uint32_t)(pc - fn->start);
    FnCover *c = cover_of(vm, fn->index);
    fn->start[at].go = fn->waiting && fn->waiting[at]   ? vm->labels[CODE_JOIN]
                       : fn->watched && fn->watched[at] ? vm->labels[CODE_WATCH]
                                                        : fn->originals[at];
    for (uint32_t i = 0; i < vm->program->fns.v[fn->index].blocks.n; i++)
        if (fn->labels[i] == at)
            c->blocks[i] = 1;
}

void vm_coverage_add(Vm *vm, const Vm *from)
{
    for (uint32_t f = 0; from->cover && f < vm->program->fns.n; f++) {
        const FnCover *other = &from->cover->fns[f];
        if (!other->blocks)
            continue;
        FnCover *c = cover_of(vm, f);
        for (uint32_t i = 0; i < vm->program->fns.v[f].blocks.n; i++)
            c->blocks[i] |= other->blocks[i];
        for (uint32_t i = 0; i < c->nsides; i++)
            c->sides[i] |= other->sides[i];
    }
}

/* (of the models nobody wants more than they do) */
bool vm_block_covered(const Vm *vm, uint32_t fn, uint32_t block)
{
    if (vm->program->fns.v[fn].runtime)
        return true;
    return vm->cover && vm->cover->fns[fn].blocks && vm->cover->fns[fn].blocks[block];
}

bool vm_branch_open(const Vm *vm, uint32_t fn, uint32_t block)
{
    U32Vec sides = { 0 };
    const FnCover *c = vm->cover ? &vm->cover->fns[fn] : NULL;
    uint32_t n = c && c->blocks && c->blocks[block] ? sides_of(&vm->program->fns.v[fn], block, &sides) : 0, taken = 0;
    for (uint32_t k = 0; k < n; k++)
        taken += c->sides[c->side_at[block] + k];
    vec_free(&sides);
    return taken > 0 && taken < n;
}

static void count_lines(const Vm *vm, const IrBlock *b, bool covered, Map *lines)
{
    for (uint32_t i = 0; i < b->insns.n; i++) {
        uint32_t at = b->insns.v[i].site;
        if (at == IR_NONE || !vm->program->sites.v[at].line)
            continue;
        const IrSite *site = &vm->program->sites.v[at];
        uint64_t key = (uint64_t)site->file << 32 | site->line;
        if (covered || !map_get(lines, key, NULL))
            map_put(lines, key, covered);
    }
}

VmCoverage vm_coverage(const Vm *vm)
{
    VmCoverage total = { 0 };
    Map lines = { 0 };
    U32Vec sides = { 0 };
    for (uint32_t f = 0; f < vm->program->fns.n; f++) {
        const IrFn *ir = &vm->program->fns.v[f];
        const FnCover *c = vm->cover && vm->cover->fns[f].blocks ? &vm->cover->fns[f] : NULL;
        if (!ir->defined || ir->runtime)
            continue;
        for (uint32_t i = 0; i < ir->blocks.n; i++) {
            total.blocks++;
            total.blocks_covered += c && c->blocks[i];
            uint32_t n = sides_of(ir, i, &sides);
            total.branches += n;
            for (uint32_t k = 0; c && k < n; k++)
                total.branches_covered += c->sides[c->side_at[i] + k];
            count_lines(vm, &ir->blocks.v[i], c && c->blocks[i], &lines);
        }
    }
    uint32_t cursor = 0;
    uint64_t key, value;
    while (map_next(&lines, &cursor, &key, &value)) {
        total.lines++;
        total.lines_covered += value != 0;
    }
    map_free(&lines);
    vec_free(&sides);
    return total;
}
