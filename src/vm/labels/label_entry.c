/* label_entry.c - what an entry function shows when it returns: its result, and whatever of its caller's it
 * may write.
 *
 * The caller's are the program's variables and the objects behind the pointers of the inputs. Which of them
 * count is the static analysis's answer for the function, never what this run did. An object that no run made
 * has no bytes to show: that it was not written depends on what its class's log says. */
#include "vm/labels/label_int.h"

enum { ENTRY_BYTES = 1 << 16 }; /* of one variable that are shown */

static void show(Vm *vm, const char *name, uint32_t first, bool unchanged, VmLabel l)
{
    VmTrace *t = vm->sym->trace;
    VmOutput out = {.index = hash_bytes(name, strlen(name)) | 1,
                    .stream = VM_OUTPUT_ENTRY,
                    .name = name,
                    .first = first,
                    .n = t->output_bytes.n - first,
                    .unchanged = unchanged,
                    .site = vm->program->fns.v[vm->sym->entry].site,
                    .label = label_here(vm, l)};
    vec_push(&t->outputs, out);
}

/* The input that a variable was at first; NULL: it had the value that the program gives it. */
static const VmInputUse *input_of(const Vm *vm, const char *name)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->inputs.n; i++)
        if (t->inputs.v[i].origin == VM_INPUT_GLOBAL &&
            !strcmp(expr_object_info(vm->sym->pool, t->inputs.v[i].object)->name, name))
            return &t->inputs.v[i];
    return NULL;
}

/* Does a variable hold what it held at first? */
static bool is_initial(const Vm *vm, const IrGlobal *g, const Expr *bytes, uint32_t n)
{
    const Payload *image = vm->images[g - vm->program->globals.v];
    const VmInputUse *input = input_of(vm, ir_text(vm->program, g->name));
    bool same = image != NULL;
    for (uint32_t i = 0; i < n && same; i++)
        same = input ? expr_same(bytes[i], expr_object_byte(vm->sym->pool, input->object, i))
                     : expr_is_value(vm->sym->pool, bytes[i], image->bytes[i]);
    return same;
}

static void show_object(Vm *vm, const char *name, Object *o, const IrGlobal *global)
{
    VmTrace *t = vm->sym->trace;
    uint32_t first = t->output_bytes.n;
    if (!o->payload || o->death != DEATH_NONE)
        return;
    for (uint64_t i = 0; i < o->size && i < ENTRY_BYTES; i++) {
        if (o->undef && o->undef[i])
            vec_push(&t->uninitialised, t->output_bytes.n);
        vec_push(&t->output_bytes, o->shape ? sym_shape_byte(vm, o, i) : sym_byte_or_const(vm, o, i));
    }
    bool unchanged = global ? is_initial(vm, global, t->output_bytes.v + first, t->output_bytes.n - first)
                            : o->pointee && !o->written;
    show(vm, name, first, unchanged, label_unite(vm, label_get(vm, o, 0, o->size), label_state(vm, o)));
}

/* Parts of a structure that is returned in registers stand where its members do: each is aligned. */
static void align_result(VmTrace *t, uint32_t first, unsigned bytes, ExprPool *p)
{
    unsigned align = 1;
    while (align < bytes)
        align *= 2;
    while ((t->output_bytes.n - first) % align)
        vec_push(&t->output_bytes, expr_const(p, 8, 0));
}

static void show_result(Vm *vm, const Reg *regs, const uint32_t *list, VmLabel popped)
{
    VmTrace *t = vm->sym->trace;
    ExprPool *p = vm->sym->pool;
    const IrFn *ir = &vm->program->fns.v[vm->sym->entry];
    uint32_t first = t->output_bytes.n;
    VmLabel l = popped;
    for (uint32_t i = 0; i < list[0]; i++) {
        Expr e = sym_reg(vm, regs, list[1 + i]);
        unsigned bytes = (ir->regs.v[list[1 + i]].width + 7u) / 8;
        if (expr_is_none(e))
            e = expr_const(p, ir->regs.v[list[1 + i]].width, vm_reg_value(vm, regs, list[1 + i]));
        align_result(t, first, bytes, p);
        for (unsigned k = 0; k < bytes; k++)
            vec_push(&t->output_bytes, expr_extract(p, expr_zext(p, e, 8 * bytes), 8 * k, 8));
        l = label_unite(vm, l, label_ir_reg(vm, regs, list[1 + i]));
    }
    if (list[0])
        show(vm, "return", first, false, l);
}

