/* sym_coverage.c - which blocks, branch outcomes and lines of the user's code were executed, by all runs and
 * by those kept as tests.
 *
 * Every block and every branch outcome has a cell. The first instruction of a block is replaced by MARK,
 * which sets the block's cell and puts the instruction back: a block costs once. Branches and switches set
 * the cell of the outcome they take. A line is covered if a block with an instruction of it is.
 *
 * When a run begins, the cells are those of the runs kept so far; so what it sets besides is what it would
 * add to them. A run that begins with a snapshot also has what the run that made the snapshot had set by
 * then. */
#include "vm/symbolic/sym_int.h"

typedef struct FnCover {
    uint32_t blocks;   /* first cell of its blocks */
    uint32_t *side_at; /* block to the first cell of its outcomes; NULL: no cells (a model, or no body) */
} FnCover;

struct Cover {
    FnCover *fns;  /* by IrFn */
    uint32_t n;    /* cells; behind them as many as a model may write, which nothing reads */
    uint8_t *now;  /* what the machine writes */
    uint8_t *kept; /* of runs that were kept */
    uint8_t *seen; /* of all runs */
    bool fresh;    /* the last run set cells that are not kept */
    bool grown;    /* and cells that no run had set before */
};

static bool has_cells(const IrFn *ir) { return ir->defined && !ir->runtime && !ir->driver; }

static void number_cells(const Vm *vm, struct Cover *c, uint32_t fn)
{
    const IrFn *ir = &vm->program->fns.v[fn];
    U32Vec sides = {0};
    c->fns[fn].blocks = c->n;
    c->n += ir->blocks.n;
    c->fns[fn].side_at = arena_alloc(vm->keep, (ir->blocks.n + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < ir->blocks.n; i++) {
        c->fns[fn].side_at[i] = c->n;
        c->n += ir_block_sides(ir, i, &sides);
    }
    vec_free(&sides);
}

static struct Cover *cover_of(Vm *vm)
{
    if (vm->cover)
        return vm->cover;
    struct Cover *c = vm->cover = arena_alloc(vm->keep, sizeof *c);
    c->fns = arena_alloc(vm->keep, (vm->program->fns.n + 1) * sizeof *c->fns);
    for (uint32_t f = 0; f < vm->program->fns.n; f++)
        if (has_cells(&vm->program->fns.v[f]))
            number_cells(vm, c, f);
    uint32_t unread = 2;
    for (uint32_t f = 0; f < vm->program->fns.n; f++)
        unread = vm->program->fns.v[f].blocks.n > unread ? vm->program->fns.v[f].blocks.n : unread;
    c->now = arena_alloc(vm->keep, c->n + unread);
    c->kept = arena_alloc(vm->keep, c->n + 1);
    c->seen = arena_alloc(vm->keep, c->n + 1);
    return c;
}

uint8_t *vm_cover_sides(Vm *vm, uint32_t fn, uint32_t block)
{
    const struct Cover *c = cover_of(vm);
    return &c->now[c->fns[fn].side_at ? c->fns[fn].side_at[block] : c->n];
}

void vm_cover_which(const Vm *vm, uint32_t fn, uint32_t block, Map *out)
{
    U32Vec sides = {0};
    uint32_t n = ir_block_sides(&vm->program->fns.v[fn], block, &sides);
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
    for (uint32_t i = 0; i < ir->blocks.n; i++) {
        fn->labels[i] = labels[i];
        if (labels[i] == IR_NONE || fn->originals[labels[i]])
            continue;
        fn->originals[labels[i]] = fn->start[labels[i]].go;
        if (has_cells(ir))
            fn->start[labels[i]].go = vm->labels[CODE_MARK];
    }
}

const void *vm_mark(Vm *vm, const Code *pc, const Reg *regs)
{
    FnCode *fn = FRAME(regs)->fn;
    uint32_t at = (uint32_t)(pc - fn->start);
    const struct Cover *c = cover_of(vm);
    bool visits = vm->sym && vm->sym->options.visits;
    const void *handler = fn->waiting && fn->waiting[at]   ? vm->labels[CODE_JOIN]
                          : fn->watched && fn->watched[at] ? vm->labels[CODE_WATCH]
                                                           : fn->originals[at];
    if (!visits)
        fn->start[at].go = handler;
    for (uint32_t i = 0; i < vm->program->fns.v[fn->index].blocks.n; i++) {
        if (fn->labels[i] != at)
            continue;
        c->now[c->fns[fn->index].blocks + i] = 1;
        if (visits)
            vec_push(&vm->sym->trace->visits, (VmVisit){fn->index, i, vm->sym->trace->decisions.n});
    }
    return handler;
}

/* ---- what a run adds ------------------------------------------------------------------------- */

/* Blocks of the last run that count as not executed have their MARK again. */
static void mark_again(Vm *vm)
{
    const struct Cover *c = vm->cover;
    for (uint32_t f = 0; f < vm->program->fns.n; f++) {
        FnCode *fn = &vm->fns[f];
        for (uint32_t i = 0; c->fns[f].side_at && fn->labels && i < vm->program->fns.v[f].blocks.n; i++) {
            uint32_t cell = c->fns[f].blocks + i;
            if (c->now[cell] && !c->kept[cell] && fn->labels[i] != IR_NONE)
                fn->start[fn->labels[i]].go = vm->labels[CODE_MARK];
        }
    }
}

void vm_cover_begin(Vm *vm)
{
    struct Cover *c = cover_of(vm);
    if (!c->fresh)
        return;
    mark_again(vm);
    memcpy(c->now, c->kept, c->n);
    c->fresh = false;
}

void vm_cover_end(Vm *vm)
{
    struct Cover *c = cover_of(vm);
    c->fresh = memcmp(c->now, c->kept, c->n) != 0;
    c->grown = false;
    for (uint32_t i = 0; c->fresh && i < c->n; i++) {
        c->grown |= c->now[i] > c->seen[i];
        c->seen[i] |= c->now[i];
    }
}

void vm_cover_save(const Vm *vm, U32Vec *out)
{
    const struct Cover *c = vm->cover;
    if (!memcmp(c->now, c->kept, c->n))
        return;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->now[i] != c->kept[i])
            vec_push(out, i);
}

