/* sym_length.c - how many elements there are behind a pointer, by the integers beside it.
 *
 * A parameter has its length behind it, or shares one with its neighbour; a member has it among the integers
 * beside it. Which of them is one, names say. */
#include "vm/symbolic/sym_shape.h"

#include <inttypes.h>

/* ---- lengths --------------------------------------------------------------------------------- */

/* Of several, the one that says how much room there is. */
static bool is_room_name(const char *name)
{
    static const char *const words[] = {"cap", "alloc", "max", "size", "room"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (strcasestr(name, words[i]))
            return true;
    return false;
}

/* A place in the array beside it: at most its length. */
static bool is_place_name(const char *name)
{
    static const char *const whole[] = {"at",  "pos",    "off",      "offset", "index", "idx",
                                        "cur", "cursor", "position", "top",    "head",  "tail"};
    static const char *const ends[] = {"_pos", "_off", "_offset", "_index", "_idx", "_at"};
    for (unsigned i = 0; i < COUNT_OF(whole); i++)
        if (!strcasecmp(name, whole[i]))
            return true;
    for (unsigned i = 0; i < COUNT_OF(ends); i++)
        if (text_ends_with(name, ends[i]))
            return true;
    return false;
}

/* A pointer back, which is not where a list ends. */
bool sym_name_leads_back(const char *name)
{
    static const char *const words[] = {"prev", "parent", "back", "owner", "root", "up", "last"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (!strncasecmp(name, words[i], strlen(words[i])))
            return true;
    return false;
}

static bool is_end_name(const char *name)
{
    return strcasestr(name, "end") || !strcasecmp(name, "last") || !strcasecmp(name, "limit");
}

const IrCType *sym_ctype(const Vm *vm, uint32_t type)
{
    static const IrCType unknown = {.kind = IR_C_UNKNOWN};
    return type && type < vm->program->ctypes.n ? &vm->program->ctypes.v[type] : &unknown;
}

static bool is_integer(IrCKind kind, uint64_t size)
{
    return (kind == IR_C_INT || kind == IR_C_UINT) && (size == 4 || size == 8);
}

static Expr word_of(Vm *vm, ExprObject object, uint32_t offset, uint32_t bytes)
{
    const ExprObjectInfo *info = expr_object_info(vm->sym->pool, object);
    return info->scalar ? expr_object_symbol(vm->sym->pool, object)
                        : expr_object_word(vm->sym->pool, object, offset, bytes);
}

static void length_is(Vm *vm, SymLength *out, Expr n, IrCKind kind, const char *name)
{
    ExprPool *p = vm->sym->pool;
    out->n = expr_zext(p, n, 64);
    out->range = expr_ule(p, n, expr_const(p, expr_width(p, n), vm->sym->options.inputs.elements_most));
    out->name = name;
    out->most = vm->sym->options.inputs.elements_most;
    Expr most = expr_const(p, expr_width(p, n), out->most);
    out->tame = kind == IR_C_INT ? expr_sle(p, n, most) : expr_ule(p, n, most);
    out->is_signed = kind == IR_C_INT;
}

/* One more number, by which there are so many times more; texts go into the arena. */
static void length_times(Vm *vm, Arena *a, SymLength *out, const SymLength *by)
{
    ExprPool *p = vm->sym->pool;
    if (!out->name) {
        *out = *by;
        return;
    }
    bool again = expr_same(out->range, expr_and(p, out->range, by->range)); /* n * n */
    out->n = expr_mul(p, out->n, by->n);
    out->tame = expr_and(p, out->tame, by->tame);
    out->range = expr_and(p, out->range, by->range);
    out->name = arena_printf(a, "%s * %s", out->name, by->name);
    if (!again)
        out->bounds = arena_printf(a, "%s, %s", out->bounds, by->bounds);
    if (!again && by->is_signed)
        out->sensible =
            out->is_signed ? arena_printf(a, "%s and %s", out->sensible, by->sensible) : by->sensible;
    if (!expr_is_none(by->negative))
        out->negative = expr_is_none(out->negative) ? by->negative : expr_or(p, out->negative, by->negative);
    out->is_signed |= by->is_signed;
    out->most *= by->most;
}

/* `member`: it is assumed not to be negative. */
static void length_texts(Vm *vm, Arena *a, bool member, SymLength *out)
{
    out->bounds = arena_printf(a, "%s%s <= %u", member && out->is_signed ? "0 <= " : "", out->name,
                               vm->sym->options.inputs.elements_most);
    out->sensible = arena_printf(a, "%s >= 0", out->name);
}

/* The type of a parameter of the entry by its place among the inputs; 0: it is none, or not known. */
uint32_t sym_parameter_type(const Vm *vm, uint32_t input)
{
    const VmTrace *t = vm->sym->trace;
    if (input >= t->inputs.n || t->inputs.v[input].origin != VM_INPUT_PARAMETER)
        return 0;
    return (uint32_t)map_get_or(&vm->sym->ctypes, t->inputs.v[input].object.id, 0);
}

static const char *parameter_name(const Vm *vm, uint32_t input)
{
    return expr_object_info(vm->sym->pool, vm->sym->trace->inputs.v[input].object)->name;
}

/* What it is to the entry, if that is a driver; NULL: it is none. */
const IrDriveParam *sym_parameter_drive(const Vm *vm, uint32_t input)
{
    uint32_t reg = vm->sym->entry != IR_NONE && vm->sym->trace->inputs.v[input].origin == VM_INPUT_PARAMETER
                       ? sym_entry_register(vm, input)
                       : IR_NONE;
    return reg != IR_NONE ? sym_drive_param(vm, reg) : NULL;
}

/* The name that the function has for its parameter. */
static bool is_named(const Vm *vm, uint32_t input, bool (*like)(const char *))
{
    char own[128];
    return like(sym_parameter_drive(vm, input) ? ir_drive_own_name(parameter_name(vm, input), own, sizeof own)
                                               : parameter_name(vm, input));
}

/* Are both arguments of one call? */
static bool is_together(const Vm *vm, uint32_t a, uint32_t b)
{
    const IrDriveParam *x = sym_parameter_drive(vm, a),
                       *y = b < vm->sym->trace->inputs.n ? sym_parameter_drive(vm, b) : NULL;
    return !x || (y && x->group == y->group);
}

/* The parameter as a number of elements, whatever its name is. */
static bool number_parameter(Vm *vm, uint32_t input, SymLength *out)
{
    const IrCType *t = sym_ctype(vm, sym_parameter_type(vm, input));
    if (!is_integer(t->kind, t->size))
        return false;
    Expr n = word_of(vm, vm->sym->trace->inputs.v[input].object, 0, (uint32_t)t->size);
    length_is(vm, out, n, t->kind, parameter_name(vm, input));
    if (out->is_signed)
        out->negative = expr_slt(vm->sym->pool, n, expr_const(vm->sym->pool, 8 * (unsigned)t->size, 0));
    return true;
}

static bool length_parameter(Vm *vm, uint32_t input, SymLength *out)
{
    return sym_parameter_type(vm, input) && is_named(vm, input, ir_name_is_length) &&
           number_parameter(vm, input, out);
}

static bool is_size_name(const char *name) { return ir_name_is_length(name) || sym_area_name(name); }

/* The input that a parameter of the entry is. */
static uint32_t input_of(const Vm *vm, uint32_t reg)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = vm->sym->first_param; i < t->inputs.n; i++)
        if (sym_parameter_type(vm, i) && sym_entry_register(vm, i) == reg)
            return i;
    return IR_NONE;
}