/* Which kinds of objects the function may write. */
typedef struct Writes {
    BitSet globals;
    bool pointees, everything;
} Writes;

static void gather(Vm *vm, Writes *w)
{
    FlowPlaces places = flow_fn_writes(vm->now.flow, vm->sym->entry);
    for (uint32_t i = 0; i < places.n; i++) {
        if (places.v[i].param != IR_NONE) {
            w->pointees = true;
            continue;
        }
        const FlowObject *o = flow_object(vm->now.flow, places.v[i].object);
        w->everything |= o->kind == FLOW_ANY;
        w->pointees |= o->kind == FLOW_LAZY;
        if (o->kind == FLOW_GLOBAL)
            bitset_add(&w->globals, o->index);
    }
}

static VmLabel logged(Vm *vm, uint32_t class)
{
    VmLabel l = LABEL_NONE;
    for (const LabelShare *share = NULL; (share = label_next_news(vm->lab, class, 0, share));)
        l = label_unite(vm, l, label_news(vm, share, 0));
    return l;
}

/* Of a stream that was read its caller sees how far; what was written there is shown already. */
static void show_stream(Vm *vm, Object *o, int64_t position)
{
    VmTrace *t = vm->sym->trace;
    uint32_t first = t->output_bytes.n;
    char name[128];
    snprintf(name, sizeof name, "ftell(%.110s)", vm_name_text(vm, o->name) + 1);
    for (unsigned i = 0; i < 4; i++)
        vec_push(&t->output_bytes, expr_const(vm->sym->pool, 8, (uint8_t)(position >> 8 * i)));
    show(vm, vm_name_text(vm, vm_name_add(vm, name)), first, !position,
         label_unite(vm, label_get(vm, o, 0, o->size), vm->lab->streams[FLOW_FILES]));
}

/* Objects of the caller that the run freed; that others were not depends on their state. */
static void show_freed(Vm *vm)
{
    const Mem *m = &vm->mem;
    VmTrace *t = vm->sym->trace;
    if (m->ngraves > GRAVES)
        ledger_add(vm->sym->ledger, LEDGER_UNSUPPORTED, vm->program->fns.v[vm->sym->entry].site,
                   "so many objects are freed that not all are remembered");
    for (uint32_t i = 0; i < m->ngraves && i < GRAVES; i++) {
        const Grave *g = &m->graves[i];
        uint32_t first = t->output_bytes.n;
        char name[256];
        if (!g->pointee || g->death != DEATH_FREE)
            continue;
        snprintf(name, sizeof name, VM_OUTPUT_FREED "%.240s)", vm_name_text(vm, g->name) + 1);
        vec_push(&t->output_bytes, expr_const(vm->sym->pool, 8, 1));
        show(vm, vm_name_text(vm, vm_name_add(vm, name)), first, false, (VmLabel){g->state});
    }
}

static void show_pointees(Vm *vm)
{
    const Mem *m = &vm->mem;
    for (uint32_t i = 0; i < m->ncells; i++) {
        Object *o = m->cells[i].slot && m->cells[i].object->pointee ? m->cells[i].object : NULL;
        int64_t position = o ? vm_sym_stream_position(vm, o) : VM_NO_STREAM;
        if (o && position > VM_STREAM_WRITTEN && o->payload && o->death == DEATH_NONE)
            show_stream(vm, o, position);
        else if (o && position == VM_NO_STREAM)
            show_object(vm, vm_name_text(vm, o->name), o, NULL);
    }
    uint32_t lazy = flow_object_of_lazy(vm->now.flow);
    VmLabel unmade = label_unite(vm, logged(vm, lazy), logged(vm, FLOW_OBJECT_ANY));
    if (vm->sym->options.reached) {
        show_freed(vm);
        unmade = label_unite(vm, unmade, logged(vm, flow_state_of(lazy)));
        unmade = label_unite(vm, unmade, logged(vm, flow_state_of(FLOW_OBJECT_ANY)));
    }
    show(vm, "", vm->sym->trace->output_bytes.n, true, unmade);
}

