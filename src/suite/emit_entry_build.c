/* emit_entry_build.c - tests of an entry as C: the arguments. Objects are built member by member where the
 * header shows their type, else of bytes. */
#include "suite/emit_entry.h"

static const SuiteLink *input_link(const Writer *w, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < w->test->links.n; i++)
        if (w->test->links.v[i].object == object && w->test->links.v[i].offset == offset)
            return &w->test->links.v[i];
    return NULL;
}

/* Are all bytes that are not zero, pointers to other objects aside, in places whose values C can write? */
static bool fields_hold_all(Writer *w, uint32_t object, const Thing *t)
{
    uint8_t *held = arena_alloc(w->arena, t->size + 1);
    for (uint32_t i = 0; i < t->fields.n; i++) {
        const IrCField *f = &t->fields.v[i];
        if (suite_emit_value(w, t->data, f))
            for (uint64_t bit = f->low; bit < f->low + f->bits; bit++)
                held[bit / 8] = 1;
    }
    for (uint32_t i = 0; i < w->test->links.n; i++)
        if (w->test->links.v[i].object == object)
            memset(held + w->test->links.v[i].offset, 1, 8);
    for (uint32_t i = 0; i < t->size; i++)
        if (!held[i] && t->data[i])
            return false;
    return true;
}

static bool is_zero(const uint8_t *data, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (data[i])
            return false;
    return true;
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
            linked || f->bits > 64 || !suite_emit_bits(t->data, f) ? NULL : suite_emit_value(w, t->data, f);
        if (value)
            suite_emit_statement(w, t->type, "%s = %s", f->text, value);
    }
}

/* Declares the variable of an object behind a pointer and fills what is not a pointer to another object. */
static void build_object(Writer *w, uint32_t object, const char *declared)
{
    Thing *t = &w->objects[object];
    const char *space = text_ends_with(declared, "*") ? "" : " ", *elements = NULL;
    if (w->test->objects.v[object].origin == SUITE_FROM_STREAM) {
        t->type = 0; /* of a FILE nothing is named */
        suite_emit_statement(w, 0, "%s%s%s = sheaf_stream(%s, %u)", declared, space, t->variable,
                             suite_emit_literal(w, t->data, t->size), t->size);
        return;
    }
    suite_emit_fields(w, t);
    const char *scalar = t->type ? suite_emit_scalar(suite_emit_type(w, t->type)) : NULL;
    if (!suite_emit_is_text(w, t) && scalar && t->size)
        elements = suite_emit_elements(w, t, t->data);
    bool members = !suite_emit_is_text(w, t) && !scalar && suite_emit_names_members(w, t) &&
                   fields_hold_all(w, object, t);
    if (t->size && (members || (is_zero(t->data, t->size) && !suite_emit_is_text(w, t)) ||
                    (scalar && !suite_emit_is_text(w, t) && elements && is_zero(t->data, t->size))))
        suite_emit_statement(w, 0, "%s%s%s = sheaf_zeroed(%u)", declared, space, t->variable, t->size);
    else if (elements)
        suite_emit_statement(w, 0, "%s%s%s = sheaf_copy((%s[]){%s}, %u)", declared, space, t->variable,
                             scalar, elements, t->size);
    else
        suite_emit_statement(w, 0, "%s%s%s = sheaf_copy(%s, %u)", declared, space, t->variable,
                             suite_emit_literal(w, t->data, t->size), t->size);
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
            bool typed = f && suite_emit_names_members(w, parent) && !l->delta;
            t->variable = suite_emit_identifier(w, f ? f->text : w->test->objects.v[i].name);
            t->type = f && !l->delta ? f->of : 0;
            t->to_const = f && f->to_const;
            build_object(w, i, typed ? arena_printf(w->arena, "__typeof__(%s)", f->text) : "void *");
            if (typed)
                vec_push(&w->typed, (TypedLines){suite_emit_line(w), suite_emit_line(w), parent->type});
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
        if (f && suite_emit_names_members(w, from))
            suite_emit_statement(w, from->type, "%s = %s%s", f->text,
                                 suite_emit_is_plain(f, to, l->delta) ? "" : "(void *)",
                                 suite_emit_address(w, to, l->delta));
        else
            suite_emit_statement(w, 0, "sheaf_point(%s, %u, %s)", suite_emit_address(w, from, 0), l->offset,
                                 suite_emit_address(w, to, l->delta));
    }
}

/* `const Node *` is filled by us: it is declared without const. Types that go around the name are spelled by
 * __typeof__. */
const char *suite_emit_declared_type(Writer *w, const char *type)
{
    const char *star = strchr(type, '*');
    if (strpbrk(type, "(["))
        return arena_printf(w->arena, "__typeof__(%s)", type);
    if (text_starts_with(type, "const ") && star && !star[1])
        return type + 6;
    return type;
}

uint32_t suite_emit_object_of(const Writer *w, const char *name)
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
        to->variable = suite_emit_identifier(w, w->test->objects.v[l->target].name);
        build_object(w, l->target, "void *");
    }
    suite_emit_statement(w, 0, "%s %s = (void *)%s", declared, name, suite_emit_address(w, to, l->delta));
}

void suite_emit_argument(Writer *w, const char *name, const char *type, const char *of, uint32_t known)
{
    const char *declared = suite_emit_declared_type(w, type),
               *space = text_ends_with(declared, "*") ? "" : " ";
    uint32_t object = suite_emit_object_of(w, of);
    if (object == UINT32_MAX) {
        suite_emit_statement(w, 0, "%s%s%s = {0}", declared, space, name);
        return;
    }
    Thing *t = &w->objects[object];
    t->value = true;
    t->type = known;
    t->variable = name;
    suite_emit_fields(w, t);
    bool whole = t->fields.n == 1 && !strcmp(t->fields.v[0].text, name);
    const char *value = whole ? suite_emit_value(w, t->data, &t->fields.v[0]) : NULL;
    if (input_link(w, object, 0) && (whole || text_ends_with(type, "*")))
        build_pointer(w, object, declared, name);
    else if (value)
        suite_emit_statement(w, 0, "%s%s%s = %s", declared, space, name, value);
    else if (suite_emit_names_members(w, t) && fields_hold_all(w, object, t)) {
        suite_emit_statement(w, 0, "%s%s%s = {0}", declared, space, name);
        set_members(w, object, t);
    } else {
        suite_emit_statement(w, 0, "%s%s%s", declared, space, name);
        suite_emit_statement(w, 0, "memcpy(&%s, %s, %u)", name, suite_emit_literal(w, t->data, t->size),
                             t->size);
    }
}

static void build_parameter(Writer *w, uint32_t position)
{
    uint32_t known = position + 1 < w->fn->ctypes.n ? w->fn->ctypes.v[position + 1] : 0;
    const char *name = w->p->names.v[position];
    if (suite_drive_handle(w->p, name) == UINT32_MAX)
        suite_emit_argument(w, name, w->p->types.v[position], name, known);
}

void suite_emit_arguments(Writer *w)
{
    for (uint32_t i = 0; i < w->p->names.n; i++)
        build_parameter(w, i);
    suite_emit_handles(w);
    build_pointees(w);
    set_pointers(w);
    for (uint32_t i = 0; i < w->calls.n; i++)
        suite_emit_statement(w, 0, "%s", w->calls.v[i]);
}