/* As many elements as the indexes go over. A number that neither bounds something nor is named like a length
 * is an index itself: how many rows there are is not known. */
static bool length_area(Vm *vm, const SymArea *area, uint32_t unit, Arena *a, SymLength *out)
{
    ExprPool *p = vm->sym->pool;
    SymLength product = {0};
    for (uint32_t i = 0; i < area->n; i++) {
        SymLength one = {0};
        uint32_t input = input_of(vm, area->factors[i]);
        bool known =
            input != IR_NONE && (is_named(vm, input, is_size_name) ||
                                 sym_area_is_bound(&vm->program->fns.v[vm->sym->entry], area->factors[i]));
        if (!known || !number_parameter(vm, input, &one))
            return false;
        length_texts(vm, a, false, &one);
        length_times(vm, a, &product, &one);
    }
    uint64_t times = area->scale / unit;
    if (times > 1) {
        product.n = expr_mul(p, product.n, expr_const(p, 64, times));
        product.name = arena_printf(a, "%" PRIu64 " * %s", times, product.name);
        product.most *= times;
    }
    *out = product;
    return true;
}

/* Is it indexed, as far as that shows? An index that begins behind the start of a structure is one into an
 * array that it has. */
static bool is_indexed(Vm *vm, uint32_t input, uint32_t of)
{
    uint32_t reg = sym_entry_register(vm, input);
    if (reg == IR_NONE)
        return true;
    SymExtent e = sym_extent(vm, vm->sym->entry, reg);
    const IrCType *t = sym_ctype(vm, of);
    bool inside = t->kind == IR_C_RECORD && !e.step && e.far && e.far <= t->size;
    return e.kept || (e.guess && !inside) || !e.need;
}

