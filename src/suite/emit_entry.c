/* emit_entry.c - tests of an entry function as C that a library's author could have written: objects are
 * built member by member where the header shows the type, the function is called, and what the native run of
 * the test left behind is compared.
 *
 * Which types the header shows is not guessed: lines that clang refuses name the types whose objects are
 * written as bytes in the next attempt. */
#include "suite/suite_int.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>

enum { ATTEMPTS = 6, NEW_BYTES_MOST = 256, NEW_OBJECTS_MOST = 64, BYTES_A_LINE = 64 };

/* An object as the C file knows it. */
typedef struct Thing {
    const char *variable; /* C for its address, or for itself if `value`; NULL: it has none yet */
    uint32_t type;        /* of one element; 0: not known */
    bool value;           /* a parameter or the result, not something behind a pointer */
    bool to_const;        /* behind a pointer that is not written through */
    bool fresh;           /* made by the function */
    uint32_t from;        /* of a fresh one: the byte that was pointed to */
    uint32_t size;
    const uint8_t *data;
    IrCFieldVec fields;
} Thing;

typedef struct TypedLines {
    uint32_t first, last, type;
} TypedLines;

typedef struct Writer {
    const SuiteProgram *p;
    const IrFn *fn; /* the entry */
    const SuiteTest *test;
    const SuiteObserved *observed;
    Arena *arena; /* of one attempt */
    Str *out;
    uint32_t line, counted; /* lines in out up to the byte `counted` */
    Map hidden;             /* types whose members cannot be named */
    bool plain;             /* no member is named */
    Vec(TypedLines) typed;
    StrMap taken; /* identifiers of this test */
    Thing *objects, *seen;
} Writer;

/* ---- statements ------------------------------------------------------------------------------ */

static uint32_t line_now(Writer *w)
{
    for (; w->counted < w->out->n; w->counted++)
        w->line += w->out->v[w->counted] == '\n';
    return w->line;
}

/* A line of the test. If it does not compile, `type` is to blame. */
PRINTF_LIKE(3, 4) static void statement(Writer *w, uint32_t type, const char *fmt, ...)
{
    uint32_t first = line_now(w);
    va_list args;
    va_start(args, fmt);
    str_add(w->out, "    ");
    str_vprintf(w->out, fmt, args);
    str_add(w->out, ";\n");
    va_end(args);
    if (type)
        vec_push(&w->typed, (TypedLines){first + 1, line_now(w), type});
}

static const char *literal(Writer *w, const void *data, size_t n)
{
    Str text = {0};
    const char *bytes = data;
    str_add_char(&text, '"');
    for (size_t at = 0; at < n; at += BYTES_A_LINE) {
        if (at)
            str_add(&text, "\"\n        \"");
        suite_c_escape(bytes + at, n - at < BYTES_A_LINE ? n - at : BYTES_A_LINE, &text);
    }
    str_add_char(&text, '"');
    const char *kept = arena_strdup(w->arena, str_text(&text));
    str_free(&text);
    return kept;
}

/* `l->next` becomes l_next, or l_next2 if that is taken. */
static const char *identifier(Writer *w, const char *text)
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

static const IrCType *ctype(const Writer *w, uint32_t type) { return &w->p->ir->ctypes.v[type]; }

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

static uint64_t field_bits(const uint8_t *data, const IrCField *f)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < f->bits; i++) {
        uint64_t at = f->low + i;
        bits |= (uint64_t)(data[at / 8] >> at % 8 & 1) << i;
    }
    return bits;
}

/* What stands in a place, as C writes it; NULL if C has no way to. */
static const char *value_text(Writer *w, const uint8_t *data, const IrCField *f)
{
    if (f->bits > 64)
        return NULL;
    uint64_t bits = field_bits(data, f);
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

static const char *scalar_name(const IrCType *t)
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
    const IrCType *array = m ? ctype(w, m->type) : NULL;
    bool open = array && array->kind == IR_C_ARRAY && ctype(w, array->of)->size &&
                array->size <= ctype(w, array->of)->size && size > m->low / 8;
    return open && size != t->size ? m : NULL;
}

