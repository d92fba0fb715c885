/* sym_lazy.c - objects behind the pointers of inputs, made when the pointer is followed.
 *
 * Eight bytes of a parameter, a freed global or another such object that are used as an address are a
 * pointer. Its shape is then decided: null, a fresh object of symbolic content, or the same object as an
 * earlier pointer's. An object is named by the way to it (*p, *(p->+8)), and its address follows from its
 * name, so "the pointer leads to it" is a condition on the input like any other. No input but these shapes is
 * of interest: the rest counts as an assumption.
 *
 * Without types, how large an object is follows from how the code uses the pointer (sym_extent.c). */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

/* ---- which pointer --------------------------------------------------------------------------- */

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
    return origin == VM_INPUT_PARAMETER || origin == VM_INPUT_POINTEE || origin == VM_INPUT_GLOBAL ||
           origin == VM_INPUT_RESULT;
}

bool sym_lazy_is(Vm *vm, Expr e)
{
    uint32_t input, offset;
    return pointer_of(vm, e, &input, &offset);
}

bool sym_lazy_is_number(Vm *vm, Expr e)
{
    uint32_t input, offset;
    return sym_shape_typed(vm) && pointer_of(vm, e, &input, &offset) &&
           sym_type_is_number(vm, vm->sym->trace->inputs.v[input].object, offset);
}

uint32_t sym_lazy_shape(Vm *vm, Expr e)
{
    const ExprPool *p = vm->sym->pool;
    uint32_t input, offset;
    if (!expr_is_none(e) && expr_op(p, e) == EXPR_ADD) /* some bytes away from it */
        e = expr_child(p, e, expr_is_const(p, expr_child(p, e, 0)) ? 1 : 0);
    return !expr_is_none(e) && pointer_of(vm, e, &input, &offset) ? sym_shape_of(vm, input, offset) : 0;
}

/* The name of what the pointer at `offset` of an input leads to. */
static void pointee_name(Vm *vm, uint32_t input, uint32_t offset, Str *out)
{
    const VmInputUse *use = &vm->sym->trace->inputs.v[input];
    const char *name = expr_object_info(vm->sym->pool, use->object)->name;
    if (use->origin != VM_INPUT_POINTEE && use->size == 8)
        str_printf(out, "*%s", name);
    else if (use->origin != VM_INPUT_POINTEE)
        str_printf(out, "*(%s+%u)", name, offset);
    else
        str_printf(out, "*(%s->+%u)", name + 1, offset);
}

void sym_pointee_path(Vm *vm, uint32_t input, uint32_t offset, Str *out)
{
    Str name = {0};
    pointee_name(vm, input, offset, &name);
    str_add(out, str_text(&name) + 1);
    str_free(&name);
}

static void extend(SymExtent *to, SymExtent by)
{
    to->need = by.need > to->need ? by.need : to->need;
    to->guess = by.guess > to->guess ? by.guess : to->guess;
    to->kept |= by.kept;
}

/* A structure is used in part, so what is needed at constant offsets is rounded up; elements are as many as
 * asked for. A pointer to a byte or a number that is kept somewhere, or was, may be one to many. `unit` is
 * how large the only place is that is used, 0 if there are several. */
static uint64_t pointee_size(Vm *vm, uint32_t input, uint64_t constant, uint64_t n, uint32_t *unit)
{
    const VmInputUse *use = &vm->sym->trace->inputs.v[input];
    uint32_t reg = sym_root(vm), param = IR_NONE;
    SymExtent e = {.kept = true};
    if (reg != IR_NONE)
        extend(&e, sym_extent(vm, FRAME(vm->regs)->fn->index, reg));
    if (use->origin == VM_INPUT_PARAMETER && vm->sym->entry != IR_NONE)
        param = sym_entry_register(vm, input);
    if (param != IR_NONE) {
        SymExtent all = sym_extent(vm, vm->sym->entry, param);
        extend(&e, all);
        e.kept = all.kept; /* all that becomes of it shows there */
    }
    if ((!e.need && !e.guess) || (e.kept && e.need <= n && n < 8))
        sym_extent_raise(&e.guess, 0, sym_extent_elements(vm) * (n < 8 ? n : 8));
    if ((int64_t)constant > 0)
        sym_extent_raise(&e.need, constant, n);
    sym_extent_raise(&e.need, 0, n);
    *unit = e.guess || e.need > n ? 0 : e.need;
    uint32_t need = e.guess >= e.need ? e.need : (e.need + 7) / 8 * 8;
    return need > e.guess ? need : e.guess;
}

