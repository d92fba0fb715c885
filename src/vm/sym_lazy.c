/* sym_lazy.c - objects behind the pointers of inputs, made when somebody follows the pointer.
 *
 * Eight bytes of a parameter, a freed global or another such object that are used as an address are a pointer. Its shape
 * is then decided: null, a fresh object of symbolic content, or the same object as an earlier pointer's. An object is
 * named by the way to it (*p, *(p->+8)), and its address follows from its name, so "the pointer leads to it" is a
 * condition on the input like any other. No input but these shapes is of interest: the rest counts as an assumption.
 *
 * The IR has no types. How large an object is follows from how the code uses the pointer: the furthest constant offset
 * that is accessed, or --object-size elements where an index is variable. */
#include "vm/sym.h"

enum { SCAN_DEPTH = 4, SCAN_PASSES = 3 };

/* ---- how far a pointer is used --------------------------------------------------------------------------------------- */

typedef struct Scan {
    Vm *vm;
    const IrFn *ir;
    Map at;                                   /* register to 1 + its constant offset from the pointer */
    uint64_t need;
    uint32_t depth;
} Scan;

static uint64_t extent(Vm *vm, uint32_t fn, uint32_t reg, uint32_t depth);

static void touch(Scan *s, uint64_t offset, uint64_t n)
{
    if ((int64_t)offset >= 0 && offset + n > s->need && offset + n <= 1 << 16)
        s->need = offset + n;
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
    uint32_t elements = s->vm->sym->options.inputs.object_size;
    if (by)
        offset += (uint64_t)bits_signed(by->bits, s->ir->regs.v[insn->b].width) * scale;
    else
        touch(s, offset, (elements ? elements : 8) * scale);
    map_put(&s->at, insn->dst, offset + 1);
}

static void scan_call(Scan *s, const IrInsn *insn)
{
    IrCall call = ir_call_read(s->ir, insn);
    uint64_t offset;
    for (uint32_t i = 0; i < call.nargs && insn->op == IR_CALL; i++) {
        const IrFn *callee = &s->vm->program->fns.v[insn->a];
        if (offset_of(s, call.args[i], &offset) && callee->defined && i < callee->nparams && s->depth < SCAN_DEPTH)
            touch(s, offset, extent(s->vm, insn->a, i, s->depth + 1));
    }
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
        if (offset_of(s, insn->a, &offset))
            touch(s, offset, (insn->width + 7) / 8);
        break;
    case IR_STORE:
        if (offset_of(s, insn->a, &offset))
            touch(s, offset, (s->ir->regs.v[insn->b].width + 7) / 8);
        break;
    case IR_PHI: {
        const uint32_t *list = &s->ir->extra.v[insn->a];
        for (uint32_t i = 0; i < list[0]; i++)
            if (!map_get(&s->at, insn->dst, NULL) && offset_of(s, list[2 + 2 * i], &offset))
                map_put(&s->at, insn->dst, offset + 1);
        break;
    }
    case IR_CALL: scan_call(s, insn); break;
    default: break;
    }
}

static uint64_t extent(Vm *vm, uint32_t fn, uint32_t reg, uint32_t depth)
{
    Map *known = &vm->sym->extents;
    uint64_t key = (uint64_t)fn << 32 | reg, need;
    if (map_get(known, key, &need))
        return need;
    Scan s = { .vm = vm, .ir = &vm->program->fns.v[fn], .depth = depth };
    map_put(known, key, 0);                   /* recursion adds nothing */
    map_put(&s.at, reg, 1);
    for (int pass = 0; pass < SCAN_PASSES; pass++)
        for (uint32_t i = 0; i < s.ir->blocks.n; i++)
            for (uint32_t j = 0; j < s.ir->blocks.v[i].insns.n; j++)
                scan_insn(&s, &s.ir->blocks.v[i].insns.v[j]);
    map_free(&s.at);
    map_put(known, key, s.need);
    return s.need;
}

/* ---- which pointer ------------------------------------------------------------------------------------------------------ */