/* The places in it, as C writes them. */
static void find_fields(Writer *w, Thing *t)
{
    if (!t->type || !t->variable || t->fields.n)
        return;
    const IrCType *type = ctype(w, t->type);
    const IrCMember *m = trailing_array(w, type, t->size);
    uint64_t size = m ? m->low / 8 : t->size;
    ir_ctype_fields(w->p->ir, t->type, t->variable, !t->value, size, w->arena, &t->fields);
    if (!m)
        return;
    IrCFieldVec rest = {0};
    const char *text =
        arena_printf(w->arena, "%s%s%s", t->variable, t->value ? "." : "->", ir_text(w->p->ir, m->name));
    ir_ctype_fields(w->p->ir, ctype(w, m->type)->of, text, true, t->size - size, w->arena, &rest);
    for (uint32_t i = 0; i < rest.n; i++) {
        rest.v[i].low += m->low;
        vec_push(&t->fields, rest.v[i]);
    }
    vec_free(&rest);
}

static const SuiteLink *input_link(const Writer *w, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < w->test->links.n; i++)
        if (w->test->links.v[i].object == object && w->test->links.v[i].offset == offset)
            return &w->test->links.v[i];
    return NULL;
}

/* Are all bytes that are not zero, pointers to other objects aside, in places whose values C can write? */
static bool is_told_by_fields(Writer *w, uint32_t object, const Thing *t)
{
    uint8_t *told = arena_alloc(w->arena, t->size + 1);
    for (uint32_t i = 0; i < t->fields.n; i++) {
        const IrCField *f = &t->fields.v[i];
        if (value_text(w, t->data, f))
            for (uint64_t bit = f->low; bit < f->low + f->bits; bit++)
                told[bit / 8] = 1;
    }
    for (uint32_t i = 0; i < w->test->links.n; i++)
        if (w->test->links.v[i].object == object)
            memset(told + w->test->links.v[i].offset, 1, 8);
    for (uint32_t i = 0; i < t->size; i++)
        if (!told[i] && t->data[i])
            return false;
    return true;
}

static bool names_members(const Writer *w, const Thing *t)
{
    return t->fields.n && !w->plain && !map_get(&w->hidden, t->type, NULL);
}

/* ---- building the arguments ------------------------------------------------------------------ */

static const char *address_of(Writer *w, const Thing *t, int64_t delta)
{
    const char *base = t->value ? arena_printf(w->arena, "&%s", t->variable) : t->variable;
    if (!delta)
        return base;
    return arena_printf(w->arena, "(void *)((char *)%s %c %lld)", base, delta < 0 ? '-' : '+',
                        (long long)(delta < 0 ? -delta : delta));
}

/* Have the pointer and the variable of what it leads to one type? */
static bool is_plain(const IrCField *f, const Thing *to, int64_t delta)
{
    return f && !delta && to->type && f->of == to->type;
}

/* All elements of an object of scalars: {1, 2, 3}; NULL if C cannot write one. */
static const char *elements_text(Writer *w, const Thing *t, const uint8_t *data)
{
    Str text = {0};
    const char *kept = NULL;
    uint32_t i = 0;
    for (; i < t->fields.n; i++) {
        const char *value = value_text(w, data, &t->fields.v[i]);
        if (!value)
            break;
        str_printf(&text, "%s%s", i ? i % 16 ? ", " : ",\n        " : "", value);
    }
    if (i && i == t->fields.n)
        kept = arena_strdup(w->arena, str_text(&text));
    str_free(&text);
    return kept;
}

static bool is_zero(const uint8_t *data, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (data[i])
            return false;
    return true;
}

static bool is_text(const Writer *w, const Thing *t)
{
    const IrCType *type = ctype(w, t->type);
    return !t->type || (type->size == 1 && type->kind != IR_C_BOOL && type->kind != IR_C_RECORD);
}

/* Members that are not zero, pointers to other objects aside. */
static void set_members(Writer *w, uint32_t object, const Thing *t)
{
    for (uint32_t i = 0; i < t->fields.n; i++) {
        const IrCField *f = &t->fields.v[i];
        bool linked = false;
        for (uint32_t k = 0; k < w->test->links.n; k++) {
            const SuiteLink *l = &w->test->links.v[k];
            linked |=
                l->object == object && f->low < 8 * (l->offset + 8ull) && f->low + f->bits > 8 * l->offset;
        }
        const char *value =
            linked || f->bits > 64 || !field_bits(t->data, f) ? NULL : value_text(w, t->data, f);
        if (value)
            statement(w, t->type, "%s = %s", f->text, value);
    }
}