void vm_coverage_added(const Vm *vm, U32Vec *out)
{
    vec_clear(out);
    if (vm_coverage_is_new(vm))
        vm_cover_save(vm, out);
}

void vm_cover_restore(Vm *vm, const U32Vec *saved)
{
    for (uint32_t i = 0; i < saved->n; i++)
        vm->cover->now[saved->v[i]] = 1;
}

bool vm_coverage_grew(const Vm *vm) { return vm->cover && vm->cover->grown; }
bool vm_coverage_is_new(const Vm *vm) { return vm->cover && vm->cover->fresh; }

void vm_coverage_keep(Vm *vm)
{
    struct Cover *c = cover_of(vm);
    memcpy(c->kept, c->now, c->n);
    c->fresh = false;
}

/* Between runs. */
void vm_coverage_kept_add(Vm *vm, const Vm *from)
{
    if (!from->cover)
        return;
    struct Cover *c = cover_of(vm);
    vm_cover_begin(vm);
    for (uint32_t i = 0; i < c->n; i++)
        c->now[i] = c->kept[i] |= from->cover->kept[i];
}

void vm_coverage_keep_cells(Vm *vm, const BitSet *cells)
{
    struct Cover *c = cover_of(vm);
    vm_cover_begin(vm);
    for (uint32_t i = bitset_next(cells, 0); i < c->n; i = bitset_next(cells, i + 1))
        c->now[i] = c->kept[i] = 1;
}

void vm_coverage_add(Vm *vm, const Vm *from)
{
    if (!from->cover)
        return;
    struct Cover *c = cover_of(vm);
    for (uint32_t i = 0; i < c->n; i++)
        c->seen[i] |= from->cover->seen[i];
    vm_coverage_kept_add(vm, from);
}

/* ---- as bytes -------------------------------------------------------------------------------- */

void vm_coverage_write(Vm *vm, Str *out)
{
    const struct Cover *c = cover_of(vm);
    wire_uint(out, c->n);
    for (uint32_t i = 0; i < c->n; i++)
        str_add_char(out, (char)(c->seen[i] | c->kept[i] << 1));
}

bool vm_coverage_read(Vm *vm, Wire *in, bool kept)
{
    struct Cover *c = cover_of(vm);
    uint32_t n;
    const uint8_t *cells = wire_get_bytes(in, &n);
    if (in->bad || n != c->n)
        return wire_refuse(in);
    vm_cover_begin(vm);
    for (uint32_t i = 0; i < c->n; i++) {
        bool was_kept = kept && cells[i] >> 1 & 1; /* perhaps by another machine, whose own is not written */
        c->seen[i] |= (cells[i] & 1) | was_kept;
        c->now[i] = c->kept[i] |= was_kept;
    }
    return true;
}

