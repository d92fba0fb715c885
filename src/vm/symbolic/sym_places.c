/* sym_places.c - what the addresses in a run's expressions and outputs are called, where people read them.
 *
 * An address is a number of this machine. At the end of a run, while its objects and the graves of those that
 * died are still there, every object whose address an expression or an output holds is reported to the pool,
 * which then prints `buf` or "a new object of 12 bytes" in its place. No run depends on it. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

#include <ctype.h>

enum { TEXT_SHOWN = 160, ADDRESS_BITS = 47 }; /* bytes of a literal; of an address: mem.h */

/* ---- names ----------------------------------------------------------------------------------- */

const char *vm_plain_name(const char *name, size_t *n)
{
    *n = strlen(name);
    size_t digits = *n;
    while (digits && isdigit((unsigned char)name[digits - 1]))
        digits--;
    if (digits > 1 && digits < *n && name[digits - 1] == '.')
        *n = digits - 1; /* buf.1: another file's buf */
    for (size_t i = *n; i-- > 1;)
        if (name[i] == '.') { /* f.buf: a static local of f */
            *n -= i + 1;
            return name + i + 1;
        }
    return name;
}

/* A text that is never changed and has no name is known by its characters. */
static bool literal_text(const IrGlobal *g, uint64_t offset, Str *out)
{
    const char *text = g->bytes ? (const char *)g->bytes + offset : NULL;
    if (!text || offset >= g->size || !g->constant || g->relocs.n || g->ctype)
        return false;
    size_t room = (size_t)(g->size - offset), n = strnlen(text, room);
    for (size_t i = 0; i < n; i++)
        if (!isprint((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
            return false;
    if (n == room)
        return false;
    str_add_char(out, '"');
    for (size_t i = 0; i < n && i < TEXT_SHOWN; i++) {
        if (text[i] == '"' || text[i] == '\\')
            str_add_char(out, '\\');
        if (text[i] == '\n' || text[i] == '\t')
            str_add(out, text[i] == '\n' ? "\\n" : "\\t");
        else
            str_add_char(out, text[i]);
    }
    str_add(out, n > TEXT_SHOWN ? "\"..." : "\"");
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* An object or what is remembered of one. */
typedef struct Found {
    uint8_t kind;
    uint64_t base, size, slot;
    uint32_t name, index, site;
    bool pointee;
} Found;

static bool find(const Vm *vm, uint64_t address, Found *f)
{
    const Object *o = mem_find(&vm->mem, address);
    const Grave *g = o ? NULL : mem_grave(&vm->mem, address);
    if (o)
        *f = (Found){o->kind, o->base, o->size, o->slot, o->name, o->index, o->site, o->pointee};
    else if (g)
        *f = (Found){g->kind, g->base, g->size, g->slot, g->name, IR_NONE, g->site, false};
    return o || g;
}

static void add_place(Vm *vm, const Found *f, ExprPlace place)
{
    place.before = place.address ? 0 : (uint32_t)(f->base - f->slot);
    place.address = place.address ? place.address : f->base;
    place.size = f->size - (place.address - f->base);
    place.room = f->slot + ((uint64_t)1 << mem_class_of(f->slot)) - place.address;
    expr_place_add(vm->sym->pool, &place);
}

/* The members of a variable; of an array those of its first element, which tell the others'. */
static void add_members(const IrProgram *program, const IrGlobal *g, const char *name, bool array, Arena *a,
                        ExprPlace *place)
{
    enum { MEMBERS_MOST = 512 };
    const IrCType *type = &program->ctypes.v[g->ctype];
    IrCFieldVec fields = {0};
    if (!g->ctype)
        return;
    if (array)
        ir_ctype_fields(program, type->of, arena_printf(a, "%s[0]", name), false,
                        program->ctypes.v[type->of].size, a, &fields);
    else
        ir_ctype_fields(program, g->ctype, name, false, g->size, a, &fields);
    ExprField *out = arena_alloc(a, (fields.n + 1) * sizeof *out);
    for (uint32_t i = 0; i < fields.n && fields.n <= MEMBERS_MOST; i++)
        out[place->nfields++] = vm_field(program, &fields.v[i]);
    place->fields = out;
    vec_free(&fields);
}

static void add_variable(Vm *vm, const Found *f, uint64_t address)
{
    const IrProgram *program = vm->program;
    const IrGlobal *g = &program->globals.v[f->index];
    Arena *a = arena_new();
    Str literal = {0};
    size_t n;
    const char *name = vm_plain_name(ir_text(program, g->name), &n);
    const IrCType *type = &program->ctypes.v[g->ctype];
    bool array = g->ctype && type->kind == IR_C_ARRAY;
    ExprPlace place = {.kind = g->runtime ? EXPR_PLACE_OTHER : EXPR_PLACE_NAMED};
    name = arena_strndup(a, name, n);
    if (literal_text(g, address - f->base, &literal)) {
        add_place(vm, f,
                  (ExprPlace){.kind = EXPR_PLACE_NAMED, .address = address, .text = str_text(&literal)});
    } else {
        place.text = g->runtime ? "an address" : array ? name : arena_printf(a, "&%s", name);
        place.unit = array ? (uint32_t)program->ctypes.v[type->of].size : 0;
        add_members(program, g, name, array, a, &place);
        add_place(vm, f, place);
    }
    str_free(&literal);
    arena_free(a);
}

static void add_found(Vm *vm, const Found *f, uint64_t address)
{
    const char *name = f->name ? vm_name_text(vm, f->name) : "";
    Str text = {0};
    if (f->kind == OBJECT_GLOBAL && f->index != IR_NONE) {
        add_variable(vm, f, address);
    } else if (f->kind == OBJECT_FN) {
        add_place(vm, f, (ExprPlace){.kind = EXPR_PLACE_NAMED, .text = name});
    } else if (f->kind == OBJECT_HEAP && !f->name) {
        add_place(vm, f, (ExprPlace){.kind = EXPR_PLACE_NEW});
    } else if (f->name) {
        str_add_char(&text, '&');
        vm_object_name(vm, f->kind, f->name, f->site, &text);
        add_place(vm, f, (ExprPlace){.kind = EXPR_PLACE_NAMED, .text = str_text(&text)});
    } else {
        add_place(vm, f, (ExprPlace){.kind = EXPR_PLACE_OTHER, .text = "an address"});
    }
    str_free(&text);
}

/* Objects behind pointers of the input the pool knows already, by these pointers. */
static void note(Vm *vm, uint64_t address)
{
    Found f;
    if (!(address >> CLASS_SHIFT) || address >> ADDRESS_BITS || !find(vm, address, &f) || f.pointee)
        return;
    if (!expr_place_known(vm->sym->pool, f.base, f.size) &&
        !expr_place_known(vm->sym->pool, address, f.base + f.size - address))
        add_found(vm, &f, address);
}

/* Words of outputs that are concrete are in no expression. */
static void note_outputs(Vm *vm, const VmTrace *t)
{
    const ExprPool *p = vm->sym->pool;
    for (uint32_t i = 0; i < t->outputs.n; i++) {
        const VmOutput *out = &t->outputs.v[i];
        for (uint32_t at = 0; at + 8 <= out->n && out->stream <= 0; at += 8) {
            uint64_t word = 0;
            bool concrete = true;
            for (uint32_t k = 8; k-- > 0 && concrete;) {
                Expr byte = t->output_bytes.v[out->first + at + k];
                concrete = expr_is_const(p, byte);
                word = concrete ? word << 8 | (uint64_t)expr_const_value(p, byte) : 0;
            }
            note(vm, word);
        }
    }
}

void sym_places_note(Vm *vm)
{
    struct Sym *s = vm->sym;
    uint32_t n = expr_pool_count(s->pool);
    for (uint32_t id = s->places_seen; id < n; id++) {
        Expr e = {id};
        if (id && expr_op(s->pool, e) == EXPR_CONST && expr_width(s->pool, e) == 64)
            note(vm, (uint64_t)expr_const_value(s->pool, e));
    }
    s->places_seen = n;
    if (s->trace)
        note_outputs(vm, s->trace);
}