/* Declares the variable of an object behind a pointer and fills what is not a pointer to another object. */
static void build_object(Writer *w, uint32_t object, const char *declared)
{
    Thing *t = &w->objects[object];
    const char *space = text_ends_with(declared, "*") ? "" : " ", *elements = NULL;
    find_fields(w, t);
    const char *scalar = t->type ? scalar_name(ctype(w, t->type)) : NULL;
    if (!is_text(w, t) && scalar && t->size)
        elements = elements_text(w, t, t->data);
    bool members = !is_text(w, t) && !scalar && names_members(w, t) && is_told_by_fields(w, object, t);
    if (t->size && (members || (is_zero(t->data, t->size) && !is_text(w, t)) ||
                    (scalar && !is_text(w, t) && elements && is_zero(t->data, t->size))))
        statement(w, 0, "%s%s%s = sheaf_zeroed(%u)", declared, space, t->variable, t->size);
    else if (elements)
        statement(w, 0, "%s%s%s = sheaf_copy((%s[]){%s}, %u)", declared, space, t->variable, scalar, elements,
                  t->size);
    else
        statement(w, 0, "%s%s%s = sheaf_copy(%s, %u)", declared, space, t->variable,
                  literal(w, t->data, t->size), t->size);
    if (members)
        set_members(w, object, t);
}

/* Where the object is pointed to from: a pointer to an object that has a variable. */
static const SuiteLink *way_to(const Writer *w, uint32_t object)
{
    for (uint32_t i = 0; i < w->test->links.n; i++)
        if (w->test->links.v[i].target == object && w->objects[w->test->links.v[i].object].variable)
            return &w->test->links.v[i];
    return NULL;
}

static const IrCField *pointer_at(const Thing *t, uint64_t offset)
{
    for (uint32_t i = 0; i < t->fields.n; i++)
        if (t->fields.v[i].kind == IR_C_POINTER && t->fields.v[i].low == 8 * offset)
            return &t->fields.v[i];
    return NULL;
}

/* Objects that no parameter points to directly: each behind the one that points to it. */
static void build_pointees(Writer *w)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < w->test->objects.n; i++) {
            const SuiteLink *l = w->objects[i].variable ? NULL : way_to(w, i);
            if (!l)
                continue;
            const Thing *parent = &w->objects[l->object];
            const IrCField *f = pointer_at(parent, l->offset);
            Thing *t = &w->objects[i];
            bool typed = f && names_members(w, parent) && !l->delta;
            t->variable = identifier(w, f ? f->text : w->test->objects.v[i].name);
            t->type = f && !l->delta ? f->of : 0;
            t->to_const = f && f->to_const;
            build_object(w, i, typed ? arena_printf(w->arena, "__typeof__(%s)", f->text) : "void *");
            if (typed)
                vec_push(&w->typed, (TypedLines){line_now(w), line_now(w), parent->type});
            more = true;
        }
    }
}

static void set_pointers(Writer *w)
{
    for (uint32_t i = 0; i < w->test->links.n; i++) {
        const SuiteLink *l = &w->test->links.v[i];
        const Thing *from = &w->objects[l->object], *to = &w->objects[l->target];
        const IrCField *f = pointer_at(from, l->offset);
        if (!from->variable || !to->variable || (from->value && f && !strcmp(f->text, from->variable)))
            continue; /* a parameter that is a pointer was declared with its value */
        if (f && names_members(w, from))
            statement(w, from->type, "%s = %s%s", f->text, is_plain(f, to, l->delta) ? "" : "(void *)",
                      address_of(w, to, l->delta));
        else
            statement(w, 0, "sheaf_point(%s, %u, %s)", address_of(w, from, 0), l->offset,
                      address_of(w, to, l->delta));
    }
}

/* `const Node *` is filled by us: it is declared without const. Types that go around the name are spelled by
 * __typeof__. */
static const char *declared_type(Writer *w, const char *type)
{
    const char *star = strchr(type, '*');
    if (strpbrk(type, "(["))
        return arena_printf(w->arena, "__typeof__(%s)", type);
    if (text_starts_with(type, "const ") && star && !star[1])
        return type + 6;
    return type;
}

static uint32_t object_of_parameter(const Writer *w, const char *name)
{
    for (uint32_t i = 0; i < w->test->objects.n; i++)
        if (w->test->objects.v[i].origin == SUITE_FROM_PARAMETER && !strcmp(w->test->objects.v[i].name, name))
            return i;
    return UINT32_MAX;
}