/* ---- the decision ---------------------------------------------------------------------------- */

typedef struct Shape {
    uint64_t address;
    uint32_t target, delta; /* input, IR_NONE: null or fresh; bytes behind its start */
    Expr range;             /* what else must hold; EXPR_NONE: nothing */
} Shape;

enum { SHAPES_MOST = 34 };

static uint32_t entry_site(const Vm *vm)
{
    return vm->sym->entry == IR_NONE ? IR_NONE : vm->program->fns.v[vm->sym->entry].site;
}

static uint64_t link_base(Vm *vm, const VmInputLink *link)
{
    Expr pointer =
        expr_object_word(vm->sym->pool, vm->sym->trace->inputs.v[link->input].object, link->offset, 8);
    return (uint64_t)sym_eval(vm, pointer) - link->delta;
}

/* Earlier objects that are large enough, by the pointers that lead to them; others are remembered as not
 * tried. The pointer may stand inside one if the code compared it; that is not tried otherwise. */
static uint32_t aliases(Vm *vm, uint64_t value, uint64_t size, Shape *out, uint32_t n, uint32_t most)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->links.n; i++) {
        const VmInputLink *link = &t->links.v[i];
        uint64_t base = link_base(vm, link);
        uint32_t room = t->inputs.v[link->target].size;
        bool seen = false, inside = value > base && value - base < room;
        for (uint32_t k = 0; k < n; k++)
            seen |= out[k].target == link->target && out[k].delta == (inside ? value - base : 0);
        if (seen)
            continue;
        if (inside)
            out[n++] = (Shape){.address = value, .target = link->target, .delta = (uint32_t)(value - base)};
        else if (n < most && (room >= size || base == value))
            out[n++] = (Shape){.address = base, .target = link->target};
        else
            map_put(&vm->sym->untried, t->inputs.v[link->target].object.id, 1);
        if (n == SHAPES_MOST)
            break;
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

/* Is there the object that is named so? With labels a pointer is decided again wherever it is followed. */
static bool is_made(const Vm *vm, const char *name)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->inputs.n; i++)
        if (t->inputs.v[i].origin == VM_INPUT_POINTEE &&
            !strcmp(expr_object_info(vm->sym->pool, t->inputs.v[i].object)->name, name))
            return true;
    return false;
}

static uint32_t make_pointee(Vm *vm, const char *name, uint64_t id, uint64_t size, uint32_t unit)
{
    ExprPool *p = vm->sym->pool;
    Str key = {0};
    str_printf(&key, "pointee:%s", name);
    ExprObject object = expr_object(p, str_text(&key), name, (uint32_t)size, (ExprCType){EXPR_C_CHAR, 1});
    str_free(&key);
    Object *o = mem_new(&vm->mem, OBJECT_HEAP, id, size, 16, payload_new(&vm->mem, size));
    o->name = vm_name_add(vm, name);
    o->foreign = o->pointee = true;
    if (vm->lab)
        label_born_before(vm, o);
    map_put(&vm->sym->units, object.id, unit);
    sym_fill_input(vm, o, 0, object, (uint32_t)size);
    return sym_input_use(vm, object, VM_INPUT_POINTEE, NULL, (uint32_t)size);
}

/* `null`: the fault if it is the first, which is null; VM_FAULT_COUNT: none. */
static bool decide(Vm *vm, Expr pointer, VmFaultKind null, const Shape *shapes, uint32_t n, uint32_t *chosen)
{
    ExprPool *p = vm->sym->pool;
    uint64_t value = (uint64_t)sym_eval(vm, pointer);
    Expr holds = EXPR_NONE, none = EXPR_TRUE;
    for (uint32_t i = 0; i < n; i++) {
        Expr is = expr_eq(p, pointer, expr_const(p, 64, shapes[i].address));
        bool in_range = expr_is_none(shapes[i].range) || expr_eval_true(vm->sym->eval, shapes[i].range);
        if (!expr_is_none(shapes[i].range))
            is = expr_and(p, is, shapes[i].range);
        none = expr_and(p, none, expr_not(p, is));
        if (shapes[i].address == value && in_range) {
            holds = is;
            *chosen = i;
        } else {
            sym_add_alternative(vm, (VmAlternative){.condition = is,
                                                    .is_fault = i == 0 && null != VM_FAULT_COUNT,
                                                    .fault = null,
                                                    .fn = IR_NONE,
                                                    .block = IR_NONE});
        }
    }
    bool fits = !expr_is_none(holds);
    const Object *hit = fits ? NULL : mem_find(&vm->mem, value);
    if (hit && !sym_shape_typed(vm) && hit->death == DEATH_NONE && hit->payload &&
        value - hit->base < hit->size)
        ledger_add(vm->sym->ledger, LEDGER_ALIAS, vm_user_site(vm), " that is one of the program's own");
    if (!fits && vm_fn_at(vm, value))
        ledger_add(vm->sym->ledger, LEDGER_UNSUPPORTED, vm_user_site(vm),
                   "a function of the program behind a pointer of the entry");
    sym_decide(vm, VM_DECISION_INPUT, fits ? holds : none, IR_NONE);
    return fits ? true : vm_end(vm, VM_END_ASSUMPTION);
}

