/* sym_shape.c - what C's types say of the objects behind the entry's pointers (VM_SHAPE_TYPES).
 *
 * A shape is found once for each pointer of an input, from the program alone: its type, and the names of the
 * integers beside it. What a run did before plays no part, so that all machines of an exploration agree. A
 * shape is
 *
 *   one       an object of its type; of a structure that ends with an array [] or [1], with some elements
 * behind it string    char * without a length: up to --string characters and their NUL counted   a pointer
 * beside an integer that is named like a length: as many elements as that says, up to --elements used
 * anything else: as far as the entry uses it
 *
 * Strings and counted objects have a limit, an expression over the input. The object has room for the
 * longest; an access beyond the limit is a fault, decided at once for all lengths. What a fault at the edge
 * of a shape means is said here, too: a function that knows where its object ends must keep to that; where
 * the shape is a guess of ours, the caller may have to pass more, and NULL is his to avoid unless it is the
 * end of a list. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_shape.h"

enum {
    UNKNOWN_UNIT = 8,
    SIZE_MOST = 1 << 16,
    ANCESTORS_MOST = 64,
    ROOM = 256
}; /* elements of an array that the function fills */

bool sym_shape_typed(const Vm *vm) { return vm->sym->options.inputs.shape == VM_SHAPE_TYPES; }

const SymShape *sym_shape_at(const Vm *vm, uint32_t shape) { return &vm->sym->shapes.v[shape - 1]; }

/* ---- which shape ----------------------------------------------------------------------------- */

/* Bytes that a structure may have behind it: it ends with an array of no or one element. */
static uint64_t trailing(const Vm *vm, const IrCType *t)
{
    if (t->kind != IR_C_RECORD || !t->n)
        return 0;
    const IrCMember *last = &vm->program->cmembers.v[t->first + t->n - 1];
    const IrCType *array = sym_ctype(vm, last->type);
    uint64_t unit = array->kind == IR_C_ARRAY ? sym_ctype(vm, array->of)->size : 0;
    if (!unit || array->size > unit)
        return 0;
    return unit * vm->sym->options.inputs.elements_most - array->size;
}

/* Pointers in a structure that lead to one of its kind. */
static uint32_t links_back(const Vm *vm, uint32_t type)
{
    const IrCType *t = sym_ctype(vm, type);
    uint32_t n = 0;
    for (uint32_t i = 0; t->kind == IR_C_RECORD && i < t->n; i++) {
        const IrCType *m = sym_ctype(vm, vm->program->cmembers.v[t->first + i].type);
        n += m->kind == IR_C_POINTER && m->of == type;
    }
    return n;
}

static uint32_t intern(Vm *vm, const char *text) { return vm_name_add(vm, text); }
static const char *shape_text(const Vm *vm, uint32_t name) { return vm_name_text(vm, name); }

/* How many objects of its type there are from the parameter on, itself included; *first: the first of them,
 * 0: itself. */
static uint32_t depth_of(const Vm *vm, const SymShape *s, uint32_t *first)
{
    uint32_t depth = 1;
    *first = 0;
    for (uint32_t at = s->parent, steps = 0; at && steps < ANCESTORS_MOST;
         at = sym_shape_at(vm, at)->parent, steps++)
        if (sym_shape_at(vm, at)->type == s->type) {
            *first = at;
            depth++;
        }
    return depth;
}

/* Of what a callback returned or a driver passes again, "next()#2", the first. */
static uint32_t intern_first(Vm *vm, uint32_t name)
{
    char first[160];
    snprintf(first, sizeof first, "%.150s", shape_text(vm, name));
    first[strcspn(first, "#")] = 0;
    return intern(vm, first);
}

/* What its clause calls it: of a member of the third node of a list, the member of the first. */
static uint32_t clause_name(Vm *vm, const SymShape *s)
{
    uint32_t first;
    if (!s->parent)
        return intern_first(vm, s->name);
    const SymShape *parent = sym_shape_at(vm, s->parent);
    size_t n = strlen(shape_text(vm, parent->name));
    const char *text = shape_text(vm, s->name);
    depth_of(vm, parent, &first);
    if (!first || strncmp(text, shape_text(vm, parent->name), n))
        return s->name;
    Str canonical = {0};
    str_printf(&canonical, "%s%s", shape_text(vm, sym_shape_at(vm, first)->clause), text + n);
    uint32_t name = intern(vm, str_text(&canonical));
    str_free(&canonical);
    return name;
}

