/* emit_entry_text.c - tests of an entry as C: statements, names of variables, values as C writes them. */
#include "suite/emit_entry.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>

/* ---- statements ------------------------------------------------------------------------------ */

uint32_t suite_emit_line(Writer *w)
{
    for (; w->counted < w->out->n; w->counted++)
        w->line += w->out->v[w->counted] == '\n';
    return w->line;
}

/* A line of the test. If it does not compile, `type` is to blame. */
void suite_emit_statement(Writer *w, uint32_t type, const char *fmt, ...)
{
    uint32_t first = suite_emit_line(w);
    va_list args;
    va_start(args, fmt);
    str_add(w->out, "    ");
    str_vprintf(w->out, fmt, args);
    str_add(w->out, ";\n");
    va_end(args);
    if (type)
        vec_push(&w->typed, (TypedLines){first + 1, suite_emit_line(w), type});
}

const char *suite_emit_literal(Writer *w, const void *data, size_t n)
{
    Str text = {0};
    suite_c_literal(data, n, &text);
    const char *kept = arena_strdup(w->arena, str_text(&text));
    str_free(&text);
    return kept;
}

/* `l->next` becomes l_next, or l_next2 if that is taken. */
const char *suite_emit_identifier(Writer *w, const char *text)
{
    Str name = {0};
    for (const char *c = text; *c; c++) {
        bool letter = isalnum((unsigned char)*c) || *c == '_';
        if (letter && !(name.n == 0 && isdigit((unsigned char)*c)))
            str_add_char(&name, *c);
        else if (name.n && name.v[name.n - 1] != '_' && c[1] && strchr("-.[", *c))
            str_add_char(&name, '_');
    }
    while (name.n && name.v[name.n - 1] == '_')
        name.n--;
    if (!name.n)
        str_add(&name, "object");
    char *base = arena_strdup(w->arena, str_text(&name)), *chosen = base;
    for (uint32_t i = 2; strmap_get(&w->taken, chosen, NULL); i++)
        chosen = arena_printf(w->arena, "%s%u", base, i);
    strmap_put(&w->taken, chosen, 1);
    str_free(&name);
    return chosen;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *float_text(Writer *w, uint64_t bits, uint32_t width)
{
    double value;
    float single;
    uint32_t low = (uint32_t)bits;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &low, sizeof single);
    if (width == 32)
        value = (double)single;
    if (!isfinite(value))
        return NULL;
    char *text = arena_printf(w->arena, width == 32 ? "%.9g" : "%.17g", value);
    return arena_printf(w->arena, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", width == 32 ? "f" : "");
}

uint64_t suite_emit_bits(const uint8_t *data, const IrCField *f)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < f->bits; i++) {
        uint64_t at = f->low + i;
        bits |= (uint64_t)(data[at / 8] >> at % 8 & 1) << i;
    }
    return bits;
}

/* What stands in a place, as C writes it; NULL if C has no way to. */
const char *suite_emit_value(Writer *w, const uint8_t *data, const IrCField *f)
{
    if (f->bits > 64)
        return NULL;
    uint64_t bits = suite_emit_bits(data, f);
    unsigned unused = 64 - f->bits;
    int64_t number = (int64_t)(bits << unused) >> unused;
    switch (f->kind) {
    case IR_C_CHAR:
        if (bits < 0x80 && isprint((int)bits) && bits != '\'' && bits != '\\')
            return arena_printf(w->arena, "'%c'", (char)bits);
        return arena_printf(w->arena, "%lld", (long long)number);
    case IR_C_INT:
        return number == INT64_MIN ? "(-9223372036854775807LL - 1)"
                                   : arena_printf(w->arena, "%lld", (long long)number);
    case IR_C_UINT:
    case IR_C_UCHAR: return arena_printf(w->arena, "%llu%s", (unsigned long long)bits, bits >> 31 ? "u" : "");
    case IR_C_BOOL: return bits > 1 ? NULL : bits ? "1" : "0";
    case IR_C_FLOAT: return float_text(w, bits, f->bits);
    case IR_C_POINTER:
        return bits ? arena_printf(w->arena, "(void *)0x%llx", (unsigned long long)bits) : "NULL";
    default: return NULL;
    }
}