/* Two pointers may lead to places of one object in more ways than are tried: into an array, or to a member of
 * a structure. Without types p[1] looks like p->b, so only objects with one place of one size do not; what is
 * true of all only shows if there is a write to it. */
static void overlap_untried(Vm *vm)
{
    const VmTrace *t = vm->sym->trace;
    uint64_t first = 0, unit = 0;
    bool possible = false;
    for (uint32_t i = 0; i < t->links.n; i++) {
        map_get(&vm->sym->units, t->inputs.v[t->links.v[i].target].object.id, &unit);
        first = i ? first : unit;
        possible |= !unit || unit != first;
    }
    if (possible)
        ledger_add(vm->sym->ledger, LEDGER_ALIAS, entry_site(vm), " at another place of it");
}

void vm_sym_pointee_written(Vm *vm, Object *o)
{
    o->written = true;
    if (!sym_shape_typed(vm) && vm->sym->trace && vm->sym->trace->links.n > 1)
        overlap_untried(vm);
}

/* Its size is ours, not the caller's. */
void vm_sym_pointee_left(Vm *vm, const Object *o)
{
    if (sym_shape_typed(vm))
        return; /* that is said of every answer, and of the fault */
    ledger_add(vm->sym->ledger, LEDGER_EXTENT, vm_user_site(vm), " %llu byte%s", (unsigned long long)o->size,
               o->size == 1 ? "" : "s");
}

/* Was an object behind a pointer written to, or freed? */
static bool any_written(Vm *vm)
{
    const VmTrace *t = vm->sym->trace;
    bool written = false;
    for (uint32_t i = 0; i < t->links.n; i++) {
        const Object *o = mem_find(&vm->mem, link_base(vm, &t->links.v[i]));
        written |= !o || o->death != DEATH_NONE || o->written;
    }
    return written;
}

static const VmInputLink *link_of(const VmTrace *t, uint32_t input, uint32_t offset)
{
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].input == input && t->links.v[i].offset == offset)
            return &t->links.v[i];
    return NULL;
}

static void link_to(Vm *vm, VmInputLink link)
{
    bool written = any_written(vm);
    if (link_of(vm->sym->trace, link.input, link.offset))
        return;
    vec_push(&vm->sym->trace->links, link);
    if (written && !sym_shape_typed(vm))
        overlap_untried(vm);
}

/* To which objects a pointer may lead depends on where the pointers before it have led, null among them, and
 * on which were followed at all. One that was followed before leads where it led: what that depended on
 * counts, since here other objects may be alternatives. */
static void depend_on_links(Vm *vm, const VmInputLink *link)
{
    if (vm->lab && link)
        label_own(vm, link->label);
    else if (vm->lab)
        label_follow(vm);
}

/* What is known of an object's size beforehand. */
static uint64_t told_size(const Vm *vm, const char *name, uint64_t size)
{
    const VmInputs *in = &vm->sym->options.inputs;
    for (uint32_t i = 0; i < in->nextents; i++)
        if (!strcmp(in->extents[i].name, name))
            return in->extents[i].bytes;
    return size;
}