/* A pointer: with the object that it leads to, which has its name, unless another one has it already. */
static void build_pointer(Writer *w, uint32_t object, const char *declared, const char *name)
{
    const SuiteLink *l = input_link(w, object, 0);
    Thing *t = &w->objects[object], *to = &w->objects[l->target];
    const IrCField *f = pointer_at(t, 0);
    if (!to->variable && !l->delta) {
        to->variable = name;
        to->type = f ? f->of : 0;
        to->to_const = f && f->to_const;
        build_object(w, l->target, declared);
        return;
    }
    if (!to->variable) {
        to->variable = identifier(w, w->test->objects.v[l->target].name);
        build_object(w, l->target, "void *");
    }
    statement(w, 0, "%s %s = (void *)%s", declared, name, address_of(w, to, l->delta));
}

static void build_parameter(Writer *w, uint32_t position)
{
    const char *name = w->p->names.v[position], *type = w->p->types.v[position];
    const char *declared = declared_type(w, type), *space = text_ends_with(declared, "*") ? "" : " ";
    uint32_t object = object_of_parameter(w, name);
    uint32_t known = position + 1 < w->fn->ctypes.n ? w->fn->ctypes.v[position + 1] : 0;
    if (object == UINT32_MAX) {
        statement(w, 0, "%s%s%s = {0}", declared, space, name);
        return;
    }
    Thing *t = &w->objects[object];
    t->value = true;
    t->type = known;
    t->variable = name;
    find_fields(w, t);
    bool whole = t->fields.n == 1 && !strcmp(t->fields.v[0].text, name);
    const char *value = whole ? value_text(w, t->data, &t->fields.v[0]) : NULL;
    if (input_link(w, object, 0) && (whole || text_ends_with(type, "*")))
        build_pointer(w, object, declared, name);
    else if (value)
        statement(w, 0, "%s%s%s = %s", declared, space, name, value);
    else if (names_members(w, t) && is_told_by_fields(w, object, t)) {
        statement(w, 0, "%s%s%s = {0}", declared, space, name);
        set_members(w, object, t);
    } else {
        statement(w, 0, "%s%s%s", declared, space, name);
        statement(w, 0, "memcpy(&%s, %s, %u)", name, literal(w, t->data, t->size), t->size);
    }
}

/* ---- looking at what the call left ----------------------------------------------------------- */

static const SuiteSeenLink *seen_link(const SuiteShown *s, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < s->links.n; i++)
        if (s->links.v[i].object == object && offset - s->links.v[i].offset < 8)
            return &s->links.v[i];
    return NULL;
}

static bool is_stable(const Writer *w, uint32_t object, uint32_t at)
{
    return suite_observed_stable(w->observed, object, at);
}

static bool is_field_stable(const Writer *w, uint32_t object, const IrCField *f)
{
    for (uint64_t at = f->low / 8; at < (f->low + f->bits + 7) / 8; at++)
        if (!is_stable(w, object, (uint32_t)at))
            return false;
    return true;
}

/* The thing that a pointer of a seen object leads to; one that the function made gets a variable now. NULL:
 * it cannot be looked at. `text`: C for the pointer. */
static Thing *thing_behind(Writer *w, const SuiteSeenLink *l, const IrCField *f, const char *text)
{
    const SuiteShown *s = &w->observed->shown[0];
    if (l->target >= s->seen.n || l->target >= NEW_OBJECTS_MOST)
        return NULL;
    Thing *to = &w->seen[l->target];
    if (to->variable)
        return to;
    const SuiteSeen *seen = &s->seen.v[l->target];
    if (l->delta < 0 || l->delta >= seen->size)
        return NULL;
    bool direct = !l->delta && f && !strcmp(text, "result");
    *to = (Thing){.fresh = true,
                  .from = (uint32_t)l->delta,
                  .type = f && !l->delta ? f->of : 0,
                  .data = seen->data,
                  .size = seen->size,
                  .variable = direct ? "result" : identifier(w, f ? f->text : seen->name)};
    if (l->delta)
        statement(w, 0, "const char *%s = (const char *)%s - %lld", to->variable, text, (long long)l->delta);
    else if (!direct)
        statement(w, 0, "%s%s = %s", f ? arena_printf(w->arena, "__typeof__(%s) ", text) : "const void *",
                  to->variable, text);
    return to;
}

static void check_pointer(Writer *w, const Thing *t, const SuiteSeenLink *l, const IrCField *f,
                          const char *text)
{
    uint32_t blamed = names_members(w, t) ? t->type : 0;
    bool known = l->target < w->observed->shown[0].seen.n && w->seen[l->target].variable;
    if (known && w->seen[l->target].variable != text) {
        const Thing *to = &w->seen[l->target];
        const char *cast = is_plain(f, to, l->delta) ? "" : "(void *)";
        statement(w, blamed, "CHECK(%s%s == %s%s)", cast, text, cast, address_of(w, to, l->delta));
    } else {
        statement(w, blamed, "CHECK(%s)", text);
        thing_behind(w, l, f, text);
    }
}