/* The way to it by offsets: two versions of a program mean the same by it, whatever they call their members.
 */
static uint32_t path_of(Vm *vm, const SymShape *s, uint32_t input, uint32_t offset)
{
    Str path = {0};
    if (s->parent)
        str_printf(&path, "(%s->+%u)", shape_text(vm, sym_shape_at(vm, s->parent)->path), offset);
    else
        sym_pointee_path(vm, input, offset, &path);
    uint32_t interned = intern(vm, str_text(&path));
    str_free(&path);
    return interned;
}

/* What several calls of a callback return has one name, but leads to objects of its own. */
static ExprObject object_of(Vm *vm, const SymShape *s, uint64_t size)
{
    Str key = {0}, name = {0};
    str_printf(&name, "*%s", shape_text(vm, s->name));
    str_printf(&key, "pointee:*%s", shape_text(vm, s->path));
    if (s->result)
        str_printf(&key, " of %s", expr_object_info(vm->sym->pool, (ExprObject){s->result - 1})->key);
    ExprObject object = expr_object(vm->sym->pool, str_text(&key), str_text(&name), (uint32_t)size,
                                    (ExprCType){EXPR_C_CHAR, 1});
    str_free(&key);
    str_free(&name);
    return object;
}

Expr sym_string_limit(Vm *vm, ExprObject object, uint32_t most)
{
    ExprPool *p = vm->sym->pool;
    Expr limit = expr_const(p, 64, most + 1);
    for (uint32_t i = most; i-- > 0;) {
        Expr nul = expr_eq(p, expr_object_byte(p, object, i), expr_const(p, 8, 0));
        limit = expr_ite(p, nul, expr_const(p, 64, i + 1), limit);
    }
    return limit;
}

/* `fields`: of the structure that holds the pointer, the one at `at`; NULL: of none. */
static void become_string(Vm *vm, SymShape *s, ExprObject parent, const IrCFieldVec *fields, uint32_t at,
                          Arena *a)
{
    const char *used = NULL;
    s->kind = SHAPE_STRING;
    s->most = vm->sym->options.inputs.string_most;
    s->filled = s->most;
    s->size = s->most + 1;
    s->object = object_of(vm, s, s->size);
    s->limit = sym_string_limit(vm, s->object, s->most);
    s->is_told = true;
    Expr within = fields ? sym_length_places(vm, parent, fields, at, a, s->limit, &used) : EXPR_TRUE;
    s->range = used ? within : EXPR_NONE;
    s->used = used ? intern(vm, used) : 0;
}

/* `least`: bytes that are there whatever the length is, as the user says; 0: none. */
static void become_counted(Vm *vm, SymShape *s, const SymLength *length, bool is_parameter, uint32_t least)
{
    ExprPool *p = vm->sym->pool;
    s->kind = SHAPE_COUNTED;
    s->most = vm->sym->options.inputs.elements_most;
    s->size = s->filled = length->most * s->unit > least ? (uint32_t)length->most * s->unit : least;
    s->object = object_of(vm, s, s->size);
    s->limit = expr_mul(p, length->n, expr_const(p, 64, s->unit));
    if (least) {
        Expr some = expr_const(p, 64, least);
        s->limit = expr_ite(p, expr_ult(p, s->limit, some), some, s->limit);
    }
    s->range = length->range;
    s->negative = length->negative;
    s->tame = is_parameter && strchr(length->name, '*') ? length->tame : EXPR_NONE;
    s->length = intern(vm, length->name);
    s->bounds = intern(vm, length->bounds);
    s->sensible = intern(vm, length->sensible);
    s->used = length->used ? intern(vm, length->used) : 0;
    s->is_told = !length->unsure;
    s->lone = !is_parameter && !length->used && !length->is_room;
    s->bounded = true;
}