/* (char *dst, const char *src, size_t size): how much room there is where the first leads, which is written;
 * `first`: of the three. */
static bool is_copy(Vm *vm, uint32_t first, uint32_t of)
{
    const IrCType *to = sym_ctype(vm, sym_parameter_type(vm, first)),
                  *from = sym_ctype(vm, sym_parameter_type(vm, first + 1));
    SymLength length = {0};
    uint32_t reg = to->kind == IR_C_POINTER ? sym_entry_register(vm, first) : IR_NONE;
    bool copies = reg != IR_NONE && sym_ctype(vm, of)->kind == IR_C_CHAR && to->of == of && !to->to_const &&
                  from->kind == IR_C_POINTER && from->of == of && from->to_const &&
                  sym_parameter_type(vm, first + 2) && is_together(vm, first, first + 2);
    return copies && is_named(vm, first + 2, is_room_name) && length_parameter(vm, first + 2, &length) &&
           sym_extent(vm, vm->sym->entry, reg).filled;
}

/* Does the function read a string there, whatever integer stands beside it? */
static bool is_text(Vm *vm, uint32_t input, uint32_t of)
{
    uint32_t reg = sym_ctype(vm, of)->kind == IR_C_CHAR ? sym_entry_register(vm, input) : IR_NONE;
    SymExtent e = reg != IR_NONE ? sym_extent(vm, vm->sym->entry, reg) : (SymExtent){0};
    return e.text || (e.ends && input > vm->sym->first_param && is_copy(vm, input - 1, of));
}

/* By names: the length is behind it, or a second array of the same type and the length of both. A structure
 * that is never indexed is no array, whatever stands beside it. Numbers may be: a[0] of none is a fault. */
static void length_behind(Vm *vm, uint32_t input, uint32_t of, SymLength *out)
{
    bool indexed = is_indexed(vm, input, of);
    if (is_copy(vm, input, of)) {
        length_parameter(vm, input + 2, out);
        return;
    }
    if ((sym_ctype(vm, of)->kind == IR_C_RECORD && !indexed) || !is_together(vm, input, input + 1) ||
        length_parameter(vm, input + 1, out))
        return;
    const IrCType *next = sym_ctype(vm, sym_parameter_type(vm, input + 1));
    bool alike = next->kind == IR_C_POINTER && next->of == of && sym_ctype(vm, of)->kind != IR_C_CHAR;
    if (alike && indexed && is_together(vm, input, input + 2))
        length_parameter(vm, input + 2, out);
}

/* A product is what the indexes say; one number only where names say nothing, and the code looks for no NUL.
 */
void sym_length_parameter(Vm *vm, uint32_t input, uint32_t of, Arena *a, SymLength *out)
{
    uint32_t reg = vm->sym->entry != IR_NONE ? sym_entry_register(vm, input) : IR_NONE;
    SymExtent e = reg != IR_NONE ? sym_extent(vm, vm->sym->entry, reg) : (SymExtent){0};
    uint64_t unit = sym_ctype(vm, of)->size ? sym_ctype(vm, of)->size : 1;
    bool whole = e.area.n && e.area.scale % unit == 0,
         product = whole && (e.area.n > 1 || e.area.scale > unit);
    if (is_text(vm, input, of))
        return;
    length_behind(vm, input, of, out);
    bool roomy = e.filled && e.area.n == 1; /* what is written may have an end behind it */
    if (product && !e.area.unclear && (out->name || !roomy) &&
        length_area(vm, &e.area, (uint32_t)unit, a, out)) {
        out->unsure = roomy || sym_area_is_loose(&e.area);
        return;
    }
    out->unsure = product || e.area.unclear;
    bool text = e.ends || (e.filled && sym_ctype(vm, of)->kind == IR_C_CHAR);
    SymLength one = {0};
    if (!out->name && whole && !product && !text && !sym_area_is_loose(&e.area) && !e.area.unclear &&
        !e.back && length_area(vm, &e.area, (uint32_t)unit, a, &one) && is_size_name(one.name))
        *out = one;
    if (out->name && !out->bounds)
        length_texts(vm, a, false, out);
}

/* Is there something behind the pointer that the function looks at? Not behind one to the end of an array. */
static bool is_looked_at(Vm *vm, uint32_t input)
{
    uint32_t reg = sym_entry_register(vm, input);
    SymExtent e = reg != IR_NONE ? sym_extent(vm, vm->sym->entry, reg) : (SymExtent){0};
    return e.text || e.need;
}