/* Eight bytes of an input whose pointers are followed; false if the expression is something else. */
static bool pointer_of(Vm *vm, Expr e, uint32_t *input, uint32_t *offset)
{
    ExprPool *p = vm->sym->pool;
    ExprSet set = expr_symbols(p, e);
    if (expr_width(p, e) != 64 || expr_set_size(p, set) != 8 || expr_op(p, e) != EXPR_CONCAT)
        return false;
    ExprObject object = expr_symbol_object(p, expr_symbol_of(p, expr_set_next(p, set, 0)), offset);
    if (expr_object_info(p, object)->scalar || *offset + 8 > expr_object_info(p, object)->size ||
        expr_object_word(p, object, *offset, 8).id != e.id)
        return false;
    const VmTrace *t = vm->sym->trace;
    for (*input = 0; *input < t->inputs.n; ++*input)
        if (t->inputs.v[*input].object.id == object.id)
            break;
    if (*input == t->inputs.n)
        return false;
    VmInputOrigin origin = t->inputs.v[*input].origin;
    return origin == VM_INPUT_PARAMETER || origin == VM_INPUT_POINTEE || origin == VM_INPUT_GLOBAL;
}

bool sym_lazy_is(Vm *vm, Expr e)
{
    uint32_t input, offset;
    return pointer_of(vm, e, &input, &offset);
}

/* The name of what the pointer at `offset` of an input leads to. */
static void pointee_name(Vm *vm, uint32_t input, uint32_t offset, Str *out)
{
    const VmInputUse *use = &vm->sym->trace->inputs.v[input];
    const char *name = expr_object_info(vm->sym->pool, use->object)->name;
    if (use->origin == VM_INPUT_PARAMETER || (use->origin == VM_INPUT_GLOBAL && use->size == 8))
        str_printf(out, "*%s", name);
    else if (use->origin == VM_INPUT_GLOBAL)
        str_printf(out, "*(%s+%u)", name, offset);
    else
        str_printf(out, "*(%s->+%u)", name + 1, offset);
}

static uint64_t pointee_size(Vm *vm, uint32_t input, uint64_t constant, uint64_t n)
{
    const VmInputUse *use = &vm->sym->trace->inputs.v[input];
    uint32_t reg = sym_root(vm), elements = vm->sym->options.inputs.object_size;
    uint64_t need = reg == IR_NONE ? 0 : extent(vm, FRAME(vm->regs)->fn->index, reg, 0);
    if (use->origin == VM_INPUT_PARAMETER && vm->sym->entry != IR_NONE) {
        uint64_t more = extent(vm, vm->sym->entry, input - vm->sym->first_param, 0);
        need = more > need ? more : need;
    }
    if (!need)
        need = (elements ? elements : 8) * (n < 8 ? n : 8);
    if ((int64_t)constant > 0 && constant < 1 << 16 && constant + n > need)
        need = constant + n;
    return (need + 7) / 8 * 8;
}

/* ---- the decision -------------------------------------------------------------------------------------------------------- */

typedef struct Shape {
    uint64_t address;
    uint32_t target;                          /* input, IR_NONE: null or fresh */
} Shape;

enum { SHAPES_MOST = 34 };

/* Earlier objects that are large enough, by the pointers that lead to them; the ledger knows of the others. */
static uint32_t aliases(Vm *vm, uint64_t size, Shape *out, uint32_t n, uint32_t most)
{
    const VmTrace *t = vm->sym->trace;
    ExprPool *p = vm->sym->pool;
    for (uint32_t i = 0; i < t->links.n; i++) {
        const VmInputLink *link = &t->links.v[i];
        bool seen = false;
        for (uint32_t k = 0; k < n; k++)
            seen |= out[k].target == link->target;
        if (seen)
            continue;
        if (n == most || t->inputs.v[link->target].size < size) {
            ledger_add(vm->sym->ledger, LEDGER_ALIAS, vm_user_site(vm), NULL);
            break;
        }
        Expr pointer = expr_object_word(p, t->inputs.v[link->input].object, link->offset, 8);
        out[n++] = (Shape){ (uint64_t)sym_eval(vm, pointer), link->target };
    }
    return n;
}