static SymExtent extent_of_parameter(Vm *vm, uint32_t input)
{
    bool is_parameter =
        vm->sym->trace->inputs.v[input].origin == VM_INPUT_PARAMETER && vm->sym->entry != IR_NONE;
    uint32_t reg = is_parameter ? sym_entry_register(vm, input) : IR_NONE;
    return reg == IR_NONE ? (SymExtent){.kept = true} : sym_extent(vm, vm->sym->entry, reg);
}

/* As far as the entry uses its parameter; of a pointer that it loads, a few elements. What is written first
 * has room for more: its contents decide nothing. */
static void become_used(Vm *vm, SymShape *s, uint32_t input)
{
    SymExtent e = extent_of_parameter(vm, input);
    uint64_t guess = e.guess, least = sym_ctype(vm, s->type)->size,
             few = (uint64_t)vm->sym->options.inputs.elements_most * s->unit;
    if ((e.kept || (!e.need && !guess)) && guess < few)
        guess = few;
    bool roomy = e.filled && guess > e.need && ROOM * s->unit <= SIZE_MOST;
    if (roomy)
        guess = ROOM * s->unit;
    uint64_t size = e.need > guess ? e.need : guess;
    size = size > least ? size : least;
    s->kind = SHAPE_USED;
    s->size = s->filled = size < SIZE_MOST ? (uint32_t)((size + s->unit - 1) / s->unit * s->unit) : SIZE_MOST;
    s->most = s->size / s->unit;
    s->grows = guess && !roomy;
    s->object = object_of(vm, s, s->size);
}

const char *sym_elements_word(const Vm *vm, uint32_t type, bool one)
{
    if (sym_ctype(vm, type)->size > 1)
        return one ? "element" : "elements";
    return one ? "byte" : "bytes";
}

/* `in_object`: members_range speaks of it. */
static void counted_text(const char *name, const char *elements, const char *length, const char *used,
                         const char *bounds, bool in_object, Str *out)
{
    str_printf(out, "%s %s %s%s, %s", name, length, elements, in_object ? " (NULL: none)" : "", bounds);
    if (used)
        str_add(out, used);
}

/* Of a structure: what is assumed of its arrays and their lengths holds from the beginning, whether or not
 * they are followed; one of no elements may be NULL, and another may not. Where `noted` is set, each is a
 * clause. */
static Expr members_range(Vm *vm, const SymShape *s, bool noted)
{
    ExprPool *p = vm->sym->pool;
    Arena *a = arena_new();
    IrCFieldVec fields = {0};
    Expr all = EXPR_TRUE;
    ir_ctype_fields(vm->program, s->type, shape_text(vm, s->clause), true, sym_ctype(vm, s->type)->size, a,
                    &fields);
    for (uint32_t i = 0; i < fields.n; i++) {
        SymLength length = {0};
        if (fields.v[i].kind == IR_C_POINTER && !fields.v[i].to_function)
            sym_length_members(vm, s->object, &fields, i, a, &length);
        if (!length.name)
            continue;
        Expr null = expr_eq(p, sym_field_word(vm, s->object, &fields.v[i]), expr_const(p, 64, 0));
        Expr none = expr_eq(p, length.n, expr_const(p, 64, 0));
        all = expr_and(p, all, expr_and(p, length.range, expr_implies(p, null, none)));
        Str text = {0};
        if (noted) {
            counted_text(fields.v[i].text, sym_elements_word(vm, fields.v[i].of, false), length.name,
                         length.used, length.bounds, true, &text);
            ledger_shape(vm->sym->ledger, fields.v[i].text, str_text(&text), true);
        }
        str_free(&text);
    }
    vec_free(&fields);
    arena_free(a);
    return all;
}