/* Runs of bytes that are the same in every run and belong to something. */
static void check_bytes(Writer *w, uint32_t object, const Thing *t)
{
    uint32_t end = t->fresh && t->size - t->from > NEW_BYTES_MOST ? t->from + NEW_BYTES_MOST : t->size;
    const SuiteShown *s = &w->observed->shown[0];
    uint8_t *part = arena_alloc(w->arena, t->size + 1);
    memset(part, !t->fields.n, t->size);
    for (uint32_t i = 0; i < t->fields.n; i++)
        for (uint64_t at = t->fields.v[i].low / 8; at < (t->fields.v[i].low + t->fields.v[i].bits + 7) / 8;
             at++)
            part[at] = 1;
    if (t->fresh && is_text(w, t)) { /* of a string what is behind its NUL does not count */
        const uint8_t *nul = memchr(t->data + t->from, 0, end - t->from);
        end = nul ? (uint32_t)(nul - t->data) + 1 : end;
    }
    for (uint32_t at = t->from; at < end;) {
        uint32_t n = 0;
        while (at + n < end && part[at + n] && !seen_link(s, object, at + n) && is_stable(w, object, at + n))
            n++;
        const SuiteSeenLink *l = n ? NULL : seen_link(s, object, at);
        if (n && at)
            statement(w, 0, "CHECK(!memcmp((const char *)%s + %u, %s, %u))", t->variable, at,
                      literal(w, t->data + at, n), n);
        else if (n)
            statement(w, 0, "CHECK(!memcmp(%s, %s, %u))", t->variable, literal(w, t->data, n), n);
        else if (l && is_stable(w, object, at))
            check_pointer(w, t, l, NULL, arena_printf(w->arena, "sheaf_pointer(%s, %u)", t->variable, at));
        at += n ? n : l ? 8 : 1;
    }
}

static void check_members(Writer *w, uint32_t object, const Thing *t)
{
    for (uint32_t i = 0; i < t->fields.n; i++) {
        const IrCField *f = &t->fields.v[i];
        const SuiteSeenLink *l = seen_link(&w->observed->shown[0], object, (uint32_t)(f->low / 8));
        if (!is_field_stable(w, object, f) || f->bits > 64)
            continue;
        const char *value = value_text(w, t->data, f);
        if (l && f->kind == IR_C_POINTER)
            check_pointer(w, t, l, f, f->text);
        else if (l)
            continue;
        else if (f->kind == IR_C_POINTER && !field_bits(t->data, f))
            statement(w, t->type, "CHECK(!%s)", f->text);
        else if (value)
            statement(w, t->type, "CHECK(%s == %s)", f->text, value);
        else if (f->kind == IR_C_FLOAT)
            statement(w, t->type, "CHECK(%s != %s || isinf(%s))", f->text, f->text, f->text);
    }
}

static void check_object(Writer *w, uint32_t object)
{
    Thing *t = &w->seen[object];
    const SuiteSeen *seen = &w->observed->shown[0].seen.v[object];
    if (!t->variable || seen->freed || !seen->size)
        return;
    t->data = seen->data;
    t->size = seen->size;
    find_fields(w, t);
    bool scalar = t->type && scalar_name(ctype(w, t->type));
    const char *elements =
        scalar && !t->value && !is_text(w, t) && t->fields.n > 1 ? elements_text(w, t, t->data) : NULL;
    for (uint32_t at = 0; elements && at < t->size; at++)
        if (!is_stable(w, object, at))
            elements = NULL;
    if (elements)
        statement(w, 0, "CHECK(!memcmp(%s, (%s[]){%s}, %u))", t->variable, scalar_name(ctype(w, t->type)),
                  elements, t->size);
    else if (names_members(w, t) && (t->value || !is_text(w, t)))
        check_members(w, object, t);
    else if (!t->value)
        check_bytes(w, object, t);
}

