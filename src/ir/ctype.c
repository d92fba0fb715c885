/* ctype.c - from an object's C type to the places in it, as C writes them. */
#include "ir/ir.h"

enum { FIELDS_MOST = 4096, DEPTH_MOST = 16 };

typedef struct Walk {
    const IrProgram *p;
    Arena *arena;
    IrCFieldVec *out;
    uint64_t limit; /* bits of the object */
    uint32_t depth;
} Walk;

static void add(Walk *w, uint32_t type, uint64_t low, uint64_t bits, const char *text);

static void add_elements(Walk *w, const IrCType *of, uint32_t element, uint64_t low, uint64_t n,
                         const char *text)
{
    for (uint64_t i = 0; i < n && w->out->n < FIELDS_MOST; i++)
        add(w, element, low + i * of->size * 8, of->size * 8,
            arena_printf(w->arena, "%s[%llu]", text, (unsigned long long)i));
}

static void add_members(Walk *w, const IrCType *t, uint64_t low, const char *text, const char *dot)
{
    for (uint32_t i = 0; i < t->n && w->out->n < FIELDS_MOST; i++) {
        const IrCMember *m = &w->p->cmembers.v[t->first + i];
        const char *name = ir_text(w->p, m->name);
        const IrCType *inner = &w->p->ctypes.v[m->type];
        if (!*name && inner->kind == IR_C_RECORD && w->depth < DEPTH_MOST) {
            w->depth++;
            add_members(w, inner, low + m->low, text, dot);
            w->depth--;
        } else if (*name) {
            add(w, m->type, low + m->low, m->bits, arena_printf(w->arena, "%s%s%s", text, dot, name));
        }
    }
}

static void add(Walk *w, uint32_t type, uint64_t low, uint64_t bits, const char *text)
{
    const IrCType *t = &w->p->ctypes.v[type];
    bool parts = t->kind == IR_C_RECORD || t->kind == IR_C_ARRAY; /* of which some may fit */
    if (low >= w->limit || (low + bits > w->limit && !parts) || !bits || w->depth >= DEPTH_MOST ||
        w->out->n >= FIELDS_MOST)
        return;
    w->depth++;
    if (t->kind == IR_C_RECORD)
        add_members(w, t, low, text, ".");
    else if (t->kind == IR_C_ARRAY && w->p->ctypes.v[t->of].size)
        add_elements(w, &w->p->ctypes.v[t->of], t->of, low, bits / 8 / w->p->ctypes.v[t->of].size, text);
    else if (t->kind != IR_C_UNKNOWN && t->kind != IR_C_ARRAY && bits <= 128)
        vec_push(w->out, (IrCField){.low = low,
                                    .bits = (uint32_t)bits,
                                    .kind = t->kind,
                                    .of = t->of,
                                    .text = text,
                                    .to_const = t->to_const,
                                    .to_function = t->to_function,
                                    .returns = t->returns});
    w->depth--;
}

void ir_ctype_fields(const IrProgram *p, uint32_t type, const char *text, bool behind, uint64_t size,
                     Arena *a, IrCFieldVec *out)
{
    Walk w = {.p = p, .arena = a, .out = out, .limit = size * 8};
    if (type >= p->ctypes.n || !p->ctypes.v[type].size)
        return;
    const IrCType *t = &p->ctypes.v[type];
    if (size < t->size && t->kind != IR_C_RECORD)
        return; /* of a structure, members that fit are there */
    bool many = size >= 2 * t->size;
    if (many)
        add_elements(&w, t, type, 0, size / t->size, text);
    else if (behind && t->kind == IR_C_RECORD)
        add_members(&w, t, 0, text, "->");
    else
        add(&w, type, 0, t->size * 8,
            behind ? arena_printf(a, t->kind == IR_C_ARRAY ? "(*%s)" : "*%s", text) : text);
}

static bool is_padding(const IrProgram *p, uint32_t type, uint64_t offset, uint32_t depth)
{
    const IrCType *t = &p->ctypes.v[type];
    const IrCType *of = t->kind == IR_C_ARRAY ? &p->ctypes.v[t->of] : NULL;
    if (depth >= DEPTH_MOST || offset >= t->size)
        return false;
    if (of)
        return of->size && is_padding(p, t->of, offset % of->size, depth + 1);
    bool padding = t->kind == IR_C_RECORD && t->n;
    for (uint32_t i = 0; padding && i < t->n; i++) {
        const IrCMember *m = &p->cmembers.v[t->first + i];
        bool array = p->ctypes.v[m->type].kind == IR_C_ARRAY, whole = m->low % 8 == 0 && m->bits % 8 == 0;
        if (8 * offset + 7 < m->low)
            continue;
        if (8 * offset >= m->low + m->bits)
            padding = !array || i + 1 < t->n;
        else
            padding = whole && is_padding(p, m->type, offset - m->low / 8, depth + 1);
    }
    return padding;
}

bool ir_ctype_is_padding(const IrProgram *p, uint32_t type, uint64_t offset)
{
    return type && type < p->ctypes.n && is_padding(p, type, offset, 0);
}

bool ir_ctype_is_stream(const IrProgram *p, uint32_t type)
{
    const IrCType *t = type && type < p->ctypes.n ? &p->ctypes.v[type] : NULL;
    for (uint32_t i = 0; t && t->kind == IR_C_RECORD && i < t->n; i++)
        if (!strcmp(ir_text(p, p->cmembers.v[t->first + i].name), "_IO_read_ptr"))
            return true;
    return false;
}