bool sym_length_has_end(Vm *vm, uint32_t input, uint32_t of)
{
    const IrCType *next = sym_ctype(vm, sym_parameter_type(vm, input + 1));
    return next->kind == IR_C_POINTER && next->of == of && is_together(vm, input, input + 1) &&
           is_named(vm, input + 1, is_end_name) && !is_text(vm, input, of) && !is_looked_at(vm, input + 1);
}

/* The other one of the two. */
bool sym_length_is_end(Vm *vm, uint32_t input, uint32_t of)
{
    const IrCType *before =
        input > vm->sym->first_param ? sym_ctype(vm, sym_parameter_type(vm, input - 1)) : sym_ctype(vm, 0);
    return before->kind == IR_C_POINTER && before->of == of && sym_length_has_end(vm, input - 1, of);
}

/* ---- members --------------------------------------------------------------------------------- */

const char *sym_last_name(const char *text)
{
    const char *dot = strrchr(text, '.'), *arrow = strrchr(text, '>');
    const char *at = dot > arrow ? dot : arrow;
    return at ? at + 1 : text;
}

/* An integer beside the pointer; which, its name tells. */
static bool is_beside(const IrCField *f, const IrCField *pointer)
{
    size_t prefix = (size_t)(sym_last_name(pointer->text) - pointer->text);
    bool apart = f->low >= pointer->low + 64 || f->low + f->bits <= pointer->low; /* no members of a union */
    return apart && is_integer(f->kind, f->bits / 8) && f->bits % 8 == 0 && f->low % 8 == 0 &&
           !strncmp(f->text, pointer->text, prefix) && sym_last_name(f->text) == f->text + prefix;
}

Expr sym_field_word(Vm *vm, ExprObject parent, const IrCField *f)
{
    return word_of(vm, parent, (uint32_t)(f->low / 8), f->bits / 8);
}

/* Of several lengths, the one that says how much room there is: by its word, or since it is named after the
 * array, as `nslots` is beside `used`. */
static bool is_room(const IrCField *f, const IrCField *pointer)
{
    const char *name = sym_last_name(f->text), *array = sym_last_name(pointer->text);
    return is_room_name(name) ||
           (strlen(array) > 2 && strlen(name) > strlen(array) && strcasestr(name, array));
}

/* Does this member stay within the room of that one? */
static bool is_within(const IrCField *f, const IrCField *room, const IrCField *pointer)
{
    const char *name = sym_last_name(f->text);
    bool length = ir_name_is_length(name) && !is_room(f, pointer) && is_room(room, pointer);
    return f != room && f->bits == room->bits && (length || is_place_name(name));
}

/* It is no more than the room. */
static void note_within(Vm *vm, ExprObject parent, const IrCField *f, const IrCField *room, Arena *a,
                        SymLength *out)
{
    ExprPool *p = vm->sym->pool;
    out->range =
        expr_and(p, out->range, expr_ule(p, sym_field_word(vm, parent, f), sym_field_word(vm, parent, room)));
    out->used = arena_printf(a, "%s, %s%s <= %s", out->used ? out->used : "",
                             f->kind == IR_C_INT ? "0 <= " : "", f->text, room->text);
}

/* The integers right behind the pointer, or right before the only one: from *first to *end. */
static void integers_beside(const IrCFieldVec *fields, uint32_t at, uint32_t *first, uint32_t *end)
{
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < fields->n; i++)
        pointers += fields->v[i].kind == IR_C_POINTER;
    *first = *end = at + 1;
    while (*end < fields->n && is_integer(fields->v[*end].kind, fields->v[*end].bits / 8))
        ++*end;
    if (*end > *first || pointers > 1)
        return;
    *first = *end = at;
    while (*first > 0 && is_integer(fields->v[*first - 1].kind, fields->v[*first - 1].bits / 8))
        --*first;
}

/* A pointer to another structure of its kind that is named like a link: one, whatever stands beside it. */
static bool is_link(const Vm *vm, ExprObject parent, const IrCField *pointer)
{
    static const char *const words[] = {"next",    "prev",  "link", "left", "right", "parent", "child",
                                        "sibling", "first", "last", "head", "tail",  "up",     "down"};
    const char *name = sym_last_name(pointer->text);
    if (map_get_or(&vm->sym->ctypes, parent.id, 0) != pointer->of)
        return false;
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (strcasestr(name, words[i]) && !strcasestr(name, "children"))
            return true;
    return false;
}

/* What people call what is in rows and columns: a window has a width and a height, and its title is a string.
 */