/* Objects of the test that can be seen afterwards have their variables; others get one on the way. */
static void check_all(Writer *w)
{
    const SuiteShown *s = &w->observed->shown[0];
    w->seen = arena_alloc(w->arena, (s->seen.n + 1) * sizeof *w->seen);
    for (uint32_t i = 0; i < s->seen.n; i++)
        for (uint32_t k = 0; k < w->test->objects.n; k++)
            if (w->test->objects.v[k].origin == SUITE_FROM_POINTEE && w->objects[k].variable &&
                !strcmp(s->seen.v[i].name, w->test->objects.v[k].name)) {
                w->seen[i] = w->objects[k];
                vec_clear(&w->seen[i].fields);
                w->seen[i].fields = (IrCFieldVec){0};
            }
    for (uint32_t i = 0; i < s->seen.n; i++) {
        Thing *t = &w->seen[i];
        if (!i && !strcmp(s->seen.v[i].name, "result"))
            *t = (Thing){
                .variable = "result", .value = true, .type = w->fn->ctypes.n ? w->fn->ctypes.v[0] : 0};
        bool same = t->variable && t->to_const && !t->fresh && t->size == s->seen.v[i].size &&
                    s->seen.v[i].data && !memcmp(t->data, s->seen.v[i].data, t->size);
        if (!same)
            check_object(w, i);
    }
    for (uint32_t i = 0; i < s->seen.n; i++)
        vec_free(&w->seen[i].fields);
}

/* ---- one test -------------------------------------------------------------------------------- */

static void write_call(Writer *w, bool checked)
{
    Str call = {0};
    const char *result = w->p->result;
    str_printf(&call, "%s(", w->p->entry);
    for (uint32_t i = 0; i < w->p->names.n; i++)
        str_printf(&call, "%s%s", i ? ", " : "", w->p->names.v[i]);
    str_add_char(&call, ')');
    const SuiteShown *s = checked ? &w->observed->shown[0] : NULL;
    if (s && s->seen.n && !strcmp(s->seen.v[0].name, "result") && result && strcmp(result, "void")) {
        const char *type =
            strpbrk(result, "([") ? arena_printf(w->arena, "__typeof__(%s)", str_text(&call)) : result;
        statement(w, 0, "%s%sresult = %s", type, text_ends_with(type, "*") ? "" : " ", str_text(&call));
    } else
        statement(w, 0, "%s", str_text(&call));
    str_free(&call);
}

/* The bytes of an object, zeros in the place of pointers to others. */
static const uint8_t *without_pointers(Writer *w, const SuiteTest *t, uint32_t object)
{
    const SuiteObject *o = &t->objects.v[object];
    uint8_t *data = arena_alloc(w->arena, o->size + 1);
    memcpy(data, o->data, o->size);
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].object == object)
            memset(data + t->links.v[i].offset, 0, 8);
    return data;
}