/* The array at its end has as many elements as a member says: what is behind them is no part of it. */
static void end_at_length(Vm *vm, SymShape *s, Arena *a)
{
    ExprPool *p = vm->sym->pool;
    const IrCType *t = sym_ctype(vm, s->type);
    const IrCMember *last = &vm->program->cmembers.v[t->first + t->n - 1];
    uint64_t unit = sym_ctype(vm, sym_ctype(vm, last->type)->of)->size;
    IrCField array = {
        .low = last->low,
        .text = arena_printf(a, "%s->%s", shape_text(vm, s->clause), ir_text(vm->program, last->name))};
    IrCFieldVec fields = {0};
    SymLength length = {0};
    ir_ctype_fields(vm->program, s->type, shape_text(vm, s->clause), true, t->size, a, &fields);
    if (sym_length_trailing(vm, s->object, &fields, &array, a, &length)) {
        Expr least = expr_const(p, 64, t->size);
        Expr end =
            expr_add(p, expr_const(p, 64, last->low / 8), expr_mul(p, length.n, expr_const(p, 64, unit)));
        s->limit = expr_ite(p, expr_ult(p, end, least), least, end);
        s->range = expr_is_none(s->range) ? length.range : expr_and(p, s->range, length.range);
        s->length = intern(vm, length.name);
        s->bounds = intern(vm, length.bounds);
        s->used = length.used ? intern(vm, length.used) : 0;
        s->is_told = s->bounded = true;
        s->grows = false;
        s->lone = !length.used && !length.is_room;
    }
    vec_free(&fields);
}

/* One object, unless the entry uses its parameter as an array of them. Where all uses show, the entry must
 * keep to the one: `v[4]` at the end of a structure that declares four is no further object. */
static bool become_one(Vm *vm, SymShape *s, uint32_t input, Arena *a)
{
    const IrCType *t = sym_ctype(vm, s->type);
    SymExtent e = extent_of_parameter(vm, input);
    uint64_t more = trailing(vm, t), size = t->size + more;
    bool many = e.step >= t->size || (!more && (e.need > t->size || e.far >= t->size));
    if (size > SIZE_MOST || !t->size || many)
        return false;
    s->kind = SHAPE_ONE;
    s->most = more ? vm->sym->options.inputs.elements_most : 1;
    s->size = s->filled = (uint32_t)size;
    s->trailing = s->grows = more != 0;
    s->is_told = t->kind == IR_C_RECORD && !more && !e.kept && !e.back;
    s->object = object_of(vm, s, s->size);
    Expr range = t->kind == IR_C_RECORD ? members_range(vm, s, false) : EXPR_TRUE;
    s->range = expr_is_true(range) ? EXPR_NONE : range;
    if (more && !e.step)
        end_at_length(vm, s, a);
    return true;
}

/* As many elements as the user says there are. One alone is how some say that a pointer is not NULL. */
static bool become_declared(Vm *vm, SymShape *s, uint32_t least)
{
    if (least <= s->unit || least > SIZE_MOST || !s->type)
        return false;
    s->kind = SHAPE_USED;
    s->size = s->filled = least;
    s->most = least / s->unit;
    s->is_told = true;
    s->object = object_of(vm, s, s->size);
    return true;
}

/* A function, which is known by its address alone. */
static void become_callback(Vm *vm, SymShape *s, uint32_t returns)
{
    s->kind = SHAPE_CALLBACK;
    s->size = s->most = s->depth = 1;
    s->first = 0;
    s->fits = true;
    s->returns = returns;
    s->object = object_of(vm, s, s->size);
}

/* The places of the object that holds the pointer, and which of them it is. */
static uint32_t find_pointer(Vm *vm, ExprObject parent, uint32_t offset, Arena *a, IrCFieldVec *fields)
{
    sym_type_fields(vm, parent, a, fields);
    for (uint32_t i = 0; i < fields->n; i++)
        if (fields->v[i].low == 8ull * offset && fields->v[i].kind == IR_C_POINTER)
            return i;
    return IR_NONE;
}

/* Characters: a string, unless a second pointer says where they end, or it is that pointer, or they are
 * filled before they are read. */
static bool is_string(Vm *vm, uint32_t input, uint32_t of, bool is_parameter, bool to_const)
{
    if (is_parameter && (sym_length_has_end(vm, input, of) || sym_length_is_end(vm, input, of)))
        return false;
    return to_const || !extent_of_parameter(vm, input).filled;
}