static bool is_grid_name(const char *name)
{
    static const char *const words[] = {"data",   "cell",   "px",   "pix",   "elem", "val",
                                        "grid",   "tile",   "map",  "board", "buf",  "entries",
                                        "sample", "matrix", "bits", "bytes"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (!strncasecmp(name, words[i], strlen(words[i])))
            return true;
    return !name[1]; /* m, a */
}

/* Two of them are rows and columns. */
static bool area_members(Vm *vm, ExprObject parent, const IrCFieldVec *fields, const IrCField *pointer,
                         Arena *a, SymLength *out)
{
    uint32_t n = 0;
    if (!is_grid_name(sym_last_name(pointer->text)))
        return false;
    for (uint32_t i = 0; i < fields->n; i++) {
        const IrCField *f = &fields->v[i];
        const char *name = sym_last_name(f->text);
        n += is_beside(f, pointer) && sym_area_name(name);
    }
    for (uint32_t i = 0; i < fields->n && n == 2; i++) {
        const IrCField *f = &fields->v[i];
        const char *name = sym_last_name(f->text);
        SymLength one = {0};
        if (!is_beside(f, pointer) || !sym_area_name(name))
            continue;
        length_is(vm, &one, sym_field_word(vm, parent, f), f->kind, f->text);
        length_texts(vm, a, true, &one);
        length_times(vm, a, out, &one);
    }
    out->is_room = n == 2;
    return n == 2;
}

/* The length among them, and what is at most that; texts go into the arena. */
void sym_length_members(Vm *vm, ExprObject parent, const IrCFieldVec *fields, uint32_t at, Arena *a,
                        SymLength *out)
{
    const IrCField *pointer = &fields->v[at], *room = NULL;
    uint32_t first, end;
    if (is_link(vm, parent, pointer) || area_members(vm, parent, fields, pointer, a, out))
        return;
    integers_beside(fields, at, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const IrCField *f = &fields->v[i];
        bool length = is_beside(f, pointer) && ir_name_is_length(sym_last_name(f->text));
        if (length && (!room || (is_room(f, pointer) && !is_room(room, pointer))))
            room = f;
    }
    if (!room)
        return;
    length_is(vm, out, sym_field_word(vm, parent, room), room->kind, room->text);
    length_texts(vm, a, true, out);
    out->is_room = is_room(room, pointer);
    for (uint32_t i = first; i < end; i++) {
        const IrCField *f = &fields->v[i];
        if (is_beside(f, pointer) && is_within(f, room, pointer))
            note_within(vm, parent, f, room, a, out);
    }
}

/* Of a string: places in it, which are within it or at its end. */
Expr sym_length_places(Vm *vm, ExprObject parent, const IrCFieldVec *fields, uint32_t at, Arena *a,
                       Expr limit, const char **used)
{
    ExprPool *p = vm->sym->pool;
    Expr all = EXPR_TRUE;
    uint32_t first, end;
    integers_beside(fields, at, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const IrCField *f = &fields->v[i];
        if (!is_beside(f, &fields->v[at]) || !is_place_name(sym_last_name(f->text)))
            continue;
        all = expr_and(p, all, expr_ult(p, expr_zext(p, sym_field_word(vm, parent, f), 64), limit));
        *used = arena_printf(a, "%s, %s%s <= strlen(%s)", *used ? *used : "",
                             f->kind == IR_C_INT ? "0 <= " : "", f->text, fields->v[at].text);
    }
    return all;
}

/* Of a structure that ends with an array: the length among its integers, the one that says how much room
 * there is if there are several. */
bool sym_length_trailing(Vm *vm, ExprObject object, const IrCFieldVec *fields, const IrCField *array,
                         Arena *a, SymLength *out)
{
    const IrCField *room = NULL;
    for (uint32_t i = 0; i < fields->n; i++) {
        const IrCField *f = &fields->v[i];
        bool length = is_beside(f, array) && f->low < array->low && ir_name_is_length(sym_last_name(f->text));
        if (length && (!room || (is_room(f, array) && !is_room(room, array))))
            room = f;
    }
    if (!room)
        return false;
    length_is(vm, out, sym_field_word(vm, object, room), room->kind, room->text);
    length_texts(vm, a, true, out);
    out->is_room = is_room(room, array);
    for (uint32_t i = 0; i < fields->n; i++)
        if (is_beside(&fields->v[i], array) && fields->v[i].low < array->low &&
            is_within(&fields->v[i], room, array))
            note_within(vm, object, &fields->v[i], room, a, out);
    return true;
}
