/* sym_extent.c - how far a function uses a pointer, as its code shows.
 *
 * The IR has no types. Loads, stores and copies at constant offsets say how many bytes there must be; where
 * an index is variable, or the code walks, there are some elements (--elements, --object-size), and the step
 * says how large one of them is: a[i] in steps of a structure is an array of structures, a->v[i] is not. */
#include "vm/symbolic/sym_int.h"

enum { SCAN_DEPTH = 4, SCAN_PASSES = 3, EXTENT_MOST = 1 << 16 };

typedef struct Scan {
    Vm *vm;
    const IrFn *ir;
    Map at;    /* register to 1 + its constant offset from the pointer */
    Map bytes; /* registers that hold a byte from there */
    SymExtent extent;
    uint32_t depth;
    bool used; /* a load, store or call was met */
} Scan;

static SymExtent extent_of(Vm *vm, uint32_t fn, uint32_t reg, uint32_t depth);

uint64_t sym_extent_elements(const Vm *vm)
{
    uint32_t n = vm->sym->options.inputs.object_size;
    if (sym_shape_typed(vm))
        return vm->sym->options.inputs.elements_most;
    return n ? n : 8;
}

void sym_extent_raise(uint32_t *to, uint64_t offset, uint64_t n)
{
    if ((int64_t)offset >= 0 && n && offset + n > *to && offset + n <= EXTENT_MOST)
        *to = (uint32_t)(offset + n);
}

/* Elements of `step` bytes from `offset` on, of unknown number. */
static void scan_some(Scan *s, uint64_t offset, uint64_t step)
{
    SymExtent *e = &s->extent;
    sym_extent_raise(&e->guess, offset, sym_extent_elements(s->vm) * step);
    e->step = !offset && step > e->step && step <= EXTENT_MOST ? (uint32_t)step : e->step;
    e->far = offset > e->far && offset <= EXTENT_MOST ? (uint32_t)offset : e->far;
}

static bool offset_of(const Scan *s, uint32_t reg, uint64_t *offset)
{
    uint64_t at;
    if (!map_get(&s->at, reg, &at))
        return false;
    *offset = at - 1;
    return true;
}

static void scan_sum(Scan *s, const IrInsn *insn, uint64_t offset)
{
    const IrConst *by = ir_reg_const_of(s->ir, insn->b);
    uint64_t scale = insn->op == IR_INDEX ? insn->c : 1;
    if (by)
        offset += (uint64_t)bits_signed(by->bits, s->ir->regs.v[insn->b].width) * scale;
    else
        scan_some(s, offset, scale);
    if (!by && !offset)
        sym_area_join(&s->extent.area, sym_area_of(s->vm->program, s->ir, insn->b, scale));
    s->extent.back |= (int64_t)offset < 0;
    map_put(&s->at, insn->dst, offset + 1);
}

/* One of the values that come together in a register: if they differ, the code walks, by the difference at a
 * time. */
static void scan_merge(Scan *s, uint32_t dst, uint32_t from)
{
    uint64_t offset, before;
    if (!offset_of(s, from, &offset))
        return;
    if (!offset_of(s, dst, &before))
        map_put(&s->at, dst, offset + 1);
    else if (offset != before)
        scan_some(s, before, offset > before ? offset - before : before - offset);
}

/* The pointer is read or written through. */
static void scan_use(Scan *s, bool fills)
{
    if (!s->used)
        s->extent.filled = fills;
    s->used = true;
}

static void scan_block(Scan *s, uint32_t pointer, uint32_t size, bool fills)
{
    const IrConst *n = ir_reg_const_of(s->ir, size);
    uint64_t offset;
    if (!offset_of(s, pointer, &offset))
        return;
    scan_use(s, fills);
    if (n)
        sym_extent_raise(&s->extent.need, offset, (uint64_t)n->bits);
    else
        scan_some(s, offset, 1);
    if (!n && !offset)
        sym_area_join(&s->extent.area, sym_area_of(s->vm->program, s->ir, size, 1));
}

/* What a function does with it that is called. */
static void scan_passed(Scan *s, uint64_t offset, SymExtent by, const IrCall *call)
{
    SymExtent *e = &s->extent;
    sym_extent_raise(&e->need, offset, by.need);
    sym_extent_raise(&e->guess, offset, by.guess);
    e->step = !offset && by.step > e->step ? by.step : e->step;
    e->back |= by.back && !offset;
    e->text |= by.text && !offset;
    e->ends |= by.ends;
    e->far = by.guess && offset + by.far > e->far && offset + by.far <= EXTENT_MOST
                 ? (uint32_t)offset + by.far
                 : e->far;
    e->kept |= by.kept;
    if (!offset && (by.area.n || by.area.unclear))
        sym_area_join(&e->area, sym_area_passed(s->vm->program, s->ir, &by.area, call->args, call->nargs));
    if (by.need || by.guess)
        scan_use(s, by.filled);
}