/* A structure whose members mean nothing by themselves. */
static const char *opaque(const Vm *vm, uint32_t type)
{
    const IrCType *t = sym_ctype(vm, type);
    for (uint32_t i = 0; t->kind == IR_C_RECORD && i < t->n; i++)
        if (!strcmp(ir_text(vm->program, vm->program->cmembers.v[t->first + i].name), "reg_save_area"))
            return "a va_list as an argument of the entry";
    return NULL;
}

/* A FILE. Its input is what can be read from it. */
static void become_stream(Vm *vm, SymShape *s)
{
    s->kind = SHAPE_STREAM;
    s->most = vm->sym->options.inputs.string_most;
    s->size = sym_stream_bytes(vm);
    s->fits = true;
    s->object = object_of(vm, s, s->most ? s->most : 1);
}

/* What attributes say of a parameter. */
static IrParam declared(const Vm *vm, uint32_t input)
{
    uint32_t reg = vm->sym->entry != IR_NONE ? sym_entry_register(vm, input) : IR_NONE;
    return reg != IR_NONE ? ir_param(&vm->program->fns.v[vm->sym->entry], reg) : (IrParam){0};
}

static void decide_shape(Vm *vm, SymShape *s, uint32_t input, uint32_t offset)
{
    ExprObject parent = vm->sym->trace->inputs.v[input].object;
    bool is_parameter = sym_ctype(vm, sym_parameter_type(vm, input))->kind == IR_C_POINTER;
    Arena *a = arena_new();
    IrCFieldVec fields = {0};
    SymLength length = {0};
    uint32_t at = find_pointer(vm, parent, offset, a, &fields), first;
    Str name = {0};
    if (at != IR_NONE)
        str_add(&name, fields.v[at].text);
    else
        sym_pointee_path(vm, input, offset, &name);
    s->name = intern(vm, str_text(&name));
    s->path = path_of(vm, s, input, offset);
    s->type = at != IR_NONE ? fields.v[at].of : 0;
    const IrCType *t = sym_ctype(vm, s->type);
    s->unit = t->size && t->size < SIZE_MOST ? (uint32_t)t->size : s->type ? 1 : UNKNOWN_UNIT;
    s->clause = clause_name(vm, s);
    s->depth = depth_of(vm, s, &first);
    s->first = first;
    s->opaque = opaque(vm, s->type);
    IrParam says = is_parameter ? declared(vm, input) : (IrParam){0};
    s->nonnull = says.nonnull;
    s->handle =
        is_parameter && sym_parameter_drive(vm, input) && sym_parameter_drive(vm, input)->handle != IR_NONE;
    s->fits = s->depth <= vm->sym->options.inputs.depth_most && !s->handle;
    bool data = at != IR_NONE && !fields.v[at].to_function;
    if (ir_ctype_is_stream(vm->program, s->type))
        data = false;
    if (is_parameter && data)
        sym_length_parameter(vm, input, s->type, a, &length);
    else if (data)
        sym_length_members(vm, parent, &fields, at, a, &length);
    if (length.name && !s->type)
        s->unit = 1;
    if (at != IR_NONE && fields.v[at].to_function)
        become_callback(vm, s, fields.v[at].returns);
    else if (ir_ctype_is_stream(vm->program, s->type) && sym_stream_bytes(vm))
        become_stream(vm, s);
    else if (length.name && s->unit * length.most <= SIZE_MOST)
        become_counted(vm, s, &length, is_parameter, says.least);
    else if (become_declared(vm, s, says.least))
        ;
    else if (t->kind == IR_C_CHAR && is_string(vm, input, s->type, is_parameter, fields.v[at].to_const))
        become_string(vm, s, parent, is_parameter ? NULL : &fields, at, a);
    else if ((t->kind != IR_C_RECORD && t->kind != IR_C_POINTER && t->kind != IR_C_ARRAY) ||
             !become_one(vm, s, input, a))
        become_used(vm, s, input);
    str_free(&name);
    vec_free(&fields);
    arena_free(a);
}