const char *suite_emit_scalar(const IrCType *t)
{
    static const SuiteKind kinds[] = {
        [IR_C_INT] = SUITE_INT,      [IR_C_UINT] = SUITE_UINT, [IR_C_CHAR] = SUITE_CHAR,
        [IR_C_UCHAR] = SUITE_UINT,   [IR_C_BOOL] = SUITE_BOOL, [IR_C_FLOAT] = SUITE_FLOAT,
        [IR_C_POINTER] = SUITE_BYTES};
    return t->kind < COUNT_OF(kinds) && t->size <= 8
               ? suite_type_name((SuiteType){kinds[t->kind], 0}, (uint32_t)t->size)
               : NULL;
}

/* Is the record followed by elements of the array that it ends with? */
static const IrCMember *trailing_array(const Writer *w, const IrCType *t, uint32_t size)
{
    const IrCMember *m = t->kind == IR_C_RECORD && t->n ? &w->p->ir->cmembers.v[t->first + t->n - 1] : NULL;
    const IrCType *array = m ? suite_emit_type(w, m->type) : NULL;
    bool open = array && array->kind == IR_C_ARRAY && suite_emit_type(w, array->of)->size &&
                array->size <= suite_emit_type(w, array->of)->size && size > m->low / 8;
    return open && size != t->size ? m : NULL;
}

/* The places in it, as C writes them. */
void suite_emit_fields(Writer *w, Thing *t)
{
    if (!t->type || !t->variable || t->fields.n)
        return;
    const IrCType *type = suite_emit_type(w, t->type);
    const IrCMember *m = trailing_array(w, type, t->size);
    uint64_t size = m ? m->low / 8 : t->size;
    ir_ctype_fields(w->p->ir, t->type, t->variable, !t->value, size, w->arena, &t->fields);
    if (!m)
        return;
    IrCFieldVec rest = {0};
    const char *text =
        arena_printf(w->arena, "%s%s%s", t->variable, t->value ? "." : "->", ir_text(w->p->ir, m->name));
    ir_ctype_fields(w->p->ir, suite_emit_type(w, m->type)->of, text, true, t->size - size, w->arena, &rest);
    for (uint32_t i = 0; i < rest.n; i++) {
        rest.v[i].low += m->low;
        vec_push(&t->fields, rest.v[i]);
    }
    vec_free(&rest);
}

bool suite_emit_names_members(const Writer *w, const Thing *t)
{
    return t->fields.n && !w->plain && !map_get(&w->hidden, t->type, NULL);
}

const char *suite_emit_address(Writer *w, const Thing *t, int64_t delta)
{
    const char *base = t->value ? arena_printf(w->arena, "&%s", t->variable) : t->variable;
    if (!delta)
        return base;
    return arena_printf(w->arena, "(void *)((char *)%s %c %lld)", base, delta < 0 ? '-' : '+',
                        (long long)(delta < 0 ? -delta : delta));
}

/* Have the pointer and the variable of what it leads to one type? */
bool suite_emit_is_plain(const IrCField *f, const Thing *to, int64_t delta)
{
    return f && !delta && to->type && f->of == to->type;
}

/* All elements of an object of scalars: {1, 2, 3}; NULL if C cannot write one. */
const char *suite_emit_elements(Writer *w, const Thing *t, const uint8_t *data)
{
    Str text = {0};
    const char *kept = NULL;
    uint32_t i = 0;
    for (; i < t->fields.n; i++) {
        const char *value = suite_emit_value(w, data, &t->fields.v[i]);
        if (!value)
            break;
        str_printf(&text, "%s%s", i ? i % 16 ? ", " : ",\n        " : "", value);
    }
    if (i && i == t->fields.n)
        kept = arena_strdup(w->arena, str_text(&text));
    str_free(&text);
    return kept;
}

bool suite_emit_is_text(const Writer *w, const Thing *t)
{
    const IrCType *type = suite_emit_type(w, t->type);
    return !t->type || (type->size == 1 && type->kind != IR_C_BOOL && type->kind != IR_C_RECORD);
}