/* A structure that is returned in memory. */
static void show_returned(Vm *vm, const Reg *regs)
{
    const IrFn *ir = &vm->program->fns.v[vm->sym->entry];
    for (uint32_t i = 0; i < ir->nparams; i++) {
        if (ir_param(ir, i).kind != IR_PARAM_SRET)
            continue;
        Object *o = mem_find(&vm->mem, REG(regs, FRAME(regs)->fn->slots[i])->word);
        if (o)
            show_object(vm, "return", o, NULL);
    }
}

/* ---- what was made and can be reached -------------------------------------------------------- */

void vm_reached_name(const char *name, uint32_t offset, char *out, size_t size)
{
    if (offset)
        snprintf(out, size, "*(%s + %u)", name, offset);
    else
        snprintf(out, size, "*%s", name);
}

/* An object of the run's own, or text that is never written. */
static bool is_reachable(const Vm *vm, const Object *o, uint64_t address)
{
    bool made = o && o->kind == OBJECT_HEAP && !o->pointee && !o->foreign;
    bool text = o && o->kind == OBJECT_GLOBAL && o->constant && !vm->program->globals.v[o->index].runtime;
    return (made || text) && o->base == address && o->death == DEATH_NONE;
}

/* One of several addresses, chosen by the input: which of them is not followed. */
static bool may_be_made(Vm *vm, Expr word)
{
    enum { LEAVES = 64 };
    u128 leaves[LEAVES];
    uint32_t n = 0;
    bool made = false;
    if (expr_is_const(vm->sym->pool, word) || expr_op(vm->sym->pool, word) != EXPR_ITE ||
        !sym_leaves(vm->sym->pool, word, leaves, &n, LEAVES))
        return false;
    for (uint32_t i = 0; i < n && !made; i++) {
        const Object *o = mem_find(&vm->mem, (uint64_t)leaves[i]);
        made = is_reachable(vm, o, (uint64_t)leaves[i]) && o->kind == OBJECT_HEAP;
    }
    return made;
}

static void show_reached_from(Vm *vm, VmOutput from, Map *seen)
{
    enum { OBJECTS_MOST = 256, NAME_MOST = 200 };
    VmTrace *t = vm->sym->trace;
    char name[NAME_MOST + 32];
    for (uint32_t i = 0; i + 8 <= from.n; i += 8) {
        Expr word = expr_concat_bytes(vm->sym->pool, t->output_bytes.v + from.first + i, 8);
        uint64_t address =
            expr_is_const(vm->sym->pool, word) ? (uint64_t)expr_const_value(vm->sym->pool, word) : 0;
        Object *o = address ? mem_find(&vm->mem, address) : NULL;
        bool several = may_be_made(vm, word);
        if (!several && (!is_reachable(vm, o, address) || !map_add(seen, address, 1)))
            continue;
        if (several || seen->n > OBJECTS_MOST || strlen(from.name) > NAME_MOST) {
            ledger_add(vm->sym->ledger, LEDGER_UNSUPPORTED, vm->program->fns.v[vm->sym->entry].site,
                       "objects behind a result of which not all are looked at");
            continue;
        }
        vm_reached_name(from.name, i, name, sizeof name);
        show_object(vm, vm_name_text(vm, vm_name_add(vm, name)), o, NULL);
    }
}

static void show_reached(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    Map seen = {0};
    for (uint32_t i = 0; i < t->outputs.n; i++)
        if (t->outputs.v[i].stream == VM_OUTPUT_ENTRY && t->outputs.v[i].n)
            show_reached_from(vm, t->outputs.v[i], &seen);
    map_free(&seen);
}

void vm_label_entry(Vm *vm, const Reg *regs, const uint32_t *list, uint64_t popped)
{
    Writes w = {0};
    vm->sym->busy++;
    show_result(vm, regs, list, label_of(popped));
    show_returned(vm, regs);
    gather(vm, &w);
    for (uint32_t i = 0; i < vm->program->globals.n; i++) {
        const IrGlobal *g = &vm->program->globals.v[i];
        bool seen =
            !g->runtime ||
            vm->sym->options
                .reached; /* libc's state (errno, how much of stdin was read) is what a caller finds next */
        if (g->defined && seen && !g->constant && (w.everything || bitset_has(&w.globals, i)))
            show_object(vm, ir_text(vm->program, g->name), &vm->globals[i], g);
    }
    if (w.pointees || w.everything)
        show_pointees(vm);
    if (vm->sym->options.reached)
        show_reached(vm);
    bitset_free(&w.globals);
    vm->sym->busy--;
}