static uint32_t pointees(const VmTrace *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->inputs.n; i++)
        n += t->inputs.v[i].origin == VM_INPUT_POINTEE;
    return n;
}

static uint32_t make_pointee(Vm *vm, const char *name, uint64_t id, uint64_t size)
{
    ExprPool *p = vm->sym->pool;
    Str key = { 0 };
    str_printf(&key, "pointee:%s", name);
    ExprObject object = expr_object(p, str_text(&key), name, (uint32_t)size, (ExprCType){ EXPR_C_CHAR, 1 });
    str_free(&key);
    Object *o = mem_new(&vm->mem, OBJECT_HEAP, id, size, 16, payload_new(&vm->mem, size));
    o->name = ir_string((IrProgram *)vm->program, name);
    sym_fill_input(vm, o, 0, object, (uint32_t)size);
    return sym_input_use(vm, object, VM_INPUT_POINTEE, NULL, (uint32_t)size);
}

static bool decide(Vm *vm, Expr pointer, const Shape *shapes, uint32_t n, uint32_t *chosen)
{
    ExprPool *p = vm->sym->pool;
    uint64_t value = (uint64_t)sym_eval(vm, pointer);
    Expr holds = EXPR_NONE, none = EXPR_TRUE;
    for (uint32_t i = 0; i < n; i++) {
        Expr is = expr_eq(p, pointer, expr_const(p, 64, shapes[i].address));
        none = expr_and(p, none, expr_not(p, is));
        if (shapes[i].address == value) {
            holds = is;
            *chosen = i;
        } else {
            sym_offer(vm, (VmAlternative){ .condition = is, .is_fault = i == 0, .fault = VM_FAULT_NULL_DEREF,
                                           .fn = IR_NONE, .block = IR_NONE });
        }
    }
    bool fits = !expr_is_none(holds);
    sym_decide(vm, VM_DECISION_INPUT, fits ? holds : none, IR_NONE);
    return fits ? true : vm_end(vm, VM_END_ASSUMPTION);
}

static bool follow(Vm *vm, Expr pointer, uint32_t input, uint32_t offset, uint64_t constant, uint64_t n)
{
    struct Sym *s = vm->sym;
    Str name = { 0 };
    Shape shapes[SHAPES_MOST] = { { 0, IR_NONE } };
    uint32_t count = 1, chosen = 0, fresh = 0, most = s->options.pointer_candidates;
    uint64_t size = pointee_size(vm, input, constant, n);
    pointee_name(vm, input, offset, &name);
    uint64_t id = hash_mix(hash_bytes(str_text(&name), name.n), OBJECT_HEAP);
    if (pointees(s->trace) < s->options.inputs.pointer_objects && mem_fits(&vm->mem, size)) {
        fresh = count;
        shapes[count++] = (Shape){ mem_place(&vm->mem, OBJECT_HEAP, id, size, 16), IR_NONE };
    } else {
        ledger_add(s->ledger, LEDGER_OBJECTS, vm_user_site(vm), " at %u", s->options.inputs.pointer_objects);
    }
    most = count + (most && most < SHAPES_MOST - 2 ? most : 16);
    count = aliases(vm, size, shapes, count, most);
    bool ok = decide(vm, pointer, shapes, count, &chosen);
    if (ok && chosen) {
        uint32_t target = chosen == fresh ? make_pointee(vm, str_text(&name), id, size) : shapes[chosen].target;
        vec_push(&s->trace->links, (VmInputLink){ input, offset, target, 0 });
    }
    str_free(&name);
    return ok;
}

bool sym_lazy(Vm *vm, Expr pointer, uint64_t constant, uint64_t n)
{
    uint32_t input, offset;
    if (!pointer_of(vm, pointer, &input, &offset))
        return true;
    return follow(vm, pointer, input, offset, constant, n);
}