static bool follow(Vm *vm, Expr pointer, uint32_t input, uint32_t offset, uint64_t constant, uint64_t n)
{
    struct Sym *s = vm->sym;
    Str name = {0};
    Shape shapes[SHAPES_MOST] = {{.target = IR_NONE}};
    uint32_t count = 1, chosen = 0, fresh = 0, most = s->options.pointer_candidates;
    uint32_t unit;
    uint64_t size = pointee_size(vm, input, constant, n, &unit);
    pointee_name(vm, input, offset, &name);
    size = told_size(vm, str_text(&name), size);
    uint64_t id = hash_mix(hash_bytes(str_text(&name), name.n), OBJECT_HEAP);
    bool made = is_made(vm, str_text(&name));
    if (!made && pointees(s->trace) < s->options.inputs.pointer_objects && mem_fits(&vm->mem, size)) {
        fresh = count;
        shapes[count++] =
            (Shape){.address = mem_place(&vm->mem, OBJECT_HEAP, id, size, 16), .target = IR_NONE};
    } else if (!made) {
        ledger_add(s->ledger, LEDGER_OBJECTS, vm_user_site(vm), " at %u", s->options.inputs.pointer_objects);
    }
    most = count + (most && most < SHAPES_MOST - 3 ? most : 16);
    count = aliases(vm, (uint64_t)sym_eval(vm, pointer), size, shapes, count, most);
    const VmInputLink *link = link_of(s->trace, input, offset);
    depend_on_links(vm, link);
    bool ok = decide(vm, pointer, VM_FAULT_NULL_DEREF, shapes, count, &chosen);
    if (vm->lab && !link)
        label_followed(vm);
    if (ok && chosen) {
        uint32_t target =
            chosen == fresh ? make_pointee(vm, str_text(&name), id, size, unit) : shapes[chosen].target;
        if (chosen == fresh)
            sym_describe_pointee(vm, s->trace->inputs.v[target].object, s->trace->inputs.v[input].object,
                                 offset, shapes[chosen].address);
        VmLabel label = vm->lab ? label_here(vm, label_made(vm)) : LABEL_NONE;
        link_to(vm, (VmInputLink){input, offset, target, shapes[chosen].delta, label});
    }
    str_free(&name);
    return ok;
}

/* ---- by types: null, or an object of its own ------------------------------------------------- */

static uint64_t typed_id(const Vm *vm, const SymShape *s)
{
    const char *key = expr_object_info(vm->sym->pool, s->object)->key;
    return hash_mix(hash_bytes(key, strlen(key)), OBJECT_HEAP);
}

static uint32_t make_typed(Vm *vm, const SymShape *s, uint64_t id)
{
    Object *o = mem_new(&vm->mem, OBJECT_HEAP, id, s->size, 16, payload_new(&vm->mem, s->size));
    const char *name = expr_object_info(vm->sym->pool, s->object)->name;
    o->name = vm_name_add(vm, name);
    o->foreign = o->pointee = true;
    o->shape = (uint32_t)(s - vm->sym->shapes.v) + 1;
    o->limited = !expr_is_none(s->limit);
    if (vm->lab)
        label_born_before(vm, o);
    if (s->kind == SHAPE_CALLBACK)
        return sym_input_use(vm, s->object, VM_INPUT_CALLBACK, sym_callback_letter(vm, s->returns), s->size);
    if (s->kind == SHAPE_STREAM)
        return sym_stream_make(vm, o) ? sym_input_use(vm, s->object, VM_INPUT_STREAM, NULL, 0) : IR_NONE;
    map_put(&vm->sym->units, s->object.id, s->most == 1 ? s->unit : 0);
    sym_fill_input(vm, o, 0, s->object, s->filled);
    mem_refresh(o);
    return sym_input_use(vm, s->object, VM_INPUT_POINTEE, NULL, s->size);
}

/* May a pointer to the one be a pointer to the other? */
static bool of_one_type(const SymShape *is, const SymShape *other)
{
    return is->type && other->type == is->type && other->kind == is->kind && other->size >= is->size &&
           (is->kind != SHAPE_COUNTED || expr_same(other->limit, is->limit));
}

/* Objects of earlier pointers (before its own, where it has led somewhere) that are of the same shape. */
static uint32_t typed_aliases(Vm *vm, const SymShape *is, const VmInputLink *own, Shape *out, uint32_t n)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->links.n && n < SHAPES_MOST; i++) {
        const VmInputLink *link = &t->links.v[i];
        ExprObject object = t->inputs.v[link->target].object;
        uint32_t shape = (uint32_t)map_get_or(&vm->sym->shape_behind, object.id, 0);
        const SymShape *other = shape ? sym_shape_at(vm, shape) : NULL;
        bool seen = !other || object.id == is->object.id || is->kind == SHAPE_CALLBACK ||
                    is->kind == SHAPE_STREAM || is->opaque;
        for (uint32_t k = 0; k < n; k++)
            seen |= out[k].target == link->target;
        if (!seen && of_one_type(is, other))
            out[n++] = (Shape){.address = link_base(vm, link),
                               .target = link->target,
                               .range = is->kind == SHAPE_COUNTED ? is->range : EXPR_NONE};
        if (link == own)
            break;
    }
    return n;
}