uint32_t sym_shape_of(Vm *vm, uint32_t input, uint32_t offset)
{
    struct Sym *s = vm->sym;
    ExprObject parent = s->trace->inputs.v[input].object;
    uint64_t key = (uint64_t)parent.id << 32 | offset, known;
    if (map_get(&s->shape_of, key, &known))
        return (uint32_t)known;
    SymShape shape = {.parent = (uint32_t)map_get_or(&s->shape_behind, parent.id, 0)};
    if (shape.parent)
        shape.result = sym_shape_at(vm, shape.parent)->result;
    else if (s->trace->inputs.v[input].origin == VM_INPUT_RESULT)
        shape.result = parent.id + 1;
    decide_shape(vm, &shape, input, offset);
    vec_push(&s->shapes, shape);
    map_put(&s->shape_of, key, s->shapes.n);
    map_put(&s->shape_behind, shape.object.id, s->shapes.n);
    if (shape.type)
        map_put(&s->ctypes, shape.object.id, shape.type);
    return s->shapes.n;
}

uint32_t sym_shape_of_area(Vm *vm, uint32_t input)
{
    bool pointer = sym_ctype(vm, sym_parameter_type(vm, input))->kind == IR_C_POINTER;
    if (!pointer || sym_parameter_drive(vm, input) || extent_of_parameter(vm, input).area.n < 2)
        return 0;
    uint32_t shape = sym_shape_of(vm, input, 0);
    return expr_is_none(sym_shape_at(vm, shape)->tame) ? 0 : shape;
}

const char *vm_shapes_differ(const Vm *a, const Vm *b)
{
    for (uint32_t i = 0; i < a->sym->shapes.n; i++)
        for (uint32_t k = 0; k < b->sym->shapes.n; k++) {
            const SymShape *x = &a->sym->shapes.v[i], *y = &b->sym->shapes.v[k];
            if (!x->path || !y->path || strcmp(shape_text(a, x->path), shape_text(b, y->path)))
                continue;
            if (x->kind != y->kind || x->size != y->size || x->unit != y->unit || x->fits != y->fits ||
                !expr_same(x->limit, y->limit) || !expr_same(x->range, y->range))
                return shape_text(b, y->name);
        }
    return NULL;
}

/* ---- what is assumed ------------------------------------------------------------------------- */

static void clause(Vm *vm, const SymShape *s, Str *out)
{
    const char *name = shape_text(vm, s->clause);
    uint32_t n = s->type ? s->most : s->size;
    switch (s->kind) {
    case SHAPE_STRING:
        str_printf(out, "%s string", name);
        if (s->reached)
            str_printf(out, " <= %u", s->most);
        if (s->used)
            str_add(out, shape_text(vm, s->used));
        break;
    case SHAPE_COUNTED:
        counted_text(name, sym_elements_word(vm, s->type, false), shape_text(vm, s->length),
                     s->used ? shape_text(vm, s->used) : NULL, shape_text(vm, s->bounds), s->parent != 0,
                     out);
        break;
    case SHAPE_USED: str_printf(out, "%s %u %s", name, n, sym_elements_word(vm, s->type, n == 1)); break;
    case SHAPE_CALLBACK:
        str_printf(out, "%s callback (%swrites nothing)", name, s->returns ? "returns anything, " : "");
        break;
    case SHAPE_STREAM:
        str_printf(out, "%s stream", name);
        if (s->reached)
            str_printf(out, " <= %u byte%s", s->most, s->most == 1 ? "" : "s");
        break;
    case SHAPE_ONE:
        str_printf(out, "%s one object", name);
        if (s->length)
            str_printf(out, " with %s elements at its end, %s%s", shape_text(vm, s->length),
                       shape_text(vm, s->bounds), s->used ? shape_text(vm, s->used) : "");
        else if (s->trailing)
            str_printf(out, " with %u element%s at its end", s->most, s->most == 1 ? "" : "s");
        break;
    }
}

/* Of a node of a list behind its first: how long the list is. */
static void note(Vm *vm, const SymShape *s)
{
    Str text = {0};
    const char *of = shape_text(vm, s->clause);
    if (s->depth > 1) {
        of = shape_text(vm, sym_shape_at(vm, s->first)->clause);
        uint32_t back = links_back(vm, s->type);
        str_printf(&text, "%s %sdepth <= %u", of,
                   back > 1 ? "tree "
                   : back   ? "list "
                            : "",
                   vm->sym->options.inputs.depth_most);
    } else {
        clause(vm, s, &text);
    }
    ledger_shape(vm->sym->ledger, of, str_text(&text), s->bounded || s->depth > 1 || s->reached);
    if (s->kind == SHAPE_ONE && s->depth == 1 && !expr_is_none(s->range))
        members_range(vm, s, true);
    str_free(&text);
}