void vm_coverage_last(const Vm *vm, BitSet *out)
{
    for (uint32_t i = 0; vm->cover && i < vm->cover->n; i++)
        if (vm->cover->now[i])
            bitset_add(out, i);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Blocks of the models count as covered: nothing is to be gained there. */
bool vm_block_covered(const Vm *vm, uint32_t fn, uint32_t block)
{
    if (vm->program->fns.v[fn].runtime || vm->program->fns.v[fn].driver)
        return true;
    return vm->cover && vm->cover->fns[fn].side_at && vm->cover->seen[vm->cover->fns[fn].blocks + block];
}

/* The cell of a block, or of an edge from it; IR_NONE: there is none. */
static uint32_t cell_of(const Vm *vm, uint32_t fn, uint32_t block, uint32_t to)
{
    U32Vec sides = {0};
    uint32_t cell = IR_NONE;
    if (!vm->cover || !vm->cover->fns[fn].side_at)
        return IR_NONE;
    uint32_t n = to == IR_NONE ? 0 : ir_block_sides(&vm->program->fns.v[fn], block, &sides);
    for (uint32_t k = 0; k < n; k++)
        if (sides.v[k] == to)
            cell = vm->cover->fns[fn].side_at[block] + k;
    vec_free(&sides);
    return to == IR_NONE ? vm->cover->fns[fn].blocks + block : cell;
}

bool vm_run_executed(const Vm *vm, uint32_t fn, uint32_t block, uint32_t to)
{
    uint32_t cell = cell_of(vm, fn, block, to);
    return cell != IR_NONE && vm->cover->now[cell];
}

bool vm_edge_kept(const Vm *vm, uint32_t fn, uint32_t block, uint32_t to)
{
    uint32_t cell = cell_of(vm, fn, block, to);
    return cell != IR_NONE && vm->cover->kept[cell];
}

bool vm_branch_open(const Vm *vm, uint32_t fn, uint32_t block)
{
    U32Vec sides = {0};
    const struct Cover *c = vm->cover;
    bool executed = has_cells(&vm->program->fns.v[fn]) && vm_block_covered(vm, fn, block);
    uint32_t n = executed ? ir_block_sides(&vm->program->fns.v[fn], block, &sides) : 0, taken = 0;
    for (uint32_t k = 0; k < n; k++)
        taken += c->seen[c->fns[fn].side_at[block] + k];
    vec_free(&sides);
    return taken > 0 && taken < n;
}

static void count_lines(const Vm *vm, const IrBlock *b, bool covered, Map *lines)
{
    for (uint32_t i = 0; i < b->insns.n; i++) {
        uint32_t at = b->insns.v[i].site;
        if (at == IR_NONE || !vm->program->sites.v[at].line)
            continue;
        uint64_t key = ir_site_line(vm->program, at);
        if (covered || !map_get(lines, key, NULL))
            map_put(lines, key, covered);
    }
}

static bool has_run(const struct Cover *c, const IrFn *ir, uint32_t fn)
{
    for (uint32_t i = 0; c && i < ir->blocks.n; i++)
        if (c->seen[c->fns[fn].blocks + i])
            return true;
    return false;
}

/* Of a program all functions of the user count; of an entry those that it can come to, and those that ran. */
static bool counts_all(const Vm *vm) { return !vm->sym || vm->sym->entry == IR_NONE; }

static bool counts(const Vm *vm, const BitSet *named, uint32_t fn)
{
    const IrFn *ir = &vm->program->fns.v[fn];
    return has_cells(ir) && (counts_all(vm) || bitset_has(named, fn) || has_run(vm->cover, ir, fn));
}

/* Functions that no run can come to count as well, though the program is without them. */
static void count_removed(const Vm *vm, VmCoverage *total, Map *lines)
{
    const IrRemoved *removed = &vm->program->removed;
    uint32_t cursor = 0;
    uint64_t line, ignored;
    total->blocks += removed->blocks;
    total->branches += removed->branches;
    while (map_next(&removed->lines, &cursor, &line, &ignored))
        map_add(lines, line, 0);
}

static void find_named(const Vm *vm, BitSet *named)
{
    BitSet globals = {0};
    if (vm->sym && vm->sym->entry != IR_NONE)
        ir_fn_reachable(vm->program, vm->sym->entry, named, &globals);
    bitset_free(&globals);
}

VmCoverage vm_coverage(const Vm *vm)
{
    VmCoverage total = {0};
    BitSet named = {0};
    Map lines = {0};
    U32Vec sides = {0};
    const struct Cover *c = vm->cover;
    find_named(vm, &named);
    for (uint32_t f = 0; f < vm->program->fns.n; f++) {
        const IrFn *ir = &vm->program->fns.v[f];
        bool in = counts(vm, &named, f);
        for (uint32_t i = 0; in && i < ir->blocks.n; i++) {
            bool covered = c && c->seen[c->fns[f].blocks + i];
            total.blocks++;
            total.blocks_covered += covered;
            uint32_t n = ir_block_sides(ir, i, &sides);
            total.branches += n;
            for (uint32_t k = 0; c && k < n; k++)
                total.branches_covered += c->seen[c->fns[f].side_at[i] + k];
            count_lines(vm, &ir->blocks.v[i], covered, &lines);
        }
    }
    if (counts_all(vm))
        count_removed(vm, &total, &lines);
    uint32_t cursor = 0;
    uint64_t key, value;
    while (map_next(&lines, &cursor, &key, &value)) {
        total.lines++;
        total.lines_covered += value != 0;
    }
    map_free(&lines);
    vec_free(&sides);
    bitset_free(&named);
    return total;
}