/* Where the pointer leads depends on no other pointer, unless two may be the same: its label is that of the
 * decision alone. */
static bool follow_typed(Vm *vm, Expr pointer, VmFaultKind null, uint32_t input, uint32_t offset)
{
    struct Sym *s = vm->sym;
    uint32_t shape = sym_shape_of(vm, input, offset), chosen = 0, n = 1, fresh = 0;
    SymShape is = *sym_shape_at(vm, shape);
    const VmInputLink *link = link_of(s->trace, input, offset);
    uint64_t id = typed_id(vm, &is);
    uint64_t place = mem_place(&vm->mem, OBJECT_HEAP, id, is.size, 16);
    bool own = link && s->trace->inputs.v[link->target].object.id == is.object.id;
    Shape shapes[SHAPES_MOST] = {{.target = IR_NONE}};
    s->last_shape = shape;
    sym_shape_assumed(vm, shape);
    if (is.fits && mem_fits(&vm->mem, is.size)) {
        fresh = n;
        shapes[n++] = (Shape){.address = own ? link_base(vm, link) : place,
                              .target = own ? link->target : IR_NONE,
                              .range = is.range};
        if (!expr_is_none(is.negative)) { /* the same, with a length that makes no sense */
            shapes[n] = shapes[fresh];
            shapes[n++].range = is.negative;
        }
    }
    if (s->options.inputs.aliases || s->options.inputs.alike)
        ledger_shape_aliases(s->ledger);
    if (s->options.inputs.aliases) {
        n = typed_aliases(vm, &is, link, shapes, n);
        depend_on_links(vm, link);
    }
    bool ok = decide(vm, pointer, null, shapes, n, &chosen);
    if (vm->lab && s->options.inputs.aliases && !link)
        label_followed(vm);
    if (!ok)
        return false;
    if (fresh && chosen == fresh + 1 && !expr_is_none(is.negative))
        chosen = fresh;
    if (chosen && is.opaque)
        return vm_end_unsupported(vm, "%s", is.opaque);
    if (chosen && !link) {
        ExprObject parent = s->trace->inputs.v[input].object;
        uint32_t target =
            chosen == fresh ? make_typed(vm, sym_shape_at(vm, shape), id) : shapes[chosen].target;
        if (target == IR_NONE)
            return false;
        if (chosen == fresh && is.kind != SHAPE_STREAM)
            sym_describe_pointee(vm, is.object, parent, offset, place);
        VmLabel label = vm->lab ? label_here(vm, label_made(vm)) : LABEL_NONE;
        vec_push(&s->trace->links, (VmInputLink){input, offset, target, 0, label});
    }
    return true;
}

/* Do all decisions that the fault depends on come out the same with this input? Then it fails alike. Without
 * labels it may depend on every decision. */
static bool fails_alike(const Vm *vm, const ExprInput *input)
{
    const ExprPool *p = vm->sym->pool;
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->decisions.n; i++)
        if ((!vm->lab || expr_set_has(p, t->ending, i)) && !expr_eval_once(p, input, t->decisions.v[i].holds))
            return false;
    return true;
}

/* Does the function fail in the same way if this pointer, too, leads to an object of its own? `input` has it
 * so afterwards. What is behind it is unknown, so nothing may depend on where it leads, unless nothing
 * followed it. That a block is lost depends on every pointer. */
static bool fails_apart(Vm *vm, const VmInputLink *l, bool followed, const SymShape *s, ExprInput *input)
{
    const VmTrace *t = vm->sym->trace;
    if (vm->result.fault == VM_FAULT_LEAK ||
        (followed && (!vm->lab || label_within(vm, l->label, t->ending))))
        return false;
    uint32_t at = expr_object_info(vm->sym->pool, t->inputs.v[l->input].object)->at + l->offset;
    uint64_t place = mem_place(&vm->mem, OBJECT_HEAP, typed_id(vm, s), s->size, 16);
    for (unsigned k = 0; k < 8; k++)
        expr_input_set_byte(input, at + k, (uint8_t)(place >> 8 * k));
    return fails_alike(vm, input);
}