void sym_shape_assumed(Vm *vm, uint32_t shape)
{
    SymShape *s = &vm->sym->shapes.v[shape - 1];
    if (s->handle) /* sym_handles_assumed has said it */
        return;
    if (!s->noted || !ledger_shape_count(vm->sym->ledger)) /* another ledger needs the entry as well */
        note(vm, s);
    s->noted = true;
}

/* An access beyond it distinguishes a longer string, stream or array from this one. */
void sym_shape_reached(Vm *vm, uint32_t shape)
{
    SymShape *s = &vm->sym->shapes.v[shape - 1];
    bool can_be = s->kind == SHAPE_STRING || s->kind == SHAPE_STREAM || s->grows;
    if (can_be && !s->reached && !s->given) {
        s->reached = true;
        note(vm, s);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* That was decided when the pointer was followed: the array has no elements then. */
bool sym_shape_negative(const Vm *vm, const SymShape *s)
{
    return !expr_is_none(s->negative) && expr_eval_true(vm->sym->eval, s->negative);
}

Expr sym_limit_inside(Vm *vm, const Object *o, Expr offset, uint64_t n)
{
    const SymShape *s = sym_shape_at(vm, o->shape);
    ExprPool *p = vm->sym->pool;
    if (sym_shape_negative(vm, s))
        return EXPR_FALSE;
    uint64_t end = expr_is_const(p, offset) ? (uint64_t)expr_const_value(p, offset) + n : UINT64_MAX;
    if (end >= s->size)
        sym_shape_reached(vm, o->shape);
    if (s->kind != SHAPE_STRING || !expr_is_const(p, offset))
        return expr_ule(p, expr_add(p, offset, expr_const(p, 64, n)), s->limit);
    Expr inside = expr_bool(end <= s->size);
    for (uint64_t i = 0; i + 1 < end && end <= s->size; i++) {
        Expr more = expr_not(p, expr_eq(p, expr_object_byte(p, s->object, (uint32_t)i), expr_const(p, 8, 0)));
        if (!expr_eval_true(vm->sym->eval, more) || !sym_known(vm, more))
            inside = expr_and(p, inside, more);
    }
    return inside;
}

Expr sym_shape_byte(Vm *vm, const Object *o, uint64_t offset)
{
    const SymShape *s = sym_shape_at(vm, o->shape);
    Expr e = sym_byte_or_const(vm, o, offset);
    bool is_end = s->kind == SHAPE_STRING && offset == s->most && expr_is_value(vm->sym->pool, e, 0);
    return is_end ? expr_object_byte(vm->sym->pool, s->object, (uint32_t)offset) : e;
}

Expr sym_limit(Vm *vm, const Object *o)
{
    const SymShape *s = sym_shape_at(vm, o->shape);
    return sym_shape_negative(vm, s) ? expr_const(vm->sym->pool, 64, 0) : s->limit;
}

uint64_t vm_sym_size(const Vm *vm, const Object *o)
{
    if (!o->limited)
        return o->size;
    const SymShape *s = sym_shape_at(vm, o->shape);
    return sym_shape_negative(vm, s) ? 0 : (uint64_t)sym_eval(vm, s->limit);
}

uint64_t vm_sym_size_decided(Vm *vm, const Object *o)
{
    sym_shape_reached(vm, o->shape);
    return (uint64_t)sym_concretise(vm, sym_limit(vm, o), NULL);
}

bool vm_sym_within(Vm *vm, const Object *o, uint64_t offset, uint64_t n, bool write)
{
    Expr inside = sym_limit_inside(vm, o, expr_const(vm->sym->pool, 64, offset), n);
    return !sym_check(vm, expr_not(vm->sym->pool, inside), write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ);
}