/* Does the library's function read its argument up to a NUL? */
static bool takes_string(const Scan *s, const IrFn *callee, uint32_t argument)
{
    static const struct {
        const char *name;
        unsigned arguments; /* as bits */
    } known[] = {{"strlen", 1},     {"strcpy", 2},  {"stpcpy", 2},  {"strcat", 3},  {"strcmp", 3},
                 {"strcasecmp", 3}, {"strcoll", 3}, {"strchr", 1},  {"strrchr", 1}, {"strdup", 1},
                 {"strstr", 3},     {"strspn", 3},  {"strcspn", 3}, {"strpbrk", 3}, {"strtok", 3},
                 {"atoi", 1},       {"atol", 1},    {"atof", 1},    {"strtol", 1},  {"strtoul", 1},
                 {"strtod", 1},     {"strtoll", 1}, {"puts", 1},    {"fputs", 1},   {"fopen", 3},
                 {"sscanf", 1},     {"getenv", 1}};
    const char *name = ir_text(s->vm->program, callee->name);
    for (unsigned i = 0; i < COUNT_OF(known); i++)
        if (!strcmp(name, known[i].name))
            return known[i].arguments >> argument & 1;
    return false;
}

static void scan_call(Scan *s, const IrInsn *insn)
{
    IrCall call = ir_call_read(s->ir, insn);
    uint64_t offset;
    for (uint32_t i = 0; i < call.nargs && insn->op == IR_CALL; i++) {
        const IrFn *callee = &s->vm->program->fns.v[insn->a];
        if (offset_of(s, call.args[i], &offset) && !offset && i < 2 && takes_string(s, callee, i))
            s->extent.text = true;
        if (offset_of(s, call.args[i], &offset) && callee->defined && i < callee->nparams &&
            s->depth < SCAN_DEPTH)
            scan_passed(s, offset, extent_of(s->vm, insn->a, i, s->depth + 1), &call);
    }
}

static void scan_store(Scan *s, const IrInsn *insn)
{
    uint64_t offset;
    if (offset_of(s, insn->a, &offset)) {
        scan_use(s, true);
        sym_extent_raise(&s->extent.need, offset, (s->ir->regs.v[insn->b].width + 7u) / 8);
    }
    if (!offset_of(s, insn->b, &offset))
        return;
    s->extent.kept = true;
    if (offset) /* moved on by a constant: a walk */
        scan_some(s, 0, (int64_t)offset < 0 ? -offset : offset);
}

/* Is a byte from there compared with NUL? */
static bool is_zero(const Scan *s, uint32_t byte, uint32_t zero)
{
    const IrConst *c = ir_reg_const_of(s->ir, zero);
    return c && c->kind == IR_CONST_INT && !c->bits && map_get(&s->bytes, byte, NULL);
}

static void scan_insn(Scan *s, const IrInsn *insn)
{
    uint64_t offset;
    switch ((IrOp)insn->op) {
    case IR_OFFSET:
    case IR_INDEX:
        if (offset_of(s, insn->a, &offset))
            scan_sum(s, insn, offset);
        break;
    case IR_LOAD:
        if (offset_of(s, insn->a, &offset)) {
            scan_use(s, false);
            sym_extent_raise(&s->extent.need, offset, (insn->width + 7u) / 8);
            if (insn->width == 8)
                map_put(&s->bytes, insn->dst, 1);
        }
        break;
    case IR_ZEXT:
    case IR_SEXT:
        if (map_get(&s->bytes, insn->a, NULL))
            map_put(&s->bytes, insn->dst, 1);
        break;
    case IR_EQ:
    case IR_NE: s->extent.ends |= is_zero(s, insn->a, insn->b) || is_zero(s, insn->b, insn->a); break;
    case IR_STORE: scan_store(s, insn); break;
    case IR_PHI:
        for (uint32_t i = 0; i < s->ir->extra.v[insn->a]; i++)
            scan_merge(s, insn->dst, s->ir->extra.v[insn->a + 2 + 2 * i]);
        break;
    case IR_SELECT:
        scan_merge(s, insn->dst, insn->b);
        scan_merge(s, insn->dst, insn->c);
        break;
    case IR_MEMCPY:
    case IR_MEMMOVE: scan_block(s, insn->b, insn->c, false); /* fall through */
    case IR_MEMSET: scan_block(s, insn->a, insn->c, true); break;
    case IR_CALL: scan_call(s, insn); break;
    default: break;
    }
}

static SymExtent extent_of(Vm *vm, uint32_t fn, uint32_t reg, uint32_t depth)
{
    struct Sym *sym = vm->sym;
    uint64_t key = (uint64_t)fn << 32 | reg, at;
    if (map_get(&sym->extent_of, key, &at))
        return sym->extents.v[at];
    Scan s = {.vm = vm, .ir = &vm->program->fns.v[fn], .depth = depth};
    at = sym->extents.n;
    vec_push(&sym->extents, (SymExtent){0}); /* recursion adds nothing */
    map_put(&sym->extent_of, key, at);
    map_put(&s.at, reg, 1);
    for (int pass = 0; pass < SCAN_PASSES; pass++)
        for (uint32_t i = 0; i < s.ir->blocks.n; i++)
            for (uint32_t j = 0; j < s.ir->blocks.v[i].insns.n; j++)
                scan_insn(&s, &s.ir->blocks.v[i].insns.v[j]);
    map_free(&s.at);
    map_free(&s.bytes);
    sym->extents.v[at] = s.extent;
    return s.extent;
}

SymExtent sym_extent(Vm *vm, uint32_t fn, uint32_t reg) { return extent_of(vm, fn, reg, 0); }