/* A fault that depends on two pointers being the same is the caller's to avoid; where it does not need that,
 * a run in which they are separate shows it, too. One that does not depend on it is the function's own: of
 * runs that fail alike there may be none with separate pointers. The first `followed` links are of pointers
 * that the run followed; the others have the value of one, which a comparison may have asked for. */
static void need_separate(Vm *vm, uint32_t followed)
{
    const VmTrace *t = vm->sym->trace;
    ExprInput apart = {0};
    expr_input_copy(&apart, vm->sym->input);
    for (uint32_t k = 0; k < t->links.n && !vm->result.need[0]; k++) {
        uint32_t i = (followed + k) % t->links.n; /* of one that nothing followed it is certain: they first */
        const VmInputLink *l = &t->links.v[i];
        const SymShape *s = sym_shape_at(vm, sym_shape_of(vm, l->input, l->offset));
        ExprObject target = t->inputs.v[l->target].object;
        const ExprObjectInfo *to = expr_object_info(vm->sym->pool, target);
        uint32_t other = (uint32_t)map_get_or(&vm->sym->shape_behind, target.id, 0);
        bool same = i < followed || (!l->delta && other && of_one_type(s, sym_shape_at(vm, other)));
        if (same && s->object.id != target.id && !fails_apart(vm, l, i < followed, s, &apart))
            snprintf(vm->result.need, sizeof vm->result.need, "%.70s" VM_NEED_SEPARATE "%.60s",
                     vm_name_text(vm, s->name), to->name + 1);
    }
    expr_input_free(&apart);
}

/* Without types it is unknown what is behind it. */
static bool call_untyped(Vm *vm, Expr pointer)
{
    ExprPool *p = vm->sym->pool;
    bool is_null = !sym_eval(vm, pointer);
    Expr null = expr_eq(p, pointer, expr_const(p, 64, 0)), other = expr_not(p, null);
    sym_add_alternative(vm, (VmAlternative){.condition = is_null ? other : null,
                                            .is_fault = !is_null,
                                            .fault = VM_FAULT_BAD_CALL,
                                            .fn = IR_NONE,
                                            .block = IR_NONE});
    sym_decide(vm, VM_DECISION_INPUT, is_null ? null : other, IR_NONE);
    return is_null || vm_end_unsupported(vm, "call through a function pointer that is an input");
}

bool sym_lazy_call(Vm *vm, Expr e)
{
    uint32_t input, offset;
    if (!pointer_of(vm, e, &input, &offset) || !sym_shape_typed(vm) ||
        sym_shape_at(vm, sym_shape_of(vm, input, offset))->kind != SHAPE_CALLBACK)
        return call_untyped(vm, e);
    if (!follow_typed(vm, e, VM_FAULT_BAD_CALL, input, offset))
        return false;
    if (!sym_eval(vm, e))
        sym_need_call(vm, input, offset);
    return true;
}

bool sym_lazy_passed(Vm *vm, Expr term)
{
    uint32_t input, offset;
    if (!sym_shape_typed(vm) || !pointer_of(vm, term, &input, &offset) ||
        expr_is_const(vm->sym->pool, sym_resolved(vm, term)) ||
        sym_shape_at(vm, sym_shape_of(vm, input, offset))->kind != SHAPE_COUNTED)
        return true;
    return follow_typed(vm, term, VM_FAULT_COUNT, input, offset);
}

/* ---- pointers in an expression --------------------------------------------------------------- */

/* A pointer of an input, or to what a harness made: which of them it is is decided before it is followed. */
static bool is_choice(Vm *vm, Expr e)
{
    const ExprPool *p = vm->sym->pool;
    uint64_t address = expr_is_const(p, e) && expr_width(p, e) == 64 ? (uint64_t)expr_const_value(p, e) : 0;
    const Object *o = address ? mem_find(&vm->mem, address) : NULL;
    return o ? o->shape && sym_shape_at(vm, o->shape)->given : sym_lazy_is(vm, e);
}

/* Is a leaf of nested ites one? */
static bool has_pointer(Vm *vm, Expr e)
{
    const ExprPool *p = vm->sym->pool;
    Expr stack[64];
    uint32_t depth = 0, visited = 0;
    stack[depth++] = e;
    while (depth && ++visited < 4096) {
        e = stack[--depth];
        if (expr_op(p, e) == EXPR_ITE && depth + 2 <= COUNT_OF(stack)) {
            stack[depth++] = expr_child(p, e, 2);
            stack[depth++] = expr_child(p, e, 1);
        } else if (is_choice(vm, e)) {
            return true;
        }
    }
    return false;
}