static void write_test(Writer *w, const SuiteTest *t, const SuiteObserved *observed, uint32_t number)
{
    bool checked = suite_observed_returned(t, observed);
    w->test = t;
    w->observed = observed;
    w->objects = arena_alloc(w->arena, (t->objects.n + 1) * sizeof *w->objects);
    strmap_free(&w->taken);
    w->taken = (StrMap){0};
    strmap_put(&w->taken, "result", 1);
    for (uint32_t i = 0; i < w->p->names.n; i++)
        strmap_put(&w->taken, w->p->names.v[i], 1);
    for (uint32_t i = 0; i < t->objects.n; i++)
        w->objects[i] = (Thing){.data = without_pointers(w, t, i), .size = t->objects.v[i].size};
    str_printf(w->out, "static void test_%04u(void)\n{\n", number);
    for (uint32_t i = 0; i < w->p->names.n; i++)
        build_parameter(w, i);
    build_pointees(w);
    set_pointers(w);
    write_call(w, checked);
    if (checked)
        check_all(w);
    str_add(w->out, "}\n\n");
    for (uint32_t i = 0; i < t->objects.n; i++)
        vec_free(&w->objects[i].fields);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char helpers_text[] =
    "#include <fcntl.h>\n"
    "#include <math.h>\n"
    "#include <signal.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "#if defined(__has_feature)\n"
    "#if __has_feature(address_sanitizer)\n"
    "#define SHEAF_SANITIZED 1\n"
    "#endif\n"
    "#endif\n"
    "#if defined(__SANITIZE_ADDRESS__)\n"
    "#define SHEAF_SANITIZED 1\n"
    "#endif\n"
    "#ifndef SHEAF_SANITIZED\n"
    "#define SHEAF_SANITIZED 0\n"
    "#endif\n"
    "\n"
    "static int sheaf_report; /* where failed checks are told */\n"
    "\n"
    "static inline void sheaf_failed(const char *what)\n"
    "{\n"
    "    dprintf(sheaf_report, \"  not so: %s\\n\", what);\n"
    "    _exit(1);\n"
    "}\n"
    "#undef CHECK\n"
    "#define CHECK(condition) ((condition) ? (void)0 : sheaf_failed(#condition))\n"
    "\n"
    "/* Objects are exactly as large as the test says, so that a sanitizer knows their bounds; malloc(0) "
    "gives it one\n"
    " * byte. */\n"
    "void __asan_poison_memory_region(void const volatile *address, size_t size) __attribute__((weak));\n"
    "static inline void *sheaf_copy(const void *bytes, size_t size)\n"
    "{\n"
    "    void *object = calloc(1, size ? size : 1);\n"
    "    if (!object)\n"
    "        abort();\n"
    "    if (!size && __asan_poison_memory_region)\n"
    "        __asan_poison_memory_region(object, 1);\n"
    "    return memcpy(object, bytes, size);\n"
    "}\n"
    "static inline void *sheaf_zeroed(size_t size)\n"
    "{\n"
    "    void *object = calloc(1, size);\n"
    "    if (!object)\n"
    "        abort();\n"
    "    return object;\n"
    "}\n"
    "/* Pointers in objects whose type no header shows. */\n"
    "static inline void sheaf_point(void *object, size_t offset, const void *target)\n"
    "{\n"
    "    memcpy((char *)object + offset, &target, sizeof target);\n"
    "}\n"
    "static inline void *sheaf_pointer(const void *object, size_t offset)\n"
    "{\n"
    "    void *target;\n"
    "    memcpy(&target, (const char *)object + offset, sizeof target);\n"
    "    return target;\n"
    "}\n"
    "\n";

static const char main_text[] =
    "/* 1: as expected, 0: not, -1: cannot be seen without a sanitizer. */\n"
    "static int sheaf_one(const SheafTest *t)\n"
    "{\n"
    "    FILE *streams[2] = {tmpfile(), tmpfile()};\n"
    "    int status = 0;\n"
    "    if (t->check == SANITIZER && !SHEAF_SANITIZED)\n"
    "        return -1;\n"
    "    fflush(stdout);\n"
    "    pid_t child = streams[0] && streams[1] ? fork() : -1;\n"
    "    if (!child) {\n"
    "        sheaf_report = dup(1);\n"
    "        dup2(open(\"/dev/null\", O_RDWR), 0);\n"
    "        dup2(fileno(streams[0]), 1);\n"
    "        if (!getenv(\"SHEAF_SHOW\"))\n"
    "            dup2(fileno(streams[1]), 2);\n"
    "        alarm(10);\n"
    "        t->run();\n"
    "        fflush(NULL);\n"
    "        _exit(0);\n"
    "    }\n"
    "    if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "        return 0;\n"
    "    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;\n"
    "    int late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;\n"
    "    int passed = t->check == STATUS ? code == t->status : t->check == ANY ? code >= 0 : !late;\n"
    "    if (t->check == FAULT || t->check == SANITIZER)\n"
    "        passed = code != 0 && !late;\n"
    "    if (t->check == LATE)\n"
    "        passed = late;\n"
    "    passed = passed && sheaf_wrote(streams[0], \"standard output\", &t->out) &&\n"
    "             (getenv(\"SHEAF_SHOW\") || sheaf_wrote(streams[1], \"standard error\", &t->err));\n"
    "    if (!passed)\n"
    "        printf(\"FAILED %s: expected %s, got %s %d\\n\", t->name, t->expected,\n"
    "               code < 0 ? \"signal\" : \"status\", code < 0 ? WTERMSIG(status) : code);\n"
    "    fclose(streams[0]);\n"
    "    fclose(streams[1]);\n"
    "    return passed;\n"
    "}\n"
    "\n"
    "/* What a function keeps is no leak of the test. */\n"
    "const char *__asan_default_options(void);\n"
    "const char *__asan_default_options(void) { return \"detect_leaks=0\"; }\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    unsigned passed = 0, failed = 0, unseen = 0;\n"
    "    for (unsigned i = 0; i < sizeof sheaf_tests / sizeof *sheaf_tests; i++) {\n"
    "        int result = sheaf_tests[i].run ? sheaf_one(&sheaf_tests[i]) : 1;\n"
    "        passed += result > 0 && sheaf_tests[i].run;\n"
    "        failed += !result;\n"
    "        unseen += result < 0;\n"
    "    }\n"
    "    printf(\"%u passed, %u failed\", passed, failed);\n"
    "    if (unseen)\n"
    "        printf(\", %u not run: compile with -fsanitize=address,undefined to see their faults\", "
    "unseen);\n"
    "    printf(\"\\n\");\n"
    "    return failed != 0;\n"
    "}\n";

static void write_table(Writer *w, SuiteTest *const *tests, const SuiteObserved *observed, uint32_t n)
{
    str_add(w->out, suite_seen_types);
    str_add(w->out, "typedef struct SheafTest {\n"
                    "    const char *name;\n"
                    "    void (*run)(void);\n"
                    "    int check, status;\n"
                    "    const char *expected;\n"
                    "    SheafStream out, err;\n"
                    "} SheafTest;\n"
                    "static const SheafTest sheaf_tests[] = {\n");
    for (uint32_t i = 0; i < n; i++) {
        const SuiteObserved *o = observed ? &observed[i] : NULL;
        str_printf(w->out, "    {\"%04u\", test_%04u, ", i + 1, i + 1);
        suite_expectation(tests[i], w->p->entry, o, w->out);
        suite_expect_streams(o, false, w->out);
        str_add(w->out, "},\n");
    }
    str_add(w->out, n ? "};\n\n" : "    {0},\n};\n\n");
}

static bool takes(const SuiteProgram *p, SuiteTest *const *tests, uint32_t n)
{
    uint32_t fn = p->ir && p->preamble ? ir_fn_find(p->ir, p->entry) : IR_NONE;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < tests[i]->objects.n; k++)
            if (tests[i]->objects.v[k].origin != SUITE_FROM_PARAMETER &&
                tests[i]->objects.v[k].origin != SUITE_FROM_POINTEE)
                return false;
    return fn != IR_NONE;
}