Expr sym_lazy_leaf(Vm *vm, Expr e)
{
    ExprPool *p = vm->sym->pool;
    if (expr_op(p, e) != EXPR_ITE || !has_pointer(vm, e))
        return e;
    while (expr_op(p, e) == EXPR_ITE) {
        Expr yes = expr_child(p, e, 0), no = expr_not(p, yes);
        bool taken = expr_eval_true(vm->sym->eval, yes);
        Expr other = expr_child(p, e, taken ? 2 : 1);
        if (!sym_known(vm, taken ? yes : no)) {
            sym_add_alternative(vm, (VmAlternative){.condition = taken ? no : yes,
                                                    .is_fault = expr_is_value(p, other, 0),
                                                    .fault = VM_FAULT_NULL_DEREF,
                                                    .fn = IR_NONE,
                                                    .block = IR_NONE});
            sym_decide(vm, VM_DECISION_POINTER, taken ? yes : no, IR_NONE);
        }
        e = expr_child(p, e, taken ? 1 : 2);
    }
    return e;
}

/* A pointer with bits cleared or set: all symbols are of one word of an input. */
static bool altered_pointer(Vm *vm, Expr e, Expr *pointer)
{
    ExprPool *p = vm->sym->pool;
    ExprSet set = expr_symbols(p, e);
    uint32_t n = expr_set_size(p, set), offset, input;
    if (expr_width(p, e) != 64 || n < 6 || n > 8)
        return false;
    ExprObject object = expr_symbol_object(p, expr_symbol_of(p, expr_set_next(p, set, 0)), &offset);
    offset = offset / 8 * 8;
    if (expr_object_info(p, object)->scalar || offset + 8 > expr_object_info(p, object)->size)
        return false;
    Expr word = expr_object_word(p, object, offset, 8);
    bool altered = expr_set_subset(p, set, expr_symbols(p, word)) && pointer_of(vm, word, &input, &offset) &&
                   !(sym_shape_typed(vm) && sym_type_is_number(vm, object, offset));
    *pointer = altered ? word : *pointer;
    return altered;
}

bool sym_lazy(Vm *vm, Expr term, uint64_t constant, uint64_t n, bool *done)
{
    struct Sym *s = vm->sym;
    uint32_t input, offset;
    Expr leaf = sym_lazy_leaf(vm, term), pointer = leaf;
    *done = false;
    if (vm->lab && leaf.id != term.id)
        label_followed(vm); /* another choice leads to another pointer */
    bool altered = !pointer_of(vm, leaf, &input, &offset) && altered_pointer(vm, leaf, &pointer);
    bool is_pointer = pointer_of(vm, pointer, &input, &offset);
    if (is_pointer && sym_shape_typed(vm))
        s->last_shape = sym_shape_of(vm, input, offset);
    if (is_pointer && !expr_is_const(s->pool, sym_resolved(vm, pointer))) {
        *done = true;
        if (!(sym_shape_typed(vm) ? follow_typed(vm, pointer, VM_FAULT_NULL_DEREF, input, offset)
                                  : follow(vm, pointer, input, offset, constant, n)))
            return false;
    } else if (leaf.id == term.id && !altered) {
        return true;
    }
    *done = true;
    if (term.id != pointer.id)
        map_put(&s->equal, term.id, expr_const(s->pool, 64, sym_eval(vm, term)).id);
    return true;
}

/* ---- variables of the program ---------------------------------------------------------------- */

/* Variables of the user that code from the entry on can name. */
static void variables_find(Vm *vm)
{
    struct Sym *s = vm->sym;
    const IrProgram *program = vm->program;
    BitSet fns = {0}, globals = {0};
    uint32_t entry = s->entry != IR_NONE ? s->entry : s->main;
    s->variables_known = true;
    if (entry != IR_NONE)
        ir_fn_reachable(program, entry, &fns, &globals);
    for (uint32_t i = 0; i < program->globals.n; i++) {
        const IrGlobal *g = &program->globals.v[i];
        if (bitset_has(&globals, i) && g->defined && !g->constant && !g->runtime && g->size)
            vec_push(&s->variables, i);
    }
    bitset_free(&fns);
    bitset_free(&globals);
}

/* A pointer to an object of another size is not tried; that shows if there was a write to it. And with labels
 * if pointers are compared: that an input has one value for both may be what another decision is about, which
 * need not be combined with what fails then. */
static void sizes_untried(Vm *vm, bool written)
{
    const VmTrace *t = vm->sym->trace;
    bool shows = false, matters = written || (vm->lab && flow_compares_inputs(vm->now.flow));
    for (uint32_t i = 0; matters && i < t->links.n; i++)
        shows |= map_get(&vm->sym->untried, t->inputs.v[t->links.v[i].target].object.id, NULL);
    if (shows)
        ledger_add(vm->sym->ledger, LEDGER_ALIAS, entry_site(vm), ", which is of another size,");
}

/* Nor one to a variable of the program, which shows if the object or the variable was written. */
static void variables_untried(Vm *vm, bool written)
{
    const VmTrace *t = vm->sym->trace;
    bool shows = false;
    if (!vm->sym->variables_known)
        variables_find(vm);
    for (uint32_t i = 0; t->links.n && i < vm->sym->variables.n; i++) {
        uint32_t g = vm->sym->variables.v[i];
        shows |= written || vm->globals[g].payload != vm->images[g] || vm->globals[g].sym;
    }
    if (shows)
        ledger_add(vm->sym->ledger, LEDGER_ALIAS, entry_site(vm), ", a variable of the program,");
}

/* The object, among those that pointers of inputs lead to, in which or right behind which a word points. */
static uint32_t pointed_at(Vm *vm, uint64_t word, uint32_t nlinks, uint32_t *delta)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; word >> CLASS_SHIFT && i < nlinks; i++) {
        uint64_t base = link_base(vm, &t->links.v[i]);
        if (word - base > t->inputs.v[t->links.v[i].target].size)
            continue;
        *delta = (uint32_t)(word - base);
        return t->links.v[i].target;
    }
    return IR_NONE;
}

/* What is in a test is as long as it was in this run; a link that stood behind that is no part of it. */
static void cut_to_limits(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    uint32_t kept = 0;
    uint64_t shape;
    for (uint32_t i = 0; i < t->inputs.n; i++) {
        if (!map_get(&vm->sym->shape_behind, t->inputs.v[i].object.id, &shape))
            continue;
        const SymShape *s = sym_shape_at(vm, (uint32_t)shape);
        u128 size = expr_is_none(s->limit) ? 0 : sym_eval(vm, s->limit);
        if (s->kind == SHAPE_STREAM)
            t->inputs.v[i].size = sym_stream_size(vm, s);
        else if (!expr_is_none(
                     s->limit)) /* an array of a harness that is longer than it can be was not used */
            t->inputs.v[i].size = size <= s->size ? (uint32_t)size : 0;
    }
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].offset + 8 <= t->inputs.v[t->links.v[i].input].size)
            t->links.v[kept++] = t->links.v[i];
    t->links.n = kept;
}

void sym_lazy_finish(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    uint32_t known = t->links.n, target, delta;
    bool written = !sym_shape_typed(vm) && any_written(vm);
    if (!sym_shape_typed(vm)) {
        sizes_untried(vm, written);
        variables_untried(vm, written);
    }
    for (uint32_t i = 0; known && i < t->inputs.n; i++) {
        VmInputOrigin origin = t->inputs.v[i].origin;
        uint32_t first = expr_object_info(vm->sym->pool, t->inputs.v[i].object)->at;
        if (origin != VM_INPUT_PARAMETER && origin != VM_INPUT_POINTEE && origin != VM_INPUT_GLOBAL &&
            origin != VM_INPUT_RESULT)
            continue;
        for (uint32_t at = 0; at + 8 <= t->inputs.v[i].size; at += 8) {
            uint64_t word = 0;
            for (unsigned k = 0; k < 8; k++)
                word |= (uint64_t)expr_input_byte(vm->sym->input, first + at + k) << 8 * k;
            target = pointed_at(vm, word, known, &delta);
            if (target != IR_NONE && !link_of(t, i, at))
                vec_push(&t->links, (VmInputLink){i, at, target, delta, LABEL_NONE});
        }
    }
    if (vm->sym->options.inputs.aliases && sym_shape_typed(vm) && vm->result.ending == VM_END_FAULT)
        need_separate(vm, known);
    cut_to_limits(vm);
}