static void attempt(Writer *w, SuiteTest *const *tests, const SuiteObserved *observed, uint32_t n,
                    const char *head)
{
    vec_clear(w->out);
    vec_clear(&w->typed);
    w->line = w->counted = 0;
    arena_clear(w->arena);
    str_add(w->out, head);
    str_add(w->out, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#undef main\n");
    str_add(w->out, w->p->preamble);
    str_add_char(w->out, '\n');
    str_add(w->out, helpers_text);
    for (uint32_t i = 0; i < n; i++)
        write_test(w, tests[i], observed ? &observed[i] : NULL, i + 1);
    write_table(w, tests, observed, n);
    str_add(w->out, suite_stream_text);
    str_add(w->out, main_text);
}

/* Marks the types whose members stand in lines that do not compile. False: there is none to blame. */
static bool hide_types(Writer *w, const U32Vec *bad)
{
    bool any = false;
    for (uint32_t i = 0; i < bad->n; i++)
        for (uint32_t k = 0; k < w->typed.n; k++) {
            const TypedLines *l = &w->typed.v[k];
            if (bad->v[i] >= l->first && bad->v[i] <= l->last && !map_get(&w->hidden, l->type, NULL)) {
                map_put(&w->hidden, l->type, 1);
                any = true;
            }
        }
    return any;
}

bool suite_entry_write(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed,
                       uint32_t n, const char *head, Str *out)
{
    if (!takes(p, tests, n))
        return false;
    Writer w = {.p = p, .fn = &p->ir->fns.v[ir_fn_find(p->ir, p->entry)], .arena = arena_new(), .out = out};
    StrVec flags = {0};
    U32Vec bad = {0};
    bool ok = false;
    for (uint32_t i = 0; i < p->entry_flags.n; i++)
        vec_push(&flags, p->entry_flags.v[i]);
    Str include = {0};
    str_printf(&include, "-I%s", p->include ? p->include : "");
    if (p->include)
        vec_push(&flags, str_text(&include));
    for (uint32_t i = 0; i < ATTEMPTS && !ok; i++) {
        vec_clear(&bad);
        attempt(&w, tests, observed, n, head);
        ok = !p->frontend || suite_c_compiles(p->frontend, &flags, out, &bad);
        if (!ok && w.plain)
            break;
        w.plain = !ok && (!hide_types(&w, &bad) || i + 2 == ATTEMPTS);
    }
    str_free(&include);
    vec_free(&flags);
    vec_free(&bad);
    vec_free(&w.typed);
    map_free(&w.hidden);
    strmap_free(&w.taken);
    arena_free(w.arena);
    return ok;
}
